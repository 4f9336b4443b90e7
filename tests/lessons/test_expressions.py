"""Arithmetic in lesson files: what it says, and what it must never be able to do."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import ExpressionError
from core.lessons.expressions import evaluate

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


def test_an_unknown_name_is_said_with_those_that_are_known():
    with pytest.raises(ExpressionError, match="'weight' is not known; known: T, axis, query"):
        evaluate("weight[0]", NAMES)
