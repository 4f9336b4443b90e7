"""The merges and the normaliser of a tokenizer file, taken apart for showing."""

from __future__ import annotations

import pytest
import tokenizers
from hypothesis import given

from core.text.bpe import BPE, split_words
from core.text.tokenizer import Tokenizer
from tests.text.awkward import EXAMPLES, texts
from tests.text.layouts import LAYOUTS, MARKS, laid_out


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


@pytest.fixture(scope="module", params=LAYOUTS)
def file_and_code(request) -> tuple[Tokenizer, BPE]:
    tokenizer = laid_out(request.param)
    code = BPE.of(tokenizer)
    assert code is not None
    return tokenizer, code


@given(text=texts)
def test_the_code_has_the_ids_of_its_file_wherever_they_stand(file_and_code, text):
    tokenizer, code = file_and_code
    ids = tokenizer.encode(text, special=False)
    assert code.encode(text) == ids
    assert code.decode(ids) == tokenizer.decode(ids) == text


def test_a_words_bytes_are_those_it_starts_from_wherever_they_stand(file_and_code):
    tokenizer, code = file_and_code
    for text in ("the cat sat", *EXAMPLES):
        for word in split_words(text):
            for step in code.encode_word(word):
                assert b"".join(code.vocabulary[i] for i in step.symbols) == word.encode()
    assert code.n_entries == tokenizer.vocab_size
    assert set(code.special) == set(MARKS)
    for mark in MARKS:
        assert code.vocabulary[tokenizer.id_of(mark)] == mark.encode()


def test_a_file_that_lacks_a_byte_has_no_code_to_show():
    """The library drops such a byte; a ladder from bytes to tokens could not show it."""
    backend = tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0, "b": 70, "ab": 3}, [("a", "b")]))
    assert BPE.of(Tokenizer(backend)) is None


@given(text=texts)
def test_normalising_character_by_character_is_normalising_the_text(wordpiece, text):
    whole = wordpiece._backend.normalizer.normalize_str(text)
    assert "".join(wordpiece.normalized(text)) == whole


def test_bytes_are_never_normalised(byte_bpe):
    assert byte_bpe.normalized("Ünï\x00 ") == ["Ü", "n", "ï", "\x00", " "]
