"""Blocks, one of them open: heads, norms, feed-forward network and sums, each with its picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from core.figures import drawing
from core.figures.components.map.heads import Heads
from core.figures.components.map.part import Array, NamedArrays, TowerPart, picture
from core.figures.drawing import rect

if TYPE_CHECKING:
    from core.figures.components.map.picture import RunDrawing
    from core.figures.components.map.towers import Tower

GAP = 14.0  # pixels around what is open


@dataclass(frozen=True, slots=True)
class VectorLook:
    """How a piece of the open block that is vectors is drawn.

    Attributes:
        label: above it.
        name: where the label is a sign, what it stands for.
        width: the name of its width among the sizes.
    """

    label: str
    name: str
    width: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Blocks(TowerPart):
    """A stack of blocks.

    Attributes:
        order: the pieces of a block, in the order of computation.
        heads: its kinds of attention.
        looks: how the other pieces are drawn, by piece.
        strips: their pictures, by piece, ``(layers, positions, cells)``.
        wrote: how much the feed-forward network writes, ``(layers, positions)``, in a file.
    """

    kind: ClassVar[str] = "blocks"

    order: Sequence[str]
    heads: Sequence[Heads]
    looks: Mapping[str, VectorLook]
    strips: Mapping[str, Array]
    wrote: Array

    @property
    def n_layers(self) -> int:
        return len(self.wrote)

    def extras(self) -> dict[str, Any]:
        return {
            "order": self.order,
            "heads": [kind.header() for kind in self.heads],
            "looks": self.looks,
        }

    def arrays(self) -> NamedArrays:
        for layer in range(self.n_layers):
            for kind in self.heads:
                yield f"{kind.array}.{layer}", picture(kind.maps[layer])
            for name, strips in self.strips.items():
                yield f"{name}.{layer}", picture(strips[layer])

    def draw(self, on: RunDrawing, tower: Tower) -> None:
        on.named(self.title)
        ends = [self._block(on, tower, layer) for layer in range(self.n_layers)]
        if self.takes:
            on.take(ends)

    def _block(self, on: RunDrawing, tower: Tower, layer: int) -> float:
        """A block; gives where an edge into it ends."""
        if tower.name == on.flow.opened.stream and layer == on.flow.layer(self):
            return self._open(on, tower, layer)
        return self._closed(on, tower, layer)

    def _closed(self, on: RunDrawing, tower: Tower, layer: int) -> float:
        """Its heads above each other, and what its feed-forward network writes."""
        label, side = on.flow.labels["block"].replace("{i}", str(layer)), on.sizes.small
        on.write(on.x, on.label, label, on.palette.muted)
        y = on.top
        for kind in self.heads:
            if kind is not self.heads[0]:
                on.body.append(rect(on.x, y, side, 1.5, on.palette.key))
                y += 5
            for head in range(kind.n_heads):
                on.one_head(kind, layer, head, on.x, y, side)
                y += side + 4
        wrote = self.wrote[layer]
        tall = 44 / len(wrote)
        for i, value in enumerate(wrote / (wrote.max() or 1.0)):
            chosen = i == on.flow.row(tower)
            colour = on.palette.accent if chosen else on.palette.residual
            wide, high = max(1.0, side * value), max(0.5, tall - 0.5)
            on.body.append(rect(on.x, y + i * tall, wide, high, colour))
        on.bottom = max(on.bottom, y + 44)
        middle = on.x + side / 2
        on.advance(side, label)
        return middle

    def _open(self, on: RunDrawing, tower: Tower, layer: int) -> float:
        """All its parts, in the order of computation."""
        start, index = on.x, len(on.body)
        on.x += GAP
        into = start
        for piece in self.order:
            kind = next((heads for heads in self.heads if heads.piece == piece), None)
            if kind is None:
                look = self.looks[piece]
                width = getattr(on.sizes, look.width)
                on.strip(self.strips[piece][layer], width, tower, label=look.label)
            else:
                into = on.x + on.sizes.drawn / 2
                on.heads(kind, layer)
        on.bottom += 6
        top = on.label - 20
        border = rect(start, top, on.x - start, on.bottom - top, "none",
                      f"rx='6' stroke='{on.palette.accent}'")  # fmt: skip
        label = on.flow.labels["block"].replace("{i}", str(layer))
        # Lines from another tower pass above its middle.
        place, anchor = (start + 6, "start") if self.takes else ((start + on.x) / 2, "middle")
        name = drawing.text(place, top - 4, label, on.palette.accent, anchor)
        on.body[index:index] = [border, name]
        on.x += GAP
        return into
