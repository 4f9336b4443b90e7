"""Which row of which source stands where in a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Mixture:
    """Which row of which source stands where in a run: a pure function of the seed.

    Every source is read through in a new order each epoch; which source a place
    takes is drawn by its share. Nothing depends on what was asked for before, so a
    run can be resumed, or split over processes, at any row.

    Args:
        shares: of each source.
        sizes: rows of each source.
        seed: of all draws.
        backwards: take each epoch's order from its end. A run's cool-down does, so that it
            meets what was not read before.
    """

    BLOCK = 4096  # places whose sources are drawn together

    def __init__(
        self,
        shares: Sequence[float],
        sizes: Sequence[int],
        seed: int,
        *,
        backwards: bool = False,
    ) -> None:
        self._shares = np.array(shares, dtype=np.float64) / sum(shares)
        self._sizes = list(sizes)
        self._seed, self._backwards = seed, backwards
        self._before: list[NDArray[np.int64]] = [np.zeros(len(sizes), np.int64)]
        self._orders: dict[tuple[int, int], NDArray[np.int64]] = {}

    def _sources(self, block: int) -> NDArray[np.int64]:
        rng = np.random.default_rng((self._seed, 0, int(self._backwards), block))
        return rng.choice(len(self._shares), size=self.BLOCK, p=self._shares)

    def _counts_before(self, block: int) -> NDArray[np.int64]:
        while len(self._before) <= block:
            drawn = self._sources(len(self._before) - 1)
            counts = np.bincount(drawn, minlength=len(self._sizes))
            self._before.append(self._before[-1] + counts)
        return self._before[block]

    def _row(self, source: int, n: int) -> int:
        epoch, index = divmod(n, self._sizes[source])
        key = (source, epoch)
        if key not in self._orders:
            self._orders = {k: v for k, v in self._orders.items() if k[0] != source}
            rng = np.random.default_rng((self._seed, 1, source, epoch))
            order = rng.permutation(self._sizes[source])
            self._orders[key] = order[::-1] if self._backwards else order
        return int(self._orders[key][index])

    def place(self, start: int, n: int) -> list[tuple[int, int]]:
        """(source, row) of the places ``start`` to ``start + n``."""
        places = []
        block = -1
        for index in range(start, start + n):
            if index // self.BLOCK != block:
                block = index // self.BLOCK
                drawn, counts = self._sources(block), self._counts_before(block)
            inside = index % self.BLOCK
            source = int(drawn[inside])
            earlier = int(counts[source] + (drawn[:inside] == source).sum())
            places.append((source, self._row(source, earlier)))
        return places
