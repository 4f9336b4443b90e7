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


def _seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began
