"""A process that works out jobs, one after the other, and says each step to the app's own."""

from __future__ import annotations

import contextlib
import logging
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Literal, cast

from core.errors import CoreError
from core.runs.processes import (
    end_with_parent,
    give_back,
    give_way,
    in_spare_time,
    let_end,
    limit_threads,
    spawning,
)
from core.runs.request import Context, Job, job_steps

log = logging.getLogger(__name__)
KEPT_BYTES = 32 * 1024 * 1024  # of what jobs ask for themselves
During = Callable[[], contextlib.AbstractContextManager[None]]
ENDS = ("finished", "stopped", "failed", "broken")


@dataclass(frozen=True, slots=True)
class WorkerOrder:
    """What a worker is to do.

    Attributes:
        what: to begin a job; to rest after its next step, to go on, to stop.
        number: of the job; an order about another one has come too late.
        request: the job, to begin it.
    """

    what: Literal["begin", "rest", "go", "stop"]
    number: int
    request: Job | None = None


@dataclass(frozen=True, slots=True)
class WorkerMessage:
    """What a worker says.

    Attributes:
        what: it has begun, has done a step, or has come to one of the ``ENDS``.
        seconds: that it has worked on it.
        more: the ``Step``; the ``CoreError`` of a job that failed; where a broken one broke.
    """

    what: Literal["begun", "step", "finished", "stopped", "failed", "broken"]
    seconds: float = 0.0
    more: Any = None


class Worker:
    """Such a process, as the app's own process has it.

    Args:
        threads: that its work may take.

    Attributes:
        connection: where its words come in.
    """

    def __init__(self, threads: int = 1) -> None:
        self.connection, theirs = Pipe()
        self._process = spawning().Process(
            target=_work, args=(theirs, threads), name="worker", daemon=True
        )
        self._process.start()
        theirs.close()  # now the connection ends with the process

    def order(self, order: WorkerOrder) -> None:
        """Give it an order; one that has ended says so by its connection."""
        with contextlib.suppress(OSError):
            self.connection.send(order)

    def end(self) -> None:
        """End it, whatever it does."""
        if self._process.pid is not None:
            let_end(self._process.pid)
        self._process.kill()
        self._process.join()
        self.connection.close()


def received(connection: Connection) -> WorkerMessage | None:
    """What one says next; None if it has ended, or cannot be understood."""
    try:
        return cast(WorkerMessage, connection.recv())
    except (EOFError, OSError):
        return None
    except Exception:
        log.exception("what a process says of a job cannot be read")
        return None


# --- in that process -----------------------------------------------------------------------------


def _work(connection: Connection, threads: int) -> None:
    from core import zoo
    from core.runs.store import Runs, of_the_shelf

    give_way()
    limit_threads(threads)
    end_with_parent()
    theirs = Runs(KEPT_BYTES, load=of_the_shelf, fingerprint=zoo.fingerprint)
    serve(
        connection,
        Context(
            model=lambda name: theirs.model(name, "cpu"),
            ask=lambda request: theirs.get(request, "cpu"),
        ),
        in_spare_time,
        give_back,
    )


def serve(
    connection: Connection,
    context: Context,
    during: During = contextlib.nullcontext,
    afterwards: Callable[[], object] = lambda: None,
) -> None:
    """Carry orders out until the connection ends.

    Args:
        connection: to whoever gives them.
        context: what jobs are worked out with.
        during: entered for as long as one is.
        afterwards: called when one has ended.
    """
    while True:
        with _listening():
            order = connection.recv()
        if order.what == "begin":
            with during():
                _Work(connection, order.number).carry_out(order.request, context)
            afterwards()


class _Work:
    """One job at work."""

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection, self._number = connection, number
        self._began, self._rested = time.perf_counter(), 0.0

    def carry_out(self, request: Job, context: Context) -> None:
        """Tell its steps and how it ended, until nobody listens any more."""
        self._say("begun")
        try:
            for step in job_steps(request, context):
                self._say("step", step)
                if self._stopped():
                    return self._say("stopped")
        except CoreError as problem:
            return self._say("failed", problem)
        except Exception:
            return self._say("broken", traceback.format_exc())
        return self._say("finished")

    def _say(self, what: Any, more: Any = None) -> None:
        seconds = time.perf_counter() - self._began - self._rested
        with _listening():
            self._connection.send(WorkerMessage(what, seconds, more))

    def _stopped(self) -> bool:
        """Take the orders that have come; while it is to rest, wait for the next."""
        resting, began = False, time.perf_counter()
        while resting or self._connection.poll():
            with _listening():
                order = self._connection.recv()
            if order.number == self._number:
                if order.what == "stop":
                    return True
                resting = order.what == "rest"
        self._rested += time.perf_counter() - began
        return False


@contextlib.contextmanager
def _listening() -> Iterator[None]:
    """While something is sent or heard: with the connection this process ends."""
    try:
        yield
    except (EOFError, OSError):
        raise SystemExit from None
