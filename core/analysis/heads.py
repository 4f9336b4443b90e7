"""What an attention head does, as numbers between 0 and 1 (entropy in bits)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


def entropy(weights: NDArray[np.floating]) -> Array:
    """How spread each query's attention is, in bits: ``(..., Tq, Tk) -> (..., Tq)``.

    0 = all on one key, log2(n) = evenly over n keys (Shannon 1948).
    """
    p = np.where(weights > 0, weights, 1.0)
    return np.asarray(-(weights * np.log2(p)).sum(axis=-1), dtype=np.float32)


def _mean_at(weights: Array, queries: Sequence[int], keys: Sequence[int]) -> Array:
    if not len(queries):
        return np.zeros(weights.shape[:-2], np.float32)
    return np.asarray(weights[..., list(queries), list(keys)].mean(axis=-1), dtype=np.float32)


def previous_token_score(weights: Array) -> Array:
    """Mean attention to the token just before: ``(..., T, T) -> (...)``."""
    n = weights.shape[-1]
    return _mean_at(weights, range(1, n), range(n - 1))


def first_token_score(weights: Array) -> Array:
    """Mean attention to the very first token, where heads with nothing to do look."""
    n = weights.shape[-1]
    return _mean_at(weights, range(1, n), [0] * (n - 1))


def current_token_score(weights: Array) -> Array:
    """Mean attention of each token to itself."""
    n = weights.shape[-1]
    return _mean_at(weights, range(1, n), range(1, n))


def induction_score(weights: Array, ids: Sequence[int]) -> Array:
    """Mean attention from a repeated token to what followed its earlier occurrences.

    Olsson et al. 2022, "In-context learning and induction heads": the pattern
    A B ... A -> B. Counted over the tokens that occurred before; 0 when none did.
    Attention to the followers of all earlier occurrences is summed.
    """
    total = np.zeros(weights.shape[:-2], np.float32)
    n = 0
    for query, token in enumerate(ids):
        followers = [key + 1 for key in range(query) if ids[key] == token and key + 1 < query]
        if followers:
            total = total + weights[..., query, followers].sum(axis=-1)
            n += 1
    return np.asarray(total / max(1, n), dtype=np.float32)
