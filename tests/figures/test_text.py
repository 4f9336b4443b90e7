"""Sentences, numbers and tokens as people read them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.text import (
    Mark,
    join,
    number,
    percent,
    quoted,
    sentence,
    token_label,
    visible,
)
from core.units import Token
from tests.text.awkward import texts


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (-0.0, "0"), (1, "1.00"), (-1.41421, "−1.41"), (0.0321, "0.0321"),
        (12300, "12,300"), (999.6, "1,000"), (9.996, "10.0"), (0.00012345, "0.000123"),
        (123456, "123,456"), (1e6, "1.00e6"), (-1.5e-7, "−1.50e−7"), (9.9999e5, "1.00e6"),
        (float("inf"), "∞"), (float("-inf"), "−∞"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_numbers_have_three_significant_digits_and_a_real_minus(value, text):
    assert number(value) == text


def test_digits_can_be_asked_for():
    assert number(3.14159, 5) == "3.1416"
    assert number(0.5, 1) == "0.5"


@given(st.floats(-1e300, 1e300))
def test_a_number_reads_back_as_nearly_the_same(value):
    text = number(value).replace("−", "-").replace(",", "")
    assert float(text) == pytest.approx(value, rel=5e-3)
    assert "-" not in number(value)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"), (-1e-9, "0 %"), (1e-9, "< 0.01 %"), (0.000123, "0.012 %"), (0.0005, "0.050 %"),
        (0.009, "0.90 %"), (0.00999, "1.0 %"),
        (0.0421, "4.2 %"), (0.0996, "10 %"), (0.5, "50 %"), (0.735, "74 %"), (0.989, "99 %"),
        (0.994, "99.4 %"), (0.997, "99.7 %"), (0.9994, "99.9 %"), (0.9996, "> 99.9 %"),
        (0.9999999, "> 99.9 %"), (1, "100 %"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_shares_are_never_wrongly_nothing_or_all(share, text):
    assert percent(share) == text


@given(st.floats(0, 1))
def test_a_share_reads_back_as_nearly_the_same(share):
    text = percent(share)
    if text.startswith(("<", ">")):
        assert 0 < share < 1
        return
    value = float(text.removesuffix(" %")) / 100
    assert value == pytest.approx(share, abs=5.1e-3)
    assert (text == "0 %") == (share == 0)
    assert (text == "100 %") == (share == 1)


def test_a_sentence_in_a_sentence_keeps_its_marks():
    inner = sentence("“{word}” (position 3)", word=Mark("cat", "key"))
    outer = sentence("It looks at {what}.", what=inner)
    assert str(outer) == "It looks at “cat” (position 3)."
    assert [part.role for part in outer.parts if part.text == "cat"] == ["key"]


def test_sentences_mark_their_values():
    found = sentence("“{q}” attends to “{k}”", q=Mark("it", "query"), k="the {dog}")
    assert str(found) == "“it” attends to “the {dog}”"
    assert found.as_data() == [
        ["“", "plain"], ["it", "query"], ["” attends to “", "plain"], ["the {dog}", "plain"],
        ["”", "plain"],
    ]  # fmt: skip
    assert str(join([found, sentence("Yes.")])) == "“it” attends to “the {dog}” Yes."
    assert str(join([])) == ""


def test_a_value_that_is_not_given_is_a_bug():
    with pytest.raises(KeyError):
        sentence("{q}")


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
    assert token_label(shown) == label


def test_inside_a_sentence_a_token_has_no_dot():
    assert quoted(token(b" dog")) == "dog"
    assert quoted(token(b" ")) == "·"


@given(texts)
def test_nothing_hidden_is_left_in_what_is_shown(text):
    shown = visible(text)
    assert not re.search(
        r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ufffe\uffff]", shown
    ) or (
        # blanks that have a width of their own are shown as they are
        set(re.findall(r"\s", shown))
        <= set("\u2003\u3000\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u205f\u202f")
    )
    assert len(shown) >= len(text)


@given(texts)
def test_every_token_has_a_label(gpt, bert, text):
    for model in (gpt, bert):
        for one in model.tokens(text):
            assert token_label(one)
            assert "\ufffd" not in token_label(one) or "\ufffd" in text
