"""Probabilities, surprise and entropy, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.distributions import (
    entropy_bits,
    likeliest,
    log_softmax,
    order_0_entropy,
    rank,
    softmax,
    surprisal,
)


def test_softmax_by_hand():
    found = softmax(np.log(np.array([[1, 2, 1]], np.float32)))
    assert found[0] == pytest.approx([0.25, 0.5, 0.25])


def test_large_logits_stay_finite():
    logits = np.array([1000.0, 0.0, -1000.0], np.float32)
    assert softmax(logits) == pytest.approx([1, 0, 0])
    assert log_softmax(logits) == pytest.approx([0, -1000, -2000])


@given(st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=20))
def test_shares_add_up_and_do_not_care_about_a_shift(logits):
    values = np.array(logits, np.float32)
    assert softmax(values).sum() == pytest.approx(1)
    np.testing.assert_allclose(softmax(values), softmax(values.astype(np.float64) + 7), atol=1e-6)


@given(st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=20))
def test_the_likeliest_is_that_of_the_softmax(logits):
    values = np.array([logits, logits[::-1]], np.float32)
    best, shares = likeliest(values)
    assert best.tolist() == values.argmax(axis=-1).tolist()
    np.testing.assert_allclose(shares, softmax(values).max(axis=-1), rtol=1e-6)
    assert (shares < 1).all() or len(logits) == 1
    assert likeliest(values[0])[1] == shares[0]


def test_shares_under_a_mask_are_as_exact_as_without_one():
    values = np.array([[0.3, 1.7, -2.2], [5.1, 0.2, 4.9]], np.float32)
    may = np.array([[True, True, True], [True, False, True]])
    found = softmax(values, may)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found[0], softmax(values)[0])
    assert found[1, 1] == 0
    assert found[1].sum() == pytest.approx(1, abs=1e-15)


def test_surprisal_is_minus_log2_of_what_the_next_token_had():
    # Row t predicts token t + 1: the first says 1/2, the second 1/8, the last is not asked.
    logits = np.log(np.array([[2, 1, 1], [1, 6, 1], [9, 9, 9]], np.float32))
    assert surprisal(logits, [1, 0, 2]) == pytest.approx([1, 3])
    assert surprisal(logits[:1], [1]).shape == (0,)


def test_entropy_in_bits():
    assert entropy_bits(np.array([0.5, 0.5])) == pytest.approx(1)
    assert entropy_bits(np.array([1.0, 0.0])) == 0
    assert entropy_bits(np.full((3, 8), 1 / 8)) == pytest.approx([3, 3, 3])


@pytest.mark.parametrize(
    ("text", "bits"),
    [("", 0), ("aaaa", 0), ("abab", 1), ("abcd", 2), ("aab", math.log2(3) - 2 / 3), ("😀é", 1),
     ("\x00\x00a\x00", 2 - 0.75 * math.log2(3))],
)  # fmt: skip
def test_the_entropy_of_a_texts_own_characters(text, bits):
    assert order_0_entropy(text) == pytest.approx(bits)


def test_rank_counts_what_is_likelier():
    logits = np.array([1.0, 5.0, 3.0, 3.0], np.float32)
    assert [rank(logits, i) for i in range(4)] == [3, 0, 1, 1]


def test_one_of_several_shares_is_never_all_but_a_single_one_is():
    assert softmax(np.array([0.0, -1000.0]))[0] < 1
    assert softmax(np.array([3.0])) == 1
    assert softmax(np.array([3.0, 2.0]), np.array([True, False]))[0] == 1
