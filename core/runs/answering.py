"""From a request to its answer: by the request's type, each kind in a file of its own."""

from __future__ import annotations

import importlib  # noqa: TID251 (each module of a package of ours, by its name)
import pkgutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, singledispatch
from typing import TYPE_CHECKING, Any

from core.runs.refs import ModelRef
from core.runs.requests import Job, Request
from core.runs.told import Step, Told

if TYPE_CHECKING:
    from core.zoo import LoadedModel


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
    """The result of a request: numpy and tokens, with an ``nbytes`` (a tuple of them for a batch).

    Raises:
        CoreError: it cannot be worked out.
    """
    raise TypeError(f"nobody answers a {type(request).__name__}")


@singledispatch
def tell(request: Job, _context: Context) -> Iterator[Step]:
    """The steps of a job, each when it is done.

    It looks at nothing but the request and the context, and two of it tell the same. Between two
    steps it can be paused and stopped; so let it tell something every tenth of a second or so.

    Raises:
        CoreError: it cannot be worked out.
    """
    raise TypeError(f"nobody tells of a {type(request).__name__}")


@answer.register
def told_at_once(request: Job, context: Context) -> Told:
    """All that a job has to tell, worked out by whoever asks."""
    began = time.perf_counter()
    steps = list(tell(request, context))
    records = tuple(step.record for step in steps if step.record is not None)
    return Told(records, "finished", share=1.0, seconds=time.perf_counter() - began)


@cache
def load_answers() -> None:
    """Import every kind's file, so that it is registered."""
    from core.runs import answers

    for module in pkgutil.iter_modules(answers.__path__):
        importlib.import_module(f"{answers.__name__}.{module.name}")
