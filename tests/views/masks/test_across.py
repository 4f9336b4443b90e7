"""Masks in a model of two streams: its three attentions, one of them from target to source."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import ParameterError
from core.figures.components.matrix import Paint
from core.runs.mask_spec import MaskSpec
from core.runs.store import Runs
from core.views.masks.asked import ACROSS
from core.views.masks.run import PAD_LABEL, spec_for
from core.views.masks.words import base_name, in_a_batch, notices, reading, warning
from tests.views.records import header, shown

VIEWS = ("masks.strip", "masks.grid", "masks.prediction", "masks.batch")
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
    assert run.given.stream.n_padding
    assert "does not see" in str(in_a_batch(run))


def test_the_prediction_is_that_of_the_target(runs):
    for attention in STREAMS:
        view, record = shown(
            runs, "masks.prediction", model="transformer", attention=attention, token="100"
        )
        target = record.run.trace.streams["target"].tokens
        bars = view.show(record)
        assert len(bars.frames) == len(target)
        assert bars.title == f"What comes after “{record.positions.words[record.at]}”"
