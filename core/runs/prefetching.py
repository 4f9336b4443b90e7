"""What will soon be asked for is worked out meanwhile: one request at a time, for all learners.

A job is begun as well, and waited for beside the others: it holds none of them up.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Hashable, Iterable
from concurrent.futures import ThreadPoolExecutor

from core.errors import CoreError
from core.runs.request import Request
from core.runs.store import Runs
from core.runs.turn_queue import Visitor, asking, who_asks

log = logging.getLogger(__name__)
MOST = 24  # requests that may wait; what comes then is worked out when it is needed


class Prefetcher:
    """Works out results before they are asked for.

    A class that does the same lesson asks for the same runs: each is worked out once, and only with
    models that are in memory already.

    Args:
        runs: where the results are kept.
    """

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._pool = ThreadPoolExecutor(1, "ahead")
        self._jobs = ThreadPoolExecutor(1, "jobs-ahead")
        self._lock = threading.Lock()
        self._waiting: set[Hashable] = set()

    def prepare(self, requests: Iterable[Request], device: str = "auto") -> None:
        """Have results worked out that are not there yet.

        Args:
            requests: in the order in which they will be needed.
            device: where to run.
        """
        for request in requests:
            loaded = all(self._runs.has_model(name, device) for name in request.models)
            if not loaded or self._runs.ready(request, device):
                continue
            key = (request, device)
            with self._lock:
                if key in self._waiting or len(self._waiting) >= MOST:
                    continue
                self._waiting.add(key)
            pool = self._jobs if request.lasts == "long" else self._pool
            pool.submit(self._work_out, request, device, who_asks())

    def _work_out(self, request: Request, device: str, visitor: Visitor) -> None:
        try:
            with asking(visitor):
                self._runs.get(request, device)
        except CoreError:
            pass  # it is said where it is asked for
        except Exception:
            log.exception("a result could not be prepared")
        finally:
            with self._lock:
                self._waiting.discard((request, device))

    def close(self) -> None:
        """Work out nothing more."""
        for pool in (self._pool, self._jobs):
            pool.shutdown(wait=False, cancel_futures=True)
