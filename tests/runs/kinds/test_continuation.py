"""A run that goes on: what stands behind the text, and what is switched off in it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.inputs import Ids, SourceTarget, Text
from core.runs.kinds.continuation import ContinuedRunRequest, written
from core.runs.kinds.trace import TraceRequest
from core.runs.store import Runs
from core.tracing.edits import Edit

TEXT = "The cat sat"


@pytest.fixture
def runs(gpt, bert, transformer):
    models = {"gpt": gpt, "bert": bert, "transformer": transformer}
    return Runs(load=lambda name, device: models[name])


def test_the_likeliest_tokens_stand_behind_the_text(runs, gpt):
    found = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 2))
    alone = runs.get(TraceRequest("gpt", Text(TEXT))).trace
    n = len(alone.tokens)
    assert found.continues
    assert found.n_written == len(found.run.trace.tokens) - n == 2
    best = int(alone["logits"][-1, : gpt.tokenizer.vocab_size].argmax())
    assert found.run.trace.tokens[n].id == best
    # Nothing that is read later changes what was computed before.
    np.testing.assert_allclose(found.run.trace["logits"][:n], alone["logits"], atol=1e-5)
    assert found.run.text == TEXT


def test_without_room_nothing_is_written_and_what_was_cut_is_said(runs, gpt):
    found = runs.get(ContinuedRunRequest("gpt", Text("the cat sat " * 200)))
    assert found.n_written == 0
    assert len(found.run.trace.tokens) == gpt.config.n_ctx
    assert found.run.cut


@pytest.mark.parametrize("model", ["bert", "transformer"])
def test_what_continues_no_text_is_run_on_its_input_alone(runs, model):
    found = runs.get(ContinuedRunRequest(model, Text(TEXT)))
    plain = runs.get(TraceRequest(model, Text(TEXT)))
    assert not found.continues
    assert found.n_written == 0
    assert found.run.trace is plain.trace


def test_what_is_off_adds_nothing(runs):
    plain = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0))
    off = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0, ("layer0.head1", "layer1.ffn")))
    ids = Ids(tuple(token.id for token in plain.run.trace.tokens))
    edits = (Edit("blocks.0.attn.z", (1,)), Edit("blocks.1.ffn.out"))
    wanted = runs.get(TraceRequest("gpt", ids, edits=edits)).trace
    np.testing.assert_array_equal(off.run.trace["logits"], wanted["logits"])
    assert not off.run.trace["blocks.0.attn.z"][1].any()
    assert np.abs(off.run.trace["logits"] - plain.run.trace["logits"]).max() > 0


def test_a_key_that_is_hidden_has_no_weight_and_the_others_grow(runs):
    off = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0, ("layer0.head1.key1",)))
    plain = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0))
    after, before = (one.run.trace["blocks.0.attn.weights"] for one in (off, plain))
    assert not after[1, :, 1].any()
    np.testing.assert_allclose(after.sum(-1), 1.0, atol=1e-5)
    np.testing.assert_array_equal(after[0], before[0])
    last = before[1, -1] * (np.arange(len(before[1])) != 1)
    np.testing.assert_allclose(after[1, -1], last / last.sum(), atol=1e-5)


def test_a_key_that_the_text_does_not_have_changes_nothing(runs):
    plain = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0))
    off = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0, ("layer0.head1.key900",)))
    np.testing.assert_array_equal(off.run.trace["logits"], plain.run.trace["logits"])


def test_a_place_that_the_model_does_not_have_changes_nothing(runs):
    plain = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0))
    off = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0, ("layer99.head0", "nowhere")))
    np.testing.assert_array_equal(off.run.trace["logits"], plain.run.trace["logits"])


def test_a_target_stays_that_of_the_run_in_which_nothing_is_off(runs):
    plain = runs.get(ContinuedRunRequest("transformer", Text(TEXT)))
    off = runs.get(
        ContinuedRunRequest("transformer", Text(TEXT), 1, ("target.layer0.cross.head0",))
    )
    assert off.run.trace.ids == plain.run.trace.ids
    given = SourceTarget(TEXT, "the dog")
    own = runs.get(ContinuedRunRequest("transformer", given, 1, ("target.layer0.ffn",)))
    assert own.run.trace.ids == runs.get(TraceRequest("transformer", given)).trace.ids


@pytest.mark.parametrize("name", [
    "layer0.head1.row1.key0.weight0.5", "layer0.head1.row1.key1.score2", "layer0.head1.key1",
    "layer0.head1.row2.key1.weight0",
])  # fmt: skip
def test_positions_are_those_of_the_text_before_a_word_was_swapped(runs, name):
    """In it a token stands at 1; in the changed text more tokens stand before it."""
    first, given = Text(TEXT), Text("Hippopotamuses cat sat")
    swapped = runs.get(ContinuedRunRequest("bert", given, 0, (name,), first=first))
    tokens = [one.label for one in swapped.run.trace.tokens]
    before = [one.label for one in runs.get(TraceRequest("bert", first)).trace.tokens]
    shift = len(tokens) - len(before)
    assert shift > 0
    moved = name.replace("row1", f"row{1 + shift}").replace("row2", f"row{2 + shift}")
    away = name.endswith((".key1", ".weight0"))  # from all of the word, not from its end alone
    keys = range(1 if away else 1 + shift, 2 + shift)
    own = tuple(dict.fromkeys(moved.replace("key1", f"key{key}") for key in keys))
    plain = runs.get(ContinuedRunRequest("bert", given, 0, own))
    np.testing.assert_array_equal(swapped.run.trace["mlm.logits"], plain.run.trace["mlm.logits"])


def test_of_a_swapped_source_the_same_target_is_read(runs):
    plain = runs.get(ContinuedRunRequest("transformer", Text(TEXT), 0))
    swapped = runs.get(ContinuedRunRequest("transformer", Text("The dog sat"), 0, first=Text(TEXT)))
    assert swapped.run.trace.ids == plain.run.trace.ids
    assert swapped.run.trace.streams["source"] != plain.run.trace.streams["source"]


def test_of_several_only_what_is_there_is_changed(runs):
    far, near = "layer0.head1.row900.key1.score2", "layer0.head1.row2.key1.score2"
    both = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0, (far, near)))
    one = runs.get(ContinuedRunRequest("gpt", Text(TEXT), 0, (near,)))
    np.testing.assert_array_equal(both.run.trace["logits"], one.run.trace["logits"])
    assert both.run.trace["blocks.0.attn.scores"][1, 2, 1] == 2.0


def test_over_a_cache_it_is_what_whole_runs_give(gpt):
    ids = [token.id for token in gpt.tokens(TEXT)]
    n = len(ids)
    with torch.inference_mode():
        for _step in range(4):
            logits = gpt.model(torch.tensor([ids]))[0, -1, : gpt.tokenizer.vocab_size]
            ids.append(int(logits.argmax()))
    found = written(gpt, TEXT, 4)
    assert found == tuple(gpt.tokenizer.token(one).label for one in ids[n:])[: len(found)]
    assert found


def test_a_mark_behind_the_text_is_filled_and_the_next_one_behind_it(bert):
    ids = [token.id for token in bert.tokens(TEXT)]
    inside, end = ids[:-1], ids[-1]
    with torch.inference_mode():
        for _step in range(3):
            given = torch.tensor([[*inside, bert.tokenizer.hiding[0], end]])
            logits = bert.model(given)[0, -2, : bert.tokenizer.vocab_size]
            inside.append(int(logits.argmax()))
    wanted = [bert.tokenizer.token(one).label for one in inside[len(ids) - 1 :]]
    assert list(written(bert, TEXT, 3)) == wanted


def test_the_half_that_reads_forwards_writes_words(elmo):
    found = written(elmo, TEXT, 3)
    (letters,) = elmo.prepare(Text(TEXT)).tensors.values()
    with torch.inference_mode():
        ahead, _back = elmo.as_both_ways()(letters)
    order = map(elmo.tokenizer.token, ahead[0, -2].argsort(descending=True).tolist())
    first = next(one for one in order if not one.unknown)
    assert found[:1] == (() if first.special else (first.label,))
    assert "[UNK]" not in found


@pytest.mark.parametrize("name", ["filler", "mender"])
def test_a_decoder_stops_at_the_end_of_a_span(request, name):
    model = request.getfixturevalue(name)
    found = written(model, TEXT, 5)
    assert len(found) <= 5
    assert not any(one.startswith("<extra_id") for one in found)


@pytest.mark.parametrize("name", ["gpt", "bert", "elmo", "filler", "mender"])
def test_a_text_as_long_as_the_context_is_no_mistake(request, name):
    model = request.getfixturevalue(name)
    text, _cut = model.fit("the cat sat on the mat " * 100)
    assert len(written(model, text, 5)) <= 5
