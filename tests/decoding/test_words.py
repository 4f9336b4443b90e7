"""Whole words from a causal model: the chain rule by slow loops, the search by trying all."""

from __future__ import annotations

import math

import pytest
import torch

from core.decoding.words import (
    MAX_PIECES,
    Continuations,
    goes_on,
    is_word_character,
)
from core.units import Token


def continuations(gpt, ids):
    return Continuations(gpt.model.begin(), gpt.tokenizer, ids, gpt.device)


@pytest.fixture(scope="module")
def words(gpt):
    return continuations(gpt, gpt.encode("The cat sat on"))


def slow(gpt, text: str, path: tuple[int, ...]) -> tuple[list[float], float]:
    """Each piece's probability and that of the end, one full pass without a cache at a time."""
    ids, probs = gpt.encode(text), []
    for piece in path:
        after = torch.softmax(gpt.model(torch.tensor([ids]))[0, -1], -1)
        probs.append(float(after[piece]))
        ids.append(piece)
    after = torch.softmax(gpt.model(torch.tensor([ids]))[0, -1], -1)
    ends = sum(float(after[i]) for i in range(len(after)) if not goes_on(gpt.tokenizer.token(i)))
    return probs, ends


@pytest.mark.parametrize("word", [" the", " story", " Lothlorien", "cat", " naïve"])
def test_a_word_is_the_product_of_its_pieces_and_of_its_end(gpt, words, word):
    path = tuple(gpt.tokenizer.encode(word, special=False))
    (found,) = words.of([path])
    probs, ends = slow(gpt, "The cat sat on", path)
    assert found.probs == pytest.approx(probs, rel=1e-9)
    assert found.ends == pytest.approx(ends, rel=1e-9)
    assert found.prob == pytest.approx(math.prod(probs) * ends, rel=1e-9)


def test_many_words_in_one_batch_are_as_each_alone(gpt, words):
    paths = [tuple(gpt.tokenizer.encode(w, special=False)) for w in (" a", " story of", " dog")]
    alone = continuations(gpt, gpt.encode("The cat sat on"))
    for path, together in zip(paths, words.of(paths), strict=True):
        assert alone.of([path])[0].prob == pytest.approx(together.prob, rel=1e-9)


@pytest.mark.parametrize("n", [0, MAX_PIECES + 1, 3 * MAX_PIECES])
def test_a_word_of_no_pieces_or_too_many_has_no_number(words, n):
    path = (5,) * n
    found, other = words.of([path, (5, 7)])
    assert found.pieces == path
    assert len(found.probs) == n
    assert all(map(math.isnan, (*found.probs, found.ends, found.prob)))
    assert math.isfinite(other.prob)


def test_a_word_of_the_most_pieces_has_a_number(words):
    (found,) = words.of([(5,) * MAX_PIECES])
    assert math.isfinite(found.prob)


@pytest.mark.parametrize("spaced", [True, False])
def test_the_search_finds_what_trying_every_word_finds(gpt, spaced):
    """All words of one and two pieces; no word of three is as likely as the tenth of these."""
    words = continuations(gpt, gpt.encode("She opened the"))
    ids = range(gpt.tokenizer.vocab_size)
    tokens = [gpt.tokenizer.token(i) for i in ids]
    first = [i for i in ids if tokens[i].data.startswith(b" ") == spaced]
    paths = [(i,) for i in first] + [(i, j) for i in first for j in ids if goes_on(tokens[j])]
    paths = [path for path in paths if words.text(path) is not None]
    everything = sorted((one.prob for one in words.of(paths)), reverse=True)

    fresh = continuations(gpt, gpt.encode("She opened the"))
    found, exact = fresh.likeliest(10, spaced=spaced)
    assert exact
    assert [one.prob for one in found] == pytest.approx(everything[:10], rel=1e-9)


def test_words_of_two_pieces_come_when_those_of_one_are_all_found(gpt, words):
    tokens = [gpt.tokenizer.token(i) for i in range(gpt.tokenizer.vocab_size)]
    starts = [(i,) for i, token in enumerate(tokens) if token.data.startswith(b" ")]
    short = sum(words.text(path) is not None for path in starts)
    found, _exact = words.likeliest(short + 3, spaced=True)
    assert [len(one.pieces) for one in found] == [1] * short + [2] * 3


def test_a_search_that_is_stopped_says_so(words):
    _, exact = words.likeliest(20, spaced=True, max_runs=1)
    assert not exact


def test_words_are_cut_as_usual_and_hold_no_sign(gpt, words):
    for one in words.likeliest(30, spaced=True)[0]:
        text = words.text(one.pieces)
        assert text is not None
        assert all(map(is_word_character, text))
        assert tuple(gpt.tokenizer.encode(f" {text}", special=False)) == one.pieces


def test_signs_share_what_the_first_token_leaves_to_them(gpt, words):
    signs = words.signs()
    starts = [
        float(words.first[i])
        for i in range(gpt.tokenizer.vocab_size)
        if gpt.tokenizer.token(i).data.removeprefix(b" ").startswith(b".")
    ]
    assert signs["."] == pytest.approx(sum(starts))
    assert not any(map(is_word_character, signs))


@pytest.mark.parametrize(
    ("char", "inside"),
    [("a", True), ("é", True), ("7", True), ("你", True), ("€", True), ("'", False), (".", False),
     ("$", False), (" ", False), ("\n", False), ("—", False), ("\x07", False)],
)  # fmt: skip
def test_what_belongs_to_a_word(char, inside):
    assert is_word_character(char) is inside


def test_half_a_character_goes_on_and_a_mark_does_not():
    assert goes_on(Token(0, "Ã", b"\xc3", 0, 0))
    assert goes_on(Token(0, "ing", b"ing", 0, 0))
    assert not goes_on(Token(0, "Ġing", b" ing", 0, 0))
    assert not goes_on(Token(0, "<|endoftext|>", b"<|endoftext|>", 0, 0, special=True))
