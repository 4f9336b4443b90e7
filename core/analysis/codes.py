"""How many bits a text costs under different codes."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

import numpy as np

K = TypeVar("K", bound=Hashable)


def huffman_lengths(counts: Mapping[K, int]) -> dict[K, int]:
    """The bits that each symbol's code word takes, frequent symbols getting short ones.

    Huffman 1952, "A Method for the Construction of Minimum-Redundancy Codes":
    again and again the two rarest groups become one, and all their symbols get
    one bit more. No code of whole bits a symbol is shorter on average.

    Args:
        counts: how often each symbol occurs, at least once.
    """
    if len(counts) == 1:
        return dict.fromkeys(counts, 1)  # even a single symbol must be told from nothing
    lengths = dict.fromkeys(counts, 0)
    groups = [(count, n, [symbol]) for n, (symbol, count) in enumerate(counts.items())]
    heapq.heapify(groups)
    n_made = len(groups)
    while len(groups) > 1:
        (a, _, left), (b, _, right) = heapq.heappop(groups), heapq.heappop(groups)
        for symbol in (joined := left + right):
            lengths[symbol] += 1
        heapq.heappush(groups, (a + b, n_made, joined))
        n_made += 1
    return lengths


def huffman_bits(counts: Mapping[K, int]) -> float:
    """Bits a symbol on average with Huffman's code; 0 for no symbols."""
    total = sum(counts.values())
    lengths = huffman_lengths(counts) if counts else {}
    return sum(counts[symbol] * bits for symbol, bits in lengths.items()) / max(1, total)


def smoothed_bits(ids: Iterable[int], counts: Mapping[int, int], vocab_size: int) -> float:
    """-log2 p summed over a text's tokens, p from how often each stood in another text.

    One is added to every count, so that a token that never stood there still
    costs a finite number of bits (Laplace's rule).
    """
    total = sum(counts.values()) + vocab_size
    return float(sum(np.log2(total / (counts.get(token, 0) + 1)) for token in ids))
