"""What is predicted under a mask, and learned with one and without."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.distributions import softmax
from core.figures.theme import PALETTES
from core.figures.values import to_csv
from core.inputs import Text
from core.runs.kinds.trace import TraceRequest
from core.spelling import visible
from core.views.masks.run import in_a_batch
from tests.views.records import TEXT, drawn, rows, shown, written


def prediction(runs, mask: str, **more):
    """The view, its record, and its run."""
    view, record = shown(
        runs, "masks.prediction", mask=mask, **{k: str(v) for k, v in more.items()}
    )
    return view, record, record.run


def test_the_prediction_is_the_softmax_of_both_runs(runs):
    view, record, run = prediction(runs, "none", token=2)
    payload = view.show(record).payload()
    frame = payload.header["frames"][2]
    ids = [int(row["id"]) for row in frame["rows"]]
    probs = payload.arrays["probs"][2, :, : len(ids)]
    np.testing.assert_allclose(probs[0], softmax(run.base[2])[ids], rtol=1e-5)
    np.testing.assert_allclose(probs[1], softmax(run.logits[2])[ids], rtol=1e-5)
    # The token that really follows is marked.
    assert [row["chosen"] for row in frame["rows"]].count(True) == 1
    assert str(run.trace.tokens[3].id) == next(r["id"] for r in frame["rows"] if r["chosen"])


def test_a_gap_has_no_answer_in_the_text(runs):
    view, record, run = prediction(runs, "causal", text="the cat sat on the [MASK]", model="bert")
    assert run.trace.tokens[run.query].piece == "[MASK]"
    frame = view.show(record).payload().header["frames"][run.query]
    assert frame["note"] == ""
    assert not any(row["chosen"] for row in frame["rows"])


def test_the_models_own_mask_has_one_colour(runs):
    """Under it the run without a mask is what is compared, else it is itself."""
    for mask, roles in (("causal", ["residual", "accent"]), ("window:2", ["accent", "key"])):
        view, record, _run = prediction(runs, mask)
        assert [series.role for series in view.show(record).series] == roles


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_both_distributions_are_drawn(runs, model):
    """Not only the one under the mask: a bar for each, in its colour, and a legend of both."""
    view, record, _run = prediction(runs, "window:2", model=model)
    texts, palette = written(view, record), PALETTES["light"]
    names = [series.label for series in view.show(record).series]
    assert [text for text in texts if text in names] == names
    said = record.guesses[record.position]
    for role, shares in (("accent", said.before), ("key", said.under)):
        fill = getattr(palette, role)
        bars = [one for one in drawn(view, record, "rect") if one.attrib["fill"] == fill]
        assert len(bars) == 1 + len(shares)  # one of them is the legend's
        widths = [float(one.attrib["width"]) for one in bars[1:]]
        np.testing.assert_allclose(widths, np.maximum(1, 300 * shares), atol=0.1)  # of 100 %


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_title_is_said_once(runs, model):
    view, record, _run = prediction(runs, "none", model=model)
    assert written(view, record)[0] == view.show(record).title


def test_every_position_is_saved(runs):
    view, record, run = prediction(runs, "none", token=2)
    head, *table = rows(view, record)
    assert head == ["token", "position", "id", "its own mask (causal)", "this mask (no mask)"]
    assert {int(row[1]) for row in table} == set(range(len(run.logits)))
    for row in table:
        at, i = int(row[1]), int(row[2])
        assert float(row[3]) == pytest.approx(softmax(run.base[at])[i], rel=1e-5)
        assert float(row[4]) == pytest.approx(softmax(run.logits[at])[i], rel=1e-5)
    values = view.values(record)
    assert values["under"].value == pytest.approx(float(record.guesses[2].under[0]))


# --- padding ----


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_under_the_padding_mask_a_row_is_what_it_is_alone(runs, model):
    _view, _record, run = prediction(runs, "padding", model=model, batch="The dog", sentence=1)
    alone = runs.get(TraceRequest(model, Text("The dog"))).trace
    n = len(alone.tokens)
    assert run.queries.n == n
    assert len(run.trace.tokens) > n
    head = "logits" if model == "gpt" else "mlm.logits"
    np.testing.assert_allclose(run.logits[:n], alone[head], atol=1e-4)
    assert run.alone < 1e-4
    assert not run.mask[:, n:].any()
    assert "same logits" in str(in_a_batch(run))


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_sentence_is_really_run_by_itself(runs, model):
    from core import views

    view = views.get("masks.prediction")
    params = view.Params(text=TEXT, model=model, mask="padding", batch="The dog")
    requests = view.requests(params)
    (at,) = (i for i, one in enumerate(requests) if one == TraceRequest(
        model, Text("The dog"), sites=("@logits",)))  # fmt: skip
    results = [runs.get(request) for request in requests]
    # Another run in its place is another number.
    assert view.compute(results, params).run.alone < 1e-4
    results[at] = runs.get(TraceRequest(model, Text("The cat")))
    assert view.compute(results, params).run.alone > 1e-3


def test_a_sentence_without_padding_says_so(runs):
    _view, _record, run = prediction(runs, "padding", batch="The dog", sentence=0)
    assert "needs no padding" in str(in_a_batch(run))


def test_padding_in_sight_changes_an_encoder_but_no_causal_model(runs):
    _view, _record, gpt = prediction(runs, "padding", batch="The dog", sentence=1)
    n = gpt.queries.n
    assert np.abs(gpt.base[:n] - gpt.logits[:n]).max() < 1e-6
    _view, _record, bert = prediction(runs, "padding", model="bert", batch="The dog", sentence=1)
    n = bert.queries.n
    assert np.abs(bert.base[:n] - bert.logits[:n]).max() > 1e-4


def test_learning_without_a_mask_is_drawn_and_said(runs):
    view, record = shown(runs, "masks.learning")
    plot = view.show(record)
    figure = plot.figure("dark")
    assert figure.layout.title.text
    assert figure.layout.xaxis.title.text
    assert figure.layout.yaxis.title.text
    assert len(figure.data) == 4
    assert visible(str(view.describe(record)))
    values = view.values(record)
    assert len(values["causal_seen"].array) == len(record.step)
    np.testing.assert_array_equal(values["unmasked_unseen"].array, record.unmasked_unseen)
    assert to_csv(values).count("\n") >= len(record.step) + 3


def test_both_models_are_in_the_drawing_too(runs):
    view, record = shown(runs, "masks.learning")
    drawing = view.show(record).drawing("light")
    for name in ("no mask, answer visible", "causal mask, in training"):
        assert name in drawing
    assert "at least 1 bit" in drawing
