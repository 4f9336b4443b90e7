"""The processes that work on jobs: which does what, and which are to be ended."""

from __future__ import annotations

import contextlib
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection

from core.runs.scheduled_job import ScheduledJob
from core.runs.worker import ENDS, Worker, WorkerMessage, WorkerOrder

log = logging.getLogger(__name__)
OBEYS = 5.0  # seconds within which a process has to stop its work, or is ended
IDLE = 900.0  # seconds until a process that was begun for what may come is ended
# Seconds after its last job until one is ended, with all that it holds, for a fresh one: a training
# leaves 150 MB in it.
WORKED = 60.0


@dataclass(eq=False)
class PooledWorker:
    """A process.

    Attributes:
        worker: itself.
        job: that it has; None when it is idle, or is to stop.
        busy: it has not said yet that it stopped.
        worked: it has had a job.
        until: when it has to have said so, or has been idle for long enough.
    """

    worker: Worker
    job: ScheduledJob | None = None
    busy: bool = False
    worked: bool = False
    until: float = math.inf

    @property
    def rests(self) -> bool:
        """Its job can go on, but does not."""
        return self.job is not None and self.job.progress.state in ("resting", "waiting")


class WorkerPool:
    """All of them.

    Args:
        begin: makes a process.
    """

    def __init__(self, begin: Callable[[], Worker]) -> None:
        self._begin = begin
        self._workers: dict[Connection, PooledWorker] = {}

    @property
    def connections(self) -> tuple[Connection, ...]:
        """Where they say something."""
        return tuple(self._workers)

    @property
    def at_work(self) -> int:
        """How many work, or have not stopped yet."""
        return sum(pooled.busy and not pooled.rests for pooled in self._workers.values())

    @property
    def resting(self) -> int:
        """How many hold a job that rests."""
        return sum(pooled.rests for pooled in self._workers.values())

    def work(self, job: ScheduledJob) -> bool:
        """Have a job gone on with, or begun if nobody has it; whether it is begun.

        Raises:
            OSError: the machine has no room for another process.
        """
        pooled = self._pooled(job)
        if pooled is not None:
            pooled.worker.order(WorkerOrder("go", job.number))
            return False
        pooled = self.ready()
        pooled.job, pooled.busy, pooled.worked, pooled.until = job, True, True, math.inf
        pooled.worker.order(WorkerOrder("begin", job.number, job.request))
        return True

    def ready(self) -> PooledWorker:
        """A process that is idle; a new one, if there is none.

        Raises:
            OSError: the machine has no room for another.
        """
        for pooled in self._workers.values():
            if not pooled.busy:
                return pooled
        worker = self._begin()
        pooled = self._workers[worker.connection] = PooledWorker(
            worker, until=time.monotonic() + IDLE
        )
        return pooled

    def rest(self, job: ScheduledJob) -> None:
        """Have a job rest after its next step."""
        pooled = self._pooled(job)
        assert pooled is not None
        pooled.worker.order(WorkerOrder("rest", job.number))

    def stop(self, job: ScheduledJob) -> None:
        """Have nobody work on a job any more."""
        pooled = self._pooled(job)
        if pooled is not None:
            pooled.worker.order(WorkerOrder("stop", job.number))
            pooled.job, pooled.until = None, time.monotonic() + OBEYS

    def heard(self, connection: Connection, word: WorkerMessage | None) -> ScheduledJob | None:
        """Of which job one has said something, or None: that it has ended itself."""
        pooled = self._workers[connection]
        job = pooled.job
        if word is None:
            self._end(pooled)
        elif word.what in ENDS:
            pooled.job, pooled.busy, pooled.until = None, False, time.monotonic() + WORKED
        return job

    def tidy(self, now: float) -> None:
        """End those that have not obeyed, and those that have been idle for long.

        After the last of those that have worked a fresh one is begun, so that nobody waits for it.
        """
        for pooled in [pooled for pooled in self._workers.values() if now >= pooled.until]:
            if pooled.busy:
                log.warning("a process did not stop its work within %g s and was ended", OBEYS)
            self._end(pooled)
            if pooled.worked and not pooled.busy and not self._workers:
                with contextlib.suppress(OSError):  # no room for one: it is said to who needs it
                    self.ready()

    @property
    def until(self) -> float:
        """When there may be something to tidy."""
        return min((pooled.until for pooled in self._workers.values()), default=math.inf)

    def close(self) -> None:
        """End them all."""
        for pooled in list(self._workers.values()):
            self._end(pooled)

    def _pooled(self, job: ScheduledJob) -> PooledWorker | None:
        return next((pooled for pooled in self._workers.values() if pooled.job is job), None)

    def _end(self, pooled: PooledWorker) -> None:
        del self._workers[pooled.worker.connection]
        pooled.worker.end()
