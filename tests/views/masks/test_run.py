"""What a mask does to one run, and of tokens and keys that are others."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from core.errors import ParameterError
from core.figures.components.matrix import Paint
from core.inputs import Text
from core.runs.kinds.trace import TraceRequest
from core.runs.mask_spec import MaskSpec
from core.runs.store import Runs
from core.views.masks.run import (
    ACROSS,
    KINDS,
    PAD_LABEL,
    UnderMask,
    base_name,
    in_a_batch,
    notices,
    reading,
    spec_for,
    warning,
)
from core.views.params import parse
from tests.views.records import TEXT, header, shown
from tests.views.test_views import check

VIEWS = ("masks.strip", "masks.grid", "masks.prediction", "masks.batch")


def under(runs, mask: str, **more):
    """The record of the grid."""
    return shown(runs, "masks.grid", mask=mask, **{k: str(v) for k, v in more.items()})[1]


# --- every view, every mask ---------------------------------------------------------------------


@pytest.mark.parametrize("model", ["gpt", "bert"])
@pytest.mark.parametrize(
    "mask", ["own", "none", "causal", "padding", "prefix:3", "window:2", "painted:2:kA"]
)
def test_every_view_shows_every_mask(runs, model, mask):
    for name in VIEWS:
        asked = {"mask": mask, "model": model, "sentence": "1", "layer": "99", "head": "99"}
        check(*shown(runs, name, **asked))


@pytest.mark.parametrize("text", ["a", "<b>&'\" [MASK]", "🙂 ‮x", "cat " * 60])
@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_any_text_can_be_masked(runs, model, text):
    for mask in ("own", "window:1", "padding"):
        for name in VIEWS:
            batch = text + "\n\n" + TEXT
            view, record = shown(runs, name, text=text, model=model, mask=mask, batch=batch)
            view.show(record).payload().pack()
            ElementTree.fromstring(view.show(record).drawing("light"))


# --- what a mask hides ----


def test_the_models_own_mask_is_named_and_compared_with_its_opposite(runs):
    causal = under(runs, "own")
    assert causal.spec.kind == "causal"
    assert base_name(causal) == "no mask"
    assert not np.allclose(causal.base, causal.logits)
    none = under(runs, "own", model="bert")
    assert none.spec.kind == "none"
    assert base_name(none) == "a causal mask"


def test_under_another_mask_the_models_own_stands_beside(runs):
    record = under(runs, "window:2")
    own = runs.get(TraceRequest("gpt", Text(TEXT))).trace
    np.testing.assert_array_equal(record.base, own["logits"])
    assert "causal" in base_name(record)


def test_the_weights_are_those_of_the_run_and_what_is_left_sums_to_one(runs):
    record = under(runs, "window:2", layer=1, head=1)
    weights = record("weights")
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
    for i, row in enumerate(weights):
        assert [j for j in range(len(row)) if row[j] > 0] == [j for j in (i - 1, i) if j >= 0]
    # What the page says: the open weight over the share kept is the weight.
    kept = record.open_weights / record.kept_share[:, None]
    np.testing.assert_allclose(np.where(record.mask, kept, 0), weights, atol=1e-5)


# --- leaks ----


def test_no_mask_is_a_leak_and_the_causal_one_is_none(runs):
    assert warning(under(runs, "causal")) is None
    said = str(warning(under(runs, "none")))
    n = under(runs, "none").queries.n - 1
    assert f"{n} of {n} positions" in said
    assert "may attend directly to" in said


def test_a_masked_model_has_no_answer_to_see(runs):
    assert warning(under(runs, "none", model="bert")) is None


def test_a_leak_through_others_names_them(runs):
    may = under(runs, "causal").mask.copy()
    may[1, 4] = True  # "The" sees a later token, which has seen the one after "The"
    record = under(runs, str(MaskSpec.painted(may)))
    assert not record.mask[1, 2]
    said = str(warning(record))
    assert "None of them attends to it directly" in said
    assert record.queries.words[4] in said
    assert record.queries.words[2] in said


def test_a_later_token_that_is_not_the_answer_is_said_as_such(runs):
    n = len(under(runs, "causal").mask)
    may = np.eye(n, dtype=bool)
    may[0, 2] = True
    record = under(runs, str(MaskSpec.painted(may)))
    assert "not the very next" in str(warning(record))


def test_a_prefix_is_asked_for_nothing_inside_itself(runs):
    assert "prefix" in str(warning(under(runs, "prefix:3")))


# --- links and the brush ----


@pytest.mark.parametrize(
    "text", ["painted:3:!!", "painted:99999:AA", "window:", "window:-1", "causal:2", "", "x" * 9999]
)
def test_a_mask_that_cannot_be_read_is_the_models_own(text):
    params, (problem,) = parse(UnderMask, {"mask": text})
    assert params.mask == "own"
    assert problem.sentence()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_chosen_and_read_again(runs, kind):
    run = under(runs, "causal")
    spec = MaskSpec.parse(spec_for(kind, run))
    assert spec.kind == kind
    if kind == "painted":
        np.testing.assert_array_equal(spec.cells(), run.mask)


def test_an_old_link_says_what_it_always_did():
    params = UnderMask()
    assert (params.mask, params.layer, params.head, params.sheet) == ("own", 5, 3, 0)
    assert (params.batch, params.sentence) == ("The cat sat on the mat.\nStop!", 1)
    assert (params.row, params.col, params.stage) == (2, 1, 2)


STREAMS = {"": ("target", "target"), "encoder": ("source", "source"),
           ("decoder"): ("target", "target"), "cross": ("target", "source")}  # fmt: skip


def run_of(runs, attention: str, mask: str, model: str = "transformer", **more: str):
    return shown(runs, "masks.grid", model=model, attention=attention, mask=mask, **more)[1]


@pytest.mark.parametrize(
    ("attention", "mask"),
    [
        (attention, mask)
        for attention in STREAMS
        for mask in ("own", "none", "causal", "padding", "prefix:3", "window:2", "painted:2:kA")
        if attention != "cross" or mask.partition(":")[0] in ("own", *ACROSS)
    ],
)
def test_every_mask_that_makes_sense_is_shown(runs, attention, mask):
    for name in VIEWS:
        view, record = shown(runs, name, model="transformer", attention=attention, mask=mask)
        component = view.show(record)
        component.payload().pack()
        component.drawing("light")
        assert len(str(view.describe(record))) > 20
        run = getattr(record, "run", record)
        rows, columns = (run.trace.streams[stream].tokens for stream in STREAMS[attention])
        assert run.mask.shape == run("weights").shape == (len(rows), len(columns))


@pytest.mark.parametrize("attention", STREAMS)
def test_the_mask_is_in_force_in_the_chosen_attention_alone(runs, attention):
    own, under = run_of(runs, attention, "own"), run_of(runs, attention, "painted:1:AA")
    changed = {
        name for name, mask in under.trace.masks.items()
        if not np.array_equal(mask, own.trace.masks[name])
    }  # fmt: skip
    assert changed == {attention or "decoder"}
    assert not under.mask[0, 0]
    assert under("weights")[0, 0] == 0


@pytest.mark.parametrize("attention", ["encoder", "decoder"])
def test_between_the_same_tokens_every_mask_makes_sense(runs, attention):
    run = run_of(runs, attention, "window:2")
    assert len(run.kinds) == 6
    assert run.spec.kind == "window"
    assert notices(run) == []
    sheets = header(runs, "masks.grid", model="transformer", attention=attention)["sheets"]
    assert len(sheets) == 4


# --- from target to source ----


@pytest.mark.parametrize("mask", ["causal", "prefix:3", "window:2"])
def test_between_streams_there_is_no_before_and_after(runs, mask):
    assert run_of(runs, "cross", "own").kinds == list(ACROSS)
    with pytest.raises(ParameterError, match="where one sequence attends to another"):
        run_of(runs, "cross", mask)


@pytest.mark.parametrize("mask", ["own", "causal", "padding"])
def test_a_mask_in_an_attention_that_a_model_has_not_is_an_error(runs, mask):
    with pytest.raises(ParameterError, match="attention is 'cross'; it must be one of self"):
        run_of(runs, "cross", mask, model="gpt")


def test_attention_without_heads_is_one_head(rnn):
    """A recurrent machine, whose only attention is to the source."""
    own = Runs(load=lambda name, device: rnn)
    for name in VIEWS:
        view, record = shown(own, name, model="rnn", head="3", layer="5")
        view.show(record).payload().pack()
        view.show(record).drawing("light")
        run = getattr(record, "run", record)
        assert (run.head, run.n_heads, run.layer) == (0, 1, 0)
        assert base_name(run) == "nothing visible"
    assert run.predicts_next
    assert not run.asks_next


def test_its_own_mask_stands_beside_nothing_in_sight(runs):
    run = run_of(runs, "cross", "own")
    assert base_name(run) == "nothing visible"
    closed = run_of(runs, "cross", str(MaskSpec.painted(np.zeros((32, 32), bool))))
    assert not closed.mask.any()
    # Until the first word is written the two read the same: each writes its own.
    np.testing.assert_array_equal(run.base[0], closed.logits[0])
    assert not np.allclose(run.base, run.logits)
    assert "nothing" in str(reading(closed, 0))


def test_there_are_no_ways_and_no_leaks_between_streams(runs):
    found = header(runs, "masks.grid", model="transformer", attention="cross", sheet="1")
    assert [sheet["tab"] for sheet in found["sheets"]] == ["Who may attend", "Weights", "Change"]
    words = "".join(text for text, _role in found["sheets"][0]["axes"])
    assert "queries, target tokens" in words
    assert "keys, source tokens" in words
    view, run = shown(runs, "masks.strip", model="transformer", attention="cross")
    assert warning(run) is None
    assert list(view.show(run).marked) == []
    assert view.show(run).heat is None
    assert "of the source" in str(reading(run, 0))
    assert "itself" not in str(shown(runs, "masks.grid", model="transformer", attention="cross",
                                     sheet="1")[0].describe(run))  # fmt: skip


def test_painting_starts_from_the_rectangle_that_is_shown(runs):
    run = run_of(runs, "cross", "painted:1:AA", text="a cat sat on the mat")
    rows, columns = run.mask.shape
    assert rows != columns
    spec = MaskSpec.parse(spec_for("painted", run))
    assert spec.size == max(rows, columns)
    again = run_of(runs, "cross", str(spec), text="a cat sat on the mat")
    np.testing.assert_array_equal(again.mask, run.mask)
    assert notices(again) == []
    view, record = shown(runs, "masks.grid", model="transformer", attention="cross",
                         mask=str(spec), text="a cat sat on the mat")  # fmt: skip
    assert view.show(record).sheets[0].paint == Paint("may", "mask")


# --- leaks and padding ----


def test_only_the_stack_that_predicts_can_see_its_answers(runs):
    assert "can see the token" in str(warning(run_of(runs, "decoder", "none")))
    assert warning(run_of(runs, "decoder", "own")) is None
    assert warning(run_of(runs, "encoder", "none")) is None


def test_padding_stands_in_the_source(runs):
    batch = {"batch": "a", "sentence": "1"}
    for attention in ("encoder", "cross"):
        run = run_of(runs, attention, "padding", **batch)
        n = run.keys.n
        assert n < len(run.keys.labels)
        assert run.keys.labels[-1] == PAD_LABEL
        assert run.mask[:, :n].all()
        assert not run.mask[:, n:].any()
        seen = np.abs(run.base - run.logits).max()
        assert seen > 1e-6
        assert "from this attention alone" in str(in_a_batch(run))
    run = run_of(runs, "decoder", "padding", **batch)
    assert run.first_text.stream.n_padding
    assert "does not see" in str(in_a_batch(run))


def test_the_prediction_is_that_of_the_target(runs):
    for attention in STREAMS:
        view, record = shown(
            runs, "masks.prediction", model="transformer", attention=attention, token="100"
        )
        target = record.run.trace.streams["target"].tokens
        bars = view.show(record)
        assert len(bars.frames) == len(target)
        assert bars.title == f"What comes after “{record.positions.words[record.position]}”"
