"""What stands at a position is plain data."""

from __future__ import annotations

import dataclasses
import pickle

import pytest
from hypothesis import given

from core.encoders import Encoders
from core.errors import NoPartError
from core.tracing.trace import Stream
from core.units import Marker, Patch, Token
from tests.text.awkward import texts


def test_a_token_is_plain_data():
    one = Token(5, "##ing", b"ing", 4, 7, continues=True)
    assert pickle.loads(pickle.dumps(one)) == one
    assert hash(one) == hash(dataclasses.replace(one))
    assert not one.special
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.id = 6


def test_patches_are_no_tokens():
    stream = Stream((Marker("[CLS]"), Patch(0, 0), Patch(0, 1)))
    assert [unit.label for unit in stream.units] == ["[CLS]", "1·1", "1·2"]
    assert stream.units[2].spoken == "the patch in row 1, column 2"
    for ask in (lambda: stream.tokens, lambda: stream.ids, lambda: Encoders().tokenizer):
        with pytest.raises(NoPartError, match="has no text: choose another"):
            ask()


def token(data: bytes, piece: str = "x", **more) -> Token:
    return Token(5, piece, data, 0, 1, **more)


@pytest.mark.parametrize(
    ("shown", "label"),
    [
        (token(b" dog"), "·dog"),
        (token(b"dog"), "dog"),
        (token(b"\n\t"), "⏎⇥"),
        (token("\u00a0\u200b\x00".encode()), "⍽‹U+200B›‹U+0000›"),
        (token(b"\xf0\x9f"), "F0 9F"),
        (token("é".encode()), "é"),
        (token(b"ing", "##ing", continues=True), "##ing"),
        (token(b"", "[UNK]", unknown=True), "[UNK]"),
        (token(b"[CLS]", "[CLS]", special=True), "[CLS]"),
        (token(b"<|endoftext|>", "<|endoftext|>", special=True), "⟨start⟩"),
    ],
)
def test_tokens_show_everything_that_is_in_them(shown, label):
    assert shown.label == label


def test_inside_a_sentence_a_token_has_no_dot():
    assert token(b" dog").spoken == "dog"
    assert token(b" ").spoken == "·"


@given(texts)
def test_every_token_has_a_label(gpt, bert, text):
    for model in (gpt, bert):
        for one in model.tokens(text):
            assert one.label
            assert "\ufffd" not in one.label or "\ufffd" in text
