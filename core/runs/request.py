"""What can be asked, as frozen data, and how it is answered: by the type of the request."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from core.runs.progress import JobProgress, Step

if TYPE_CHECKING:
    from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A model as it was at one moment, while it learned; ``Models.take`` keeps the copy.

    Attributes:
        of: the id of the model that was copied.
        step: of its training.
        number: its own among all that were taken.
    """

    of: str
    step: int
    number: int

    def __str__(self) -> str:
        return f"{self.of}@{self.step}"


# A link or a file can name models of the shelf alone: what is read from text is never a Snapshot.
ModelRef = str | Snapshot


@dataclass(frozen=True, slots=True)
class Request:
    """Something that can be worked out.

    Attributes:
        lasts: how long, and so where: what takes "a moment" is worked out by whoever asks, what
            takes "a while", some 50 ms, and has a small answer, in a second process
            (core/runs/second_process.py), and what is "long", a second and more, is a ``Job``.
    """

    lasts: ClassVar[Literal["a moment", "a while", "long"]] = "a moment"

    @property
    def models(self) -> tuple[ModelRef, ...]:
        """The models that decide its result."""
        return ()


@dataclass(frozen=True, slots=True)
class OfModel(Request):
    """Something that one model is asked.

    Attributes:
        model: id on the shelf, or a copy of one that is learning.
    """

    model: ModelRef

    @property
    def models(self) -> tuple[ModelRef, ...]:
        return (self.model,)


@dataclass(frozen=True, slots=True)
class Job(Request):
    """Something whose answer grows while it is worked out, one record after the other.

    Its module in core/runs/kinds registers a generator of ``Step``s with ``job_steps``. What it
    gives is ``JobProgress``: the finished one to whoever asks ``Runs.get``, the records so far to
    whoever watches (``Runs.watch``).

    Attributes:
        says: what is being done, to a learner who waits.
    """

    lasts = "long"
    says: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Context:
    """What an answer is worked out with.

    Attributes:
        model: from what names it in a request to the model, on the device that was chosen.
        ask: from a further request to its answer.
    """

    model: Callable[[ModelRef], LoadedModel]
    ask: Callable[[Request], Any]


@singledispatch
def answer(request: Request, _context: Context) -> Any:
    """The result of a request: numpy and tokens (a tuple of results for a batch).

    Raises:
        CoreError: it cannot be worked out.
    """
    raise TypeError(f"nobody answers a {type(request).__name__}")


@singledispatch
def job_steps(request: Job, _context: Context) -> Iterator[Step]:
    """The steps of a job, each when it is done.

    It looks at nothing but the request and the context, and two of it tell the same. Between two
    steps it can be paused and stopped; so let it tell something every tenth of a second or so.

    Raises:
        CoreError: it cannot be worked out.
    """
    raise TypeError(f"nobody tells of a {type(request).__name__}")


@answer.register
def finished_job(request: Job, context: Context) -> JobProgress:
    """All that a job has to tell, worked out by whoever asks."""
    began = time.perf_counter()
    steps = list(job_steps(request, context))
    records = tuple(step.record for step in steps if step.record is not None)
    return JobProgress(records, "finished", share=1.0, seconds=time.perf_counter() - began)
