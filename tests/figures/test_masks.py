"""Views of masks: the lecture's example, what a mask hides, leaks, padding, and hostile links."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from core.analysis.distributions import softmax
from core.figures.masks import KINDS, UnderMask, in_a_batch, read_mask, spec_for, warning
from core.figures.masks_worked import PRINTED_WEIGHTS, LearningParams, WorkedMask
from core.figures.payload import unpack
from core.figures.text import MINUS, visible
from core.figures.view import get
from core.requests import MaskSpec, TraceRequest
from core.runs import Runs, mask_matrix

TEXT = "The cat sat on the mat"
VIEWS = ("masks.strip", "masks.grid", "masks.prediction", "masks.batch")


@pytest.fixture(scope="module")
def runs(gpt, bert):
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


@pytest.fixture(scope="module")
def record_of(runs):
    def record(name: str, params):
        view = get(name)
        return view.compute([runs.get(r) for r in view.requests(params)], params)

    return record


def under(mask: str, **more) -> UnderMask:
    return UnderMask(text=TEXT, mask=mask, **more)


def painted(run) -> str:
    return spec_for("painted", run)


# --- every view, every mask ---------------------------------------------------------------------


@pytest.mark.parametrize("model", ["gpt", "bert"])
@pytest.mark.parametrize(
    "mask", ["own", "none", "causal", "padding", "prefix:3", "window:2", "painted:2:kA"]
)
def test_every_view_shows_every_mask(record_of, model, mask):
    for name in VIEWS:
        view = get(name)
        record = record_of(name, under(mask, model=model, sentence=1, layer=99, head=99))
        assert unpack(view.payload(record).pack()).header["labels"]
        said = str(view.describe(record))
        assert said.strip()
        assert "{" not in said
        ElementTree.fromstring(view.svg(record, "dark"))
        table = view.table(record)
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert view.title(record)


@pytest.mark.parametrize("text", ["a", "<b>&'\" [MASK]", "🙂 ‮x", "cat " * 60])
@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_any_text_can_be_masked(record_of, model, text):
    for mask in ("own", "window:1", "padding"):
        params = UnderMask(text=text, model=model, mask=mask, batch=text + "\n\n" + TEXT)
        for name in VIEWS:
            view = get(name)
            record = record_of(name, params)
            view.payload(record).pack()
            ElementTree.fromstring(view.svg(record, "light"))


# --- what a mask hides ----


def test_the_models_own_mask_is_named_and_compared_with_its_opposite(record_of):
    causal = record_of("masks.grid", under("own"))
    assert causal.spec.kind == "causal"
    assert causal.base_name == "no mask"
    assert not np.allclose(causal.base, causal.logits)
    none = record_of("masks.grid", under("own", model="bert"))
    assert none.spec.kind == "none"
    assert none.base_name == "a causal mask"


def test_under_another_mask_the_models_own_stands_beside(record_of, runs):
    record = record_of("masks.grid", under("window:2"))
    own = runs.get(TraceRequest("gpt", TEXT)).trace
    np.testing.assert_array_equal(record.base, own["logits"])
    assert "causal" in record.base_name


def test_the_weights_are_those_of_the_run_and_what_is_left_sums_to_one(record_of):
    record = record_of("masks.grid", under("window:2", layer=1, head=1))
    weights = record.site("weights")
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
    for i, row in enumerate(weights):
        assert [j for j in range(len(row)) if row[j] > 0] == [j for j in (i - 1, i) if j >= 0]
    # What the page says: the open weight over the share kept is the weight.
    kept = record.open_weights / record.kept[:, None]
    np.testing.assert_allclose(np.where(record.trace.mask, kept, 0), weights, atol=1e-5)


def test_the_prediction_is_the_softmax_of_both_runs(record_of):
    view = get("masks.prediction")
    record = record_of("masks.prediction", under("none", token=2))
    payload = view.payload(record)
    frame = payload.header["frames"][2]
    ids = [int(row["id"]) for row in frame["rows"]]
    probs = payload.arrays["probs"][2, :, : len(ids)]
    np.testing.assert_allclose(probs[0], softmax(record.base[2])[ids], rtol=1e-5)
    np.testing.assert_allclose(probs[1], softmax(record.logits[2])[ids], rtol=1e-5)
    # The token that really follows is marked.
    assert [row["chosen"] for row in frame["rows"]].count(True) == 1
    assert str(record.trace.tokens[3].id) == next(r["id"] for r in frame["rows"] if r["chosen"])


def test_a_gap_has_no_answer_in_the_text(record_of):
    params = UnderMask(text="the cat sat on the [MASK]", model="bert", mask="causal")
    record = record_of("masks.prediction", params)
    assert record.trace.tokens[record.query].piece == "[MASK]"
    frame = get("masks.prediction").payload(record).header["frames"][record.query]
    assert frame["note"] == ""
    assert not any(row["chosen"] for row in frame["rows"])


def test_cells_ahead_of_their_query_are_marked_for_a_next_token_model_only(record_of):
    for model, ahead in (("gpt", True), ("bert", False)):
        record = record_of("masks.grid", under("none", model=model))
        cells = get("masks.grid").payload(record).arrays["cells"]
        assert bool(cells[0, 1] == 2) is ahead
        assert cells[1, 0] == 1


@pytest.mark.parametrize("sheet", range(4))
def test_the_sheet_that_is_shown_is_saved(record_of, sheet):
    view, space = get("masks.grid"), "{http://www.w3.org/2000/svg}"
    record = record_of("masks.grid", under("window:2", sheet=sheet, token=5))
    payload = view.payload(record)
    one = payload.header["sheets"][sheet]
    assert view.title(record) == one["title"]
    assert str(view.describe(record)) == one["alt"]
    root = ElementTree.fromstring(view.svg(record, "light"))
    cells = [e.attrib["fill"] for e in root.iter(f"{space}rect")][1:]
    n, shown = len(record.labels), np.ones((len(record.labels),) * 2, bool)
    if one["mask"]:
        shown = payload.arrays[one["mask"]].astype(bool)
    hatched = np.array([fill == "url(#h)" for fill in cells[: n * n]]).reshape(n, n)
    np.testing.assert_array_equal(hatched, ~shown)
    texts = ["".join(e.itertext()) for e in root.iter(f"{space}text")]
    assert ("directly" in texts) == (sheet == 1)
    assert ("may look" in texts) == (sheet == 0)
    assert len({fill for fill in cells if fill != "url(#h)"}) > 2 or sheet < 2
    needed = [row[5] for row in view.table(record).rows]
    np.testing.assert_array_equal(
        needed, ["" if k < 0 else k for k in record.leaks.needed.reshape(-1)]
    )


def test_every_sheet_has_its_own_words(record_of):
    run = record_of("masks.grid", under("window:2", token=5))
    alts = [sheet["alt"] for sheet in get("masks.grid").payload(run).header["sheets"]]
    assert len(set(alts)) == 4


# --- leaks ----


def test_no_mask_is_a_leak_and_the_causal_one_is_none(record_of):
    assert warning(record_of("masks.grid", under("causal"))) is None
    said = str(warning(record_of("masks.grid", under("none"))))
    n = len(record_of("masks.grid", under("none")).trace.tokens) - 1
    assert f"{n} of {n} positions" in said
    assert "may look straight at" in said


def test_a_masked_model_has_no_answer_to_see(record_of):
    assert warning(record_of("masks.grid", under("none", model="bert"))) is None


def test_a_leak_through_others_names_them(record_of):
    run = record_of("masks.grid", under("causal"))
    may = run.trace.mask.copy()
    may[1, 4] = True  # "The" sees a later token, which has seen the one after "The"
    record = record_of("masks.grid", under(str(MaskSpec.painted(may))))
    assert not record.trace.mask[1, 2]
    said = str(warning(record))
    assert "only through other tokens" in said
    assert record.name(4) in said
    assert record.name(2) in said


def test_a_later_token_that_is_not_the_answer_is_said_as_such(record_of):
    run = record_of("masks.grid", under("causal"))
    n = len(run.trace.mask)
    may = np.eye(n, dtype=bool)
    may[0, 2] = True
    record = record_of("masks.grid", under(str(MaskSpec.painted(may))))
    assert "not the very next" in str(warning(record))


def test_a_prefix_is_asked_for_nothing_inside_itself(record_of):
    assert "prefix" in str(warning(record_of("masks.grid", under("prefix:3"))))


# --- padding ----


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_under_the_padding_mask_a_row_is_what_it_is_alone(record_of, runs, model):
    params = under("padding", model=model, batch="The dog", sentence=1)
    record = record_of("masks.prediction", params)
    alone = runs.get(TraceRequest(model, "The dog")).trace
    n = len(alone.tokens)
    assert record.n == n
    assert len(record.trace.tokens) > n
    head = "logits" if model == "gpt" else "mlm.logits"
    np.testing.assert_allclose(record.logits[:n], alone[head], atol=1e-4)
    assert record.alone < 1e-4
    assert not record.trace.mask[:, n:].any()
    assert "same logits" in str(in_a_batch(record))


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_sentence_is_really_run_by_itself(runs, model):
    view, params = get("masks.prediction"), under("padding", model=model, batch="The dog")
    requests = view.requests(params)
    (at,) = (i for i, one in enumerate(requests) if one == TraceRequest(
        model, "The dog", sites=("*logits",)))  # fmt: skip
    results = [runs.get(request) for request in requests]
    # Another run in its place is another number.
    assert view.compute(results, params).alone < 1e-4
    results[at] = runs.get(TraceRequest(model, "The cat"))
    assert view.compute(results, params).alone > 1e-3


def test_a_sentence_without_padding_says_so(record_of):
    record = record_of("masks.prediction", under("padding", batch="The dog", sentence=0))
    assert "needs no padding" in str(in_a_batch(record))


def test_padding_in_sight_changes_an_encoder_but_no_causal_model(record_of):
    params = {"batch": "The dog", "sentence": 1}
    gpt = record_of("masks.prediction", under("padding", **params))
    assert np.abs(gpt.base[: gpt.n] - gpt.logits[: gpt.n]).max() < 1e-6
    bert = record_of("masks.prediction", under("padding", model="bert", **params))
    assert np.abs(bert.base[: bert.n] - bert.logits[: bert.n]).max() > 1e-4


def test_the_batch_has_a_row_a_sentence_and_stops_somewhere(record_of):
    record = record_of("masks.batch", under("padding", batch="a\n\n  \nb\nc\nd\ne\nf"))
    assert len(record.batch) == 5
    table = get("masks.batch").table(record)
    assert {row[0] for row in table.rows} == {0, 1, 2, 3, 4}


# --- links and the brush ----


@pytest.mark.parametrize(
    "text", ["painted:3:!!", "painted:99999:AA", "window:", "window:-1", "causal:2", "", "x" * 9999]
)
def test_a_mask_that_cannot_be_read_is_the_models_own(text):
    spec, problem = read_mask(text)
    assert spec.kind == "own"
    assert problem is not None
    assert problem.sentence()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_chosen_and_read_again(record_of, kind):
    run = record_of("masks.grid", under("causal"))
    spec, problem = read_mask(spec_for(kind, run))
    assert problem is None
    assert spec.kind == kind
    if kind == "painted":
        np.testing.assert_array_equal(spec.cells(), run.trace.mask)


def test_mask_matrix_of_padding():
    may = mask_matrix(MaskSpec("padding"), 4, causal=True, n_padding=2)
    assert may.astype(int).tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]
    full = mask_matrix(MaskSpec("padding"), 3, causal=False, n_padding=1)
    assert full.astype(int).tolist() == [[1, 1, 0]] * 3


# --- the worked example ----


@pytest.fixture
def worked():
    view = get("masks.worked")
    return view.compute([], WorkedMask())


def test_the_worked_example_has_the_right_rows(worked):
    rounded = np.round(worked.weights, 3).tolist()
    assert rounded[2] == [0.0, 0.269, 0.731, 0.0]
    assert rounded[3] == [0.005, 0.002, 0.726, 0.267]
    payload = get("masks.worked").payload(worked)
    assert payload.header["sheets"][2]["texts"][2][:3] == ["0.000", "0.269", "0.731"]
    assert payload.header["sheets"][1]["masked_text"] == f"{MINUS}∞"
    assert payload.header["sheets"][2]["masked_text"] == "0"
    assert "0.269" in str(get("masks.worked").describe(worked))


def test_errata_are_the_rows_that_are_wrong_and_no_others(worked):
    said = get("masks.worked").errata(worked)
    assert "kicked" in said[0]
    assert "0.356" in said[0]
    assert "0.000, 0.269, 0.731" in said[0]
    assert "“the”" in said[1]
    assert "0.005, 0.002, 0.726, 0.267" in said[1]
    assert not any("John" in line for line in said)
    assert "j ≤ i" in said[3]
    assert "0, 1, 2" in said[3]
    # The slides' own rows do not come from their scores, whichever way one rounds.
    assert abs(PRINTED_WEIGHTS[2][1] - worked.weights[2, 1]) > 0.05


def test_the_worked_example_is_exported(worked):
    view = get("masks.worked")
    ElementTree.fromstring(view.svg(worked, "light"))
    assert len(view.table(worked).rows) == 16
    view.payload(worked).pack()


def test_learning_without_a_mask_is_drawn_and_said(record_of):
    view = get("masks.learning")
    record = record_of("masks.learning", LearningParams())
    figure = view.figure(record, "dark")
    assert figure.layout.title.text
    assert figure.layout.xaxis.title.text
    assert figure.layout.yaxis.title.text
    assert len(figure.data) == 4
    assert visible(str(view.describe(record)))
    assert len(view.table(record).rows) == len(record.steps)
