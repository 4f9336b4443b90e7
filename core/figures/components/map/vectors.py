"""A part that is a vector for each position: embeddings, a norm, what a tower hands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from core.figures.components.map.part import Array, NamedArrays, TowerPart, picture

if TYPE_CHECKING:
    from core.figures.components.map.picture import Picture
    from core.figures.components.map.towers import Tower


@dataclass(frozen=True, eq=False, kw_only=True)
class Vectors(TowerPart):
    """One strip, a row a position.

    Attributes:
        place: on the you-are-here strip; its page is where a click leads.
        values: ``(positions, cells)``.
        first: what the layers are given, not what they hand on.
    """

    kind: ClassVar[str] = "vectors"

    place: str
    values: Array
    first: bool = False

    def own(self) -> dict[str, Any]:
        return {"place": self.place, "first": self.first}

    def arrays(self) -> NamedArrays:
        yield "values", picture(self.values)

    def draw(self, on: Picture, tower: Tower) -> None:
        on.named(self.title)
        width = on.sizes.embed if self.first else on.sizes.final
        on.give(self, on.x + width / 2)
        on.strip(self.values, width, tower, heading=self.title)
