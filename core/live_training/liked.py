"""What a training on a preference tells, and what is known so far. Numpy, no torch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.units import Token

Floats = NDArray[np.float64]
SURE = 1.96  # standard errors on either side: 95 % of a normal distribution


@dataclass(frozen=True, slots=True)
class PromptMean:
    """A mean over prompts, and how far it may be off.

    Attributes:
        value: of all.
        off: half of its 95 % interval.
        least: nothing is below it.
    """

    value: float
    off: float
    least: float = -math.inf

    @classmethod
    def of(cls, values: Floats, least: float = -math.inf) -> PromptMean:
        """That of one number per prompt, as if prompts and draws were independent."""
        n = len(values)
        spread = float(np.std(values, ddof=1)) if n > 1 else 0.0
        return cls(float(np.mean(values)), SURE * spread / n**0.5, least)

    @property
    def low(self) -> float:
        return max(self.least, self.value - self.off)

    @property
    def high(self) -> float:
        return self.value + self.off


@dataclass(frozen=True, slots=True)
class HeldOutSample:
    """What was written behind a held-out prompt.

    Attributes:
        prompt: its tokens, without the start mark.
        tokens: that were drawn.
        points: what each of them brought.
    """

    prompt: tuple[Token, ...]
    tokens: tuple[Token, ...]
    points: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Liked:
    """A training at one step, tried on the held-out prompts.

    Attributes:
        step, steps: of how many.
        rewards: of each prompt's continuation ``(P,)``.
        kls: KL divergence from the start in nats a token, the mean of each continuation ``(P,)``.
        words: share of distinct words in a continuation, mean over all.
        samples: some of the continuations, drawn from the same seed each time.
        learned, parameters: how many numbers learn, of how many.
        written: continuations that it has learned from so far.
        new: tokens of a continuation, at most.
    """

    step: int
    steps: int
    rewards: Floats
    kls: Floats
    words: float
    samples: tuple[HeldOutSample, ...]
    learned: int
    parameters: int
    written: int
    new: int

    @property
    def reward(self) -> PromptMean:
        return PromptMean.of(self.rewards, least=0.0)

    @property
    def kl(self) -> PromptMean:
        return PromptMean.of(self.kls, least=0.0)


@dataclass(frozen=True, eq=False)
class Liking:
    """What a training has told so far, of which there is one record at least."""

    told: tuple[Liked, ...]

    @classmethod
    def each(cls, records: Sequence[tuple[Liked, ...]]) -> tuple[Liking, ...]:
        """Those of trainings that took turns."""
        return tuple(cls(column) for column in zip(*records, strict=True))

    @property
    def first(self) -> Liked:
        return self.told[0]

    @property
    def last(self) -> Liked:
        return self.told[-1]

    @property
    def gain(self) -> PromptMean:
        """Of reward since the start, prompt by prompt."""
        return PromptMean.of(self.last.rewards - self.first.rewards)

    def line(self, of: Callable[[Liked], float]) -> Floats:
        """A number of each record, float64 ``(n,)``."""
        return np.array([float(of(record)) for record in self.told])
