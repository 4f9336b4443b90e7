"""Asking a model: the answers are its own distribution's, and errors say what to do."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from core.decoding.settings import GREEDY, Sampling
from core.errors import (
    AbilityError,
    EmptyInputError,
    InputTooLongError,
    NoPartError,
    NoRoomError,
    ParameterError,
)
from core.inputs import Pair, Text
from core.predict import (
    classify,
    classify_image,
    classify_text,
    fill_masks,
    generate,
    next_sentence,
    next_tokens,
    word_vectors,
)
from core.tracing.tap import Recorder
from tests.conftest import loaded, tiny_bert

TEXT = "The cat sat on the"


def test_next_tokens_are_the_largest_of_the_last_row(gpt):
    best = next_tokens(gpt, TEXT, k=7)
    probs = gpt.model(torch.tensor([gpt.encode(TEXT)]))[0, -1].softmax(-1)
    expected = probs.topk(7)
    assert [p.id for p in best] == expected.indices.tolist()
    assert [p.prob for p in best] == pytest.approx(expected.values.tolist(), rel=1e-5)
    assert [p.token for p in best] == [gpt.tokenizer.word(p.id) for p in best]


def test_all_tokens_together_are_certain(gpt):
    everything = next_tokens(gpt, TEXT, k=10_000)
    assert len(everything) == 300
    assert sum(p.prob for p in everything) == pytest.approx(1, abs=1e-5)


def test_an_empty_text_has_a_next_token_too(gpt):
    assert len(next_tokens(gpt, "", k=3)) == 3


def test_each_mask_gets_its_list(bert):
    text = "The [MASK] sat on the [MASK]."
    first, second = fill_masks(bert, text, k=4)
    ids = bert.encode(text)
    logits = bert.model(torch.tensor([ids]))[0]
    places = [at for at, i in enumerate(ids) if i == bert.tokenizer.mask_id]
    for found, at in zip((first, second), places, strict=True):
        assert [p.id for p in found] == logits[at].topk(4).indices.tolist()


def test_next_sentence_is_a_probability(bert):
    one = next_sentence(bert, "The cat sat.", "The dog sat.")
    assert 0 < one < 1
    assert one != next_sentence(bert, "The dog sat.", "The cat sat.")


def test_generation_goes_on_from_the_text(gpt):
    steps = list(generate(gpt, TEXT, max_new=6, sampling=GREEDY))
    assert len(steps) == 6
    assert steps[0].token == next_tokens(gpt, TEXT, k=1)[0].id
    seeds = [
        [s.token for s in generate(gpt, TEXT, max_new=6, sampling=Sampling(seed=seed))]
        for seed in (1, 1)
    ]
    assert seeds[0] == seeds[1]
    assert len(list(generate(gpt, TEXT))) == 32 - len(gpt.encode(TEXT)) + 1


# --- what a user can do wrong ---------------------------------------------------------


@pytest.mark.parametrize("k", [0, -3])
def test_less_than_one_answer_is_an_error(gpt, bert, k):
    with pytest.raises(ParameterError, match=f"k is {k}; it must be at least 1"):
        next_tokens(gpt, TEXT, k=k)
    with pytest.raises(ParameterError, match="it must be at least 1"):
        fill_masks(bert, "[MASK]", k=k)


def test_no_new_tokens_are_none_and_fewer_an_error(gpt):
    assert list(generate(gpt, TEXT, max_new=0)) == []
    with pytest.raises(ParameterError, match="max_new is -5; it must be 0 or above"):
        next(generate(gpt, TEXT, max_new=-5))


@pytest.mark.parametrize(
    ("sampling", "problem"),
    [
        (Sampling(repetition=1e-300), "repetition penalty is 1e-300; it must be between 0.001"),
        (Sampling(temperature=10**400), r"temperature is 10\^400; it must be 0 or above"),
        (Sampling(top_k=-1), "top-k is -1; it must be 0"),
        (Sampling(top_p=math.nan), "top-p is nan; it must be above 0"),
    ],
    ids=range(4),
)
def test_a_setting_out_of_its_range_is_an_error(gpt, sampling, problem):
    with pytest.raises(ParameterError, match=problem):
        next(generate(gpt, TEXT, sampling=sampling))


def test_a_text_that_is_too_long_is_an_error(gpt, bert):
    long = "word " * 100
    for ask in (
        lambda: next_tokens(gpt, long),
        lambda: next(generate(gpt, long)),
        lambda: fill_masks(bert, long + "[MASK]"),
        lambda: next_sentence(bert, long, long),
    ):
        with pytest.raises(
            InputTooLongError, match="tokens and the model's context holds 32: shorten"
        ):
            ask()


def test_a_context_that_does_not_hold_the_marks_is_an_error(wordpiece):
    small = loaded(tiny_bert(n_ctx=1), wordpiece)
    with pytest.raises(NoRoomError, match="context length of 1, and its own markers take 2"):
        fill_masks(small, "[MASK]")
    with pytest.raises(NoRoomError, match="context length of 1, and its own markers take 3"):
        next_sentence(small, "", "")


def test_nothing_hidden_is_an_error(bert):
    with pytest.raises(ParameterError, match=r"must be a text with at least one \[MASK\] in it"):
        fill_masks(bert, "The cat sat.")


def test_a_model_that_knows_one_segment_judges_no_pair(wordpiece):
    with pytest.raises(AbilityError, match="model TINY-BERT cannot read two segments"):
        next_sentence(loaded(tiny_bert(n_types=1), wordpiece), "a", "b")


def test_a_model_asked_for_what_it_cannot_do_says_so(gpt, bert):
    for model, ask, what in (
        (gpt, lambda: fill_masks(gpt, "[MASK]"), "fill in hidden words"),
        (gpt, lambda: next_sentence(gpt, "a", "b"), "judge whether one sentence follows another"),
        (bert, lambda: next_tokens(bert, TEXT), "predict the next token"),
        (bert, lambda: generate(bert, TEXT), "predict the next token"),
    ):
        with pytest.raises(
            AbilityError, match=f"model {model.id.upper()} cannot {what}$"
        ) as caught:
            ask()
        assert caught.value.model == model.id


def test_a_pair_is_classified_by_a_model_that_sorts_pairs(wordpiece, characters, vit):
    heads = {"masked_words": False, "sentence_pairs": False, "labels": ("follows", "does not")}
    sizes = {"vocab_size": wordpiece.vocab_size, **heads}
    pairs, texts = (
        loaded(tiny_bert(**sizes, of_pairs=of_pairs).double(), wordpiece)
        for of_pairs in (True, False)
    )
    found = classify_text(pairs, "the cat sat", "the dog sat")
    assert {one.label for one in found} == {"follows", "does not"}
    assert found == classify(pairs, Pair("the cat sat", "the dog sat"))
    assert found != classify_text(pairs, "the dog sat", "the cat sat")
    assert classify_text(texts, "the cat sat") == classify(texts, Text("the cat sat"))
    with pytest.raises(AbilityError, match="cannot say what kind of text it reads"):
        classify_text(pairs, "the cat sat")
    for one in (texts, characters):
        with pytest.raises(AbilityError, match="cannot say how two texts go together"):
            classify_text(one, "The cat", "The dog")
    with pytest.raises(InputTooLongError):
        classify_text(texts, "the cat " * 40)
    with pytest.raises(AbilityError, match="cannot say what a picture shows"):
        classify_image(texts, vit.example)
    assert classify_image(vit, vit.example) == classify(vit, vit.example)


def test_a_text_is_classified_as_a_picture_is(characters, vit):
    found = classify(characters, Text("The cat sat."))
    assert {one.label for one in found} == set(characters.config.labels)
    assert sum(one.prob for one in found) == pytest.approx(1)
    assert found == sorted(found, key=lambda one: -one.prob)
    with pytest.raises(AbilityError, match="cannot say what kind of text it reads"):
        classify(vit, Text("The cat sat."))
    with pytest.raises(EmptyInputError):
        classify(characters, Text(""))
    with pytest.raises(TypeError, match="given must be a Text, a Pair or a Picture, not str"):
        classify(characters, "The cat sat.")


# --- word vectors -------------------------------------------------------------------


def test_a_word_has_a_vector_in_each_layer(elmo):
    text = "The zebra's cat sat."
    tap = Recorder()
    elmo.model.observe(elmo.prepare(Text(text)), tap)
    found = word_vectors(elmo, text)
    assert [one.word for one in found] == ["the", "zebra", "'s", "cat", "sat", "."]
    assert [text[one.start : one.end] for one in found] == ["The", "zebra", "'s", "cat", "sat", "."]
    for layer, site in ((0, "twice"), (1, "rnn.0.out"), (2, "rnn.1.out"), (-1, "rnn.1.out")):
        mine = np.stack([one.vector for one in word_vectors(elmo, text, layer)])
        np.testing.assert_allclose(mine, tap.values[site][0, 1:-1].numpy(), atol=1e-6)
    mean = sum(np.stack([one.vector for one in word_vectors(elmo, text, n)]) for n in range(3)) / 3
    mix = np.stack([one.vector for one in word_vectors(elmo, text, "mix")])
    np.testing.assert_allclose(mix, mean, atol=1e-6)
    static = word_vectors(elmo, text, "static")
    assert static[0].vector.shape == (8,)


def test_pieces_of_a_word_are_averaged(bert):
    text = "The cats sat on a xylophone."
    tokens = bert.tokens(text)
    tap = Recorder()
    bert.model.observe(bert.prepare(Text(text)), tap)
    rows = tap.values["blocks.0.ln_2.out"][0].numpy()
    groups: list[list[int]] = []
    for at, token in enumerate(tokens):
        if token.special:
            continue
        if token.continues:
            groups[-1].append(at)
        else:
            groups.append([at])
    assert max(map(len, groups)) > 1
    found = word_vectors(bert, text, 1)
    for one, places in zip(found, groups, strict=True):
        np.testing.assert_allclose(one.vector, rows[places].mean(0), atol=1e-5)
    table = bert.model.embed.tokens.weight.numpy()
    for one, places in zip(word_vectors(bert, text, "static"), groups, strict=True):
        ids = [tokens[at].id for at in places]
        np.testing.assert_allclose(one.vector, table[ids].mean(0), atol=1e-5)


def test_static_vectors_know_no_context_and_others_do(bert):
    for layer, alike in (("static", True), (2, False)):
        one, other = (
            word_vectors(bert, text, layer)[-1].vector for text in ("the cat", "a dog saw the cat")
        )
        assert np.allclose(one, other) == alike


def test_a_layer_that_is_not_there_is_refused(elmo, bert, rnn, vit):
    for model in (elmo, bert):
        with pytest.raises(ParameterError, match="layer is 3; it must be between 0 and 2"):
            word_vectors(model, "a cat", 3)
        for layer in ("mixx", 1.5, None, True):
            with pytest.raises(ParameterError, match=f"layer is {layer!r}; it must be between"):
                word_vectors(model, "a cat", layer)
    with pytest.raises(NoPartError, match="a vector in its context"):
        word_vectors(rnn, "a cat")
    with pytest.raises(AbilityError):
        word_vectors(vit, "a cat")
