"""Batches of rows that are cut from running text, each source read by its share."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Generic, Protocol, TypeVar

from core.training.mixture import Mixture
from core.training.tasks.task import Corpora, Mix, OfText, Phase, Split, TrainingBatch

Row = TypeVar("Row")
RowOut = TypeVar("RowOut", covariant=True)
Draw = tuple[int, int]  # seeds what is drawn for a batch, together with that of the run


class Rows(Protocol[RowOut]):
    """An array of rows, or what is looked up like one."""

    def __len__(self) -> int: ...

    def __getitem__(self, row: int, /) -> RowOut: ...


class RowSampler(ABC, Generic[Row]):
    """The rows of a split, cut when a phase first asks for them.

    What is in a batch follows from its number, so a run can be resumed at any.

    Args:
        task: whose sources and mixes are taken.
        corpora: where they lie.
        split: what is trained on, or what is held out.
    """

    held_out_rows: ClassVar[int] = 32  # of each source

    def __init__(self, task: OfText, corpora: Corpora, split: Split) -> None:
        self._task, self._corpora, self._split = task, corpora, split
        self.rows = lru_cache(maxsize=1)(self.cut)
        self._mixture = lru_cache(maxsize=2)(self._mixed)

    @abstractmethod
    def cut(self, n_ctx: int) -> Mapping[str, Rows[Row]]:
        """The rows of ``n_ctx`` tokens, by the name of their source.

        Raises:
            CorpusError: see ``Task.read``.
        """

    @abstractmethod
    def make_batch(self, rows: Sequence[Row], draw: Draw, source: str = "") -> TrainingBatch:
        """A batch of rows.

        Args:
            rows: of it.
            draw: which of all draws is made for it.
            source: where all of them come from; empty when they are mixed.
        """

    def shares(self, mix: Mix) -> list[float]:
        """The weight of each source in a phase; they need not add up to 1."""
        return [mix.shares[name] for name in self.rows(mix.n_ctx)]

    def batches(self, phase: Phase, first: int = 0, every: int = 1) -> Iterator[TrainingBatch]:
        """See ``Examples``."""
        if self._split == "held_out":
            for name, rows in self.rows(self._task.mix(phase).n_ctx).items():
                n = min(self.held_out_rows, len(rows))
                yield self.make_batch([rows[row] for row in range(n)], (0, 0), name)
            return
        for number in itertools.count(first, every):
            yield self.batch(phase, number)

    def batch(self, phase: Phase, number: int) -> TrainingBatch:
        """That of a number, of the training split."""
        mix = self._task.mix(phase)
        sources, n = list(self.rows(mix.n_ctx).values()), self._task.tokens // mix.n_ctx
        places = self._mixture(phase).place(number * n, n)
        picked = [sources[source][row] for source, row in places]
        return self.make_batch(picked, (1 + (phase == "cool-down"), number))

    def _mixed(self, phase: Phase) -> Mixture:
        mix = self._task.mix(phase)
        sizes = [len(rows) for rows in self.rows(mix.n_ctx).values()]
        backwards = phase == "cool-down"
        return Mixture(self.shares(mix), sizes, self._corpora.seed, backwards=backwards)
