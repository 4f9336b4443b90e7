"""Examples of like length together, padded to one of a few shapes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import CorpusError
from core.training.tasks.task import Phase, Split, TrainingBatch

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class BucketShape:
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

    def __init__(self, sizes: Sequence[int], shapes: Sequence[BucketShape], seed: int) -> None:
        self._sizes, self._shapes, self._seed = sizes, shapes, seed
        self.n_batches = sum(size // shape.rows for size, shape in zip(sizes, shapes, strict=True))
        self._order = lru_cache(maxsize=1)(self._draw)

    def batch(self, number: int, phase: Phase) -> tuple[int, NDArray[np.int64]]:
        """The bucket of a batch, and its rows there ``(B,)``."""
        epoch, index = divmod(number, self.n_batches)
        return self._order(epoch, phase)[index]

    def _draw(self, epoch: int, phase: Phase) -> list[tuple[int, NDArray[np.int64]]]:
        rng = np.random.default_rng((self._seed, 1 + (phase == "cool-down"), epoch))
        batches: list[tuple[int, NDArray[np.int64]]] = []
        for bucket, (size, shape) in enumerate(zip(self._sizes, self._shapes, strict=True)):
            order = rng.permutation(size)
            n = size // shape.rows
            batches += [(bucket, rows) for rows in order[: n * shape.rows].reshape(n, shape.rows)]
        return [batches[i] for i in rng.permutation(len(batches))]


class Bucketed(Generic[Row]):
    """Examples by the first shape that holds them; an epoch holds each once, but for leftovers.

    Args:
        rows: the examples, each with its length; longer ones than all shapes are left out.
        shapes: from the shortest to the longest.
        made: the batch of some examples, filled up to a shape, under a name.
        seed: of the order.
        split: what is trained on, or what is held out.
        too_few: raised where those to train on fill no batch.
    """

    def __init__(
        self,
        rows: Iterable[tuple[Row, int]],
        shapes: Sequence[BucketShape],
        make: Callable[[Sequence[Row], BucketShape, str], TrainingBatch],
        seed: int,
        split: Split,
        too_few: CorpusError,
    ) -> None:
        self._shapes, self._make, self._split = shapes, make, split
        self._buckets: list[list[Row]] = [[] for _ in shapes]
        for row, length in rows:
            fits = [n for n, shape in enumerate(shapes) if length <= shape.length]
            if fits:
                self._buckets[fits[0]].append(row)
        self._epochs = Epochs([len(b) for b in self._buckets], shapes, seed)
        if split == "train" and not self._epochs.n_batches:
            raise too_few

    def batches(self, phase: Phase, first: int = 0, every: int = 1) -> Iterator[TrainingBatch]:
        """See ``Examples``."""
        if self._split == "held_out":
            for shape, bucket in zip(self._shapes, self._buckets, strict=True):
                if bucket:
                    yield self._make(bucket[: shape.rows], shape, f"up to {shape.length} tokens")
            return
        for number in itertools.count(first, every):
            yield self.batch(phase, number)

    def batch(self, phase: Phase, number: int) -> TrainingBatch:
        """That of a number, of the training split."""
        bucket, rows = self._epochs.batch(number, phase)
        return self._make([self._buckets[bucket][row] for row in rows], self._shapes[bucket], "")
