"""Every way to cut a word into entries of a vocabulary: the best, the n best, all, and a sample.

A lattice has a place before each letter and one behind the last, and an edge for each entry that
stands between two places. A way from the first place to the last is a segmentation; its
log-probability is the sum of its edges' (Kudo 2018, section 3.2).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, log

import numpy as np


@dataclass(frozen=True, slots=True)
class Edge:
    """An entry of the vocabulary where it stands in a word.

    Attributes:
        start, end: the places between which it stands.
        piece: as it is spelt.
        score: its log-probability, to base e.
        id: of the entry; None for a letter that has none.
    """

    start: int
    end: int
    piece: str
    score: float
    id: int | None = None


Way = tuple[Edge, ...]


@dataclass(frozen=True)
class WordEdges:
    """The edges of a word.

    Attributes:
        n: letters; there are ``n + 1`` places.
        edges: by their start, then by their end. Some way leads from the first place to the last.
    """

    n: int
    edges: tuple[Edge, ...]

    @cached_property
    def into(self) -> tuple[tuple[Edge, ...], ...]:
        """For each place the edges that end there."""
        edges: list[list[Edge]] = [[] for _place in range(self.n + 1)]
        for edge in self.edges:
            edges[edge.end].append(edge)
        return tuple(map(tuple, edges))

    @cached_property
    def _viterbi(self) -> tuple[list[float], list[Edge | None]]:
        best: list[float] = [0.0]
        by: list[Edge | None] = [None]
        for place in range(1, self.n + 1):
            best.append(-inf)
            by.append(None)
            for edge in self.into[place]:
                # The first of equals stays: of two last pieces the longer one.
                if best[edge.start] + edge.score > best[place]:
                    best[place], by[place] = best[edge.start] + edge.score, edge
        return best, by

    @property
    def best(self) -> list[float]:
        """For each place the highest log-probability of a way to it."""
        return self._viterbi[0]

    @property
    def by(self) -> list[Edge | None]:
        """For each place the last edge of that way; None for the first place."""
        return self._viterbi[1]

    @cached_property
    def path(self) -> Way:
        """The most probable segmentation, read off from the end (Viterbi 1967)."""
        edges: list[Edge] = []
        edge = self.by[self.n]
        while edge is not None:
            edges.insert(0, edge)
            edge = self.by[edge.start]
        return tuple(edges)

    def n_best(self, n: int) -> list[tuple[float, Way]]:
        """The most probable segmentations and their log-probabilities, the best one first."""
        best: list[list[tuple[float, Way]]] = [[(0.0, ())]]
        for place in range(1, self.n + 1):
            ways = (
                (score + edge.score, (*way, edge))
                for edge in self.into[place]
                for score, way in best[edge.start]
            )
            best.append(heapq.nlargest(n, ways, key=lambda scored: scored[0]))
        return best[self.n]

    def forward(self, alpha: float = 1.0) -> list[float]:
        """``(n + 1,)`` for each place the logarithm of the sum over all ways to it.

        Args:
            alpha: the power to which probabilities are taken; 1 leaves them, 0 makes all ways
                alike (Kudo 2018, section 3.3).
        """
        totals = [0.0]
        for into in self.into[1:]:
            totals.append(log_sum([totals[edge.start] + alpha * edge.score for edge in into]))
        return totals

    def backward(self) -> list[float]:
        """``(n + 1,)`` for each place the logarithm of the sum over all ways from it to the end."""
        after: list[list[float]] = [[] for _place in range(self.n)]
        totals = [0.0] * (self.n + 1)
        for place in range(self.n, 0, -1):
            if place < self.n:
                totals[place] = log_sum(after[place])
            for edge in self.into[place]:
                after[edge.start].append(edge.score + totals[place])
        totals[0] = log_sum(after[0]) if self.n else 0.0
        return totals

    @cached_property
    def sums(self) -> list[float]:
        """``forward`` as it is, without a power."""
        return self.forward()

    @property
    def log_total(self) -> float:
        """The logarithm of the sum over all segmentations: the word's own probability."""
        return self.sums[-1]

    def posteriors(self) -> list[float]:
        """For each edge the probability that a segmentation of this word goes through it."""
        before, behind = self.sums, self.backward()
        return [
            exp(before[edge.start] + edge.score + behind[edge.end] - before[-1])
            for edge in self.edges
        ]

    def samples(self, alpha: float, n: int, draw: np.random.Generator) -> list[Way]:
        """Segmentations, each drawn with its probability to the power alpha, out of all of them.

        Forward filtering, backward sampling: from the end, an edge is drawn by what all ways
        through it weigh.
        """
        before = self.forward(alpha)
        shares = [
            np.cumsum([exp(before[e.start] + alpha * e.score - before[e.end]) for e in into])
            for into in self.into
        ]
        ways = []
        for _sample in range(n):
            way: list[Edge] = []
            place = self.n
            while place:
                index = int(np.searchsorted(shares[place], draw.random() * shares[place][-1]))
                way.insert(0, self.into[place][min(index, len(self.into[place]) - 1)])
                place = way[0].start
            ways.append(tuple(way))
        return ways

    def without(self, piece: str) -> WordEdges:
        """The same without an entry."""
        return WordEdges(self.n, tuple(edge for edge in self.edges if edge.piece != piece))


def score_of(way: Sequence[Edge]) -> float:
    """The log-probability of a segmentation."""
    return float(sum(edge.score for edge in way))


def log_sum(values: Sequence[float]) -> float:
    """The logarithm of a sum, from the logarithms of its parts."""
    if len(values) == 1:
        return values[0]
    most = max(values, default=-inf)
    return most if most == -inf else most + log(sum([exp(value - most) for value in values]))
