"""How likely a word is in a hole: each machine's own way, against the numbers of its logits."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from core.inputs import Text
from core.runs.kinds.holes import Hole, chances, way_of
from core.text.marks import MASK

HOLE = Hole("The cat ", "sat", " on the mat")
EVERY = ["gpt", "bert", "elmo", "filler", "mender"]


@pytest.fixture
def machine(request):
    return request.getfixturevalue(request.param)


def logs_of(logits):
    return logits.double().log_softmax(-1)


def test_a_machine_that_continues_reads_what_stands_before(gpt):
    ids = [token.id for token in gpt.tokens("The cat sat")]
    places = HOLE.places(gpt.tokens("The cat sat"))
    with torch.inference_mode():
        logs = logs_of(gpt.model(torch.tensor([ids]))[0])
    wanted = sum(float(logs[n - 1, ids[n]]) for n in places)
    assert chances(gpt, [HOLE])[0] == pytest.approx(wanted, rel=1e-9)
    assert chances(gpt, [HOLE.from_left()])[0] == chances(gpt, [HOLE])[0]


@pytest.mark.parametrize("cut", [False, True])
def test_a_machine_that_fills_gaps_reads_marks(bert, cut):
    tokens = bert.tokens(HOLE.text)
    places = HOLE.places(tokens)
    ids = [bert.tokenizer.mark(MASK) if n in places else t.id for n, t in enumerate(tokens)]
    if cut:
        ids = [*ids[: places[-1] + 1], tokens[-1].id]
    with torch.inference_mode():
        logs = logs_of(bert.model(torch.tensor([ids]))[0][:, : bert.tokenizer.vocab_size])
    wanted = sum(float(logs[n, tokens[n].id]) for n in places)
    longer = Hole("A dog ", "saw", " the sea and the cat and the mat")  # the row is padded
    found = chances(bert, [HOLE.from_left() if cut else HOLE, longer])
    assert found[0] == pytest.approx(wanted, rel=1e-9)


def test_two_directions_are_multiplied(elmo):
    (letters,) = elmo.prepare(Text(HOLE.text)).tensors.values()
    tokens = elmo.tokens(HOLE.text)
    (at,) = HOLE.places(tokens)
    with torch.inference_mode():
        ahead, back = elmo.as_both_ways()(letters)
    left, right = logs_of(ahead[0, at - 1]), logs_of(back[0, at + 1])
    product = (left + right).exp()
    found = chances(elmo, [HOLE, HOLE.from_left()])
    assert math.exp(found[0]) == pytest.approx(
        float(product[tokens[at].id] / product.sum()), rel=1e-9
    )
    assert found[1] == pytest.approx(float(left[tokens[at].id]), rel=1e-9)


@pytest.mark.parametrize("name", ["filler", "mender"])
def test_a_decoder_writes_what_is_hidden(request, name):
    model = request.getfixturevalue(name)
    ability = way_of(model)
    network = model.as_translator(ability)
    tokens = [one for one in model.tokenizer.tokens(HOLE.text) if not one.special]
    places, ids = HOLE.places(tokens), [one.id for one in tokens]
    pre, word, post = ids[: places[0]], ids[places[0] : places[-1] + 1], ids[places[-1] + 1 :]
    mark = model.tokenizer.hiding[0]
    first = [mark] if ability == "fill_spans" else pre
    source = torch.tensor([[*pre, mark, *post, network.config.end_id]])
    target = torch.tensor([[network.config.start_id, *first, *word]])
    with torch.inference_mode():
        logs = logs_of(network(source, target)[0])
    wanted = sum(float(logs[len(first) + n, one]) for n, one in enumerate(word))
    longer = Hole("A dog ", "saw", " the sea and the cat")
    assert chances(model, [HOLE, longer])[0] == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("name", EVERY)
def test_a_hole_is_the_same_in_whatever_company(request, name):
    model = request.getfixturevalue(name)
    holes = [HOLE, HOLE.from_left(), Hole("A ", "dog", " ran"), Hole("The cat ", "ran", HOLE.after)]
    together = chances(model, holes)
    alone = [chances(model, [one])[0] for one in holes]
    np.testing.assert_allclose(together, alone, rtol=1e-9)
    assert (together[:3] < 0).all()
    # Whole words are all that ELMo can say.
    assert np.isnan(together[3]) == (name == "elmo")


@pytest.mark.parametrize("name", ["gpt", "bert", "filler", "mender"])
def test_what_does_not_fit_is_no_number(request, name):
    model = request.getfixturevalue(name)
    found = chances(model, [Hole("cat " * 500, "sat"), HOLE, Hole("The cat", "")])
    assert math.isnan(found[0])
    assert not math.isnan(found[1])
    assert math.isnan(found[2])


def test_a_machine_that_predicts_no_word_of_its_text_says_nothing(transformer):
    assert way_of(transformer) is None
    assert np.isnan(chances(transformer, [HOLE])).all()
