"""Two ways to do the same, timed in turn, so that whatever else the machine does meets both."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """What a race showed.

    Attributes:
        what: what was done, its sizes included.
        ours, theirs: median seconds.
        ratio: ours / theirs, the median over the rounds.
        limit: the most the ratio may be.
    """

    what: str
    ours: float
    theirs: float
    ratio: float
    limit: float

    @property
    def held(self) -> bool:
        return self.ratio <= self.limit

    def __str__(self) -> str:
        verdict = "" if self.held else "  MISSED"
        return (f"{self.ratio:6.2f}  (limit {self.limit:.2f})  {self.what}: "
                f"{readable(self.ours)} / {readable(self.theirs)}{verdict}")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Goal:
    """A number that may not be larger than a limit.

    Attributes:
        what: was measured.
        value: of it.
        limit: the most it may be.
        unit: of both.
    """

    what: str
    value: float
    limit: float
    unit: str

    @property
    def held(self) -> bool:
        return self.value <= self.limit

    def __str__(self) -> str:
        verdict = "" if self.held else "  MISSED"
        return f"{self.value:6.4g}  (limit {self.limit:g})  {self.what}, {self.unit}{verdict}"


def race(
    what: str,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    *,
    limit: float,
    rounds: int,
    warm_up: int = 1,
) -> Result:
    """Time both in each round, after ``warm_up`` rounds that do not count."""
    times = [(_seconds(ours), _seconds(theirs)) for _ in range(warm_up + rounds)][warm_up:]
    return Result(
        what,
        ours=statistics.median(a for a, _ in times),
        theirs=statistics.median(b for _, b in times),
        ratio=statistics.median(a / b for a, b in times),
        limit=limit,
    )


def readable(seconds: float) -> str:
    """Seconds as people read them."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def _seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began
