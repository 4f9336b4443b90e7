"""From a request to its answer: by the request's type, each kind in a file of its own."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, singledispatch
from typing import TYPE_CHECKING, Any

from core.runs.requests import Request

if TYPE_CHECKING:
    from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class Context:
    """What an answer is worked out with.

    Attributes:
        model: from an id on the shelf to the model, on the device that was chosen.
        ask: from a further request to its answer.
    """

    model: Callable[[str], LoadedModel]
    ask: Callable[[Request], Any]


@singledispatch
def answer(request: Request, _context: Context) -> Any:
    """The result of a request: numpy and tokens, with an ``nbytes`` (a tuple of them for a batch).

    Raises:
        CoreError: it cannot be worked out.
    """
    raise TypeError(f"nobody answers a {type(request).__name__}")


@cache
def load_answers() -> None:
    """Import every kind's file, so that it is registered."""
    from core.runs import answers

    for module in pkgutil.iter_modules(answers.__path__):
        importlib.import_module(f"{answers.__name__}.{module.name}")
