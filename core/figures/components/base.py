"""What every component has in common."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from core.figures.payload import Payload
from core.figures.text import Mark, Sentence
from core.figures.theme import Mode

Selection = Mapping[str, int | str | None]


@dataclass(frozen=True, kw_only=True)
class Component(ABC):
    """Something that is shown.

    Attributes:
        folder: in ``assets/components``.
        title: names what is drawn, with units; translated.
        alt: the text alternative.
        selection: what is selected, by the names of the view's parameters.
    """

    folder: ClassVar[str]

    title: str
    alt: str
    selection: Selection = field(default_factory=dict)

    @abstractmethod
    def payload(self) -> Payload:
        """What the browser is given."""

    @abstractmethod
    def drawing(self, mode: Mode) -> str:
        """The same as SVG, as it is selected."""

    def header(self, **fields: Any) -> dict[str, Any]:
        """The fields of a payload's header; those that are None are left out."""
        given = {"selection": dict(self.selection) or None, **fields}
        return {name: data(value) for name, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Follow:
    """Which of several states is shown: a number in the selection, or a count of steps.

    Attributes:
        field: of the selection.
        first: the state while the field is empty; the last one when None.
        steps: another field that counts on from a base while the first one is empty.
    """

    field: str
    first: int | None = None
    steps: Steps | None = None

    def at(self, selection: Selection, n: int) -> int:
        """The state that is shown, of ``n``; as the browser works it out."""
        chosen = selection.get(self.field)
        if chosen is None and self.steps is not None:
            made = selection.get(self.steps.field)
            chosen = self.steps.base + int(self.steps.first if made is None else made) - 1
        if chosen is None:
            chosen = n - 1 if self.first is None else self.first
        return max(0, min(n - 1, int(chosen)))


@dataclass(frozen=True, slots=True)
class Steps:
    """A count of steps in the selection.

    Attributes:
        field: of the selection.
        base: states before the first step.
        first: the count while the field is empty.
    """

    field: str
    base: int
    first: int = 0


def data(value: Any) -> Any:
    """A value as JSON says it: sentences as pairs of text and role, fields of None left out."""
    if isinstance(value, Sentence):
        return value.as_data()
    if isinstance(value, Mark):
        return [value.text, value.role]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
        # Python keeps some words for itself: "from_" is "from" to the browser.
        said = {name.rstrip("_"): data(one) for name, one in fields if one is not None}
        kind = getattr(value, "kind", None)
        return said if kind is None else {"kind": kind, **said}
    if isinstance(value, Mapping):
        return {name: data(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [data(one) for one in value]
    return value
