"""A second process for answers that take long and are small.

Python runs one thread at a time, so a class of learners shares one core of the machine, however
many it has. Writing on a text, or weighing the words for a gap, keeps that core busy for 50 to 80
ms, and the answer is some 100 kB: it is worked out beside, while this process serves the others.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextvars import ContextVar
from multiprocessing.managers import BaseManager, RemoteError
from typing import Any

from core import zoo
from core.device import resolve_device
from core.runs.kinds.trace import TraceRequest
from core.runs.processes import SWITCH, end_with_parent, give_back, limit_threads, spawning
from core.runs.request import Request
from core.runs.turn_queue import FairSemaphore, who_asks

log = logging.getLogger(__name__)
ADDRESSES = 3  # who have turns at once
ENDED = (OSError, EOFError, CancelledError, RemoteError)  # what is met where it is no more
KEPT_BYTES = 32 * 1024 * 1024  # of answers in the second process; the first keeps them anyway
# Of models there: the five that "One sentence, every objective" asks in turn take 137 MB, and with
# less room each would be loaded anew at every click, in 50 to 100 ms. All of the shelf take 300 MB,
# which the first process holds, too.
MODEL_BYTES = 144 * 1024 * 1024
_HAS_TURN: ContextVar[bool] = ContextVar("has_turn", default=False)


class SecondProcess:
    """Answers requests in a process of its own, with the models of the shelf.

    Visitors take turns there (core/runs/turn_queue.py), a few at once: a learner need not wait
    until a stranger's long one is over.

    Args:
        threads: that a run may take there.
        ready: models that are loaded there and run once at the start.
    """

    def __init__(self, threads: int = 1, ready: Sequence[str] = ()) -> None:
        self._turns = FairSemaphore(each=1, address=1, total=ADDRESSES)
        self._broken = False
        self._manager = _Manager(ctx=spawning())
        self._starter = ThreadPoolExecutor(1, "beside")  # nobody waits for it
        self._second: Future[Any] = self._starter.submit(self._start, threads, ready)

    def _start(self, threads: int, ready: Sequence[str]) -> Any:
        _Manager.register("second", _Answerer, exposed=("get_ready", "answer", "give_back"))
        self._manager.start(_begin, (threads,))
        second = self._manager.second()  # type: ignore[attr-defined]
        second.get_ready(ready)
        return second

    def takes(self, request: Request, device: str) -> bool:
        """Whether a request is sent there."""
        return not self._broken and _worth_sending(request, device)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn to ask, and have it; what is asked for within it has it already.

        It is waited for before others are made to wait for the answer: whoever asks for the same
        has a turn of her own, which may come sooner.
        """
        if _HAS_TURN.get():
            yield
            return
        with self._turns.held(who_asks()):
            token = _HAS_TURN.set(True)
            try:
                yield
            finally:
                _HAS_TURN.reset(token)

    def answer(self, request: Request, device: str, here: Callable[[], Any]) -> Any:
        """The result of a request.

        Args:
            request: one that lasts "a while", else it is worked out ``here``.
            device: as for ``Runs.get``; another one than the CPU has no second process.
            here: works it out in this process, when the other one cannot. What is wrong with a
                request is found there again, and raised.
        """
        if not self.takes(request, device):
            return here()
        try:
            result = self._second.result().answer(request)
        except ENDED:
            if not self._broken:
                log.warning("the second process has ended; its work is done in the first")
            self._broken, result = True, None
        return here() if result is None else result

    def give_back(self) -> None:
        """Have it give the system back what it needs no more."""
        if not self._broken:
            with contextlib.suppress(*ENDED):  # an answer will find it out
                self._second.result().give_back()

    def close(self) -> None:
        """End the process."""
        self._broken = True
        self._second.cancel()
        self._starter.shutdown()
        end = getattr(self._manager, "shutdown", None)
        if end is not None:  # it was begun
            end()


def _worth_sending(request: Request, device: str) -> bool:
    return (
        request.lasts == "a while"
        and set(request.models) <= set(zoo.shelf())  # which the other process can load itself
        and resolve_device(device).type == "cpu"
    )


# --- in the second process -----------------------------------------------------------------------


def _begin(threads: int) -> None:
    """Get ready."""
    limit_threads(threads)
    sys.setswitchinterval(SWITCH)
    end_with_parent()


class _Answerer:
    """What answers there, each request in a thread of its own."""

    def __init__(self) -> None:
        from core.runs.store import Runs

        self.runs = Runs(KEPT_BYTES, MODEL_BYTES, fingerprint=zoo.fingerprint)

    def get_ready(self, names: Sequence[str]) -> None:
        """Load models and run each once."""
        for name in names:
            self.runs.get(TraceRequest(name, self.runs.model(name, "cpu").example), "cpu")
        gc.freeze()  # what is there by now is needed for as long as the process

    def answer(self, request: Request) -> Any:
        """The answer, or None for what cannot be answered: an error cannot be sent as it is."""
        try:
            return self.runs.get(request, "cpu")
        except Exception:
            return None

    def give_back(self) -> None:
        """Give back the memory that is needed no more."""
        give_back()


class _Manager(BaseManager):
    """Begins that process, and hands it what is asked."""
