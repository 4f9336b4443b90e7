"""The unigram model: Viterbi as the library has it, and sums against all segmentations in turn."""

from __future__ import annotations

from collections import Counter
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import models

from core.text.lattice import Edge, WordEdges, score_of
from core.text.learning import MAX_CORPUS
from core.text.unigram import Unigram, fused
from core.text.unigram_learning import (
    coded,
    expectation,
    learn_unigram,
    spaced,
)
from tests.text.awkward import EXAMPLES, texts

LETTERS = "abcé"
words = st.text(LETTERS, min_size=1, max_size=9)
scored = st.dictionaries(
    st.text(LETTERS, min_size=1, max_size=4),
    # Few and round, so that two ways often come to the same.
    st.sampled_from([-1.0, -1.5, -2.0, -3.0, -4.5, -7.25]),
    max_size=20,
)
SMALL = coded({"a": 0.3, "b": 0.2, "ab": 0.25, "ba": 0.15, "bab": 0.1})


def library(scores: dict[str, float]) -> models.Unigram:
    return models.Unigram([("<unk>", 0.0), *scores.items()], unk_id=0, byte_fallback=False)


def segmentations(lattice: WordEdges, start: int = 0) -> list[tuple[Edge, ...]]:
    """All of them, one by one."""
    if start == lattice.n:
        return [()]
    return [
        (edge, *rest)
        for edge in lattice.edges
        if edge.start == start
        for rest in segmentations(lattice, edge.end)
    ]


@given(scored, words)
@settings(max_examples=80)
def test_a_word_is_cut_as_the_library_cuts_it(scores, word):
    # The library's unknown token is an entry of its own, with the score 0.
    code = Unigram({"<unk>": 0.0, **scores}, {p: n for n, p in enumerate(["<unk>", *scores])})
    wanted = [(one.id, one.value) for one in library(scores).tokenize(word)]
    found = fused(code.lattice(word).path, code.unknown)
    assert [(code.ids[piece], word[start:end]) for piece, start, end in found] == wanted
    assert [code.ids[piece] for piece in code.encode_word(word)] == [one for one, _text in wanted]


@given(scored, words)
def test_the_best_way_is_the_best_of_all_and_the_n_best_are_in_order(scores, word):
    lattice = Unigram(scores, {p: n for n, p in enumerate(scores)}).lattice(word)
    every = sorted(map(score_of, segmentations(lattice)), reverse=True)
    assert score_of(lattice.path) == pytest.approx(every[0])
    assert lattice.best[-1] == pytest.approx(every[0])
    found = lattice.n_best(5)
    assert [score for score, _way in found] == pytest.approx(every[:5])
    assert len({way for _score, way in found}) == len(found)
    assert [score_of(way) for _score, way in found] == pytest.approx(every[:5])


@given(scored, words, st.sampled_from([0.0, 0.2, 1.0]))
def test_sums_are_those_over_all_segmentations(scores, word, alpha):
    lattice = Unigram(scores, {p: n for n, p in enumerate(scores)}).lattice(word)
    every = segmentations(lattice)
    total = sum(exp(alpha * score_of(way)) for way in every)
    assert exp(lattice.forward(alpha)[-1]) == pytest.approx(total)
    assert lattice.backward()[0] == pytest.approx(lattice.log_total)
    whole = sum(exp(score_of(way)) for way in every)
    shares = [sum(exp(score_of(way)) for way in every if edge in way) / whole
              for edge in lattice.edges]  # fmt: skip
    assert lattice.posteriors() == pytest.approx(shares)


def test_samples_come_as_often_as_their_probability_says():
    lattice = SMALL.lattice("ababab")
    for alpha in (1.0, 0.3):
        draw = np.random.default_rng(0)
        counts = Counter(lattice.samples(alpha, 1500, draw))
        total = lattice.forward(alpha)[-1]
        for way in segmentations(lattice):
            p = exp(alpha * score_of(way) - total)
            assert counts[way] / 1500 == pytest.approx(
                p, abs=4 * (p * (1 - p) / 1500) ** 0.5 + 1e-3
            )
    uniform = Counter(lattice.samples(0.0, 1000, np.random.default_rng(1)))
    assert len(uniform) == len(segmentations(lattice))


def test_unknown_letters_side_by_side_are_one_token():
    assert SMALL.encode_word("xxaby") == ["<unk>", "ab", "<unk>"]
    lattice = SMALL.lattice("xxaby")
    assert fused(lattice.path, "?") == [("?", 0, 2), ("ab", 2, 4), ("?", 4, 5)]
    assert lattice.edges[0].score == min(SMALL.scores.values()) - 10
    assert SMALL.encode_word("") == []


def test_the_longest_entry_first_can_be_less_probable():
    code = coded(
        {"a": 0.1, "b": 0.1, "c": 0.05, "ab": 0.5, "bc": 0.2, "abc": 0.0499, "abb": 0.0001}
    )
    assert [edge.piece for edge in code.greedy("abbc")] == ["abb", "c"]
    assert [edge.piece for edge in code.lattice("abbc").path] == ["ab", "bc"]


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_shipped_tokenizer_is_stepped_through_as_it_is(filler, text):
    check_shipped(filler.tokenizer, text)


@given(text=texts)
@settings(max_examples=40)
def test_a_shipped_tokenizer_is_stepped_through_with_any_text(filler, text):
    check_shipped(filler.tokenizer, text)


def check_shipped(tokenizer, text: str) -> None:
    code = Unigram.of(tokenizer)
    ids = [code.ids[piece] for word in tokenizer.words(text) for piece in code.encode_word(word)]
    assert ids == tokenizer.encode(text, special=False)


def test_other_kinds_are_none(byte_bpe, wordpiece):
    assert Unigram.of(byte_bpe) is None
    assert Unigram.of(wordpiece) is None


# --- learning ------------------------------------------------------------------------------------

LOW = " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3)


def test_expected_counts_are_those_over_all_segmentations():
    counted = [("abab", 2), ("ba", 1)]
    found, nats = expectation(counted, SMALL)
    wanted, length = Counter(), 0.0
    for word, count in counted:
        ways = segmentations(SMALL.lattice(word))
        total = sum(exp(score_of(way)) for way in ways)
        length -= count * log(total)
        for way in ways:
            for edge in way:
                wanted[edge.piece] += count * exp(score_of(way)) / total
    assert found == pytest.approx(dict(wanted), abs=1e-5)
    assert nats == pytest.approx(length)


@given(text=texts, pieces=st.integers(5, 40))
@settings(max_examples=15)
def test_every_round_makes_the_text_shorter_and_lets_go_of_what_costs_least(text, pieces):
    learning = learn_unigram(text, pieces)
    letters = {letter for word, _count in learning.words for letter in word}
    for n, one in enumerate(learning.rounds):
        assert sum(entry.probability for entry in one.entries) == pytest.approx(
            float(bool(one.entries))
        )
        assert list(one.bits) == sorted(one.bits, reverse=True) or np.ptp(one.bits) < 1e-2
        for (word, _count), cut in zip(learning.words, one.cuts, strict=True):
            assert "".join(cut) == word
        gone = [entry.loss for entry in one.entries if not entry.kept]
        kept = [entry.loss for entry in one.entries if entry.kept and entry.loss is not None]
        assert max(gone, default=0) <= min(kept, default=np.inf)
        assert letters <= {entry.piece for entry in one.entries}
        if n:
            before = {entry.piece for entry in learning.rounds[n - 1].entries if entry.kept}
            assert {entry.piece for entry in one.entries} == before
    assert len(learning.code.scores) <= max(pieces, len(letters))
    assert "".join(word * count for word, count in learning.words).count("a") == text.count("a")


def test_a_loss_is_what_the_text_is_longer_by():
    learning = learn_unigram(LOW, 12)
    one = learning.rounds[0]
    code = coded({entry.piece: entry.probability for entry in one.entries})
    for entry in one.entries:
        if entry.loss is None:
            assert len(entry.piece) == 1
            continue
        more = sum(
            count
            * (code.lattice(word).log_total - code.lattice(word).without(entry.piece).log_total)
            for word, count in learning.words
        )
        assert entry.loss == pytest.approx(more / log(2), rel=1e-6, abs=1e-9)


def test_expectation_maximisation_alone_never_makes_the_text_longer():
    counted = [(spaced(word), n) for word, n in [(" low", 5), (" lower", 2), (" newest", 6)]]
    code = coded(dict.fromkeys({*"".join(w for w, _n in counted), "low", "▁lo", "we", "est"}, 0.05))
    before = np.inf
    for _iteration in range(6):
        expected, nats = expectation(counted, code)
        assert nats <= before + 1e-4
        before = nats
        total = sum(expected.values())
        code = coded({piece: n / total for piece, n in expected.items()})


def test_a_long_corpus_is_cut_and_an_empty_one_has_one_round():
    learning = learn_unigram("word " * 2000, 30)
    assert (len(learning.text), len(learning.cut)) == (MAX_CORPUS, 10_000 - MAX_CORPUS)
    empty = learn_unigram("", 30)
    assert empty.words == ()
    assert [one.entries for one in empty.rounds] == [()]
    assert empty.code.encode_word("a") == ["<unk>"]
