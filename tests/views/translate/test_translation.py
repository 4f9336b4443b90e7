"""A translation: what each of its views says is what the run computed."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from core.errors import AbilityError
from core.language import name_of
from core.models.rnn import RNN, RNNConfig
from core.runs.store import Runs
from tests.conftest import loaded
from tests.views.records import drawn, header, record_of, rows, shown, written

NAMES = ("translate.source", "translate.target", "translate.next")
SOURCE, TARGET = "The cat sat on the mat", "the dog saw a sea"


def expected(record) -> np.ndarray:
    """The softmax of every row of the logits, one after the other."""
    probs = []
    for row in record.run.trace["logits"].astype(np.float64):
        powers = [np.exp(value - row.max()) for value in row]
        probs.append([power / sum(powers) for power in powers])
    return np.array(probs)


@pytest.mark.parametrize("target", ["", TARGET])
def test_probabilities_are_the_softmax_of_the_logits(runs, target):
    _view, record = shown(runs, "translate.target", model="transformer", target=target)
    probs, ids = expected(record), record.target.ids
    assert np.isnan(record.target_probs[0])
    np.testing.assert_allclose(
        _view.values(record)["ends"].array,
        probs[:, record.run.trace.config.end_id],
        rtol=1e-5,
    )
    assert record.ranks[0] == -1
    for at in range(1, len(ids)):
        assert record.target_probs[at] == pytest.approx(probs[at - 1, ids[at]], rel=1e-5)
        assert record.ranks[at] == sum(p > probs[at - 1, ids[at]] for p in probs[at - 1])
    for at, row in enumerate(record.words):
        assert [word.id for word in row] == sorted(
            range(probs.shape[1]), key=lambda i, at=at: (-probs[at, i], i)
        )[: len(row)]
    np.testing.assert_allclose(record.probs, -np.sort(-probs, axis=1)[:, :8], rtol=1e-5)


def test_what_the_model_writes_itself_is_the_likeliest_each_time(runs):
    _view, record = shown(runs, "translate.target", model="transformer")
    assert record.target.written
    assert list(record.ranks[1:]) == [0] * (len(record.target.tokens) - 1)
    given = shown(runs, "translate.target", model="transformer", target=TARGET)[1]
    assert not given.target.written
    assert max(given.ranks) > 0
    (begin, *_rest) = given.target.tokens
    assert begin.id == given.run.trace.config.start_id


@pytest.mark.parametrize(("layer", "head"), [("0", "0"), ("1", "2"), ("99", "99")])
def test_the_source_is_coloured_by_the_decoders_look_at_it(runs, layer, head):
    _view, record = shown(
        runs, "translate.source", model="transformer", target=TARGET, layer=layer, head=head
    )
    trace = record.run.trace
    layers = len({name for name in trace.arrays if name.endswith("cross_attn.weights")})
    block = min(int(layer), layers - 1)
    weights = trace[f"decoder.blocks.{block}.cross_attn.weights"]
    own = weights[min(int(head), len(weights) - 1)]
    assert own.shape == (len(record.target.tokens), len(record.source.tokens))
    np.testing.assert_array_equal(_view.show(record).heat, own)
    np.testing.assert_array_equal(_view.values(record)["weights"].array, own)


def test_a_machine_without_attention_shows_all_but_the_alignment(wordpiece):
    torch.manual_seed(0)
    config = RNNConfig(wordpiece.vocab_size, 32, 8, 2, 3, attention=False)
    machine = loaded(RNN(config).double().eval(), wordpiece)
    own = Runs(load=lambda name, device: machine)
    for name in NAMES:
        view, record = shown(own, name, model="rnn", target=TARGET, token="2")
        assert record.head is None
        assert record.position == 2
        assert view.show(record).selection == {"token": 2}
        view.show(record).drawing("light")
    view, record = shown(own, "translate.source", model="rnn", target=TARGET)
    strip = view.show(record)
    assert strip.heat is None
    assert len(strip.tokens) == len(record.source.units)
    said = str(view.describe(record))
    assert said.startswith("There is no alignment to draw: nothing in this model attends to the so")
    assert "the 16 numbers of the last states" in said  # of both directions


def test_attention_without_heads_has_no_number(runs):
    """The toy's additive attention: one map, in one layer."""
    view, record = shown(runs, "translate.source", model="rnn", layer="5", head="3")
    np.testing.assert_array_equal(
        view.show(record).heat, record.run.trace["decoder.attn.weights"].astype(np.float32)
    )
    (sheet,) = header(runs, "attention.weights", model="rnn", layer="5", head="3")["sheets"]
    assert sheet["title"] == "Attention weights"


def test_one_selection_moves_all_three(runs):
    for name in NAMES:
        said = header(runs, name, model="transformer", target=TARGET, token="2")
        assert said["selection"]["token"] == 2
    strip = header(runs, "translate.source", model="transformer", target=TARGET, token="2")
    assert (strip["field"], strip["heat_field"]) == ("key", "token")
    assert header(runs, "translate.next", model="transformer")["follow"]["field"] == "token"


def test_the_source_is_coloured_where_the_token_was_one_of_a_longer_target(runs):
    view, record = shown(runs, "translate.source", model="transformer", target=TARGET, token="99")
    strip = view.show(record)
    beyond = dataclasses.replace(strip, selection={**strip.selection, "token": 99})
    assert (beyond.numbers() == strip.heat[-1]).all()


def test_the_drawing_shows_the_words_after_the_selected_token(runs):
    view, record = shown(runs, "translate.next", model="transformer", target=TARGET, token="1")
    texts = written(view, record)
    assert any(text.endswith("After “the”") for text in texts)
    chosen = [one for one in drawn(view, record, "rect") if "fill-opacity" in one.attrib]
    assert len(chosen) >= 7


def test_a_saved_table_has_every_word_after_every_token(runs):
    view, record = shown(runs, "translate.next", model="transformer", target=TARGET)
    lines = [line for line in rows(view, record) if line]
    n = len(record.target.tokens)
    assert sum(line[0] in {t.data.decode() for t in record.target.tokens} for line in lines) >= n


def test_the_reading_says_when_the_target_goes_another_way(runs):
    view, record = shown(runs, "translate.target", model="transformer", target=TARGET, token="1")
    said = str(view.describe(record))
    assert said.startswith(f"After “the” {name_of(record.trace.model)} gives ")
    assert "The target continues with “dog”" in said or "continues with the first of them" in said
    last = record_of(view, runs, model="transformer", target=TARGET, token="99")
    assert str(view.describe(last)).endswith("The target text stops here.")
    own = record_of(view, runs, model="transformer", token="0")
    assert str(view.describe(own)).endswith("The target continues with the first of them.")


@pytest.mark.parametrize("model", ["gpt", "bert"])
@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_does_not_translate_is_the_users_error(runs, name, model):
    with pytest.raises(AbilityError):
        shown(runs, name, model=model)


def test_the_title_names_the_step_whose_attention_colours_the_source(runs):
    view, record = shown(runs, "translate.source", model="transformer", target=TARGET, token="2")
    strip = view.show(record)
    named = [unit.spoken for unit in record.target.units]
    assert [str(one).split("after ")[1] for one in strip.headings] == [f"“{one}”" for one in named]
    assert strip.heading == strip.headings[2]
