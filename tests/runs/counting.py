"""A job that counts, as the processes of jobs and the tests know it, and a process that is none."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import torch

from core.errors import ParameterError
from core.runs.progress import Step
from core.runs.request import Context, Job, job_steps
from core.runs.worker import WorkerOrder, serve


@dataclass(frozen=True, slots=True)
class Count(Job):
    """Tells 0, 1, 2, ... up to ``n`` numbers, and does then what ``then`` says."""

    says = "Counting"
    n: int = 3
    name: str = ""
    each: float = 0.0  # seconds from one to the next
    large: int = 0  # bytes of each record
    then: str = "end"  # or: refuse, break, die, hang, load what it is called, say who works


STEPS: dict[str, threading.Semaphore] = {}  # by name: how many steps a job may take; all if none
BEGUN: list[Count] = []


@job_steps.register
def count(request: Count, context: Context) -> Iterator[Step]:
    BEGUN.append(request)
    for at in range(request.n):
        if request.name in STEPS:
            STEPS[request.name].acquire()
        time.sleep(request.each)
        yield Step((at + 1) / request.n, bytes(request.large) or at)
    if request.then == "refuse":
        raise ParameterError("n", request.n, "another number")
    if request.then == "break":
        raise ValueError("a mistake")
    if request.then == "die":
        os._exit(1)
    if request.then == "hang":
        Path(request.name).touch()  # from now on it hears no order
        time.sleep(3600)
    if request.then == "load":
        context.model(request.name)
    if request.then == "who":
        yield Step(1.0, (os.getpid(), os.nice(0), torch.get_num_threads()))
    if request.then == "policies":
        yield from _policies()
    if request.then == "odd":
        yield Step(1.0, threading.Lock())  # which cannot be sent


def _policies() -> Iterator[Step]:
    """How this thread is scheduled in the end: while it works, and while it cannot."""
    until = time.perf_counter() + 60
    while os.sched_getscheduler(0) != os.SCHED_IDLE and time.perf_counter() < until:
        pass
    yield Step(0.5, os.sched_getscheduler(0))
    while os.sched_getscheduler(0) != os.SCHED_OTHER and time.perf_counter() < until:
        time.sleep(0.05)
    yield Step(1.0, os.sched_getscheduler(0))


class InThread:
    """A worker in a thread of this process, which the tests can hold back."""

    def __init__(self, context: Context | None = None) -> None:
        self.connection, theirs = Pipe()
        context = context or Context(model=_no_model, ask=_no_model)
        threading.Thread(target=_serve, args=(theirs, context), daemon=True).start()

    def order(self, order: WorkerOrder) -> None:
        self.connection.send(order)

    def end(self) -> None:
        self.connection.close()


def _serve(connection: Connection, context: Context) -> None:
    with contextlib.suppress(SystemExit):
        serve(connection, context)


def _no_model(_asked: object) -> None:
    raise AssertionError("nobody asks for one here")
