"""What was made, kept within a number of bytes, and made once however many ask at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from cachetools import LRUCache


@dataclass(frozen=True, slots=True)
class _Kept:
    made: Any
    nbytes: int


class SingleFlightCache:
    """A store in which what was used longest ago makes room. Safe to share between threads.

    Args:
        max_bytes: of all that is kept.
        nbytes: of something under its key; what takes more than there is room for is not kept.
    """

    def __init__(self, max_bytes: int, nbytes: Callable[[Hashable, Any], int]) -> None:
        self.max_bytes, self._nbytes_of = max_bytes, nbytes
        self._kept: LRUCache[Hashable, _Kept] = LRUCache(
            max_bytes, getsizeof=lambda entry: entry.nbytes
        )
        self._under_way: dict[Hashable, Future[Any]] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What is kept under a key, made if it is not there; who asks meanwhile waits for it."""
        with self._lock:
            if key in self._kept:
                return self._kept[key].made
            others = self._under_way.get(key)
            future: Future[Any] = Future()
            if others is None:
                self._under_way[key] = future
        if others is not None:
            return others.result()
        try:
            result = make()
            entry = _Kept(result, self._nbytes_of(key, result))  # not while all others wait
        except BaseException as problem:
            with self._lock:
                del self._under_way[key]
            future.set_exception(problem)
            raise
        with self._lock:
            if entry.nbytes <= self.max_bytes:
                self._kept[key] = entry
            del self._under_way[key]
        future.set_result(result)
        return result

    def peek(self, key: Hashable) -> Any | None:
        """What is kept under a key; None where nothing is."""
        with self._lock:
            entry = self._kept.get(key)
        return None if entry is None else entry.made

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

    def drop(self, key: Hashable) -> None:
        """Keep something no longer."""
        with self._lock:
            self._kept.pop(key, None)

    @property
    def nbytes(self) -> int:
        """What all that is kept takes."""
        return int(self._kept.currsize)
