"""When a run's rate must fall so that it ends in time."""

from __future__ import annotations

import statistics
from collections import deque
from itertools import islice

# The pace is the mean of as many steps as are still to do, but not of fewer or more than these: a
# machine that is busy for minutes takes little more than those from a run of hours.
_FEWEST_PACES, _MOST_PACES = 5, 1024
_OUTLIER = 4.0  # medians that a step counts for at most: some compile
_OFTEN = 8  # a fall is judged when an eighth of what was left is done
_LATE, _EARLY = 0.01, 0.06  # of the time left, that a fall may end after or before it


class Clock:
    """Plans falls from the pace of the last steps.

    Args:
        seconds: of the whole run.
        cooldown: share of them that the fall takes.
        batches: of a step of the fall.
    """

    def __init__(self, seconds: float, cooldown: float, batches: int) -> None:
        self._seconds, self._cooldown, self._batches = seconds, cooldown, batches
        self._paces: deque[float] = deque(maxlen=_MOST_PACES)  # seconds a batch, the latest first
        self._judge_at: float = float("inf")  # steps left

    def tick(self, seconds: float, batches: int) -> None:
        """A step of so many batches took so long."""
        self._paces.appendleft(seconds / batches)

    def first_fall(self, spent: float) -> int:
        """Steps of the fall that must begin now; 0 while there is time for the level part.

        Args:
            spent: seconds of the run so far.
        """
        if spent < (1 - self._cooldown) * self._seconds or not self._paces:
            return 0
        return self._that_fit(self._seconds - spent, _MOST_PACES)

    def other_fall(self, spent: float, n_left: int) -> int:
        """Steps that a fall must take from here on; 0 when its ``left`` steps end about in time."""
        if n_left < 2 or len(self._paces) < _FEWEST_PACES or n_left > self._judge_at:
            return 0  # no choice; or the first steps of a run or of its resumption, which compile
        self._judge_at = self._later(n_left)
        time, step = self._seconds - spent, self._step(n_left)
        too_long = step * n_left - time
        if -max(_EARLY * time, 2 * step) <= too_long <= max(_LATE * time, step):
            return 0
        n = self._that_fit(time, n_left)
        self._judge_at = self._later(n)
        return n if n != n_left else 0

    @staticmethod
    def _later(n_left: int) -> float:
        """How many steps are left when a fall is judged again."""
        return min(n_left - 1, n_left * (1 - 1 / _OFTEN))

    def _that_fit(self, seconds: float, n_left: int) -> int:
        return max(1, int(seconds / self._step(n_left)))

    def _step(self, n_left: int) -> float:
        """Seconds of a step of the fall."""
        paces = list(islice(self._paces, max(_FEWEST_PACES, n_left)))
        longest = _OUTLIER * statistics.median_low(paces)
        return self._batches * statistics.fmean(min(pace, longest) for pace in paces)
