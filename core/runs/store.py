"""Models and results, shared by all learners of a process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, MutableMapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from cachetools import LRUCache

from core import zoo
from core.device import resolve_device
from core.errors import UnknownModelError
from core.runs.answering import Context, answer, load_answers
from core.runs.beside import Beside
from core.runs.jobs import Jobs
from core.runs.requests import Job, Request
from core.runs.told import Told
from core.sizes import held


@dataclass(frozen=True, slots=True)
class _Kept:
    """A result and what it takes, with what it is kept under: a text may be longer than all else.

    A model counts as one, whatever it takes.
    """

    made: Any
    nbytes: int


class Runs:
    """Models kept warm and results kept within a number of bytes.

    A result is kept under everything that decides it: the request, and of every
    model in it the weights, the config, the tokenizer, the device and the
    precision. What was used longest ago goes first. Whoever asks for what is
    being worked out waits for it.

    Args:
        max_bytes: of results.
        max_models: models kept in memory.
        load: name and device to a model; ``zoo.load`` but in tests.

    Attributes:
        beside: a second process for some of the work; None for none.
        jobs: those that are worked out in processes of their own; None where whoever asks does so.
    """

    def __init__(
        self,
        max_bytes: int = 512 * 1024 * 1024,
        max_models: int = 4,
        load: Callable[[str, str], zoo.LoadedModel] = zoo.load,
    ) -> None:
        self.beside: Beside | None = None
        self.jobs: Jobs | None = None
        self._load = load
        self._lock = threading.Lock()
        self._models: LRUCache[Hashable, _Kept] = LRUCache(max_models)
        self._results: LRUCache[Hashable, _Kept] = LRUCache(
            max_bytes, getsizeof=lambda kept: kept.nbytes
        )
        self._under_way: dict[Hashable, Future[Any]] = {}
        load_answers()

    def model(self, name: str, device: str = "auto") -> zoo.LoadedModel:
        """A model, loaded once.

        Raises:
            CoreError: it cannot be loaded; see ``zoo.load``.
        """
        key = (name, str(resolve_device(device)))
        model: zoo.LoadedModel = self._once(self._models, key, lambda: self._load(*key))
        return model

    def has_model(self, name: str, device: str = "auto") -> bool:
        """Whether a model is in memory, so that a run need not wait for it."""
        return (name, str(resolve_device(device))) in self._models

    def ready(self, request: Request, device: str = "auto") -> bool:
        """Whether a result is there, so that nobody need wait; no model is loaded to say so."""
        if not all(self.has_model(name, device) for name in request.models):
            return False
        return self.key(request, device) in self._results

    def get(self, request: Request, device: str = "auto") -> Any:
        """The result of a request: what the file of its kind says. Of a job it is the whole.

        Raises:
            CoreError: the request cannot be answered.
        """
        key = self.key(request, device)
        context = Context(
            model=lambda name: self.model(name, device),
            ask=lambda further: self.get(further, device),
        )

        def here() -> Any:
            return answer(request, context)

        def work_out() -> Any:
            if self.jobs is not None and isinstance(request, Job):
                return self.jobs.finish(key, request)
            return self.beside.answer(request, device, here) if self.beside else here()

        return self.kept(key, work_out)

    def watch(
        self,
        request: Job,
        who: Hashable | None,
        device: str = "auto",
        *,
        paused: bool = False,
        again: bool = False,
    ) -> Told:
        """What a job has told by now: all, if it was worked out before; the rest as ``Jobs.look``.

        Args:
            request: what is to be worked out.
            who: watches; None for somebody who has left, and asks what was told.
            device: as for ``get``.
            paused, again: see ``Jobs.look``.

        Raises:
            CoreError: it cannot be begun.
        """
        if self.jobs is None or self.ready(request, device):
            told: Told = self.get(request, device)
            return told
        key = self.key(request, device)
        if who is None:
            return self.jobs.glance(key)
        told = self.jobs.look(key, request, who, paused=paused, again=again)
        return self.kept(key, lambda: told) if told.state == "finished" else told

    def leave(
        self, request: Job, who: Hashable, device: str = "auto", *, stop: bool = False
    ) -> None:
        """Watch a job no more; as ``Jobs.leave``."""
        if self.jobs is not None:
            self.jobs.leave(self.key(request, device), who, stop=stop)

    def key(self, request: Request, device: str = "auto") -> Hashable:
        """Everything that decides the result of a request."""
        models = [self.model(name, device) for name in request.models]
        return request, tuple((model.fingerprint, str(model.device)) for model in models)

    def kept(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What is kept under a key, made when it is not there; it must say its ``nbytes``."""
        return self._once(self._results, key, make)

    def _once(
        self, store: MutableMapping[Hashable, _Kept], key: Hashable, make: Callable[[], Any]
    ) -> Any:
        with self._lock:
            if key in store:
                return store[key].made
            others = self._under_way.get(key)
            mine: Future[Any] = Future()
            if others is None:
                self._under_way[key] = mine
        if others is not None:
            return others.result()
        try:
            made = make()
        except BaseException as problem:
            with self._lock:
                del self._under_way[key]
            mine.set_exception(problem)
            raise
        with self._lock:
            kept = _Kept(made, 0 if store is self._models else nbytes(made) + held(key))
            if kept.nbytes <= self._results.maxsize:
                store[key] = kept
            del self._under_way[key]
        mine.set_result(made)
        return made

    @property
    def nbytes(self) -> int:
        """What the kept results take."""
        return int(self._results.currsize)


class Aside(Runs):
    """Results for what is asked for once: it takes what another store has, and fills its own.

    A stranger's forty files must not push out what a class looks at.

    Args:
        main: the other store, and where models are loaded.
        max_bytes: of its own results.
    """

    def __init__(self, main: Runs, max_bytes: int) -> None:
        super().__init__(max_bytes, load=main.model)
        self._main, self.beside, self.jobs = main, main.beside, main.jobs

    def get(self, request: Request, device: str = "auto") -> Any:
        """As the other store has it, else worked out here."""
        if self._main.ready(request, device):
            return self._main.get(request, device)
        return super().get(request, device)


def of_the_shelf(name: str, device: str) -> zoo.LoadedModel:
    """A model of the shelf; what comes from the web can have no other loaded, nor a file read.

    Raises:
        UnknownModelError: it is not on the shelf.
    """
    if name not in zoo.shelf():
        raise UnknownModelError(name, zoo.shelf())
    return zoo.load(name, device)


def nbytes(result: Any) -> int:
    """What a result takes in memory, as it says itself."""
    return sum(map(nbytes, result)) if isinstance(result, tuple) else int(result.nbytes)
