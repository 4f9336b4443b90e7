"""Places in a run: a program gets the one that it asks for or an error, a link the nearest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.errors import ParameterError
from core.language import N_, Phrase
from core.views.params import between

_EXACT: ContextVar[frozenset[str]] = ContextVar("exact", default=frozenset())


@contextmanager
def exactly(names: Iterable[str]) -> Iterator[None]:
    """While a view is worked out: what is asked for under these names must be there."""
    before = _EXACT.set(frozenset(names))
    try:
        yield
    finally:
        _EXACT.reset(before)


def nearest(name: str, value: int, last: int, first: int = 0) -> int:
    """The place that is asked for, or the nearest that there is.

    Args:
        name: of the parameter.
        value: its value.
        last, first: that there are.

    Raises:
        ParameterError: it is not there, and a program asks for it.
    """
    if not first <= value <= last and name in _EXACT.get():
        raise ParameterError(name, value, Phrase(N_("{wanted}"), wanted=between(first, last)))
    return min(max(value, first), last)


def missing(name: str, value: object, expected: str | Phrase) -> None:
    """What is asked for is not there, so that something else is shown.

    Args:
        name: of the parameter.
        value: its value.
        expected: what there is, in words.

    Raises:
        ParameterError: a program asks for it.
    """
    if name in _EXACT.get():
        raise ParameterError(name, value, Phrase(N_("{wanted}"), wanted=expected))
