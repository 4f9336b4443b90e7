"""What a mask lets through: to whom, through how many blocks, and at whose cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax

Array = NDArray[np.floating]
Mask = NDArray[np.bool_]


def share_kept(scores: Array, may: Mask) -> NDArray[np.float64]:
    """How much of each query's attention the mask leaves: ``(..., Tq, Tk) -> (..., Tq)``.

    The weights under the mask are the unmasked ones divided by this.
    """
    everyone = softmax(scores)
    return np.asarray(np.where(may, everyone, 0.0).sum(axis=-1))


def hops(may: Mask, n_layers: int) -> NDArray[np.int64]:
    """How many attention layers it takes until a query's vector can hold something of a key's.

    The residual stream keeps what a position has, so each layer adds one step of
    the mask: 0 for the position itself, -1 when ``n_layers`` are too few.

    Args:
        may: ``(T, T)``, True = may attend, the same in every layer.
        n_layers: of the model.
    """
    n = len(may)
    needed = np.where(np.eye(n, dtype=bool), 0, -1)
    held = np.eye(n, dtype=bool)
    for layer in range(1, n_layers + 1):
        reached = held | (may.astype(np.float32) @ held.astype(np.float32) > 0)
        needed[reached & ~held] = layer
        if (reached == held).all():
            break
        held = reached
    return needed


def next_stops(may: Mask, needed: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where to go first on a shortest way from each query to each key, ``(T, T)``.

    Entry i, j is a position that i may attend to and that is one layer nearer to
    j; i itself where j is i, and -1 where no way is short enough.

    Args:
        may: ``(T, T)``, True = may attend.
        needed: layers from each position to each, as ``hops`` gives them.
    """
    stops = np.full(may.shape, -1)
    for i, row in enumerate(may):
        nearer = row[:, None] & (needed >= 0) & (needed == needed[i] - 1)
        stops[i] = np.where(nearer.any(axis=0), nearer.argmax(axis=0), -1)
    np.fill_diagonal(stops, np.arange(len(may)))
    return stops


def way(stops: NDArray[np.int64], query: int, key: int) -> tuple[int, ...]:
    """The positions on the way from a query to a key, both included; empty when there is none.

    Each step is one layer's attention: the first position attends to the second,
    which had attended to the third in the layer before.
    """
    steps = [query]
    while steps[-1] != key:
        stop = int(stops[steps[-1], key])
        if stop < 0:
            return ()
        steps.append(stop)
    return tuple(steps)


@dataclass(frozen=True, eq=False)
class Leaks:
    """Where a next-token model can see what it is asked for.

    Attributes:
        answer: for each position whether it can see the next one, its answer: ``(T,)``.
        direct: whether its own row of the mask is enough for that: ``(T,)``.
        later: whether it can see any later position: ``(T,)``.
        needed: layers until a position reaches another, -1 for never: ``(T, T)``.
    """

    answer: Mask
    direct: Mask
    later: Mask
    needed: NDArray[np.int64]

    @property
    def positions(self) -> list[int]:
        """The positions that see something that comes after them."""
        return [int(position) for position in np.flatnonzero(self.later)]


def leaks(may: Mask, n_layers: int, n: int | None = None) -> Leaks:
    """Which of the first ``n`` positions can see a later one, directly or through others.

    Args:
        may: ``(T, T)``.
        n_layers: of the model.
        n: positions that are text; what follows them is padding and no answer to anything.
    """
    n = len(may) if n is None else n
    needed = hops(may, n_layers)
    ahead = np.triu(np.ones((n, n), bool), 1)
    after = np.arange(n - 1)
    answer, direct = np.zeros(n, bool), np.zeros(n, bool)
    answer[:-1] = needed[after, after + 1] > 0
    direct[:-1] = may[after, after + 1]
    later: Mask = np.asarray(((needed[:n, :n] > 0) & ahead).any(axis=1))
    return Leaks(answer, direct, later, needed)
