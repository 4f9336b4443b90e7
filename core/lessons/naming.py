"""What the expressions of a step may name: its figures' numbers and the places that were drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.lessons.world import ShownFigure


class Names(Mapping[str, Any]):
    """What the expressions of a step may say; ``names | places`` knows what was drawn, too.

    Of each figure it has the numbers of what the lesson selects there, which may hang on the places
    that were drawn: what a question prints is what its figure shows.
    """

    def __init__(
        self, shown: Sequence[ShownFigure], extra: Mapping[str, Any] | None = None
    ) -> None:
        self.shown, self.extra = shown, extra or {}
        self._selected: dict[str, ShownFigure] = {}

    def __or__(self, extra: Mapping[str, Any]) -> Names:
        return Names(self.shown, {**self.extra, **extra})

    def without(self, names: Collection[str]) -> Names:
        """The same names but for some: those of a question before its places are drawn."""
        return Names(
            self.shown, {name: self.extra[name] for name in self.extra if name not in names}
        )

    def __getitem__(self, name: str) -> Any:
        if name in self.extra:
            return self.extra[name]
        if self.shown and name in (first := self.selected(self.shown[0])).names:
            return first.names[name]
        for shown in self.shown:
            if shown.figure.name == name:
                return self.selected(shown).names
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return name in self._name_set

    def __iter__(self) -> Iterator[str]:
        return iter(self._name_set)

    def __len__(self) -> int:
        return len(self._name_set)

    @cached_property
    def _name_set(self) -> frozenset[str]:
        return frozenset(self.unselected).union(
            *(self.selected(shown).names for shown in self.shown[:1])
        )

    @cached_property
    def unselected(self) -> Mapping[str, Any]:
        """The same of figures in which nothing is selected yet: what is selected may name them."""
        figures = {shown.figure.name: shown.names for shown in self.shown}
        return {**figures, **(self.shown[0].names if self.shown else {}), **self.extra}

    def selected(self, shown: ShownFigure) -> ShownFigure:
        """A figure with what the lesson selects in it, worked out once."""
        name = shown.figure.name
        if name not in self._selected:
            self._selected[name] = shown.with_selection(self)
        return self._selected[name]


Facts = Names | dict[str, Any]  # what an expression may name: in a lesson, or anywhere
