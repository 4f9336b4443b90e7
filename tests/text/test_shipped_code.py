"""The merges and the normaliser of a tokenizer file, taken apart for showing."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.text.bpe import BPE
from tests.text.awkward import EXAMPLES, texts


@pytest.mark.parametrize("text", EXAMPLES)
def test_our_encoder_with_a_files_merges_gives_the_files_ids(byte_bpe, text):
    code = BPE.of(byte_bpe)
    assert code is not None
    assert code.encode(text) == byte_bpe.encode(text, special=False)


@given(text=texts)
def test_our_encoder_agrees_on_any_text(byte_bpe, text):
    code = BPE.of(byte_bpe)
    assert code is not None
    assert code.encode(text) == byte_bpe.encode(text, special=False)


def test_the_parts_of_the_code(byte_bpe, wordpiece):
    code = BPE.of(byte_bpe)
    assert code is not None
    assert code.special == ("<|endoftext|>",)
    assert len(code.vocabulary) == byte_bpe.vocab_size
    assert len(code.merges) == byte_bpe.vocab_size - 257
    first = code.merges[0]
    assert code.vocabulary[first.new] == code.vocabulary[first.left] + code.vocabulary[first.right]
    assert code.rank(first.left, first.right) == 0
    assert code.rank(0, 0) is None
    assert BPE.of(wordpiece) is None
    assert wordpiece.merges() == []


@given(text=texts)
def test_normalising_character_by_character_is_normalising_the_text(wordpiece, text):
    whole = wordpiece._backend.normalizer.normalize_str(text)
    assert "".join(wordpiece.normalized(text)) == whole


def test_bytes_are_never_normalised(byte_bpe):
    assert byte_bpe.normalized("Ünï\x00 ") == ["Ü", "n", "ï", "\x00", " "]
