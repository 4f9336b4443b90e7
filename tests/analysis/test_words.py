"""Words and tokens, and what a tokenizer changes, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.analysis.words import TextStretch, as_read, is_accent, word_of_tokens
from core.text.bpe import split_words
from tests.text.awkward import EXAMPLES, texts


def parts_of(tokenizer, text: str) -> list[TextStretch]:
    return as_read(text, tokenizer.normalized(text), tokenizer.tokens(text))


def test_both_tokenizers_see_the_same_words(byte_bpe, wordpiece):
    text = "The cat told"
    for tokenizer in (byte_bpe, wordpiece):
        tokens = tokenizer.tokens(text)
        found = word_of_tokens(text, tokens)
        assert [n for n, token in zip(found, tokens, strict=True) if token.special] == [None] * sum(
            token.special for token in tokens
        )
        for word, name in enumerate(split_words(text)):
            data = b"".join(token.data for token, n in zip(tokens, found, strict=True) if n == word)
            assert data.decode().strip().lower() == name.strip().lower()


@given(text=texts)
def test_every_token_belongs_to_a_word(byte_bpe, wordpiece, text):
    n = len(split_words(text))
    for tokenizer in (byte_bpe, wordpiece):
        tokens = tokenizer.tokens(text)
        words = [w for w in word_of_tokens(text, tokens) if w is not None]
        assert all(0 <= word < n for word in words)
        assert words == sorted(words)
        assert len(words) == sum(not token.special for token in tokens)


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_parts_are_the_text_and_what_is_read(byte_bpe, wordpiece, text):
    assert "".join(part.typed for part in parts_of(wordpiece, text)) == text
    own = parts_of(byte_bpe, text)
    assert "".join(part.read for part in own) == text
    assert {part.kind for part in own} <= {"same"}


def test_what_wordpiece_does_to_a_text(wordpiece):
    found = parts_of(wordpiece, "The caté\u200bs 🙂 dog")
    assert found == [
        TextStretch("T", "t", "lowered"),
        TextStretch("he cat", "he cat", "same"),
        TextStretch("é", "e", "stripped"),
        TextStretch("\u200b", "", "dropped"),
        TextStretch("s ", "s ", "same"),
        TextStretch("🙂", "[UNK]", "unknown"),
        TextStretch(" dog", " dog", "same"),
    ]


def test_a_space_that_is_lost_is_said(wordpiece):
    """The library drops these before it looks for words, so two words become one."""
    for space in "\x0b\x0c\x1c\x85":
        assert TextStretch(space, "", "dropped") in parts_of(wordpiece, f"the{space}cat")
    assert {part.kind for part in parts_of(wordpiece, "the\n\tcat\u2028sat")} == {"same"}


def test_a_mask_that_is_read_as_one_is_not_changed(wordpiece):
    text = "the [MASK] sat"
    tokens = wordpiece.tokens(text, masks=True)
    assert {part.kind for part in as_read(text, wordpiece.normalized(text), tokens)} == {"same"}
    assert TextStretch("MASK", "[UNK]", "unknown") in parts_of(wordpiece, text)


def test_a_letter_without_its_accents_is_told_from_another_spelling(wordpiece):
    text = "É a 가 tİ"
    kinds = {part.typed: part.kind for part in as_read(text, wordpiece.normalized(text), [])}
    assert kinds["É"] == kinds["İ"] == "stripped"
    assert kinds["가"] == "rewritten"


def test_an_unknown_word_may_stand_first_or_alone(wordpiece):
    assert parts_of(wordpiece, "🙂") == [TextStretch("🙂", "[UNK]", "unknown")]
    assert parts_of(wordpiece, "🙂 cat")[0] == TextStretch("🙂", "[UNK]", "unknown")


def test_marks_on_other_characters():
    assert is_accent("\u0301")
    assert not is_accent("e")
