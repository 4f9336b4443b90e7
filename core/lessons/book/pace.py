"""How far a book is while it is written, and about how long it will take."""

from __future__ import annotations

import time
from collections.abc import Callable

MINUTE = 60.0  # seconds


class Pace:
    """Counts what is done of something that takes minutes."""

    def __init__(
        self, of: int, say: Callable[[str], None], now: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin.

        Args:
            of: how many screens there are to make.
            say: told after each.
            now: a clock, in seconds.
        """
        self.of, self.say, self._now = of, say, now
        self._n, self._began = 0, now()
        if of:
            say(f"{of} screens to make")

    def done(self, what: str) -> None:
        """Note that one more is made, and say how long the others will take at this pace."""
        self._n += 1
        left = (self._now() - self._began) / self._n * (self.of - self._n)
        minutes = max(1, round(left / MINUTE))
        rest = f"about {minutes} min left" if self._n < self.of else "the last test is next"
        self.say(f"{self._n} of {self.of}, {what}: {rest}")
