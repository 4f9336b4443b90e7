"""Views of one head: what the learner selects is in the link, and a plot says what it shows."""

from __future__ import annotations

import dataclasses
from xml.etree import ElementTree

import numpy as np
import pytest

from core.analysis.scaling import N_QUERIES
from core.figures.attention import AtHeadScaled, HeadRun, ScalingParams, looked_at, reading
from core.figures.params import parse
from core.figures.view import ComponentView, all_views, get
from core.requests import TraceRequest
from core.runs import Runs

TEXT = "The cat sat on the mat"


@pytest.fixture(scope="module")
def runs(gpt, bert) -> Runs:
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


def shown(runs: Runs, name: str, **values: str) -> tuple[ComponentView, object]:
    """A view, and what it computes for the values of a link."""
    view = get(name)
    assert isinstance(view, ComponentView)
    params, _ = parse(view.Params, {"text": TEXT, "model": "gpt", **values})
    return view, view.compute([runs.get(request) for request in view.requests(params)], params)


def header(runs: Runs, name: str, **values: str) -> dict:
    view, record = shown(runs, name, **values)
    return view.payload(record).header


def drawn(view: ComponentView, record: object, tag: str) -> list[ElementTree.Element]:
    """The elements of one kind in the drawing that is saved."""
    root = ElementTree.fromstring(view.svg(record, "light"))
    return list(root.iter("{http://www.w3.org/2000/svg}" + tag))


def written(view: ComponentView, record: object) -> list[str]:
    return ["".join(one.itertext()) for one in drawn(view, record, "text")]


@pytest.mark.parametrize("scaling", [0, 1])
def test_what_was_chosen_is_shown_when_the_link_is_opened(runs, scaling):
    found = header(runs, "attention.unscaled", scaling=str(scaling))
    assert found["selection"]["scaling"] == scaling
    assert found["stages"][scaling] == ("divided by √d_head", "not divided")[scaling]
    assert AtHeadScaled().scaling == len(found["stages"]) - 1  # as bars.js opens


def test_every_choice_of_bars_is_kept_in_the_link(runs):
    """Else a reload forgets it, and undo takes back a change that shows nothing."""
    kept = {}
    for name, view in all_views().items():
        if not isinstance(view, ComponentView) or view.component != "bars":
            continue
        model = "bert" if view.needs == "masked" else "gpt"
        found = header(runs, name, model=model)
        if len(found["stages"]) > 1:
            field = found.get("stage_field", "stage")
            kept[name] = field in {one.name for one in dataclasses.fields(view.Params)}
    assert "attention.unscaled" in kept
    assert all(kept.values()), kept


def test_the_experiment_says_its_setting():
    view = get("attention.scaling")
    for n_keys in (2, 16):
        words = str(view.describe(view.compute([], ScalingParams(n_keys=n_keys))))
        assert f"{N_QUERIES} random queries with {n_keys} keys each" in words
        assert "components from N(0, 1)" in words
        assert "Frobenius norm of softmax's Jacobian" in words


# --- words ----


def test_what_is_looked_at_is_named_without_doubt():
    words = ["the", "cat", "the"]
    assert str(looked_at(words, 0, 0)) == "itself"
    assert str(looked_at(words, 0, 1)) == "“cat”"
    assert str(looked_at(words, 0, 2)) == "“the” (position 2)"


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_same_position_is_itself_in_every_clause(runs, model):
    params, _ = parse(get("attention.row").Params, {"model": model, "text": TEXT})
    run = HeadRun(runs.get(TraceRequest(model, TEXT)).trace, "", 0, 0, params)
    weights = run("weights")
    for query, name in enumerate(run.words):
        said = str(reading(run, query))
        best, second = (int(at) for at in np.argsort(-weights[query])[:2])
        named = [best, *([second] if weights[query, second] > 0.05 else [])]
        assert ("itself" in said) == (query in named), said
        assert f"to “{name}”" not in said


def test_heads_are_named_as_everywhere(runs):
    view, record = shown(runs, "attention.heads")
    assert str(view.describe(record)).startswith("Layer ")
    assert ", head " in str(view.describe(record))


# --- what is saved is what is shown ----

ARRAYS = ("q", "k", "v", "dots", "scores", "scores_masked", "weights", "z")


@pytest.mark.parametrize("step", range(9))
@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_step_that_is_shown_is_saved(runs, model, step):
    view, record = shown(runs, "attention.steps", model=model, step=str(step), layer="1")
    sheet = view.payload(record).header["sheets"][step]
    assert view.title(record).startswith(sheet["title"])
    if step != 6:
        assert str(view.describe(record)).startswith(sheet["title"])
    table = view.table(record)
    found = np.array([row[1:] for row in table.rows], float)
    if step < 8:
        np.testing.assert_array_equal(found, record(ARRAYS[step]))
    else:
        assert found.shape == (len(record.labels), record.trace.config.d_model)
    assert list(table.columns[1:]) == list(sheet["cols"]["labels"])
    labels = [*sheet["rows"]["labels"], *sheet["cols"]["labels"]]
    assert [text for text in written(view, record) if text in labels] != []
    hatched = [one for one in drawn(view, record, "rect") if one.attrib["fill"] == "url(#h)"]
    assert bool(hatched) == (model == "gpt" and step in (5, 6))


def test_the_score_that_is_shown_is_saved(runs):
    view, maps = shown(runs, "attention.heads")
    assert drawn(view, maps, "path")
    for score in ("entropy", "previous", "first", "induction"):
        view, record = shown(runs, "attention.heads", score=score)
        payload = view.payload(record)
        (label,) = (one["label"] for one in payload.header["scores"] if one["array"] == score)
        assert label in view.title(record)
        assert not drawn(view, record, "path")
        assert len(drawn(view, record, "rect")) == 1 + payload.arrays[score].size
        assert {"layer 0", "layer 1", "head 0", "head 1"} <= set(written(view, record))


def test_the_lines_that_are_shown_are_saved(runs):
    view, record = shown(runs, "attention.lines", layer="0", token="3")
    one = drawn(view, record, "path")
    assert len(one) == (record("weights")[3] >= 0.01).sum()
    assert len(view.table(record).rows) == 1
    view, record = shown(runs, "attention.lines", layer="0", every="1", heads="0:0,1")
    weights = record.trace["blocks.0.attn.weights"]
    assert len(drawn(view, record, "path")) == (weights >= 0.08).sum()
    assert {"head 0", "head 1"} <= set(written(view, record))
    rows = view.table(record).rows
    np.testing.assert_array_equal([row[2:] for row in rows], weights.reshape(-1, weights.shape[2]))
    # Chosen while another head was selected, they do not count.
    view, record = shown(runs, "attention.lines", layer="0", head="1", heads="0:0")
    assert [row[0] for row in view.table(record).rows] == [1]


def test_the_logarithmic_axes_have_ticks_one_can_read():
    view = get("attention.scaling")
    figure = view.figure(view.compute([], ScalingParams()), "light")
    assert list(figure.layout.xaxis.tickvals) == [1, 4, 16, 64, 256, 1024]
    assert {0.05, 0.1, 0.2} <= set(figure.layout.yaxis2.tickvals)
    assert "<br>" not in figure.layout.title.text
