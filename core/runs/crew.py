"""The processes that work on jobs: which does what, and which are to be ended."""

from __future__ import annotations

import contextlib
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection

from core.runs.job import Watched
from core.runs.worker import ENDS, Order, Word, Worker

log = logging.getLogger(__name__)
OBEYS = 5.0  # seconds within which a process has to stop its work, or is ended
IDLE = 900.0  # seconds until a process that was begun for what may come is ended
# Seconds after its last job until one is ended, with all that it holds, for a fresh one: a training
# leaves 150 MB in it.
WORKED = 60.0


@dataclass(eq=False)
class Hand:
    """A process.

    Attributes:
        worker: itself.
        job: that it has; None when it is idle, or is to stop.
        busy: it has not said yet that it stopped.
        worked: it has had a job.
        until: when it has to have said so, or has been idle for long enough.
    """

    worker: Worker
    job: Watched | None = None
    busy: bool = False
    worked: bool = False
    until: float = math.inf

    @property
    def rests(self) -> bool:
        """Its job can go on, but does not."""
        return self.job is not None and self.job.told.state in ("resting", "waiting")


class Crew:
    """All of them.

    Args:
        begin: makes a process.
    """

    def __init__(self, begin: Callable[[], Worker]) -> None:
        self._begin = begin
        self._hands: dict[Connection, Hand] = {}

    @property
    def connections(self) -> tuple[Connection, ...]:
        """Where they say something."""
        return tuple(self._hands)

    @property
    def at_work(self) -> int:
        """How many work, or have not stopped yet."""
        return sum(hand.busy and not hand.rests for hand in self._hands.values())

    @property
    def resting(self) -> int:
        """How many hold a job that rests."""
        return sum(hand.rests for hand in self._hands.values())

    def work(self, job: Watched) -> bool:
        """Have a job gone on with, or begun if nobody has it; whether it is begun.

        Raises:
            OSError: the machine has no room for another process.
        """
        hand = self._hand_of(job)
        if hand is not None:
            hand.worker.order(Order("go", job.number))
            return False
        hand = self.ready()
        hand.job, hand.busy, hand.worked, hand.until = job, True, True, math.inf
        hand.worker.order(Order("begin", job.number, job.request))
        return True

    def ready(self) -> Hand:
        """A process that is idle; a new one, if there is none.

        Raises:
            OSError: the machine has no room for another.
        """
        for hand in self._hands.values():
            if not hand.busy:
                return hand
        worker = self._begin()
        hand = self._hands[worker.connection] = Hand(worker, until=time.monotonic() + IDLE)
        return hand

    def rest(self, job: Watched) -> None:
        """Have a job rest after its next step."""
        hand = self._hand_of(job)
        assert hand is not None
        hand.worker.order(Order("rest", job.number))

    def stop(self, job: Watched) -> None:
        """Have nobody work on a job any more."""
        hand = self._hand_of(job)
        if hand is not None:
            hand.worker.order(Order("stop", job.number))
            hand.job, hand.until = None, time.monotonic() + OBEYS

    def heard(self, connection: Connection, word: Word | None) -> Watched | None:
        """Of which job one has said something, or None: that it has ended itself."""
        hand = self._hands[connection]
        job = hand.job
        if word is None:
            self._end(hand)
        elif word.what in ENDS:
            hand.job, hand.busy, hand.until = None, False, time.monotonic() + WORKED
        return job

    def tidy(self, now: float) -> None:
        """End those that have not obeyed, and those that have been idle for long.

        After the last of those that have worked a fresh one is begun, so that nobody waits for it.
        """
        for hand in [hand for hand in self._hands.values() if now >= hand.until]:
            if hand.busy:
                log.warning("a process did not stop its work within %g s and was ended", OBEYS)
            self._end(hand)
            if hand.worked and not hand.busy and not self._hands:
                with contextlib.suppress(OSError):  # no room for one: it is said to who needs it
                    self.ready()

    @property
    def until(self) -> float:
        """When there may be something to tidy."""
        return min((hand.until for hand in self._hands.values()), default=math.inf)

    def close(self) -> None:
        """End them all."""
        for hand in list(self._hands.values()):
            self._end(hand)

    def _hand_of(self, job: Watched) -> Hand | None:
        return next((hand for hand in self._hands.values() if hand.job is job), None)

    def _end(self, hand: Hand) -> None:
        del self._hands[hand.worker.connection]
        hand.worker.end()
