"""The same row without scaling: what was chosen is shown and saved."""

from __future__ import annotations

import numpy as np
import pytest

from core.views.attention.scaling import AtHeadScaled
from tests.views.records import header, rows, shown, written


@pytest.mark.parametrize("scaling", [0, 1])
def test_what_was_chosen_is_shown_when_the_link_is_opened(runs, scaling):
    found = header(runs, "attention.unscaled", scaling=str(scaling))
    assert found["selection"]["scaling"] == scaling
    assert found["stages"][scaling] == ("divided by √d_head", "not divided")[scaling]
    assert AtHeadScaled().scaling == len(found["stages"]) - 1  # as bars.js opens


@pytest.mark.parametrize("scaling", [0, 1])
def test_the_stage_that_is_chosen_is_drawn(runs, scaling):
    view, record = shown(runs, "attention.unscaled", scaling=str(scaling))
    bars = view.show(record)
    at = record.run.query
    shares = bars.values[at, scaling]
    texts = written(view, record)
    assert all(any(t.startswith(f"{100 * s:.0f}") for t in texts) for s in shares[shares > 0.05])
    assert bars.stages[scaling] in " ".join(texts)


def test_both_are_in_the_table(runs):
    view, record = shown(runs, "attention.unscaled")
    table = rows(view, record)
    assert table[0] == ["query", "key", "scaled", "not scaled"]
    found = np.array([line[2:] for line in table[1:]], np.float32)
    np.testing.assert_array_equal(found[:, 0], record.run("weights").ravel())
    np.testing.assert_array_equal(found[:, 1], record.without.ravel())
