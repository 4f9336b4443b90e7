"""A text that is continued: the likeliest token, one after the other."""

from __future__ import annotations

import pytest
import torch

from core.inputs import Text
from core.runs.answers.continued import written

TEXT = "The cat sat"


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
