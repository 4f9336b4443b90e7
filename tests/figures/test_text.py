"""Sentences, numbers and tokens as people read them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.text import Mark, as_read, decimal, enough, join, number, percent, sentence, share


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (-0.0, "0"), (1, "1.00"), (-1.41421, "−1.41"), (0.0321, "0.0321"),
        (12300, "12,300"), (999.6, "1,000"), (9.996, "10.0"), (0.00012345, "0.000123"),
        (123456, "123,456"), (1e6, "1.00·10⁶"), (-1.5e-7, "−1.50·10⁻⁷"), (9.9999e5, "1.00·10⁶"),
        (float("inf"), "∞"), (float("-inf"), "−∞"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_numbers_have_three_significant_digits_and_a_real_minus(value, text):
    assert number(value) == text


@pytest.mark.parametrize(("value", "by", "text"), [
    (-20.752, 8, "−20.75"), (16.001, 8, "16.0"), (0.0, 8, "0"), (math.inf, 8, "∞"),
])  # fmt: skip
def test_who_divides_what_is_shown_finds_the_quotient_that_is_shown(value, by, text):
    assert number(value, enough(value, value / by)) == text


def test_a_share_has_the_digits_that_its_bits_come_from():
    assert [share(one) for one in (0.1724, 0.01353, 0.9995, 0)] == [
        "17.2 %", "1.35 %", "> 99.9 %", "0 %",
    ]  # fmt: skip


def test_digits_can_be_asked_for():
    assert number(3.14159, 5) == "3.1416"
    assert number(0.5, 1) == "0.5"


@given(st.floats(-1e300, 1e300))
def test_a_number_reads_back_as_nearly_the_same(value):
    written = number(value).translate(str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789"))
    text = written.replace(",", "").replace("·10", "e")
    assert float(text) == pytest.approx(value, rel=5e-3)
    assert "-" not in number(value)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"), (-1e-9, "0 %"), (1e-9, "< 0.01 %"), (0.000123, "0.012 %"), (0.0005, "0.050 %"),
        (0.009, "0.90 %"), (0.00999, "1.0 %"),
        (0.0421, "4.2 %"), (0.0996, "10 %"), (0.5, "50 %"), (0.735, "74 %"), (0.989, "99 %"),
        (0.994, "99.4 %"), (0.997, "99.7 %"), (0.9994, "99.9 %"), (0.9996, "> 99.9 %"),
        (0.9999999, "> 99.9 %"), (1, "100 %"), (1.0000001, "100 %"),
        (2, "200 %"), (float("nan"), "–"),
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


@pytest.mark.parametrize("value", [1e15, 1e28, 1.7e308, float("inf")])
def test_what_is_too_large_to_be_written_out_is_rounded(value):
    for said in (percent(value), share(value), decimal(value, 2), decimal(-value, 2)):
        assert len(said) < 16
    assert as_read(value) == value or abs(as_read(value) / value - 1) < 0.01
    assert percent(float("inf")) == "∞ %"
