"""What a training on an exercise tells, and what is known so far. Numpy, no torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Practised:
    """A training at one step.

    Attributes:
        step, steps: of how many.
        loss: in training, the mean since the time before, nats a symbol.
        rate: of learning.
        norm: size of the gradient before it was cut, the largest since the time before.
        unseen: loss on held-out sequences, nothing smoothed.
        symbols: share of their symbols that are right, with the right ones before each.
        forced: share of whole sequences that are right so.
        whole: share of those that are right when it writes step by step.
        weights: of cross-attention for the first sample, ``(H, T, S)``.
        sources, wanted, written: of the samples; "|" is the end mark.
    """

    step: int
    steps: int
    loss: float
    rate: float
    norm: float
    unseen: float
    symbols: float
    forced: float
    whole: float
    weights: NDArray[np.float32]
    sources: tuple[str, ...]
    wanted: tuple[str, ...]
    written: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Practice:
    """What a training has told so far, of which there is one record at least."""

    told: tuple[Practised, ...]

    @classmethod
    def each(cls, records: Sequence[tuple[Practised, ...]]) -> tuple[Practice, ...]:
        """Those of trainings that took turns."""
        return tuple(cls(column) for column in zip(*records, strict=True))

    @property
    def last(self) -> Practised:
        return self.told[-1]

    @property
    def finished(self) -> bool:
        return self.last.step == self.last.steps

    def line(self, of: Callable[[Practised], float]) -> Floats:
        """A number of each record, float64 ``(n,)``."""
        return np.array([float(of(record)) for record in self.told])

    def learned_at(self, share: float) -> int | None:
        """The step from which on so many whole sequences were right to the end."""
        right = self.line(lambda record: record.whole) >= share
        if not right[-1]:
            return None
        first = len(right) - int(np.argmin(right[::-1])) if not right.all() else 0
        return self.told[first].step
