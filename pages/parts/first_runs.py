"""The first run of a page in a process: of a class that comes at once, the others wait for it.

It imports the page's views and fills caches: each learner who comes meanwhile would do the same
work over again, all of them in turns on the one thread that Python runs at a time.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

_running: dict[str, threading.Lock] = defaultdict(threading.Lock)
_over: set[str] = set()


@contextmanager
def alone_at_first(page: str) -> Iterator[None]:
    """Let no other run of a page begin until its first one is over, however that ends."""
    if page not in _over:
        with _running[page]:
            if page not in _over:
                try:
                    yield
                finally:
                    _over.add(page)
                return
    yield
