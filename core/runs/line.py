"""Whose turn is next at what costs: address after address, and in each of them browser by browser.

Whoever asks for much waits behind her own, and after a long turn longer for the next. A class
behind one address has a turn for each of its browsers; a browser that forges another name each
time has no more than its address has.
"""

from __future__ import annotations

import contextlib
import itertools
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
class Waiting(Generic[T]):
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


class Line(Generic[T]):
    """What waits. Next is who has least at work now, and of these who had a turn longest ago.

    A turn is taken to have ended as much later as it took, so that whoever has long ones has fewer.
    Who never had one counts from when she came, so that a new name is no way to the front.

    Args:
        clock: says the time, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._waiting: list[Waiting[T]] = []
        self._at_work: Counter[Hashable] = Counter()
        self._had: LRUCache[Hashable, float] = LRUCache(KNOWN)
        self._clock = clock

    def join(self, visitor: Visitor, what: T, *, begun: bool = False) -> None:
        """Wait; what was begun goes before the rest of its address."""
        now = self._clock()
        self._waiting.append(Waiting(visitor, now, what, begun))
        for name in _names(visitor):
            self._had.setdefault(name, now)

    def leave(self, what: T) -> None:
        """Wait no more."""
        self._waiting = [one for one in self._waiting if one.what is not what]

    def next(self, may: Callable[[Visitor], bool] = lambda _visitor: True) -> T | None:
        """Take out what has its turn now, of those who may; None if nothing has.

        It is at work from now on, until ``end`` says that it has been.
        """
        found = min((w for w in self._waiting if may(w.visitor)), key=self._turn, default=None)
        if found is None:
            return None
        self._waiting.remove(found)
        self._at_work.update(_names(found.visitor))
        return found.what

    def end(self, visitor: Visitor, took: float = 0.0) -> None:
        """Note that she has had her turn, and the seconds that it took."""
        self._at_work.subtract(_names(visitor))
        self._at_work += Counter()  # who has none is forgotten
        self._had.update(dict.fromkeys(_names(visitor), self._clock() + took))

    def in_turn(self) -> Iterator[T]:
        """All that waits, in the order of its turns, as it looks now."""
        names = {name for one in self._waiting for name in _names(one.visitor)}
        had: dict[Hashable, float] = {name: self._had[name] for name in names if name in self._had}
        later = itertools.count(max((self._clock(), *had.values())))
        alike: Line[T] = Line(later.__next__)
        alike._waiting = [*self._waiting]
        alike._at_work.update(self._at_work)
        alike._had.update(had)
        while alike._waiting:
            found = min(alike._waiting, key=alike._turn)
            alike._waiting.remove(found)
            alike._had.update(dict.fromkeys(_names(found.visitor), alike._clock()))
            yield found.what

    def at_work(self, name: Visitor | str) -> int:
        """How many turns a visitor, or all of an address, have now."""
        return self._at_work[name]

    def __len__(self) -> int:
        return len(self._waiting)

    def _turn(self, one: Waiting[T]) -> tuple[float, ...]:
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
