"""One head step by step: the step that is shown is saved, and is made from what it says."""

from __future__ import annotations

import numpy as np
import pytest

from core.views.attention.steps import NAMES
from tests.views.records import drawn, header, rows, shown, written

KINDS = [("gpt", ""), ("bert", ""), ("transformer", "encoder"), ("transformer", "decoder"),
         ("transformer", "cross")]  # fmt: skip


@pytest.mark.parametrize("step", range(9))
@pytest.mark.parametrize(("model", "attention"), KINDS)
def test_the_step_that_is_shown_is_saved(runs, model, attention, step):
    chosen = {"model": model, "attention": attention, "step": str(step), "layer": "1"}
    view, record = shown(runs, "attention.steps", **chosen)
    component = view.show(record)
    sheet = component.payload().header["sheets"][step]
    assert component.title.startswith(sheet["title"])
    if step != 6:
        assert str(view.describe(record)).startswith(sheet["title"])
    first, *table = rows(view, record)
    found = np.array([line[1:] for line in table], float)
    if step < 8:
        site = record.trace[f"{record.prefix}{NAMES[step]}"]
        np.testing.assert_array_equal(found, site[record.head])
    else:
        assert found.shape == (len(record.queries), record.trace.config.d_model)
    assert list(first[1:]) == list(sheet["cols"]["labels"])
    labels = [*sheet["rows"]["labels"], *sheet["cols"]["labels"]]
    assert [text for text in written(view, record) if text in labels] != []
    hatched = [one for one in drawn(view, record, "rect") if one.attrib["fill"] == "url(#h)"]
    assert bool(hatched) == (not record.mask.all() and step in (5, 6))


@pytest.mark.parametrize(("model", "attention"), KINDS)
def test_the_arithmetic_of_every_step_gives_its_result(runs, model, attention):
    """From the operands that the browser is given, as it computes them."""
    _view, run = shown(runs, "attention.steps", model=model, attention=attention, head="1")
    a = {name: np.asarray(value, np.float64) for name, value in run.arrays.items()}
    given = a.get("source", a["x"])
    close = {"atol": 2e-5, "rtol": 2e-5}
    np.testing.assert_allclose(a["x"] @ a["w_q"].T + a["b_q"], a["q"], **close)
    np.testing.assert_allclose(given @ a["w_k"].T + a["b_k"], a["k"], **close)
    np.testing.assert_allclose(given @ a["w_v"].T + a["b_v"], a["v"], **close)
    np.testing.assert_allclose(a["q"] @ a["k"].T, a["dots"], **close)
    np.testing.assert_allclose(a["dots"] / np.sqrt(a["q"].shape[1]), a["scores"], **close)
    powers = np.exp(a["scores"]) * a["may"]
    np.testing.assert_allclose(powers / powers.sum(-1, keepdims=True), a["weights"], **close)
    np.testing.assert_allclose(a["weights"] @ a["v"], a["z"], **close)
    np.testing.assert_allclose(a["z"] @ a["w_o"].T, a["out"], **close)


def test_the_bias_of_a_distance_is_added_to_the_dot_products(runs):
    _view, run = shown(runs, "attention.steps", model="t5", attention="encoder", head="1")
    a = run.arrays
    assert np.abs(a["bias"]).max() > 0.01
    np.testing.assert_allclose(a["dots"] + a["bias"], a["scores"], atol=2e-5)


def named(part: object) -> set[str]:
    """Every array that some arithmetic names."""
    inside = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    own = {part["array"]} if isinstance(part, dict) and "array" in part else set()
    return own.union(*map(named, inside))


@pytest.mark.parametrize(("model", "attention"), [*KINDS, ("t5", "encoder"), ("t5", "cross")])
def test_the_browser_is_given_every_array_that_the_arithmetic_names(runs, model, attention):
    view, run = shown(runs, "attention.steps", model=model, attention=attention)
    payload = view.show(run).payload()
    assert named(payload.header["sheets"]) <= payload.arrays.keys()


def test_all_heads_together_are_the_sum_of_each_and_the_bias(runs):
    parts = []
    for head in range(2):
        _view, run = shown(runs, "attention.steps", head=str(head))
        parts.append(run.arrays["out"])
    bias = run.trace.weights[f"{run.prefix}w_o.bias"]
    np.testing.assert_allclose(sum(parts) + bias, run.arrays["all_heads"], atol=2e-5)


def test_every_sheet_names_its_line(runs):
    """Of attention between two texts too: the same equation."""
    own = header(runs, "attention.steps")["sheets"]
    cross = header(runs, "attention.steps", model="transformer", attention="cross")["sheets"]
    assert [sheet["source"]["code"] for sheet in own] == [
        sheet["source"]["code"] for sheet in cross
    ]
    assert "softmax" in own[6]["source"]["code"]


def test_rows_and_columns_say_which_text_they_are(runs):
    def axes(**chosen: str) -> str:
        sheets = header(runs, "attention.steps", **chosen)["sheets"]
        return "".join(text for text, _role in sheets[6]["axes"])

    assert axes() == "rows: queries · columns: keys · hatched: masked"
    assert axes(model="bert") == "rows: queries · columns: keys"
    cross = axes(model="transformer", attention="cross")
    assert cross == "rows: queries, target tokens · columns: keys, source tokens"
