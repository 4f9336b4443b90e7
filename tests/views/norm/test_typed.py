"""Vectors as they are typed in, and what is said of those that are none."""

from __future__ import annotations

import pytest

from core.errors import ParameterError
from core.views.norm.typed import MAX_COMPONENTS, read_eps, read_parameter, read_vector


@pytest.mark.parametrize(
    "text",
    [
        "100, 200, 100, 0",
        "[100, 200, 100, 0]",
        "100 200 100 0",
        "1e2;2e2;100.;0",
        "+100,200,100,.0",
    ],
)
def test_a_vector_can_be_written_in_many_ways(text):
    assert read_vector(text).tolist() == [100, 200, 100, 0]


def test_a_minus_may_be_typographic():
    assert read_vector("−1, -2").tolist() == [-1, -2]


@pytest.mark.parametrize("text", ["1,5, 2,5, 4, 0", "1,5 2,5 4 0", "1,5; 2,5; 4; 0", "1.5,2.5,4,0"])
def test_a_comma_between_digits_is_a_decimal_sign_where_something_else_parts_them(text):
    assert read_vector(text).tolist() == [1.5, 2.5, 4, 0]


def test_a_single_number_may_have_a_decimal_comma():
    assert read_parameter("a", "1,5", 4).tolist() == [1.5] * 4
    assert read_eps("0,001") == 0.001


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "numbers separated by commas"),
        ("100, abc", "numbers separated by commas"),
        ("100", "between 2 and"),
        (", ".join("1" for _ in range(MAX_COMPONENTS + 1)), "between 2 and"),
        ("nan, 1", "numbers separated by commas"),
        ("inf, 1", "numbers separated by commas"),
        ("1_000, 2", "numbers separated by commas"),
        ("1e12, 0", "at most"),
        ("1e999, 0", "at most"),
        ("<script>", "numbers separated by commas"),
    ],
)
def test_what_is_no_vector_is_said(text, said):
    with pytest.raises(ParameterError, match=said):
        read_vector(text)


def test_gain_and_shift_are_a_number_each_or_one_for_all():
    assert read_parameter("a", "2", 3).tolist() == [2, 2, 2]
    assert read_parameter("a", "1, 2, 3", 3).tolist() == [1, 2, 3]
    with pytest.raises(ParameterError, match=r"a is .*3 numbers"):
        read_parameter("a", "1, 2", 3)
    with pytest.raises(ParameterError, match="one number for all components, or numbers sep"):
        read_parameter("a", "abc", 3)


@pytest.mark.parametrize("text", ["-1", "1, 2", "x", ""])
def test_eps_is_one_number_from_zero_up(text):
    with pytest.raises(ParameterError, match=r"ε is .*; it must be one number, 0 or more"):
        read_eps(text)
    assert read_eps("1e-5") == 1e-5
