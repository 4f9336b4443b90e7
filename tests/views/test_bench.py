"""The bench: what is drawn is the broken run beside the healthy one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.views.records import shown

TEXT = "the cat sat on the mat"


def of(runs, view, fault="wrong_axis", **values):
    given = {"model": "gpt", "text": TEXT, "layer": "0", "head": "0", **values}
    found, record = shown(runs, f"bench.{view}", fault=fault, **given)
    return found, record, found.values(record)


def test_the_sum_of_a_row_gives_the_wrong_axis_away(runs):
    view, record, values = of(runs, "weights")
    sums = values["sum"].array
    assert sums == pytest.approx(values["broken"].array.sum(axis=1), abs=1e-5)
    assert np.allclose(values["healthy"].array.sum(axis=1), 1, atol=1e-5)
    assert "add up to" in str(view.describe(record))
    assert "add up to" not in str(of(runs, "weights", "leak")[0].describe(
        of(runs, "weights", "leak")[1]
    ))  # fmt: skip
    sheets = view.show(record).payload().header["sheets"]
    assert [one["tab"] for one in sheets] == ["broken", "healthy"]


def test_what_moved_is_half_of_the_differences(runs):
    _view, record, values = of(runs, "guesses")
    difference = np.abs(record.probs("broken") - record.probs("healthy")).sum() / 2
    assert values["moved"].value == pytest.approx(difference)
    assert record.probs("broken").sum() == pytest.approx(1)


def test_sizes_begin_at_the_embeddings(runs):
    _view, record, values = of(runs, "sizes", "too_large")
    broken, healthy = values["broken"].array, values["healthy"].array
    assert len(broken) == record.stack.n_layers + 1
    assert broken[0] > 2 * healthy[0]


@pytest.mark.parametrize(("model", "text", "at"), [("gpt", TEXT, -1), ("bert", "a [MASK] b", 2)])
def test_the_position_is_that_of_what_is_predicted(runs, model, text, at):
    _view, record, _values = of(runs, "guesses", model=model, text=text)
    last = len(record.broken.queries) - 1
    assert record.position == (last if at < 0 else at)
