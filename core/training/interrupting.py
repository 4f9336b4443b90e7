"""Let Ctrl+C end a run as the clock does: after the step that it is at."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

INTERRUPTED = 130  # what a process that was asked to end says, as shells have it
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Stops(Protocol):
    def stop(self) -> None: ...


@contextmanager
def interruptible(trainer: _Stops) -> Iterator[None]:
    """In here, a signal that asks the process to end stops the run."""
    before = [signal.signal(number, lambda *_: trainer.stop()) for number in _SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(_SIGNALS, before, strict=True):
            signal.signal(number, handler)
