"""Parts of a model by their names: one that is not there is an error that says which are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from core.errors import ParameterError
from core.language import N_, Phrase
from core.locale import Choice


class Named(Protocol):
    """A part with a name."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


def by_name(kind: str, name: str, there: Iterable[T]) -> T:
    """The part of that name.

    Args:
        kind: of part, for the message.
        name: that is asked for.
        there: every part of the kind.

    Raises:
        ParameterError: there is none; says which there are.
    """
    by_names = {item.name: item for item in there}
    if name not in by_names:
        choices = Choice(list(by_names))
        raise ParameterError(kind, name, Phrase(N_("one of {choices}"), choices=choices))
    return by_names[name]
