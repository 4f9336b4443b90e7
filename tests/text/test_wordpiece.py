"""WordPiece: tries and pieces as the library has them, and merges by their score."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import models

from core.text.learning import MAX_CORPUS, learn
from core.text.marks import CONTINUES, UNK
from core.text.wordpiece import WordPiece
from core.text.wordpiece_learning import learn_wordpiece, spelt_out, words_of
from tests.text.awkward import EXAMPLES, texts
from tests.text.test_learning import LOW, alive

LETTERS = "abcé"
words = st.text(LETTERS, max_size=12)
entries = st.builds(
    lambda start, text: text if start else CONTINUES + text,
    st.booleans(), st.text(LETTERS, min_size=1, max_size=5),
)  # fmt: skip


def library(code: WordPiece) -> models.WordPiece:
    return models.WordPiece(
        {**code.ids}, unk_token=code.unknown, max_input_chars_per_word=code.longest_word,
        continuing_subword_prefix=code.prefix,
    )  # fmt: skip


@given(st.sets(entries, max_size=25), words, st.integers(1, 14))
def test_a_word_is_cut_as_the_library_cuts_it(vocabulary, word, longest):
    code = WordPiece({piece: n for n, piece in enumerate([UNK, *sorted(vocabulary)])},
                     longest_word=longest)  # fmt: skip
    wanted = [one.value for one in library(code).tokenize(word)] if word else []
    assert code.encode_word(word) == wanted


@given(st.sets(entries, max_size=25), words)
def test_each_try_is_one_letter_shorter_until_an_entry_is_found(vocabulary, word):
    code = WordPiece({piece: n for n, piece in enumerate(sorted(vocabulary))})
    tries = list(code.tries(word))
    for one in tries:
        spelt = (CONTINUES if one.start else "") + word[one.start : one.end]
        assert (one.piece, one.id) == (spelt, code.ids.get(spelt))
    for one, after in pairwise(tries):
        if one.id is None:
            assert (after.start, after.end) == (one.start, one.end - 1)
        else:
            assert (after.start, after.end) == (one.end, len(word))
    # Nothing that was passed over would have fitted: the library's greedy rule, said backwards.
    if tries:
        last = tries[-1]
        assert last.end == len(word) if last.id is not None else last.end == last.start + 1


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_shipped_tokenizer_is_stepped_through_as_it_is(wordpiece, text):
    code = WordPiece.of(wordpiece)
    ids = [code.ids[piece] for word in wordpiece.words(text) for piece in code.encode_word(word)]
    assert ids == wordpiece.encode(text, special=False)


def test_other_kinds_are_none(byte_bpe, filler):
    assert WordPiece.of(byte_bpe) is None
    assert WordPiece.of(filler.tokenizer) is None


def check(text: str, merges: int) -> None:
    """Each merge has the highest score that a count by hand finds, and its words follow from it."""
    learning = learn_wordpiece(text, merges)
    vocabulary = [entry.decode() for entry in learning.code.vocabulary]
    counted = Counter(words_of(text))
    assert {word.text: word.count for word in learning.words} == counted
    for step in range(len(learning.code.merges) + 1):
        symbols, pairs = Counter(), Counter()
        for word in learning.words:
            ids = alive(word, step)
            spelt = "".join(vocabulary[i].removeprefix(CONTINUES) for i in ids)
            assert spelt == word.text or CONTINUES in word.text
            for i in ids:
                symbols[i] += word.count
            for pair in pairwise(ids):
                pairs[pair] += word.count
        assert learning.n_tokens[step] == sum(symbols.values())
        scores = {(a, b): n / (symbols[a] * symbols[b]) for (a, b), n in pairs.items()}
        if step < len(learning.code.merges):
            merge, best = learning.code.merges[step], learning.pairs[step][0]
            assert scores[merge.left, merge.right] == max(scores.values()) == best.score
            rival = learning.rivals[step]
            assert rival.count == max(pairs.values()) >= best.count
        else:
            assert len(learning.code.merges) == merges or not scores


@pytest.mark.parametrize("text", [*EXAMPLES, LOW, "aaaa aaaa aaab"])
def test_every_merge_has_the_highest_score(text):
    check(text, 15)


@given(text=texts, merges=st.integers(1, 25))
@settings(max_examples=40)
def test_every_merge_has_the_highest_score_of_any_text(text, merges):
    check(text, merges)


def test_pieces_can_write_every_word_they_were_learned_from():
    learning = learn_wordpiece(LOW, 12)
    for word in learning.words:
        assert learning.code.pieces.encode_word(word.text) != [UNK]
    assert learning.code.pieces.encode_word("zebra") == [UNK]
    assert learning.code.n_entries == learning.code.pieces.n_entries
    assert spelt_out("low") == ["l", "##o", "##w"]


def test_frequency_and_score_part_at_the_first_step():
    """The pair that is most frequent is not the one whose parts are seldom apart."""
    text = "the then them these quiz"
    assert learn(text, 1).code.vocabulary[-1] in (b"th", b"he")
    first = learn_wordpiece(text, 1)
    best = first.pairs[0][0]
    assert first.code.vocabulary[-1] != b"th"
    assert best.count == 1
    assert first.rivals[0].count == 4


def test_a_long_corpus_is_cut_and_an_empty_one_has_nothing_to_merge():
    learning = learn_wordpiece("word " * 2000, 3)
    assert (len(learning.text), len(learning.cut)) == (MAX_CORPUS, 10_000 - MAX_CORPUS)
    empty = learn_wordpiece(" ", 5)
    assert empty.code.merges == empty.words == ()
    assert list(empty.n_tokens) == [0]
