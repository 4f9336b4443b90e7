"""Jobs: what takes longer than a second, told step by step to everybody who watches.

A job is worked out once, whoever asks for it, by a process that has what all others leave of the
processor. There are few such processes, and what comes later waits in line, where visitors take
turns. Nobody says that she has left: who watches looks again and again, and when nobody has for a
while, the job ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

from core.runs.progress import JobProgress, lost
from core.runs.request import Job
from core.runs.scheduled_job import Watch
from core.runs.scheduler import Scheduler
from core.runs.turn_queue import NOBODY, Visitor
from core.runs.worker import Worker

AT_ONCE = 1  # jobs that are worked on
GRACE = 10.0  # seconds that a job goes on when nobody watches it any more
KEPT_BYTES = 64 * 1024 * 1024  # of what jobs tell; of finished ones the store keeps it


class Jobs:
    """All jobs of this process, by the key under which they are asked for.

    Args:
        at_once: how many are worked on at a time.
        grace: seconds that one goes on when nobody watches it any more.
        max_bytes: of what they have told.
        begin: makes a process.
    """

    def __init__(
        self,
        at_once: int = AT_ONCE,
        *,
        grace: float = GRACE,
        max_bytes: int = KEPT_BYTES,
        begin: Callable[[], Worker] = Worker,
    ) -> None:
        self._scheduler = Scheduler(at_once, grace, max_bytes, begin)

    def get_ready(self) -> None:
        """Begin a process, so that the first who asks need not wait for it: it takes seconds."""
        with self._scheduler.changed:
            self._scheduler.get_ready()

    def look(
        self,
        key: Hashable,
        request: Job,
        who: Hashable,
        visitor: Visitor = NOBODY,
        *,
        paused: bool = False,
        again: bool = False,
    ) -> JobProgress:
        """What a job has told by now. It begins with the first look, and anew if it was stopped.

        Args:
            key: of the job.
            request: what is to be worked out.
            who: watches, for ``grace`` seconds from now.
            visitor: whose job it is, if it begins: she may have only a few, and they take turns.
            paused: it may rest, for all she cares.
            again: it begins anew if it failed, too.

        Raises:
            JobError: too many wait, or too many of hers.
        """
        with self._scheduler.changed:
            job = self._scheduler.job(key, request, visitor, again=again)
            before = job.paused, job.wanted
            job.looks[who] = Watch(time.monotonic(), paused)
            if before != (job.paused, job.wanted):
                self._scheduler.wake()
            return self._scheduler.progress_of(job)

    def glance(self, key: Hashable) -> JobProgress:
        """What a job has told, for somebody who does not watch it any more."""
        with self._scheduler.changed:
            job = self._scheduler.jobs.get(key)
            return JobProgress(state="stopped") if job is None else self._scheduler.progress_of(job)

    def leave(self, key: Hashable, who: Hashable, *, stop: bool = False) -> None:
        """Watch no more.

        Args:
            key: of the job.
            who: watched.
            stop: if nobody else does, it ends at once; what it has told is kept for a while.
        """
        with self._scheduler.changed:
            job = self._scheduler.jobs.get(key)
            if job is None or job.looks.pop(who, None) is None:
                return
            job.left = time.monotonic()
            if stop and not job.wanted and not job.progress.over:
                self._scheduler.end(job)
            self._scheduler.wake()

    def finish(self, key: Hashable, request: Job) -> JobProgress:
        """All that a job has to tell, when it has come to its end.

        Raises:
            CoreError: it came to none.
        """
        with self._scheduler.changed:
            job = self._scheduler.job(key, request)
            job.waits += 1
            self._scheduler.wake()
            try:
                self._scheduler.changed.wait_for(
                    lambda: job.progress.over or self._scheduler.closed
                )
            finally:
                job.waits -= 1
                job.left = time.monotonic()
                self._scheduler.wake()  # it is to be forgotten in a while
            if job.progress.state != "finished":
                raise job.progress.problem or lost()
            return job.now()

    @property
    def waiting(self) -> int:
        """How many wait in line."""
        with self._scheduler.changed:
            return len(self._scheduler.line)

    @property
    def watching(self) -> int:
        """How many watch what is not over yet."""
        with self._scheduler.changed:
            jobs = self._scheduler.jobs.values()
            return sum(len(job.looks) for job in jobs if not job.progress.over)

    @property
    def nbytes(self) -> int:
        """What is kept of what they have told."""
        with self._scheduler.changed:
            return sum(job.nbytes for job in self._scheduler.jobs.values())

    def close(self) -> None:
        """End them all, and the processes."""
        self._scheduler.close()
