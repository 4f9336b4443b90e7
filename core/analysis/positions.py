"""What vectors of positions have in common, and what a model makes of tokens that change places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import largest

Floats = NDArray[np.floating]
_Real = TypeVar("_Real", bound=np.floating)
BASE = 10000.0  # Vaswani et al. 2017, section 3.5


def wavelength(pair: int, d_model: int) -> float:
    """Positions that one turn of a sine-cosine pair takes: 2 pi · 10000^(2 i / d_model).

    Vaswani et al. 2017, section 3.5; from 2 pi up to, nearly, 10000 · 2 pi.
    """
    return float(2 * np.pi * BASE ** (2 * pair / d_model))


def sinusoidal_cosine(distance: int, d_model: int) -> float:
    """Cosine of the angle between two rows of the sinusoidal table, wherever the two stand.

    Every pair of sine and cosine is 1 long, so it is the mean of the pairs' own cosines.
    """
    turns = [distance / wavelength(pair, d_model) for pair in range(d_model // 2)]
    return float(np.cos(2 * np.pi * np.array(turns)).mean())


def unit_rows(rows: NDArray[_Real]) -> NDArray[_Real]:
    """Rows ``(n, d)`` divided by their length; one of zeros stays so."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


def cosines(vectors: Floats) -> NDArray[np.float64]:
    """Cosine of the angle between every two rows: ``(n, d) -> (n, n)``; 0 for a row of zeros."""
    rows = unit_rows(vectors.astype(np.float64))
    return np.asarray(rows @ rows.T)


def by_distance(pairs: Floats) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean of a symmetric ``(n, n)`` over all pairs at each distance, and their spread.

    Returns:
        Means ``(n,)`` for distances 0 to n - 1, and largest minus smallest value ``(n,)``.
    """
    diagonals = [np.diagonal(pairs, offset).astype(np.float64) for offset in range(len(pairs))]
    means = np.array([diagonal.mean() for diagonal in diagonals])
    return means, np.array([np.ptp(diagonal) for diagonal in diagonals])


def flips(table: Floats) -> list[int]:
    """How often each column changes from one row to the next."""
    return [int(n) for n in (np.diff(table, axis=0) != 0).sum(axis=0)]


def moved(before: Floats, after: Floats, order: Sequence[int]) -> NDArray[np.float64]:
    """How far each token's vector moved when the tokens changed places.

    Args:
        before: ``(T, D)`` in the order of the text.
        after: ``(T, D)`` of the run in which token ``order[i]`` stood at place i.

    Returns:
        ``(T,)`` in the order of the text: length of the difference over the
        length of the vector before. All 0 for a model that sees no order.
    """
    back = np.empty_like(after)
    back[list(order)] = after
    difference = np.linalg.norm(back.astype(np.float64) - before, axis=1)
    return np.asarray(difference / np.maximum(np.linalg.norm(before, axis=1), 1e-12))


def nearest_rows(table: Floats, rows: Sequence[int], k: int) -> NDArray[np.int64]:
    """For some rows of a table the k others that point most nearly the same way: ``(n, k)``."""
    lengths = np.sqrt(np.einsum("vd,vd->v", table, table))
    safe = np.where(lengths > 0, lengths, 1.0)
    cosine = table[list(rows)] @ table.T / safe
    cosine[np.arange(len(rows)), list(rows)] = -np.inf
    return largest(cosine, k)
