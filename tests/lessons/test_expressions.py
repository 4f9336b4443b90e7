"""Arithmetic in lesson files: what it says, and what it must never be able to do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ExpressionError
from core.lessons.expressions import (
    FUNCTIONS,
    MAX_LENGTH,
    OPERATORS,
    evaluate,
    number_of,
    place_of,
    places_of,
)
from core.lessons.filling import fill

NAMES = {
    "weights": np.array([[1.0, 0.0], [0.25, 0.75]]),
    "T": 2,
    "query": 1,
    "axis": {"key": ["a", "b"]},
    "trace": {"blocks.0.attn.q": np.arange(6.0).reshape(2, 3)},
}


@pytest.mark.parametrize(("text", "expected"), [
    ("1 + 2 * 3", 7),
    ("weights[query, 1]", 0.75),
    ("weights[T - 1, -2]", 0.25),
    ("sum(weights[query])", 1.0),
    ("sum(weights[:, 0])", 1.25),
    ("trace['blocks.0.attn.q'][1, 2]", 5.0),
    ("axis.key[1]", "b"),
    ("len(axis.key)", 2),
    ("2 ** 3", 8.0),
    ("-query", -1),
    ("query > 0 and T == 2", True),
    ("0 < query < T", True),
    ("1 if query else 2", 1),
    ("argmax(weights[1])", 1),
    ("log2(8)", 3.0),
    ("prod([2, 3])", 6),
    ("shown(26.1234)", 26.1),
    ("shown(26.25)", 26.3),
    ("shown(-20.752, 8) / 8", -2.59375),
    ("shown([12345.6, -0.00123456, 0])[1]", -0.00123),
    ("sin(pi / 2) + cos(pi)", 0.0),
])  # fmt: skip
def test_what_it_says(text, expected):
    assert evaluate(text, NAMES) == expected


def test_a_softmax_and_an_order():
    np.testing.assert_allclose(evaluate("softmax([0, log(3)])", NAMES), [0.25, 0.75])
    assert evaluate("ranked([1, 3, 2])", NAMES).tolist() == [1, 2, 0]
    assert evaluate("range(1, 4)", NAMES).tolist() == [1, 2, 3]


@pytest.mark.parametrize("text", [
    "__import__('os').system('true')", "open('/etc/passwd')", "(lambda: 1)()", "exec('1')",
    "[x for x in range(3)]", "weights.__class__", "'a' * 1000000000", "9 ** 9 ** 9", "f'{T}'",
    "range(10000000)", "weights :=1", "unknown", "weights[9, 9]", "weights['a']", "weights[0.5]",
    "sum(weights, axis=0)", "1 +", "", "a" * 500, "{1: 2}", "yield", "T.real",
])  # fmt: skip
def test_what_it_must_not_do_is_an_error_that_names_it(text):
    with pytest.raises(ExpressionError) as raised:
        evaluate(text, NAMES)
    assert str(raised.value)


def test_one_as_long_as_may_be_is_read():
    assert evaluate("1".ljust(MAX_LENGTH), NAMES) == 1


def test_an_unknown_name_is_said_with_those_that_are_known():
    with pytest.raises(ExpressionError, match="'weight' is not known; known: T, axis, query"):
        evaluate("weight[0]", NAMES)


# --- any number ---------------------------------------------------------------------------------

NUMBERS = st.one_of(
    st.floats(), st.integers(), st.booleans(), st.sampled_from([10**400, 10**15, 2**63, -(2**63)]),
    st.sampled_from([0.0, -0.0, np.nan, np.inf, -np.inf, 1e15, 1e16, 1e28, 1.7e308, 5e-324]),
)  # fmt: skip
VALUES = st.one_of(
    NUMBERS, st.lists(NUMBERS, max_size=3),
    st.lists(st.floats(), max_size=3).map(lambda each: np.array(each, np.float32)),
    st.lists(st.floats(), max_size=4).map(np.array), st.sampled_from(["", "word", None]),
)  # fmt: skip
WAYS = ("", "%", "whole", "list", "exact", ".0", ".2", "word", "label", "code")
CALLS = [f"{name}({places})" for name in FUNCTIONS for places in ("", "a", "a, b", "a, b, c")]
SIGNS = ["+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "and", "or"]
BETWEEN = [f"a {sign} b" for sign in SIGNS] + ["-a", "not a", "a[b]", "a[b:c]", "a if b else c"]


@pytest.mark.filterwarnings("ignore")  # of NumPy's, about the numbers
@given(text=st.sampled_from([*CALLS, *BETWEEN]), a=VALUES, b=VALUES, c=VALUES)
def test_whatever_the_numbers_are_something_is_written_or_an_expression_error_says_why(
    text, a, b, c
):
    names = {"a": a, "b": b, "c": c}
    said = []
    for way in WAYS:
        hole = f"{{{{{text} | {way}}}}}" if way else f"{{{{{text}}}}}"
        said += outcome(lambda hole=hole: fill(hole, names))
    for read in (number_of, place_of, places_of):
        said += outcome(lambda read=read: read(text, names))
    assert len(said) == len(WAYS) + 3


def outcome(ask) -> list[object]:
    """What is answered, or the sentence of the error."""
    try:
        return [ask()]
    except ExpressionError as problem:
        return [problem.sentence()]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e15, 1e300, 5e-324, 10**400])
def test_a_number_is_written_in_at_most_two_dozen_characters_or_refused(value, way):
    if way in ("list", "word", "label", "code"):
        return
    hole = "{{a}}".replace("a", f"a | {way}" if way else "a")
    for said in outcome(lambda: fill(hole, {"a": value})):
        assert len(str(said)) < 24 or "no number" in str(said)


def test_every_operator_is_among_those_that_are_tried():
    assert len(OPERATORS) == len(SIGNS) + 2  # minus and not have one side


@pytest.mark.parametrize("text", ["range(10**11)", "zeros(10**15)", "zeros(5000)", "range(10**30)",
                                  "zeros(-1)", "range(0, 10, 0)"])  # fmt: skip
def test_no_room_is_made_for_more_places_than_there_may_be(text):
    with pytest.raises(ExpressionError):
        evaluate(text, NAMES)
