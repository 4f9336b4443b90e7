"""Turns at what takes long: one at a time, and the visitors one after the other.

Whoever asks for forty files waits behind his own. A class behind one address has a place for each
of its browsers, which are told apart by the app's own cookie; an address has places for a class.
Nothing here is shared between threads: all of it runs in the server's event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator

from core.runs.turn_queue import TurnQueue, Visitor

LONGEST = 60  # seconds that anybody is told to wait


class BusyError(Exception):
    """A visitor has as many places as he may have; ``seconds`` says when to come again."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds


class Turns:
    """Who waits, and whose turn it is.

    Args:
        each: places that a visitor may hold at once.
        address: places of all visitors of one address.
        all_: places there are.
    """

    def __init__(self, visitor: int = 4, address: int = 40, all_: int = 120) -> None:
        self._most = {"visitor": visitor, "address": address, "all": all_}
        self._held: Counter[tuple[str, object]] = Counter()
        self._line: TurnQueue[asyncio.Future[None]] = TurnQueue()
        self._now: asyncio.Future[None] | None = None  # whose turn it is
        self._usual = 1.0  # seconds of a turn

    @property
    def idle(self) -> bool:
        """Nobody waits, and nothing is being made."""
        return self._now is None and not self._line

    def enter(self, visitor: Visitor) -> None:
        """Take a place, to be given back by ``leave``.

        Raises:
            BusyError: there is none for this visitor now.
        """
        kinds = self._kinds(visitor)
        if any(self._held[kind] >= self._most[kind[0]] for kind in kinds):
            ahead = self._usual * self._held["all", None]
            raise BusyError(min(LONGEST, int(ahead) + 1))
        self._held.update(kinds)

    def leave(self, visitor: Visitor) -> None:
        """Give a place back."""
        self._held.subtract(self._kinds(visitor))
        self._held += Counter()  # who holds nothing is forgotten

    @contextlib.asynccontextmanager
    async def turn(self, visitor: Visitor) -> AsyncIterator[None]:
        """Wait for one's turn, and have it."""
        await self._wait(visitor)
        began = time.perf_counter()
        try:
            yield
        finally:
            took = time.perf_counter() - began
            self._usual += 0.3 * (took - self._usual)
            self._end(visitor, took)

    async def _wait(self, visitor: Visitor) -> None:
        called = asyncio.get_running_loop().create_future()
        self._line.join(visitor, called)
        self._call_next()
        try:
            await called
        except asyncio.CancelledError:
            self._line.leave(called)
            if self._now is called:  # her turn had come
                self._end(visitor)
            raise

    def _end(self, visitor: Visitor, took: float = 0.0) -> None:
        self._line.end(visitor, took)
        self._now = None
        self._call_next()

    def _call_next(self) -> None:
        if self._now is None and (called := self._line.next()) is not None:
            self._now = called
            if not called.done():  # who has just gone away passes it on
                called.set_result(None)

    @staticmethod
    def _kinds(visitor: Visitor) -> list[tuple[str, object]]:
        return [("visitor", visitor), ("address", visitor.address), ("all", None)]
