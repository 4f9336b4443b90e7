"""Whose turn is next at what costs: address after address, and in each of them browser by browser.

Whoever asks for much waits behind her own. A class behind one address has a turn for each of its
browsers; a browser that forges another name each time has no more than its address has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
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


NOBODY = Visitor()  # the app itself, for what it needs


@dataclass(frozen=True, slots=True)
class Waiting(Generic[T]):
    """One place in the line.

    Attributes:
        visitor: who waits.
        came: at which tick of the line.
        what: is waited for.
        begun: it was at work before, and goes on.
    """

    visitor: Visitor
    came: int
    what: T
    begun: bool


class Line(Generic[T]):
    """What waits. Next is who has least at work now, and of these who had a turn longest ago.

    Who never had one counts from when she came, so that a new name is no way to the front.
    """

    def __init__(self) -> None:
        self._waiting: list[Waiting[T]] = []
        self._at_work: Counter[Hashable] = Counter()
        self._had: LRUCache[Hashable, int] = LRUCache(KNOWN)
        self._tick = 0

    def join(self, visitor: Visitor, what: T, *, begun: bool = False) -> None:
        """Wait; what was begun goes before the rest of its address."""
        self._tick += 1
        self._waiting.append(Waiting(visitor, self._tick, what, begun))
        for name in _names(visitor):
            self._had.setdefault(name, self._tick)

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

    def end(self, visitor: Visitor) -> None:
        """Note that she has had her turn."""
        self._tick += 1
        self._at_work.subtract(_names(visitor))
        self._at_work += Counter()  # who has none is forgotten
        self._had.update(dict.fromkeys(_names(visitor), self._tick))

    def in_turn(self) -> Iterator[T]:
        """All that waits, in the order of its turns, as it looks now."""
        alike: Line[T] = Line()
        alike._waiting, alike._tick = [*self._waiting], self._tick
        alike._at_work.update(self._at_work)
        names = {name for one in self._waiting for name in _names(one.visitor)}
        alike._had.update({name: self._had[name] for name in names if name in self._had})
        while alike._waiting:
            found = min(alike._waiting, key=alike._turn)
            alike._waiting.remove(found)
            alike._tick += 1
            alike._had.update(dict.fromkeys(_names(found.visitor), alike._tick))
            yield found.what

    def at_work(self, name: Visitor | str) -> int:
        """How many turns a visitor, or all of an address, have now."""
        return self._at_work[name]

    def __len__(self) -> int:
        return len(self._waiting)

    def _turn(self, one: Waiting[T]) -> tuple[int, ...]:
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
