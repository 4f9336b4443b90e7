"""A second process for answers that take long and are small.

Python runs one thread at a time, so a class of learners shares one core of the machine, however
many it has. Writing on a text, or weighing the words for a gap, keeps that core busy for 50 to 80
ms, and the answer is some 100 kB: it is worked out beside, while this process serves the others.
"""

from __future__ import annotations

import contextlib
import gc
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any

from core import zoo
from core.device import resolve_device
from core.runs.processes import end_with_parent, give_back, limit_threads, spawning
from core.runs.requests import Request, TraceRequest

if TYPE_CHECKING:
    from core.runs.store import Runs

log = logging.getLogger(__name__)
KEPT_BYTES = 32 * 1024 * 1024  # of answers in the second process; the first keeps them anyway
# Of models there: the five that "One sentence, every objective" asks in turn take 137 MB, and with
# less room each would be loaded anew at every click, in 50 to 100 ms. All of the shelf take 300 MB,
# which the first process holds, too.
MODEL_BYTES = 144 * 1024 * 1024


class Beside:
    """Answers requests in a process of its own, with the models of the shelf.

    Args:
        threads: that a run may take there.
        ready: models that are loaded there and run once at the start.
    """

    def __init__(self, threads: int = 1, ready: Sequence[str] = ()) -> None:
        self._pool = ProcessPoolExecutor(1, spawning(), initializer=_begin, initargs=(threads,))
        self._broken = False
        self._pool.submit(_get_ready, ready)  # nobody waits: it is there before the first answer

    def answer(self, request: Request, device: str, here: Callable[[], Any]) -> Any:
        """The result of a request.

        Args:
            request: one that lasts "a while", else it is worked out ``here``.
            device: as for ``Runs.get``; another one than the CPU has no second process.
            here: works it out in this process, when the other one cannot. What is wrong with a
                request is found there again, and raised.
        """
        if self._broken or not _worth_sending(request, device):
            return here()
        try:
            found = self._pool.submit(_answer, request).result()
        except (BrokenProcessPool, CancelledError, RuntimeError):  # it was ended
            if not self._broken:
                log.warning("the second process has ended; its work is done in the first")
            self._broken, found = True, None
        return here() if found is None else found

    def give_back(self) -> None:
        """Have it give the system back what it needs no more; nobody waits."""
        if not self._broken:
            with contextlib.suppress(BrokenProcessPool, RuntimeError):  # an answer will find it out
                self._pool.submit(give_back)

    def close(self) -> None:
        """End the process."""
        self._broken = True
        self._pool.shutdown(wait=False, cancel_futures=True)


def _worth_sending(request: Request, device: str) -> bool:
    return (
        request.lasts == "a while"
        and set(request.models) <= set(zoo.shelf())  # which the other process can load itself
        and resolve_device(device).type == "cpu"
    )


# --- in the second process -----------------------------------------------------------------------

_theirs: list[Runs] = []


def _begin(threads: int) -> None:
    """Get ready."""
    from core.runs.store import Runs

    limit_threads(threads)
    _theirs.append(Runs(KEPT_BYTES, MODEL_BYTES, fingerprint=zoo.fingerprint))
    end_with_parent()


def _get_ready(names: Sequence[str]) -> None:
    """Load models and run each once."""
    for name in names:
        _theirs[0].get(TraceRequest(name, _theirs[0].model(name, "cpu").example), "cpu")
    gc.freeze()  # what is there by now is needed for as long as the process


def _answer(request: Request) -> Any:
    """The answer, or None for what cannot be answered: an error cannot be sent as it is."""
    try:
        return _theirs[0].get(request, "cpu")
    except Exception:
        return None
