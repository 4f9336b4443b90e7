"""What every component has in common."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Literal, Self

from core.figures.payload import Payload
from core.figures.text import Mark, Sentence
from core.figures.theme import Mode
from core.language import N_

Selection = Mapping[str, int | str | None]
COVERED = N_("Covered until you have answered.")


@dataclass(frozen=True, slots=True)
class By:
    """A value that goes with another one while none is chosen: the key that a query looks at most.

    Attributes:
        field: the name of the other one.
        values: one for each of its values.
    """

    field: str
    values: Sequence[int]


Selected = Mapping[str, int | str | By | None]


def resolved(selection: Selected) -> Selection:
    """What is selected, with what goes with something else at its place."""
    plain = {name: value for name, value in selection.items() if not isinstance(value, By)}
    extra = {
        name: value.values[int(plain.get(value.field) or 0)]
        for name, value in selection.items()
        if isinstance(value, By)
    }
    return plain | extra


@dataclass(frozen=True, slots=True)
class PickShape:
    """Where an answer can be picked in a figure.

    Attributes:
        kind: its chips, or the cells of its matrix.
        rows, cols: of them; chips stand in one row.
    """

    kind: Literal["tokens", "cells"]
    rows: int
    cols: int


@dataclass(frozen=True, kw_only=True)
class Component(ABC):
    """Something that is shown.

    Attributes:
        folder: in ``assets/components``.
        drawn_by: the folder of what draws it on a page, where that is another; empty for the same.
        title: names what is drawn, with units; translated.
        alt: the text alternative, where it is not what its view says of it.
        selection: what is selected, by the names of the view's parameters, where it is not all that
            its view selects.
        follows: what of it goes with something else.
    """

    folder: ClassVar[str]
    drawn_by: ClassVar[str] = ""
    draws: ClassVar[str] = ""  # what it tells, where a page lets it be drawn on

    title: str
    alt: str = ""
    selection: Mapping[str, Any] = field(default_factory=dict)
    follows: Mapping[str, By] = field(init=False, default_factory=dict, compare=False)

    @abstractmethod
    def payload(self) -> Payload:
        """What the browser is given."""

    def on_page(self) -> Payload:
        """What the browser is given by a page, where a file has something else."""
        return self.payload()

    @abstractmethod
    def drawing(self, mode: Mode) -> str:
        """The same as SVG, as it is selected."""

    def completed(self, alt: str, selection: Selected) -> Self:
        """The same with what its view says and selects, where it has nothing of its own."""
        chosen = {**self.selection, **self.follows}
        return dataclasses.replace(self, alt=self.alt or alt, selection=chosen or selection)

    # --- in a lesson ---------------------------------------------------------------------

    def covered(
        self,
        rows: Sequence[int] | None,
        chosen: Mapping[str, Any],
    ) -> Component | None:
        """The same with what is covered left out, so that none of it reaches the browser.

        Args:
            rows: of a matrix, those that are covered; all when None.
            chosen: what the lesson itself selects, so that it may be seen.

        Returns:
            What can be shown; None where that is nothing but its place.
        """
        return None

    def up_to_now(self) -> Self:
        """The same, ending with the step that is shown: what comes next comes next."""
        return self

    def pick_shape(self) -> PickShape | None:
        """Where an answer can be picked in it; None where it cannot be."""
        return None

    def narrow(self, width: float) -> Self:
        """The same for a column of that many pixels, if it can be broken into lines."""
        return self

    def windowed(self, row: int, col: int) -> Self:
        """The same from a row and a column on, if a drawing of it shows a part alone."""
        return self

    def __post_init__(self) -> None:
        # Drawings ask what is selected; only the browser goes on choosing.
        object.__setattr__(self, "follows", {
            name: value for name, value in self.selection.items() if isinstance(value, By)
        })  # fmt: skip
        object.__setattr__(self, "selection", resolved(self.selection))

    def header(self, **fields: Any) -> dict[str, Any]:
        """The fields of a payload's header; those that are None are left out."""
        follows = {name: {"by": by.field, "at": by.values} for name, by in self.follows.items()}
        header = {"selection": {**self.selection, **follows} or None, **fields}
        return {name: data(value) for name, value in header.items() if value is not None}


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
    steps: StepCount | None = None

    def state(self, selection: Selection, n: int) -> int:
        """The state that is shown, of ``n``; as the browser works it out."""
        chosen = selection.get(self.field)
        if chosen is None and self.steps is not None:
            step = selection.get(self.steps.field)
            chosen = self.steps.base + int(self.steps.first if step is None else step) - 1
        if chosen is None:
            chosen = n - 1 if self.first is None else self.first
        return max(0, min(n - 1, int(chosen)))


@dataclass(frozen=True, slots=True)
class StepCount:
    """A count of steps in the selection.

    Attributes:
        field: of the selection.
        base: states before the first step.
        first: the count while the field is empty.
    """

    field: str
    base: int
    first: int = 0


PLAIN = frozenset({str, int, float, bool, type(None)})


@lru_cache(maxsize=256)
def _names(kind: Hashable) -> tuple[str, ...]:
    """The fields of a dataclass; none for what is none."""
    if not dataclasses.is_dataclass(kind):
        return ()
    return tuple(field.name for field in dataclasses.fields(kind))


def data(value: Any) -> Any:
    """A value as JSON says it: sentences as pairs of text and role, fields of None left out."""
    kind: Any = type(value)
    if kind in PLAIN:
        return value
    if kind is list or kind is tuple:
        return [item if type(item) in PLAIN else data(item) for item in value]
    if kind is Sentence:
        return value.as_data()
    if kind is Mark:
        return [value.text, value.role]
    if names := _names(kind):
        fields = ((name, getattr(value, name)) for name in names)
        # Python keeps some words for itself: "from_" is "from" to the browser.
        record = {name.rstrip("_"): data(item) for name, item in fields if item is not None}
        named = getattr(value, "kind", None)
        return record if named is None else {"kind": named, **record}
    if isinstance(value, Mapping):
        return {name: data(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [data(item) for item in value]
    return value
