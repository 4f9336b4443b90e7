"""A causal model, asked for whole words."""

from __future__ import annotations

import math

import pytest

from core.errors import AbilityError, EmptyInputError
from core.runs.kinds.words import WordsRequest


def test_a_long_left_side_is_read_from_its_end(runs, gpt):
    found = runs.get(WordsRequest("gpt", "The cat sat. " * 40, (("dog",),)))
    assert 0 < len(gpt.encode(found.read)) < gpt.config.n_ctx
    assert found.read.join(["", ""]) == "The cat sat. " * 40 or found.read in "The cat sat. " * 40
    assert math.isfinite(found.asked[0][0].prob)


def test_words_come_likeliest_first_with_the_signs_among_them(runs):
    found = runs.get(WordsRequest("gpt", "The cat sat on the ", (), n=30))
    probs = [one.prob for one in found.top]
    assert probs == sorted(probs, reverse=True)
    assert len(found.top) == 30
    assert any(not one.pieces for one in found.top)  # a sign is a share, not a path


def test_a_word_is_the_same_however_it_is_asked_for(runs):
    """A space before it belongs to its first piece."""
    spaced, bare = (
        runs.get(WordsRequest("gpt", text, ((word,),))).asked[0][0]
        for text, word in (("The cat ", "sat"), ("The cat", " sat"))
    )
    assert spaced.prob == pytest.approx(bare.prob)
    assert spaced.pieces == bare.pieces


def test_the_beginning_of_a_text_is_its_mark(runs, gpt):
    found = runs.get(WordsRequest("gpt", "", (("The",),)))
    assert found.read == ""
    assert found.asked[0][0].prob > 0


def test_a_model_that_does_not_go_on_says_so(runs):
    with pytest.raises(AbilityError, match="TINY-BERT cannot predict the next token"):
        runs.get(WordsRequest("bert", "a", ()))


def test_nothing_to_go_on_from_is_an_error(runs, monkeypatch, gpt):
    """A tokenizer that begins no text with a mark, and knows none."""
    monkeypatch.setattr(gpt.tokenizer, "_before", [])
    monkeypatch.setattr(type(gpt.tokenizer), "end_of_text_id", None)
    with pytest.raises(EmptyInputError):
        runs.get(WordsRequest("gpt", " ", ()))
