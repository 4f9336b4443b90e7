"""Words hidden from a model: which they are, and what becomes of them in training."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.text.hiding import (
    IGNORED,
    Vocabulary,
    chosen_words,
    is_typed_mask,
    mask_words,
    vocabulary_of,
    words_of,
)

TEXT = "The cat told the dog a story."

# 0 [CLS], 1 [SEP], 2 [MASK]; 10..19 start words, 20..29 continue them ("##...").
CLS, SEP, MASK = 0, 1, 2
VOCABULARY = Vocabulary(
    mask_id=MASK,
    continues=np.array([20 <= i < 30 for i in range(30)]),
    special=np.array([i < 10 for i in range(30)]),
)


# --- which words ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hide", "expected"),
    [("none", set()), ("2", {2}), ("0,3", {0, 3}), ("2,99", {2}), ("99", {7}), ("1,1", {1}),
     ("2," + "9" * 5000, {2}), ("9" * 5000, {7})],
    ids=range(8),
)  # fmt: skip
def test_which_words_a_setting_hides(bert, hide, expected):
    words = [(n + 1,) for n in range(8)]
    assert chosen_words(hide, words, bert.tokens(TEXT)) == expected


def test_by_itself_a_word_past_the_middle_is_hidden_and_no_sign(bert):
    text = "The cat told the dog, a story. . . ."
    tokens = bert.tokens(text)
    ids = np.array([token.id for token in tokens])
    words = [list(word) for word in words_of(ids, vocabulary_of(bert.tokenizer))]
    (n,) = chosen_words("auto", words, tokens)
    assert tokens[words[n][0]].data[:1].isalpha()
    assert n >= 0.3 * len(words)
    assert chosen_words("auto", [], tokens) == set()
    typed = bert.tokens("The [MASK] sat.")
    assert [is_typed_mask(token) for token in typed].count(True) == 1
    assert chosen_words("auto", [(1,), (3,)], typed) == set()


def test_what_is_no_number_hides_nothing(bert):
    assert chosen_words("many", [(1,), (2,)], bert.tokens(TEXT)) == set()
    assert chosen_words("-1,x", [(1,), (2,)], bert.tokens(TEXT)) == set()


# --- training examples -----------------------------------------------------------------


def test_words_are_a_start_and_what_continues_it():
    ids = np.array([CLS, 10, 20, 21, 11, SEP, 12, 22, SEP])
    assert [w.tolist() for w in words_of(ids, VOCABULARY)] == [[1, 2, 3], [4], [6, 7]]


def test_a_continuation_after_a_mark_belongs_to_no_word():
    """A window may begin inside a word: its end is neither hidden nor joined to the next one."""
    assert [w.tolist() for w in words_of(np.array([CLS, 20, 10, SEP]), VOCABULARY)] == [[2]]


def a_text(rng: np.random.Generator, n_words: int) -> list[int]:
    ids = [CLS]
    for _ in range(n_words):
        ids.append(int(rng.integers(10, 20)))
        ids += rng.integers(20, 30, rng.integers(0, 3)).tolist()
    return [*ids, SEP]


def test_hidden_words_are_whole_and_share_one_fate():
    rng = np.random.default_rng(0)
    for _ in range(200):
        ids = a_text(rng, int(rng.integers(1, 30)))
        example = mask_words(ids, VOCABULARY, rng)
        original = np.array(ids)
        for word in words_of(original, VOCABULARY):
            fates = {example.fates[at] for at in word}
            assert len(fates) == 1
            (fate,) = fates
            chosen = fate != "kept in sight"
            assert (example.targets[word] == (original[word] if chosen else IGNORED)).all()
            if fate == "masked":
                assert (example.ids[word] == MASK).all()
            elif fate == "random":
                assert not VOCABULARY.special[example.ids[word]].any()
            else:
                assert (example.ids[word] == original[word]).all()
        marks = VOCABULARY.special[original]
        assert (example.ids[marks] == original[marks]).all()
        assert (example.targets[marks] == IGNORED).all()


def test_fates_are_80_10_10_of_15_percent():
    rng = np.random.default_rng(1)
    n = chosen = 0
    fates = {"masked": 0, "random": 0, "unchanged": 0}
    for _ in range(1500):
        ids = a_text(rng, 40)
        example = mask_words(ids, VOCABULARY, rng)
        n += len(ids) - 2
        chosen += sum(fate != "kept in sight" for fate in example.fates)
        for word in words_of(np.array(ids), VOCABULARY):
            if (fate := example.fates[word[0]]) != "kept in sight":
                fates[fate] += 1
    assert chosen / n == pytest.approx(0.15, abs=0.005)
    words = sum(fates.values())
    deviation = 4 * math.sqrt(0.1 * 0.9 / words)  # four standard deviations
    assert fates["masked"] / words == pytest.approx(0.8, abs=1.4 * deviation)
    assert fates["random"] / words == pytest.approx(0.1, abs=deviation)
    assert fates["unchanged"] / words == pytest.approx(0.1, abs=deviation)


def test_never_more_than_its_share_unless_one_word_is():
    rng = np.random.default_rng(2)
    for n_words in range(1, 40):
        ids = a_text(rng, n_words)
        hidden = (mask_words(ids, VOCABULARY, rng).targets != IGNORED).sum()
        assert 1 <= hidden <= max(3, round(0.15 * (len(ids) - 2)))


def test_every_word_is_as_likely_to_be_hidden():
    rng = np.random.default_rng(3)
    ids = [CLS, *range(10, 20), SEP]
    counts = np.zeros(12)
    for _ in range(3000):
        counts += mask_words(ids, VOCABULARY, rng, rate=0.2).targets != IGNORED
    assert counts[[0, 11]].sum() == 0
    assert counts[1:11] == pytest.approx(np.full(10, 600), abs=90)


@pytest.mark.parametrize("ids", [[], [CLS, SEP], [CLS, 20, SEP]])
def test_a_text_without_words_hides_nothing(ids):
    example = mask_words(ids, VOCABULARY, np.random.default_rng(0))
    assert example.ids.tolist() == ids
    assert (example.targets == IGNORED).all()


def test_the_seed_decides():
    ids = a_text(np.random.default_rng(0), 30)
    one, two, other = (
        mask_words(ids, VOCABULARY, np.random.default_rng(seed)) for seed in (5, 5, 6)
    )
    assert (one.ids == two.ids).all()
    assert one.fates == two.fates
    assert one.fates != other.fates


def test_what_masking_knows_of_a_tokenizer(wordpiece):
    vocabulary = vocabulary_of(wordpiece)
    assert vocabulary.mask_id == wordpiece.mask_id
    for i in range(wordpiece.vocab_size):
        piece = wordpiece.token(i).piece
        assert vocabulary.continues[i] == piece.startswith("##")
        assert vocabulary.special[i] == (piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))
