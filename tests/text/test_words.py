"""Whole words: what is one, which of them have an entry, and that the others keep their letters."""

from __future__ import annotations

import pytest

from core.errors import CheckpointError, HalfCharacterError
from core.text.bpe import byte_ids
from core.text.tokenizer import Tokenizer
from core.text.trained import train_words

TEXT = "The king's cat doesn't like O'Brien—it paid 1,969.50 'Pounds' in Café 7!"


@pytest.fixture(scope="module")
def words() -> Tokenizer:
    return train_words(["the cat sat .", "the cat ran .", "the dog"], 8)


def test_what_is_a_word(words):
    assert words.words(TEXT) == [
        "the", "king", "'s", "cat", "doesn't", "like", "o'brien", "—", "it", "paid", "1,969.50",
        "'", "pounds", "'", "in", "cafe", "7", "!",
    ]  # fmt: skip
    assert words.words("") == []


def test_the_most_frequent_words_have_the_first_entries(words):
    assert [words.word(i) for i in range(8)] == [
        "[PAD]", "[UNK]", "<s>", "</s>", "the", ".", "cat", "dog",
    ]  # fmt: skip
    assert words.family == "words"


def test_a_word_without_an_entry_keeps_its_letters_and_its_place(words):
    tokens = words.tokens(TEXT)
    assert [token.label for token in tokens] == ["<s>", *words.words(TEXT), "</s>"]
    assert [TEXT[t.start : t.end].lower() for t in tokens[1:-1]][-3:] == ["café", "7", "!"]
    unknown = [token for token in tokens if token.unknown]
    assert {token.id for token in unknown} == {1}
    assert len(unknown) == len(words.words(TEXT)) - 2  # the, cat
    assert not any(token.special for token in unknown)


@pytest.mark.parametrize("text", ["<s>", "[UNK]", "</s> [PAD]"])
def test_a_mark_in_a_text_is_text(words, text):
    body = words.body(text)
    assert not any(token.special for token in body)
    assert not {0, 2, 3} & {token.id for token in body}


def test_it_comes_back_from_its_file(words, tmp_path):
    words.save(tmp_path / "tokenizer.json")
    again = Tokenizer.from_file(tmp_path / "tokenizer.json")
    assert again.fingerprint == words.fingerprint
    assert again.tokens(TEXT) == words.tokens(TEXT)
    assert (again.merges(), byte_ids(again)) == ([], None)


def test_a_text_that_cannot_be_written_is_refused(words, tmp_path):
    with pytest.raises(HalfCharacterError):
        words.words("a\ud800")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(CheckpointError):
        Tokenizer.from_file(tmp_path / "tokenizer.json")
