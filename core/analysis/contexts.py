"""Vectors of one word in several sentences, compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TIE = 1e-5  # of a cosine: rounding, where a vector knows nothing of its context


def same_sense(alike: NDArray[np.floating], senses: Sequence[int]) -> Array:
    """For each sentence 1 if the nearest other one has its sense, else 0, ``(n,)``.

    Of several that are as near, as where a vector knows no context, their share of the same sense.

    Args:
        alike: the cosine of each pair ``(n, n)``, at least two.
        senses: of each sentence.
    """
    others = alike - 3 * np.eye(len(alike))  # none is its own neighbour
    best = others >= others.max(axis=1, keepdims=True) - TIE
    of = np.asarray(senses)
    same = of[:, None] == of
    shares: Array = (best & same).sum(axis=1) / best.sum(axis=1)
    return shares


def within_and_across(alike: Array, senses: Sequence[int]) -> tuple[float, float]:
    """The mean cosine of pairs of one sense, and of pairs of two; NaN where there are none."""
    of = np.asarray(senses)
    first, second = np.triu_indices(len(alike), 1)
    same, pairs = of[first] == of[second], alike[first, second]

    def mean(which: NDArray[np.bool_]) -> float:
        return float(pairs[which].mean()) if which.any() else float("nan")

    return mean(same), mean(~same)


def flattened(vectors: NDArray[np.floating]) -> tuple[Array, float]:
    """Vectors in the two directions in which they differ most (principal components).

    Args:
        vectors: ``(n, d)``.

    Returns:
        ``(n, 2)``, and the share of their spread that is left in it; 1 where they are all equal.
    """
    if not len(vectors):
        return np.zeros((0, 2)), 1.0
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    left, sizes, _right = np.linalg.svd(centred, full_matrices=False)
    places = np.zeros((len(vectors), 2))
    n = min(2, len(sizes))
    places[:, :n] = left[:, :n] * sizes[:n]
    whole = float((sizes**2).sum())
    if whole < TIE:
        return np.zeros_like(places), 1.0
    return places, float((sizes[:n] ** 2).sum()) / whole
