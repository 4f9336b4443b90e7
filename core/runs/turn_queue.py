"""Whose turn is next at what costs: address after address, and in each of them browser by browser.

Whoever asks for much waits behind her own, and after a long turn longer for the next. A class
behind one address has a turn for each of its browsers; a browser that forges another name each
time has no more than its address has.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Generic, TypeVar

from cachetools import LRUCache

KNOWN = 4096  # addresses and browsers of which it is known when they were served last

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks.

    Attributes:
        address: of the network.
        browser: what its cookie says; empty without one.
    """

    address: str = ""
    browser: str = ""


NOBODY = Visitor("the app")  # itself, for what it needs
_ASKS: ContextVar[Visitor] = ContextVar("asks", default=NOBODY)


@contextlib.contextmanager
def asking(visitor: Visitor) -> Iterator[None]:
    """What is asked for meanwhile is for her."""
    token = _ASKS.set(visitor)
    try:
        yield
    finally:
        _ASKS.reset(token)


def who_asks() -> Visitor:
    """For whom this thread works."""
    return _ASKS.get()


@dataclass(frozen=True, slots=True)
class Turn(Generic[T]):
    """One place in the line.

    Attributes:
        visitor: who waits.
        came: when, in seconds of the line's clock.
        what: is waited for.
        begun: it was at work before, and goes on.
    """

    visitor: Visitor
    came: float
    what: T
    begun: bool


class TurnQueue(Generic[T]):
    """What waits. Next is who has least at work now, and of these who had a turn longest ago.

    A turn is taken to have ended as much later as it took, so that whoever has long ones has fewer.
    Who never had one counts from when she came, so that a new name is no way to the front.

    Args:
        clock: says the time, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._waiting: list[Turn[T]] = []
        self._at_work: Counter[Hashable] = Counter()
        self._had: LRUCache[Hashable, float] = LRUCache(KNOWN)
        self._clock = clock

    def join(self, visitor: Visitor, what: T, *, begun: bool = False) -> None:
        """Wait; what was begun goes before the rest of its address."""
        now = self._clock()
        self._waiting.append(Turn(visitor, now, what, begun))
        for name in _names(visitor):
            self._had.setdefault(name, now)

    def leave(self, what: T) -> None:
        """Wait no more."""
        self._waiting = [turn for turn in self._waiting if turn.what is not what]

    def next(self, may: Callable[[Visitor], bool] = lambda _visitor: True) -> T | None:
        """Take out what has its turn now, of those who may; None if nothing has.

        It is at work from now on, until ``end`` says that it has been.
        """
        turn = min((w for w in self._waiting if may(w.visitor)), key=self._turn, default=None)
        if turn is None:
            return None
        self._waiting.remove(turn)
        self._at_work.update(_names(turn.visitor))
        return turn.what

    def end(self, visitor: Visitor, took: float = 0.0) -> None:
        """Note that she has had her turn, and the seconds that it took."""
        self._at_work.subtract(_names(visitor))
        self._at_work += Counter()  # who has none is forgotten
        self._had.update(dict.fromkeys(_names(visitor), self._clock() + took))

    def in_turn(self) -> Iterator[T]:
        """All that waits, in the order of its turns, as it looks now."""
        names = {name for waiting in self._waiting for name in _names(waiting.visitor)}
        had: dict[Hashable, float] = {name: self._had[name] for name in names if name in self._had}
        later = itertools.count(max((self._clock(), *had.values())))
        alike: TurnQueue[T] = TurnQueue(later.__next__)
        alike._waiting = [*self._waiting]
        alike._at_work.update(self._at_work)
        alike._had.update(had)
        while alike._waiting:
            turn = min(alike._waiting, key=alike._turn)
            alike._waiting.remove(turn)
            alike._had.update(dict.fromkeys(_names(turn.visitor), alike._clock()))
            yield turn.what

    def at_work(self, name: Visitor | str) -> int:
        """How many turns a visitor, or all of an address, have now."""
        return self._at_work[name]

    def __len__(self) -> int:
        return len(self._waiting)

    def _turn(self, one: Turn[T]) -> tuple[float, ...]:
        address, visitor = one.visitor.address, one.visitor
        return (
            self._at_work[address],
            self._had.get(address, one.came),
            not one.begun,
            self._at_work[visitor],
            self._had.get(visitor, one.came),
            one.came,
        )


def _names(visitor: Visitor) -> tuple[str, Visitor]:
    """Under which she is counted: with her address, and by herself."""
    return visitor.address, visitor


LOOK = 1.0  # seconds after which one who waits looks whether she is still wanted
# Of the processor an address has so many seconds at once, and then such a share of the time, if
# another one has come in the last so many seconds; else it waits, but not longer than so many.
AT_ONCE, SHARE, LATELY, LONGEST = 5.0, 0.25, 1.0, 2.0


class FairSemaphore:
    """Places for what is at work; who finds none waits for her turn.

    Python runs one thread at a time: beside twenty runs of one visitor, a click has every
    twentieth turn at the processor, however little it needs. What is for nobody waits until
    nobody has a place.

    Args:
        each: places of a visitor.
        address: places of all visitors of an address.
        total: places there are.
    """

    def __init__(self, each: int, address: int, total: float = math.inf) -> None:
        self._each, self._address, self._all = each, address, total
        self._taken = 0
        # Of each address the seconds of the processor it has left, and when; when it came last.
        self._left: LRUCache[str, tuple[float, float]] = LRUCache(KNOWN)
        self._came: LRUCache[str, float] = LRUCache(8)
        self._line: TurnQueue[threading.Event] = TurnQueue()
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
            credit, then = self._left.get(address, (AT_ONCE, now))
            credit = max(-AT_ONCE, min(AT_ONCE, credit + SHARE * (now - then)) - worked)
            self._left[address] = credit, now
            lately = [client for client, came in self._came.items() if now - came < LATELY]
            others = [
                self._left.get(client, (AT_ONCE, now))[0] for client in lately if client != address
            ]
        if not others or credit >= min(others):
            return 0.0
        return min(LONGEST, max(0.0, -credit / SHARE))

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
