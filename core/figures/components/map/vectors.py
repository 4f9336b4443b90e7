"""A part that is a vector for each position: embeddings, a norm, what a tower hands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from core.figures.components.map.part import Array, NamedArrays, TowerPart, picture

if TYPE_CHECKING:
    from core.figures.components.map.picture import RunDrawing
    from core.figures.components.map.towers import Tower


@dataclass(frozen=True, eq=False, kw_only=True)
class Vectors(TowerPart):
    """One strip, a row a position.

    Attributes:
        values: ``(positions, cells)``.
        first: what the layers are given, not what they hand on.
        terms: of what it is the sum, each with its name; none where it is no sum.
    """

    kind: ClassVar[str] = "vectors"

    values: Array
    first: bool = False
    terms: Sequence[tuple[str, Array]] = ()

    def extras(self) -> dict[str, Any]:
        terms = [name for name, _values in self.terms]
        return {"first": self.first, "terms": terms}

    def arrays(self) -> NamedArrays:
        for n, (_name, values) in enumerate(self.terms):
            yield f"term.{n}", picture(values)
        yield "values", picture(self.values)

    def draw(self, on: RunDrawing, tower: Tower) -> None:
        on.named(self.title)
        width = on.sizes.embed if self.first else on.sizes.final
        on.give(self, on.x + width / 2)
        on.strip(self.values, width, tower, heading=self.title)
