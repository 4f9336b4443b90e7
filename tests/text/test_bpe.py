"""Byte-pair encoding: worked by hand, and the same as the tokenizers library."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import models, pre_tokenizers, trainers

from core.errors import HalfCharacterError, ParameterError
from core.text.bpe import BPE, split_words, train_bpe
from core.text.trained import train_byte_bpe
from tests.conftest import TEXTS
from tests.text.awkward import EXAMPLES, texts

SPECIAL = ("<|endoftext|>",)


def by_library(text: str, vocab_size: int, special: tuple[str, ...] = ()) -> tokenizers.Tokenizer:
    """The Rust trainer on the same text and settings."""
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=list(special),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([text], trainer)
    tokenizer.encode_special_tokens = True
    return tokenizer


def merges_of(tokenizer: tokenizers.Tokenizer) -> list[tuple[int, int, int]]:
    model = json.loads(tokenizer.to_str())["model"]
    return [
        (model["vocab"][a], model["vocab"][b], model["vocab"][a + b]) for a, b in model["merges"]
    ]


def ids_of(bpe: BPE, pieces: list[bytes]) -> list[int]:
    return [bpe.vocabulary.index(piece) for piece in pieces]


# --- words -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cat sat.", ["The", " cat", " sat", "."]),
        ("don't, we'll", ["don", "'t", ",", " we", "'ll"]),
        ("a  b", ["a", " ", " b"]),
        ("a \n b", ["a", " \n", " b"]),
        ("x=12 ", ["x", "=", "12", " "]),
        ("café 猫", ["café", " 猫"]),
        ("", []),
    ],
)
def test_words_keep_their_leading_space(text, words):
    assert split_words(text) == words


@given(texts)
def test_words_are_those_of_the_library_and_join_to_the_text(text):
    library = pre_tokenizers.ByteLevel(add_prefix_space=False)
    expected = [text[a:b] for _, (a, b) in library.pre_tokenize_str(text)]
    found = split_words(text)
    # The library gives a character that it splits into bytes the same span twice or more.
    assert "".join(found) == text
    assert found == expected


# --- training ----------------------------------------------------------------------


def test_merges_by_hand():
    """aaabdaaabac, the textbook's example: aa, then ab (with the new symbol), and so on."""
    bpe = train_bpe("aaabdaaabac", 259)
    steps = [
        (bpe.vocabulary[m.left], bpe.vocabulary[m.right], bpe.vocabulary[m.new], m.count)
        for m in bpe.merges
    ]
    # Pairs at first: aa 4, ab 2, bd da ba ac 1. Overlaps count: aaa holds aa twice.
    assert steps[0] == (b"a", b"a", b"aa", 4)
    # Then (aa)ab d (aa)ab ac: aa-a 2, a-b 2, ...; of equals the smaller ids go first.
    assert steps[1] == (b"a", b"b", b"ab", 2)
    assert steps[2] == (b"aa", b"ab", b"aaab", 2)
    assert bpe.encode("aaabdaaabac") == ids_of(bpe, [b"aaab", b"d", b"aaab", b"a", b"c"])


def test_merges_do_not_cross_words():
    bpe = train_bpe("ab ab ab", 300)
    assert all(b" " not in piece[1:] for piece in bpe.vocabulary)
    assert bpe.merges[-1].count == 2  # " ab" stands twice, "ab" at the start once


def test_training_stops_when_nothing_is_left_to_merge():
    bpe = train_bpe("abc", 1000)
    assert [bpe.vocabulary[m.new] for m in bpe.merges] == [b"ab", b"abc"]
    assert train_bpe("", 300).merges == ()


def test_special_tokens_take_the_first_ids():
    bpe = train_bpe("aa aa", 300, special=("<s>", "</s>"))
    assert bpe.vocabulary[:2] == (b"<s>", b"</s>")
    assert len(bpe.vocabulary) == 2 + 256 + len(bpe.merges)
    assert bpe.encode("<s>")[0] >= 2  # in a text they are characters like any other


def test_no_room_for_the_bytes_is_an_error():
    with pytest.raises(ParameterError, match="vocab_size is 256; it must be at least 257: the by"):
        train_bpe("a", 256, special=SPECIAL)


def slow_merges(text: str, n: int) -> list[tuple[bytes, bytes, int]]:
    """Sennrich et al.'s loop: count everything anew at every step."""
    bpe = train_bpe("", 256)
    order = {piece: at for at, piece in enumerate(bpe.vocabulary)}
    words = [[bytes([b]) for b in word.encode()] for word in split_words(text)]
    found = []
    for _ in range(n):
        counts: dict[tuple[bytes, bytes], int] = {}
        for word in words:
            for pair in pairwise(word):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        (a, b), count = min(counts.items(), key=lambda c: (-c[1], *(order[s] for s in c[0])))
        found.append((a, b, count))
        order.setdefault(a + b, len(order))
        for word in words:
            at = 0
            while at < len(word) - 1:
                if (word[at], word[at + 1]) == (a, b):
                    word[at : at + 2] = [a + b]
                at += 1
    return found


@pytest.mark.parametrize(
    "text", [*TEXTS[:1], "aaaaaaa aaaa aaa", "ababab bababa abab", "naïve naïf"]
)
def test_counts_are_those_of_counting_anew_at_every_step(text):
    bpe = train_bpe(text, 256 + 40)
    found = [(bpe.vocabulary[m.left], bpe.vocabulary[m.right], m.count) for m in bpe.merges]
    assert found == slow_merges(text, 40)


@given(st.lists(texts, max_size=6).map(" ".join), st.integers(257, 330))
def test_merges_are_those_of_the_library(text, vocab_size):
    ours = train_bpe(text, vocab_size, special=SPECIAL)
    theirs = by_library(text, vocab_size, SPECIAL)
    assert [(m.left, m.right, m.new) for m in ours.merges] == merges_of(theirs)
    assert len(ours.vocabulary) == theirs.get_vocab_size()


@pytest.mark.parametrize("text", EXAMPLES)
def test_merges_are_those_of_the_library_on_repeated_awkward_text(text):
    corpus = (text + " ") * 5
    ours, theirs = train_bpe(corpus, 400), by_library(corpus, 400)
    assert [(m.left, m.right, m.new) for m in ours.merges] == merges_of(theirs)


# --- encoding ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained() -> tuple[BPE, tokenizers.Tokenizer]:
    corpus = "\n".join([*TEXTS, *EXAMPLES, "the hello don't I'll 東京 😀😀"] * 3)
    return train_bpe(corpus, 700, special=SPECIAL), by_library(corpus, 700, SPECIAL)


@given(text=texts)
def test_ids_are_those_of_the_library(trained, text):
    ours, theirs = trained
    assert ours.encode(text) == theirs.encode(text).ids


@given(text=texts)
def test_decoding_gives_the_text_back(trained, text):
    assert trained[0].decode(trained[0].encode(text)) == text


def test_bytes_that_are_no_text_become_the_replacement_character(trained):
    half = trained[0].encode("😀🤔")[:1]
    assert trained[0].decode(trained[0].encode("\u0800")[:1]) == "\ufffd"
    assert trained[0].decode(half)  # never an exception


@given(word=texts.filter(bool))
def test_every_step_of_encoding_is_one_merge(trained, word):
    bpe = trained[0]
    first, *steps = bpe.encode_word(word)
    assert b"".join(bpe.vocabulary[i] for i in first.symbols) == word.encode()
    assert (first.merge, first.at) == (None, None)
    before = list(first.symbols)
    for step in steps:
        merge = bpe.merges[step.merge]
        assert before[step.at : step.at + 2] == [merge.left, merge.right]
        # No pair in sight has an earlier merge, and none further left the same one.
        ranks = [bpe.rank(*pair) for pair in pairwise(before)]
        known = [rank for rank in ranks if rank is not None]
        assert step.merge == min(known)
        assert step.at == ranks.index(step.merge)
        before[step.at : step.at + 2] = [merge.new]
        assert tuple(before) == step.symbols
    assert all(bpe.rank(*pair) is None for pair in pairwise(before))


def test_a_shipped_tokenizers_merges_can_be_replayed():
    tokenizer = train_byte_bpe(TEXTS, 330)
    bpe = BPE.of(tokenizer)
    assert bpe.special == SPECIAL
    for text in (*TEXTS[:3], *EXAMPLES):
        assert bpe.encode(text) == tokenizer.encode(text, special=False)


@pytest.mark.parametrize("ask", [BPE.encode, lambda bpe, text: train_bpe(text, 300)])
def test_half_a_character_is_no_text(ask):
    bpe = train_bpe("the cat", 260)
    with pytest.raises(HalfCharacterError, match=r"character 4 of the text is U\+D83D"):
        ask(bpe, "the \ud83d")
