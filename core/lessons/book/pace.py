"""How far a book is while it is written, and about how long it will take."""

from __future__ import annotations

import time
from collections.abc import Callable

MINUTE = 60.0  # seconds


class BookProgress:
    """Counts what is done of something that takes minutes, by however many processes."""

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
        self._n, self._first = 0, 0.0
        if of:
            say(f"{of} screens to make")

    def done(self, what: str) -> None:
        """Note that one more is made, and say how long the others will take at this pace.

        It is measured from the first on: before that, processes begin and models are loaded.
        """
        self._n += 1
        if self._n == 1:
            self._first = self._now()
        self.say(f"{self._n} of {self.of}, {what}{self._rest()}")

    def _rest(self) -> str:
        if self._n == self.of:
            return ": the last pages are next"
        if self._n == 1:
            return ""
        seconds = (self._now() - self._first) / (self._n - 1) * (self.of - self._n)
        return f": about {max(1, round(seconds / MINUTE))} min left"
