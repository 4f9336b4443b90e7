"""Attention that stands by itself, in no block: what a recurrent state looks at before a step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from core.figures.components.map.heads import Heads
from core.figures.components.map.part import NamedArrays, TowerPart, picture

if TYPE_CHECKING:
    from core.figures.components.map.picture import RunDrawing
    from core.figures.components.map.towers import Tower


@dataclass(frozen=True, eq=False, kw_only=True)
class LookedAttention(TowerPart):
    """One kind of attention, layer by layer.

    Attributes:
        heads: its maps.
    """

    kind: ClassVar[str] = "looking"

    heads: Heads

    @property
    def n_layers(self) -> int:
        return len(self.heads.maps)

    def extras(self) -> dict[str, Any]:
        return {"heads": [self.heads.header()]}

    def arrays(self) -> NamedArrays:
        for layer in range(self.n_layers):
            yield f"{self.heads.array}.{layer}", picture(self.heads.maps[layer])

    def draw(self, on: RunDrawing, tower: Tower) -> None:
        on.named(self.title)
        into = on.x + on.sizes.drawn / 2
        on.heads(self.heads, on.flow.layer(self), self.title)
        if self.takes:
            on.take([into])
