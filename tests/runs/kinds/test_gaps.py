"""Gaps in a text: whole words behind [MASK], both models' numbers, training examples."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from core.errors import AbilityError, EmptyInputError, NoWordError, ParameterError
from core.runs.kinds.gaps import GapRequest, MaskingRequest, fill
from core.runs.kinds.words import NextWords, WordSpelling, WordsRequest
from core.runs.request import Context
from core.runs.store import Runs
from core.text.hiding import IGNORED, mask_words, vocabulary_of

TEXT = "The cat told the dog a story."


@pytest.fixture(scope="module")
def runs(gpt, bert):
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


@pytest.fixture
def gap(runs):
    def ask(text: str = TEXT, hide: str = "auto", token: int = -1):
        return runs.get(GapRequest("bert", "gpt", text, hide, token))

    return ask


def distribution(bert, ids, **how) -> np.ndarray:
    probs = torch.softmax(bert.model(torch.tensor([ids]), **how)[0], -1)
    return probs.numpy()[:, : bert.tokenizer.vocab_size]


# --- which words ---------------------------------------------------------------------------------


def test_by_itself_one_word_is_hidden_but_none_where_a_mask_was_typed(gap):
    assert len(gap().hidden) == 1
    assert gap("The [MASK] sat.").hidden == ()
    assert gap("The [MASK] sat.").gaps == ((2,),)


def test_a_word_is_hidden_with_all_its_pieces(gap, bert):
    found = gap("The cat told Lothlorien.", "3")
    pieces = found.words[3]
    assert len(pieces) > 1
    assert found.gaps == (pieces,)
    assert [mask.position for mask in found.masks] == list(pieces)
    assert all(bert.tokens("The cat told Lothlorien.")[at].continues for at in pieces[1:])


def test_the_gap_with_the_token_is_looked_at_else_the_first(gap):
    found = gap(hide="1,4", token=5)
    assert found.gaps == ((2,), (5,))
    assert found.looked == (5,)
    assert gap(hide="1,4", token=3).looked == (2,)


# --- what the masked model says ------------------------------------------------------------------


def test_every_mask_has_the_distribution_of_a_plain_run(gap, bert):
    found = gap(hide="1,4")
    ids = bert.encode(TEXT)
    for at in (2, 5):
        ids[at] = bert.tokenizer.mask_id
    probs = distribution(bert, ids)
    for mask in found.masks:
        best = np.argsort(-probs[mask.position])[:20]
        assert [token.id for token in mask.tokens] == list(best)
        assert mask.probs == pytest.approx(probs[mask.position, best])
        assert mask.original is not None
        assert mask.prob == pytest.approx(probs[mask.position, mask.original.id])
        assert mask.rank == int((probs[mask.position] > mask.prob).sum())


def test_a_typed_mask_has_no_original(gap):
    (mask,) = gap("The [MASK] sat.").masks
    assert mask.original is None
    assert math.isnan(mask.prob)
    assert not any(candidate.hidden for candidate in gap("The [MASK] sat.").candidates)


def test_a_gap_of_several_pieces_is_their_product(gap, bert):
    found = gap("The cat told Lothlorien.", "3")
    truth = next(candidate for candidate in found.candidates if candidate.hidden)
    assert truth.text == "lothlorien"
    assert truth.both == pytest.approx(math.prod(mask.prob for mask in found.masks))
    for candidate in found.candidates:
        assert len(candidate.pieces) in (0, len(found.looked))
        assert math.isnan(candidate.both) == (not candidate.pieces)


def test_the_likeliest_words_of_both_are_there(gap, bert):
    found = gap()
    (at,) = found.looked
    ids = bert.encode(TEXT)
    ids[at] = bert.tokenizer.mask_id
    probs = distribution(bert, ids)[at]
    vocabulary = vocabulary_of(bert.tokenizer)
    words = [
        i for i in np.argsort(-probs) if not vocabulary.special[i] and not vocabulary.continues[i]
    ]
    texts = {candidate.text for candidate in found.candidates}
    assert {bert.tokenizer.token(int(i)).piece for i in words[:20]} <= texts
    best = next(c for c in found.candidates if c.text == bert.tokenizer.token(int(words[0])).piece)
    assert best.both == pytest.approx(probs[words[0]])
    # Order: the larger of the two numbers.
    keys = [np.nanmax([c.both, c.left]) for c in found.candidates]
    assert keys == sorted(keys, reverse=True)


@pytest.mark.parametrize(("text", "place"), [("The cat sat.", 1), ("The cats sat.", 2)])
def test_a_word_of_the_causal_model_alone_has_a_number_where_its_pieces_fit(bert, text, place):
    """It fits with as many pieces as the gap has; the tiny model would never say such a word."""
    said = ("dogs", "mat")  # of two pieces, of one
    top = tuple(WordSpelling(word, (), 1.0, 0.1) for word in said)

    def ask(request: WordsRequest) -> NextWords:
        return NextWords("The", top, True, ((),) * len(request.words), 0.0)

    found = fill(GapRequest("bert", "gpt", text, "1"), Context(lambda _name: bert, ask))
    assert len(found.looked) == place
    pieces = {one.text: len(one.pieces) for one in found.candidates if one.text in said}
    assert pieces == {"dogs": 2 * (place == 2), "mat": place == 1}


def test_with_nothing_hidden_the_word_is_in_sight(gap, bert):
    found = gap(hide="none", token=2)
    assert found.gaps == ()
    assert found.looked == (2,)
    truth = next(candidate for candidate in found.candidates if candidate.hidden)
    assert truth.both == pytest.approx(distribution(bert, bert.encode(TEXT))[2, truth.pieces[0].id])


def test_the_same_word_hidden_under_a_causal_mask_and_in_sight(gap, bert):
    found = gap(hide="1,4", token=5)
    ids = bert.encode(TEXT)
    word = ids[5]
    ids[2] = ids[5] = bert.tokenizer.mask_id
    causal = torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
    assert found.sight.hidden == pytest.approx(distribution(bert, ids)[5, word])
    assert found.sight.causal == pytest.approx(distribution(bert, ids, mask=causal)[5, word])
    ids[5] = word
    assert found.sight.visible == pytest.approx(distribution(bert, ids)[5, word])


# --- what the causal model says ------------------------------------------------------------------


def test_the_causal_model_reads_the_left_and_adds_up_the_spellings(gap, runs):
    found = gap(hide="4")
    assert found.left.read == "The cat told the"
    truth = next(candidate for candidate in found.candidates if candidate.hidden)
    assert {spelling.text for spelling in truth.spellings} >= {"dog", "Dog"}
    assert truth.left == pytest.approx(sum(spelling.prob for spelling in truth.spellings))
    for spelling in truth.spellings:
        product = math.prod(p for _, p in spelling.pieces) * spelling.ends
        assert spelling.prob == pytest.approx(product)
    alone = runs.get(WordsRequest("gpt", "The cat told the ", (("dog", "Dog"),)))
    assert sum(s.prob for s in alone.asked[0]) == pytest.approx(truth.left)


def test_the_first_word_is_asked_without_a_space(gap):
    found = gap(hide="0")
    assert found.left.read == ""
    truth = next(candidate for candidate in found.candidates if candidate.hidden)
    assert all(
        not token.data.startswith(b" ") for s in truth.spellings for token, _ in s.pieces[:1]
    )


# --- what cannot be ------------------------------------------------------------------------------


def test_a_text_without_words_is_an_error(gap):
    with pytest.raises(NoWordError, match="the model knows no word of this text"):
        gap("\u200b")
    with pytest.raises(EmptyInputError):
        gap(" ")


def test_each_model_is_asked_what_it_can(runs):
    with pytest.raises(AbilityError):
        runs.get(GapRequest("gpt", "gpt", TEXT))
    with pytest.raises(AbilityError):
        runs.get(WordsRequest("bert", TEXT, ()))
    with pytest.raises(AbilityError):
        runs.get(MaskingRequest("gpt", TEXT, 0))


# --- training examples ---------------------------------------------------------------------------


def test_an_example_is_what_training_makes_of_the_text(runs, bert):
    found = runs.get(MaskingRequest("bert", TEXT, 5, rate=0.5))
    vocabulary = vocabulary_of(bert.tokenizer)
    expected = mask_words(bert.encode(TEXT), vocabulary, np.random.default_rng(5), rate=0.5)
    assert [token.id for token in found.shown] == list(expected.ids)
    assert found.fates == expected.fates
    probs = distribution(bert, list(expected.ids))
    for at, target in enumerate(expected.targets):
        if target == IGNORED:
            assert np.isnan(found.probs[at])
            assert found.guesses[at] is None
        else:
            assert found.probs[at] == pytest.approx(probs[at, target])
            assert found.guesses[at].id == probs[at].argmax()


def test_the_dice_decide_the_fate(runs):
    seen = set()
    for seed in range(60):
        found = runs.get(MaskingRequest("bert", TEXT, seed))
        for dice, fate, order in zip(found.dice, found.fates, found.order, strict=True):
            seen.add(fate)
            if np.isnan(dice):
                assert fate == "kept in sight"
                assert order == -1
            else:
                assert order >= 0
                expected = "masked" if dice < 0.8 else "random" if dice < 0.9 else "unchanged"
                assert fate == expected
    assert seen == {"kept in sight", "masked", "random", "unchanged"}


def test_words_are_drawn_one_after_the_other(runs):
    found = runs.get(MaskingRequest("bert", TEXT, 3, rate=0.5))
    order = [int(found.order[word[0]]) for word in found.words]
    drawn = sorted(n for n in order if n >= 0)
    assert drawn == list(range(len(drawn)))


@pytest.mark.parametrize("rate", [-0.1, 1.1, math.nan, math.inf], ids=str)
def test_a_rate_that_is_no_share_is_an_error(runs, rate):
    with pytest.raises(ParameterError, match=f"rate is {rate}; it must be between 0 and 1"):
        runs.get(MaskingRequest("bert", TEXT, 0, rate))


def test_whole_words_are_asked_for_with_letters_and_one_at_least(runs):
    with pytest.raises(ParameterError, match="n is 0; it must be at least 1"):
        runs.get(WordsRequest("gpt", TEXT, (), n=0))
    with pytest.raises(ParameterError, match="it must be spelled with at least one letter each"):
        runs.get(WordsRequest("gpt", TEXT, (("cat", ""),)))
