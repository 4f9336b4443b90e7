"""The walk from the RNN to the Transformer: its stops, its losses, what is compared and counted."""

from __future__ import annotations

import numpy as np
import pytest

from core import zoo
from core.data.examples import STOPS, TRANSLATED, WALK
from core.data.measured import BY_LENGTH, measured
from core.inputs import SourceTarget
from core.runs.kinds.trace import TraceRequest
from core.views import get
from core.views.stops import (
    BOTH_SIDES,
    FIXED,
    STARTS,
    MachineOnSentence,
    Walking,
    by_length,
    in_order,
    new_at,
    stop_of,
)
from tests.views.records import shown

TEXT, TARGET = "The cat sat on the mat", "the dog saw a sea"
GIVEN = {"stops": "rnn transformer", "text": TEXT, "reference": TARGET}


def walked(runs, view: str, **values):
    return shown(runs, f"stops.{view}", **{**GIVEN, "model": "transformer", **values})


def test_each_machine_of_the_shelf_stands_at_its_own_stop():
    shelf = {name: zoo.blueprint(name) for name in zoo.shelf()}
    assert [stop_of(shelf[name]) for name in STOPS] == list(range(FIXED, BOTH_SIDES + 1))
    able = {name: one for name, one in shelf.items() if one.heads[0].ability == "translate"}
    assert in_order(able) == list(STOPS)
    others = set(shelf) - set(able)
    assert all(stop_of(shelf[name]) is None for name in others if len(shelf[name].streams) == 1)
    new = [new_at(shelf[name]) for name in STOPS]
    assert [None if one is None else (one.name, one.causal) for one in new] == [
        None, ("cross", False), ("decoder", True), ("encoder", True), ("encoder", False),
    ]  # fmt: skip


def test_a_machine_that_is_looked_at_takes_the_place_of_the_example(rnn, transformer):
    blueprints = {name: zoo.blueprint("transformer") for name in ("mine", "transformer")}
    assert in_order(blueprints) == ["transformer"]
    assert in_order(blueprints, "mine") == ["mine"]
    assert in_order(blueprints, "no-such", "mine", "transformer") == ["mine"]


def test_the_loss_is_that_of_the_whole_translation(runs):
    view, record = walked(runs, "sentence")
    losses = view.values(record)["loss"]
    for model, loss in zip(("rnn", "transformer"), losses.array, strict=True):
        run = runs.get(TraceRequest(model, SourceTarget(TEXT, TARGET)))
        ids = [*run.trace.main.ids[1:], run.trace.config.end_id]
        logits = run.trace["logits"].astype(float)
        logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        assert loss == pytest.approx(-logs[np.arange(len(ids)), ids].sum(), rel=1e-5)
    assert losses.selected == (1,)
    said = str(view.describe(record))
    assert record.machine.text in said
    assert f"{losses.array.max():.1f} nats" in said


def test_without_a_reference_each_is_measured_on_its_own_words(runs):
    view, record = walked(runs, "sentence", reference="")
    assert not record.has_reference
    assert "Write a reference" in str(view.describe(record))
    for one in record.machines:
        assert [token.id for token in one.read.targets] == [token.id for token in one.read.writing]


@pytest.mark.parametrize(("text", "said"), [
    ("I have two dogs.", "Transformer writes: “I have two dogs.” The reference"),
    ("I have two dogs", "Transformer writes “I have two dogs”. The reference"),
])  # fmt: skip
def test_a_sentence_that_is_quoted_has_one_full_stop(runs, monkeypatch, text, said):
    view, record = walked(runs, "sentence")
    monkeypatch.setattr(MachineOnSentence, "text", text)
    assert said in str(view.describe(record))


def test_weights_are_those_of_the_last_layer_mean_over_heads(runs):
    view, record = walked(runs, "scores", token="2")
    values = view.values(record)
    assert list(values) == ["additive", "dot"]
    run = runs.get(TraceRequest("transformer", SourceTarget(TEXT, TARGET)))
    across = run.trace.blueprint.across()
    weights = run.trace[f"{across.prefix(across.n_layers - 1)}.weights"]
    np.testing.assert_allclose(values["dot"].array, weights.mean(axis=0), rtol=1e-5)
    for one in values.values():
        np.testing.assert_allclose(one.array.sum(axis=1), 1, rtol=1e-4)
        row, key = one.selected
        assert row == 2
        assert one.array[row, key] == one.array[row].max()
    assert f"To write “{record.written[2].spoken}”" in str(view.describe(record))


def test_a_recurrence_waits_for_each_token_and_a_layer_of_attention_for_none(runs):
    view, record = walked(runs, "pace")
    values = view.values(record)
    lengths = np.array(record.lengths)
    recurrent, stack = (runs.model(name).blueprint.towers[0].n_layers for name in record.machines)
    assert list(values["source_steps"].array[0]) == list(recurrent * lengths)
    assert set(values["source_steps"].array[1]) == {stack}
    assert (values["source"].array > 0).all()
    assert (values["target"].array > 0).all()
    text = str(view.describe(record))
    first, last = recurrent * lengths[0], recurrent * lengths[-1]
    assert f"wait for each other go from {first} to {last}" in text
    assert f"of Transformer that wait for each other stay at {stack}. Measured" in text


def test_what_was_recorded_is_of_the_shelf_and_adds_up_to_the_cards():
    found = measured(BY_LENGTH)
    n_long = 400
    words = np.array(found["words"])
    assert (words[-n_long:] >= 15).all()
    for name in STOPS:
        # A model that was trained again must be measured again: see the command in the file.
        assert found["models"][name]["fingerprint"] == zoo.fingerprint(name)
        rows = np.array(found["models"][name]["counts"])
        assert len(rows) == len(words) == len(found["wanted"])
    record = by_length(STOPS)
    assert record.n.sum() == len(words)
    assert record.scores.shape == (len(STOPS), len(STARTS))
    assert (record.low <= record.scores).all()
    assert (record.scores <= record.high).all()


def test_what_is_said_of_long_sentences_is_what_was_measured():
    view = get("stops.lengths")
    record = view.compute((), Walking(text=WALK, stops=" ".join(STOPS)))
    text = str(view.describe(record))
    assert record.machines == STOPS
    assert ("do not settle" in text) == (not record.falls(0))
    assert f"{record.scores[0, -1]:.1f}" in text
    assert record.command.startswith("python -m core.training lengths")
    assert TRANSLATED[WALK]
    alone = view.compute((), Walking(model="rnn"))
    assert alone.machines == ("rnn",)
    others = view.compute((), Walking(model="nobody"))
    assert set(others.machines) == set(STOPS)
