"""A process of its own for files that nobody has looked at before, while they are asked for.

Python runs one thread at a time: what is made in this process holds up every learner in it. The
other process yields the processor to it, and soon after the last file (``IDLE``) it is gone, with
all it held.
"""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from core.errors import CoreError
from core.language import language, use_language
from core.runs.processes import end_with_parent, give_way, spawning

IDLE = 40.0  # seconds until it ends
PIECE = 2**18  # characters
MOST_MADE, MOST_SECONDS = 64 * 2**20, 20  # of a file: characters, and of processor


class SaidError(Exception):
    """A mistake that the other process has put into the visitor's language."""


class TooLargeError(Exception):
    """What is asked for, or made, is beyond its bound."""


class TooLongError(Exception):
    """What is asked for takes longer than others should wait for it."""


class FileProcess:
    """Makes files in another process, which begins with the first of them."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()
        self._in_hand = 0  # files that are asked for or made
        self._end = threading.Timer(0, lambda: None)

    def pieces(self, make: Callable[..., Iterable[str]], *arguments: Any) -> Iterator[str]:
        """What a function of a module gives, carried out there.

        Raises:
            SaidError: the question is wrong.
            TooLargeError: the file is too large.
            TooLongError: it takes too long.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file")
            problem = self._carried_out(path, language(), make, arguments)
            if problem:
                raise SaidError(problem)
            with open(path, encoding="utf-8", newline="") as file:
                while piece := file.read(PIECE):
                    yield piece

    def _carried_out(self, *what: Any) -> str:
        pool = None
        try:
            with self._lock:  # until it is handed in: an idle timer may be about to end the pool
                self._in_hand += 1
                self._end.cancel()
                if self._pool is None:
                    self._pool = ProcessPoolExecutor(1, spawning(), initializer=_begin)
                pool = self._pool
                future = pool.submit(_written, *what)
            return str(future.result())
        except RuntimeError:  # it was ended, by itself or by others: another begins
            with self._lock:
                if self._pool is pool:
                    self._end_it()
            raise
        finally:
            self._put_down()

    def _put_down(self) -> None:
        """One file less; after the last the process ends in a while."""
        with self._lock:
            self._in_hand -= 1
            if self._in_hand == 0:
                self._end = threading.Timer(IDLE, self._rest)
                self._end.daemon = True
                self._end.start()

    def _rest(self) -> None:
        """End the process, unless a file was handed in while the timer went off."""
        with self._lock:
            if self._in_hand == 0:
                self._end_it()

    def close(self) -> None:
        """End the process, whatever it does."""
        with self._lock:
            self._end.cancel()
            self._end_it()

    def _end_it(self) -> None:
        """The same, by who holds the lock."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


# --- in the other process ------------------------------------------------------------------------


def _begin() -> None:
    end_with_parent()
    give_way()
    with contextlib.suppress(AttributeError):  # where there are no such signals
        signal.signal(signal.SIGPROF, _too_long)


def _too_long(_signal: int, _frame: object) -> None:
    raise TooLongError


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """No longer than a file may take."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _written(path: str, speaks: str, make: Callable[..., Iterable[str]], arguments: Any) -> str:
    """Write the file; what was wrong, in words, empty for nothing."""
    use_language(speaks)
    size = 0
    try:
        with _limited(), open(path, "w", encoding="utf-8", newline="") as file:
            for piece in make(*arguments):
                size += len(piece)
                if size > MOST_MADE:
                    raise TooLargeError
                file.write(piece)
    except CoreError as problem:
        return problem.sentence()
    return ""
