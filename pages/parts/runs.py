"""Models and runs, shared by all learners of the process, and which model a page can use."""

from __future__ import annotations

import os
from functools import cache

from core import zoo
from core.answers.names import PageNames
from core.data.examples import FIRST
from core.device import usable
from core.runs.jobs import Jobs
from core.runs.kinds.trace import TraceRequest
from core.runs.prefetching import Prefetcher
from core.runs.processes import limit_threads
from core.runs.second_process import SecondProcess
from core.runs.store import OneTimeRuns, Runs, of_the_shelf
from pages.parts import state

KEPT_BYTES = 320 * 1024 * 1024  # of results, in all workers together
FILES_BYTES = 64 * 1024 * 1024  # of those that are needed for files alone


def _threads() -> int:
    return int(os.environ.get("GLASSFORMER_THREADS", "1"))


def workers() -> int:
    """How many processes serve the app (pages/server/workers.py)."""
    return int(os.environ.get("GLASSFORMER_WORKERS", "1"))


@cache
def shared_runs() -> Runs:
    """The one store of models and results."""
    limit_threads(_threads())
    return Runs(max_bytes=KEPT_BYTES // workers(), load=of_the_shelf, fingerprint=zoo.fingerprint)


@cache
def for_files() -> Runs:
    """Results for files: those that learners look at, and a few of its own beside them."""
    return OneTimeRuns(shared_runs(), FILES_BYTES // workers())


def warm(runs: Runs) -> None:
    """Load every model of the shelf and run it once; begin other processes, if a core is free.

    Several workers use the other cores themselves; there a process for jobs begins with the first.
    """
    cores = (os.cpu_count() or 1) // workers()
    runs.jobs = Jobs(max(1, cores // 4), max_bytes=KEPT_BYTES // workers() // 8)
    if cores > 1 and workers() == 1:
        runs.second_process = SecondProcess(
            _threads(), [name for name in FIRST if name in zoo.shelf()]
        )
        runs.jobs.get_ready()
    for name in zoo.shelf():
        runs.get(TraceRequest(name, runs.model(name).example))
        zoo.blueprint(name)  # which each page asks for; the first would wait for all of them


@cache
def ahead() -> Prefetcher:
    """What works out results before they are asked for, one for the process."""
    return Prefetcher(shared_runs())


def shut_down(runs: Runs) -> None:
    """End the other processes, and what works ahead."""
    ahead().close()
    if runs.jobs is not None:
        runs.jobs.close()
    if runs.second_process is not None:
        runs.second_process.close()


def device() -> str:
    """The device to run on: what was chosen, if this machine has it."""
    return usable(state.read(PageNames).device)
