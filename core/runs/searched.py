"""What comes back of what is tried with a translator: searches, hidden sources, times. No torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.sizes import ARRAY, OBJECT, held
from core.units import Token

Fate = Literal["kept", "cut", "offered", "walked"]


@dataclass(frozen=True, slots=True)
class Branch:
    """A token that may stand at its place.

    Attributes:
        parent: the place of the token before it in the list of branches; -1 after the start mark.
        ranks: of this token and those before it, each among what may follow there, from 0.
        token: it.
        log_prob: natural logarithm of its probability after those before it.
        total: of all tokens up to this one.
        fate: what the search did with it, or that the learner opened it: "offered" where no
            search decided.
        open: what may follow it is in the list.
        ends: it is the end mark, or there is no room behind it.
    """

    parent: int
    ranks: tuple[int, ...]
    token: Token
    log_prob: float
    total: float
    fate: Fate
    open: bool
    ends: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A text that the search found.

    Attributes:
        branch: its last token.
        score: its log probability over the length penalty.
        penalty: that.
        ended: with the end mark.
    """

    branch: int
    score: float
    penalty: float
    ended: bool


@dataclass(frozen=True, eq=False)
class SearchTree:
    """The tokens that a search saw, as a tree.

    Attributes:
        start: the mark that every target begins with.
        branches: each after its parent.
        found: the texts, the best first; none where nothing searched.
        steps: pushes of the decoder, rows that run together counted one by one.
        cut: what of the source did not fit.
    """

    start: Token
    branches: tuple[Branch, ...]
    found: tuple[Found, ...]
    steps: int
    cut: str

    @property
    def nbytes(self) -> int:
        return held(self.start, self.branches, self.found, self.cut)


@dataclass(frozen=True, eq=False)
class Hidden:
    """What hiding each token of the source costs each token of the target.

    Attributes:
        costs: ``(T, S)``: by how many nats the loss of the token that is written at each position
            of the target grows when no position may attend to that token of the source. The last
            row is the end mark.
        seconds: of the one run, with a row for each hidden token.
    """

    costs: NDArray[np.float32]
    seconds: float

    @property
    def nbytes(self) -> int:
        return self.costs.nbytes + ARRAY + OBJECT


@dataclass(frozen=True, slots=True)
class Part:
    """What a part of a model computes.

    Attributes:
        name: the first words of its sites' names.
        sites: how many it has.
        first, second: numbers that it computes in them for the first target and for the second.
    """

    name: str
    sites: int
    first: int
    second: int


@dataclass(frozen=True, eq=False)
class SecondTarget:
    """Two targets of one source, of which the second finds the source read.

    Attributes:
        parts: in the order of computation.
        n_source, n_first, n_second: tokens, with their marks.
        seconds: of the first target, of the second, and of the second with the source read again;
            the shortest of several runs each.
        difference: between the logits of the second and those of a run of its own, at most.
    """

    parts: tuple[Part, ...]
    n_source: int
    n_first: int
    n_second: int
    seconds: tuple[float, float, float]
    difference: float

    @property
    def nbytes(self) -> int:
        return held(self.parts) + OBJECT


@dataclass(frozen=True, slots=True)
class Pace:
    """How long reading takes, by how much there is to read.

    Attributes:
        lengths: tokens.
        source: seconds for a source of each length, the shortest of several runs.
        target: seconds for a target of each length, all of it given, behind a source as long.
        source_steps, target_steps: of each length, how many layers or states must be computed one
            after the other, since each needs the one before.
    """

    lengths: tuple[int, ...]
    source: tuple[float, ...]
    target: tuple[float, ...]
    source_steps: tuple[int, ...]
    target_steps: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        return held(self.lengths, self.source, self.target, self.source_steps,
                    self.target_steps) + OBJECT  # fmt: skip
