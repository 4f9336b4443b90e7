"""Code lengths, by hand and against every prefix code there is."""

from __future__ import annotations

from collections import Counter
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.codes import huffman_bits, huffman_lengths, smoothed_bits
from core.analysis.distributions import order_0_entropy


def test_huffman_by_hand():
    # c and d are rarest: they join first, then b with them, then a.
    assert huffman_lengths({"a": 5, "b": 2, "c": 1, "d": 1}) == {"a": 1, "b": 2, "c": 3, "d": 3}
    # (5·1 + 2·2 + 1·3 + 1·3) / 9
    assert huffman_bits({"a": 5, "b": 2, "c": 1, "d": 1}) == pytest.approx(15 / 9)
    assert huffman_lengths({"a": 4, "b": 4}) == {"a": 1, "b": 1}
    assert huffman_lengths({"a": 7}) == {"a": 1}
    assert huffman_bits({}) == 0.0


@given(st.text(min_size=2, alphabet="abcdefgh "))
def test_huffman_is_a_full_prefix_code_within_a_bit_of_the_entropy(text):
    counts = Counter(text)
    lengths = huffman_lengths(counts)
    if len(counts) > 1:
        assert sum(2.0**-bits for bits in lengths.values()) == 1.0  # Kraft, with nothing left over
        assert order_0_entropy(text) - 1e-9 <= huffman_bits(counts) < order_0_entropy(text) + 1
        # A more frequent symbol never has the longer word.
        for a in counts:
            for b in counts:
                assert counts[a] <= counts[b] or lengths[a] <= lengths[b]


def test_smoothed_bits_by_hand():
    # 3 + 1 of 4 + 6 for token 0, 0 + 1 of 10 for the unseen token 5.
    assert smoothed_bits([0, 5], {0: 3, 1: 1}, 6) == pytest.approx(log2(10 / 4) + log2(10))
    assert smoothed_bits([], {}, 4) == 0.0
    assert smoothed_bits([2], {}, 4) == pytest.approx(2.0)
