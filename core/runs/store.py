"""Models and results, shared by all learners of a process."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from core import zoo
from core.errors import UnknownModelError
from core.runs.jobs import Jobs
from core.runs.models import Models
from core.runs.progress import JobProgress
from core.runs.request import Context, Job, ModelRef, Request, answer
from core.runs.second_process import SecondProcess
from core.runs.single_flight import SingleFlightCache
from core.runs.turn_queue import NOBODY, Visitor
from core.sizes import held

MODEL_BYTES = 512 * 1024 * 1024  # of weights: fifteen models like those of the shelf


class Runs:
    """Models kept warm and results kept within a number of bytes.

    A result is kept under everything that decides it: the request, and of every
    model in it the weights, the config, the tokenizer, the device and the
    precision. What was used longest ago goes first. Whoever asks for what is
    being worked out waits for it.

    Args:
        max_bytes: of results.
        max_model_bytes: of the weights of models; one that takes more is kept alone.
        load: name and device to a model; ``zoo.load`` but in tests.
        fingerprint: of a name that ``load`` takes, as ``zoo.fingerprint``: so that a result is
            found without its model; without it a model is loaded to be known.

    Attributes:
        second_process: for some of the work; None for none.
        jobs: those that are worked out in processes of their own; None where whoever asks does so.
        models: those in memory.
    """

    def __init__(
        self,
        max_bytes: int = 512 * 1024 * 1024,
        max_model_bytes: int = MODEL_BYTES,
        load: Callable[[str, str], zoo.LoadedModel] = zoo.load,
        fingerprint: Callable[[str], str] | None = None,
    ) -> None:
        self.second_process: SecondProcess | None = None
        self.jobs: Jobs | None = None
        self.models = Models(load, fingerprint, max_model_bytes)
        self._results = SingleFlightCache(max_bytes, lambda key, result: held(result) + held(key))

    def model(self, name: ModelRef, device: str = "auto") -> zoo.LoadedModel:
        """A model, loaded once.

        Raises:
            CoreError: it cannot be loaded; see ``zoo.load``. Or a copy is gone.
        """
        return self.models.get(name, device)

    def has_model(self, name: ModelRef, device: str = "auto") -> bool:
        """Whether a model is in memory, so that a run need not wait for it."""
        return self.models.has(name, device)

    def ready(self, request: Request, device: str = "auto") -> bool:
        """Whether a result is there, so that nobody need wait; no model is loaded to say so.

        Raises:
            CoreError: a model is not on the shelf, or damaged; see ``zoo.fingerprint``.
        """
        if not all(self.models.is_known(name, device) for name in request.models):
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
            ask=lambda request_inside: self.get(request_inside, device),
        )

        def here() -> Any:
            return answer(request, context)

        def work_out() -> Any:
            if self.jobs is not None and isinstance(request, Job):
                return self.jobs.finish(key, request)
            return (
                self.second_process.answer(request, device, here) if self.second_process else here()
            )

        second = self.second_process
        if second is None or key in self._results or not second.takes(request, device):
            return self.kept(key, work_out)
        with second.turn():
            return self.kept(key, work_out)

    def watch(
        self,
        request: Job,
        who: Hashable | None,
        device: str = "auto",
        visitor: Visitor = NOBODY,
        *,
        paused: bool = False,
        again: bool = False,
    ) -> JobProgress:
        """What a job has told by now: all, if it was worked out before; the rest as ``Jobs.look``.

        Args:
            request: what is to be worked out.
            who: watches; None for somebody who has left, and asks what was told.
            device: as for ``get``.
            visitor, paused, again: see ``Jobs.look``.

        Raises:
            CoreError: it cannot be begun.
        """
        if self.jobs is None or self.ready(request, device):
            progress: JobProgress = self.get(request, device)
            return progress
        key = self.key(request, device)
        if who is None:
            return self.jobs.glance(key)
        progress = self.jobs.look(key, request, who, visitor, paused=paused, again=again)
        return self.kept(key, lambda: progress) if progress.state == "finished" else progress

    def leave(
        self, request: Job, who: Hashable, device: str = "auto", *, stop: bool = False
    ) -> None:
        """Watch a job no more; as ``Jobs.leave``."""
        if self.jobs is not None:
            self.jobs.leave(self.key(request, device), who, stop=stop)

    def key(self, request: Request, device: str = "auto") -> Hashable:
        """Everything that decides the result of a request."""
        return request, tuple(self.models.known(name, device) for name in request.models)

    def kept(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What is kept under a key, made when it is not there."""
        return self._results.get(key, make)

    def peek(self, key: Hashable) -> Any | None:
        """What is kept under a key; None where nothing is."""
        return self._results.peek(key)

    @property
    def nbytes(self) -> int:
        """What the kept results take."""
        return self._results.nbytes


class OneTimeRuns(Runs):
    """Results for what is asked for once: it takes what another store has, and fills its own.

    A stranger's forty files must not push out what a class looks at.

    Args:
        main: the other store, whose models it shares.
        max_bytes: of its own results.
    """

    def __init__(self, main: Runs, max_bytes: int) -> None:
        super().__init__(max_bytes)
        self._main, self.second_process, self.jobs = main, main.second_process, main.jobs
        self.models = main.models

    def ready(self, request: Request, device: str = "auto") -> bool:
        """Whether one of the two has it."""
        return self._main.ready(request, device) or super().ready(request, device)

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
