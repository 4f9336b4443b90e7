"""Examples of like length together, padded to one of a few shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.training.tasks.task import Phase


@dataclass(frozen=True, slots=True)
class Shape:
    """Examples of one size: a compiled step is made for each.

    Attributes:
        length: tokens of a row, or of the longer side of a pair, marks included.
        rows: examples of a batch.
    """

    length: int
    rows: int


class Epochs:
    """Which rows of which bucket batch number n holds, in an order drawn anew for each epoch.

    Args:
        sizes: rows of each bucket.
        shapes: of the buckets.
        seed: of the draws.
    """

    def __init__(self, sizes: Sequence[int], shapes: Sequence[Shape], seed: int) -> None:
        self._sizes, self._shapes, self._seed = sizes, shapes, seed
        self.n_batches = sum(size // shape.rows for size, shape in zip(sizes, shapes, strict=True))
        self._order = lru_cache(maxsize=1)(self._drawn)

    def batch(self, number: int, phase: Phase) -> tuple[int, NDArray[np.int64]]:
        """(bucket, rows) of a batch."""
        epoch, at = divmod(number, self.n_batches)
        return self._order(epoch, phase)[at]

    def _drawn(self, epoch: int, phase: Phase) -> list[tuple[int, NDArray[np.int64]]]:
        rng = np.random.default_rng((self._seed, 1 + (phase == "cool-down"), epoch))
        found: list[tuple[int, NDArray[np.int64]]] = []
        for bucket, (size, shape) in enumerate(zip(self._sizes, self._shapes, strict=True)):
            order = rng.permutation(size)
            n = size // shape.rows
            found += [(bucket, rows) for rows in order[: n * shape.rows].reshape(n, shape.rows)]
        return [found[i] for i in rng.permutation(len(found))]
