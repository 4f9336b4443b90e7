"""Places for what is at work: so many for each visitor, and for all of an address."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator

from cachetools import LRUCache

from core.runs.line import KNOWN, NOBODY, Line, Visitor

LOOK = 1.0  # seconds after which one who waits looks whether she is still wanted
# Of the processor an address has so many seconds at once, and then such a share of the time, if
# another one has come in the last so many seconds; else it waits, but not longer than so many.
AT_ONCE, SHARE, LATELY, LONGEST = 5.0, 0.25, 1.0, 2.0


class Places:
    """Places for what is at work; who finds none waits for her turn.

    Python runs one thread at a time: beside twenty runs of one visitor, a click has every
    twentieth turn at the processor, however little it needs. What is for nobody waits until
    nobody has a place.

    Args:
        each: places of a visitor.
        address: places of all visitors of an address.
        all_: places there are.
    """

    def __init__(self, each: int, address: int, all_: float = math.inf) -> None:
        self._each, self._address, self._all = each, address, all_
        self._taken = 0
        # Of each address the seconds of the processor it has left, and when; when it came last.
        self._left: LRUCache[str, tuple[float, float]] = LRUCache(KNOWN)
        self._came: LRUCache[str, float] = LRUCache(8)
        self._line: Line[threading.Event] = Line()
        self._lock = threading.Lock()

    @property
    def free(self) -> bool:
        """Nobody has one."""
        return not self._taken

    @contextlib.contextmanager
    def held(self, visitor: Visitor, go_on: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold a place.

        Args:
            visitor: whose it is.
            go_on: called now and then while she waits; what it raises ends the waiting.
        """
        self._take(visitor, go_on)
        began, worked = time.perf_counter(), time.thread_time()
        try:
            yield
        finally:
            took, worked = time.perf_counter() - began, time.thread_time() - worked
            rests = self._rests(visitor.address, worked)
            if rests > 0:
                later = threading.Timer(rests, self._leave, (visitor, took))
                later.daemon = True
                later.start()
            else:
                self._leave(visitor, took)

    def _rests(self, address: str, worked: float) -> float:
        """Seconds that a place stays taken after a turn.

        What an address asks for next waits if it has had more than its share, and more than any
        other that has come lately: they have the processor meanwhile.
        """
        now = time.perf_counter()
        with self._lock:
            left, then = self._left.get(address, (AT_ONCE, now))
            left = max(-AT_ONCE, min(AT_ONCE, left + SHARE * (now - then)) - worked)
            self._left[address] = left, now
            lately = [one for one, came in self._came.items() if now - came < LATELY]
            others = [self._left.get(one, (AT_ONCE, now))[0] for one in lately if one != address]
        if not others or left >= min(others):
            return 0.0
        return min(LONGEST, max(0.0, -left / SHARE))

    def _take(self, visitor: Visitor, go_on: Callable[[], None]) -> None:
        called = threading.Event()
        with self._lock:
            self._came[visitor.address] = time.perf_counter()
            self._line.join(visitor, called)
            self._call()
        try:
            while not called.wait(LOOK):
                go_on()
        except BaseException:
            with self._lock:
                self._line.leave(called)
                if called.is_set():
                    self._end(visitor)
            raise

    def _leave(self, visitor: Visitor, took: float = 0.0) -> None:
        with self._lock:
            self._end(visitor, took)

    def _end(self, visitor: Visitor, took: float = 0.0) -> None:
        self._taken -= 1
        self._line.end(visitor, took)
        self._call()

    def _call(self) -> None:
        """Call whom there is a place for."""
        while self._taken < self._all and (called := self._line.next(self._fits)) is not None:
            self._taken += 1
            called.set()

    def _fits(self, visitor: Visitor) -> bool:
        if visitor == NOBODY:
            return not self._taken
        at_work = self._line.at_work
        return at_work(visitor) < self._each and at_work(visitor.address) < self._address
