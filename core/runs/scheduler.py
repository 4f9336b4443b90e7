"""What becomes of jobs: whose turn it is, what rests, what nobody wants any more.

One thread, the scheduler's, hears the processes and gives them their orders. All others only note
who watches (core/runs/jobs.py), and wake it.
"""

from __future__ import annotations

import dataclasses
import itertools
import logging
import math
import threading
import time
import uuid
from collections.abc import Callable, Hashable
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from core.runs.progress import (
    JobProgress,
    State,
    broken,
    going_already,
    lost,
    queue_full,
    too_long,
)
from core.runs.request import Job
from core.runs.scheduled_job import ScheduledJob
from core.runs.turn_queue import NOBODY, TurnQueue, Visitor
from core.runs.worker import Worker, WorkerMessage, received
from core.runs.worker_pool import WorkerPool

log = logging.getLogger(__name__)
# Jobs that may hold a process while they rest: of them those that are paused, so that there is
# always room for a turn; and jobs that may stand in line.
RESTING, PAUSED, WAITING = 2, 1, 80
EACH, CLASS = 3, 32  # jobs that a browser, and all browsers of an address, may have at a time
TURN = 10.0  # seconds of work after which a job lets one of another address have a turn
STOPPED = 600.0  # seconds that what a stopped job has told is kept, for who stopped it


class Scheduler:
    """All jobs of this process, by the key under which they are asked for.

    Args:
        at_once: how many are worked on at a time.
        grace: seconds that one goes on when nobody watches it any more.
        max_bytes: of what they have told.
        begin: makes a process.

    Attributes:
        changed: to be held by who reads or notes something here; it is notified of all that
            becomes of a job.
        closed: no job is worked on any more.
    """

    def __init__(
        self, at_once: int, grace: float, max_bytes: int, begin: Callable[[], Worker]
    ) -> None:
        self._at_once, self._grace, self._max_bytes = at_once, grace, max_bytes
        self.jobs: dict[Hashable, ScheduledJob] = {}
        self.line: TurnQueue[ScheduledJob] = TurnQueue()
        self.changed, self.closed = threading.Condition(), False
        self._pool = WorkerPool(begin)
        self._count, self._rung = 0, False
        self._usual = 20.0  # seconds of a job
        self._bell, self._ring = Pipe(duplex=False)
        self._thread = threading.Thread(target=self._keep, name="jobs", daemon=True)

    # --- what the others ask of it, while they hold ``changed`` -----------------------------------

    def job(
        self, key: Hashable, request: Job, visitor: Visitor = NOBODY, *, again: bool = False
    ) -> ScheduledJob:
        """The job of that key; a new one of this visitor if there is none, or it was stopped.

        Raises:
            JobError: too many wait, or she has as many as she may have.
        """
        job = self.jobs.get(key)
        if job is None or job.progress.state in ("stopped", "failed" if again else ""):
            self._admit(visitor)
            self._count += 1
            job = ScheduledJob(self._count, key, request, time.monotonic(), visitor)
            self.jobs[key] = job
            self.line.join(visitor, job)
            self.wake()
        return job

    def _admit(self, visitor: Visitor) -> None:
        """Whether one more of hers has room; of hers those that nobody watches any more end."""
        if len(self.line) >= WAITING:
            raise queue_full(WAITING)
        if visitor == NOBODY:
            return
        for abandoned in [job for job in self._of(visitor.address) if not job.wanted]:
            if abandoned.visitor == visitor:
                self._drop(abandoned)
        theirs = self._of(visitor.address)
        if sum(job.visitor == visitor for job in theirs) >= EACH:
            raise going_already(EACH, min(60, 1 + round(self._usual)))
        if len(theirs) >= CLASS:
            raise queue_full(CLASS)

    def _of(self, address: str) -> list[ScheduledJob]:
        """The jobs of an address that are not over."""
        jobs = self.jobs.values()
        return [job for job in jobs if job.visitor.address == address and not job.progress.over]

    def progress_of(self, job: ScheduledJob) -> JobProgress:
        """What it has told, and while it waits, how many come before it."""
        if self.closed and not job.progress.over:
            job.become("failed", problem=lost())
        if job.progress.state == "waiting":
            before = itertools.takewhile(lambda turn: turn is not job, self.line.in_turn())
            return dataclasses.replace(job.now(), ahead=len([*before]) + self._pool.at_work)
        return job.now()

    def end(self, job: ScheduledJob, state: State = "stopped", **how: Any) -> None:
        """Let nobody work on it any more."""
        self._pool.stop(job)
        self._become(job, state, **how)

    def get_ready(self) -> None:
        """Begin a process for what may come."""
        self._pool.ready()
        self.wake()

    def wake(self) -> None:
        """Have the scheduler look at what was noted."""
        if self._thread.ident is None and not self.closed:
            self._thread.start()
        if not self._rung:
            self._rung = True
            self._ring.send_bytes(b"!")

    def close(self) -> None:
        """End all jobs and processes."""
        with self.changed:
            self.closed = True
            self.wake()
        if self._thread.ident is not None:
            self._thread.join()

    # --- its own thread ---------------------------------------------------------------------------

    def _keep(self) -> None:
        try:
            while not self.closed:
                self._listen()
        except Exception:
            log.exception("the scheduler of the jobs has failed")
        with self.changed:
            self.closed = True
            self._pool.close()
            self.changed.notify_all()

    def _listen(self) -> None:
        """Do what is to be done now, and wait until something is said or is due."""
        with self.changed:
            self._arrange()
            self.changed.notify_all()
            until = min([self._pool.until, *map(self._due, self.jobs.values())])
            connections = (self._bell, *self._pool.connections)
        patience = None if math.isinf(until) else max(0.0, until - time.monotonic())
        for connection in wait(connections, patience):
            if connection is self._bell:
                self._bell.recv_bytes()
                self._rung = False
            else:
                self._hear(cast(Connection, connection))

    def _hear(self, connection: Connection) -> None:
        """Note what a process says of its job; of one that is to stop it no longer counts."""
        word = received(connection)  # which may take a while
        with self.changed:
            job = self._pool.heard(connection, word)
            if job is not None:
                self._note(job, word)

    def _note(self, job: ScheduledJob, word: WorkerMessage | None) -> None:
        kind = type(job.request).__name__
        if word is None:
            log.warning("a process has ended in the middle of a %s", kind)
            self._become(job, "failed", problem=lost())
        elif word.what == "begun":
            job.become("running")
        elif word.what == "step":
            job.take(word.more, word.seconds)
            self._make_room(job)
        elif word.what == "finished":
            self._become(job, "finished", share=1.0, seconds=word.seconds)
            self._usual += 0.3 * (word.seconds - self._usual)
        elif word.what == "failed":
            self._become(job, "failed", problem=word.more)
        elif word.what == "broken":
            ident = uuid.uuid4().hex[:8]
            log.error("a %s broke, id %s\n%s", kind, ident, word.more)
            self._become(job, "failed", problem=broken(ident))

    def _arrange(self) -> None:
        """End what nobody watches, rest what all have paused, and begin what is next."""
        now = time.monotonic()
        self._pool.tidy(now)
        for job in list(self.jobs.values()):
            job.forget(now, self._grace)
            if now >= self._due(job):
                self._drop(job)
        jobs = list(self.jobs.values())
        # Which is not held up by what nobody watches.
        if any(job.wanted and job.progress.state == "waiting" for job in jobs):
            for job in jobs:
                if not (job.wanted or job.progress.over):
                    self._drop(job)
        for job in self.jobs.values():
            if job.progress.state == "running" and job.paused and self._may_pause():
                self._pool.rest(job)
                self._become(job, "resting")
            elif job.progress.state == "resting" and job.wanted and not job.paused:
                job.become("waiting")
                self.line.join(job.visitor, job, begun=True)
        self._let_another_have_a_turn(now)
        while self._pool.at_work < self._at_once and (due := self.line.next()) is not None:
            self._go_on(due)

    def _may_pause(self) -> bool:
        """Whether one more that is paused may hold a process; else it goes on, unseen."""
        paused = sum(job.progress.state == "resting" for job in self.jobs.values())
        return paused < PAUSED and self._pool.resting < RESTING

    def _let_another_have_a_turn(self, now: float) -> None:
        """Have a job rest that has worked for long, while somebody waits at another address."""
        if not self.line or self._pool.resting >= RESTING or self._pool.at_work < self._at_once:
            return
        address = next(self.line.in_turn()).visitor.address
        for job in self.jobs.values():
            long = job.progress.state == "running" and now - job.since > TURN
            if long and job.visitor.address != address:
                self._pool.rest(job)
                self._become(job, "waiting")
                self.line.join(job.visitor, job, begun=True)
                return

    def _go_on(self, job: ScheduledJob) -> None:
        """Have a job begun whose turn it is, or gone on with."""
        job.since = time.monotonic()
        job.become("beginning")
        try:
            if not self._pool.work(job):
                job.become("running")
        except OSError:
            log.exception("no process could be begun for a job")
            self._become(job, "failed", problem=lost())

    def _become(self, job: ScheduledJob, state: State, **how: Any) -> None:
        """Note that a job is not at work any more, nor waits to be."""
        if job.progress.state in ("beginning", "running"):
            self.line.end(job.visitor)
        self.line.leave(job)
        job.become(state, **how)

    def _due(self, job: ScheduledJob) -> float:
        return job.due(STOPPED if job.progress.state == "stopped" else self._grace)

    def _make_room(self, job: ScheduledJob) -> None:
        """Drop what is over, oldest first, or end this job if it alone tells too much."""
        while sum(one.nbytes for one in self.jobs.values()) > self._max_bytes:
            over = next((one for one in self.jobs.values() if one.progress.over), None)
            if over is None:
                self.end(job, "failed", records=(), problem=too_long(self._max_bytes))
                job.nbytes = 0
                return
            self._drop(over)

    def _drop(self, job: ScheduledJob) -> None:
        """Forget it."""
        if not job.progress.over:
            self.end(job)
        del self.jobs[job.key]
