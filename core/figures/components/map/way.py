"""The way of one token through a map, and which of the map's numbers it has reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components.map.blocks import Blocks
from core.figures.components.map.part import Array
from core.figures.components.map.towers import Tower
from core.figures.components.strip import Chip
from core.figures.payload import as_bytes

if TYPE_CHECKING:
    from core.figures.components.map.model_map import Map

SPARE = 13  # rows that are kept free while nobody may know how many there are


class Part(IntEnum):
    """The parts of the way in their order.

    A part that has been reached is open with all those before it.
    """

    TEXT = 0
    TOKENS = 1
    EMBEDDING = 2
    PLACE = 3
    LAYERS = 4  # all before the open one
    LOOKS = 5  # of one head of the open layer
    HEADS = 6
    FFN = 7
    SUMS = 8
    WORDS = 9
    AGAIN = 10  # the likeliest word stands behind the text


@dataclass(frozen=True, eq=False, kw_only=True)
class Way:
    """The way of one token from the text to the next word, in a map of one tower.

    Attributes:
        reached: the part that it has come to; what lies ahead is sent to nobody.
        text: that is cut into tokens.
        row: of the token among those that are drawn.
        layer, head: that are open; the way goes through the other layers without a stop.
        own, place: the vectors that make the embedding, ``(tokens, cells)``.
        looks: of the row in the open layer, ``(heads, tokens)``.
        tops: for each head the token that it looks at most.
        guesses: for each layer, the word that would follow it and how likely that is.
        born: the likeliest word as the next token.
        said: for each part a sentence: the way for those who cannot see it.
    """

    reached: int
    text: str
    row: int
    layer: int
    head: int
    own: Array
    place: Array
    looks: Array
    tops: Sequence[str]
    guesses: Sequence[tuple[str, float]]
    born: Chip
    said: Sequence[str]

    def has(self, part: Part) -> bool:
        """Whether a part has been reached."""
        return self.reached >= part

    def header(self, shown: Map) -> dict[str, Any]:
        """What of the map's header may be known, and the way itself."""
        (tower,) = shown.towers
        blocks = _blocks(tower)
        cut, answered = self.has(Part.TOKENS), self.has(Part.WORDS)
        known = {"first": tower.first if cut else 0, "shown": tower.shown if cut else ""}
        known |= {"n_layers": blocks.n_layers, "n_heads": blocks.heads[0].n_heads}
        chips = [chip.as_data() for chip in tower.tokens] if cut else []
        way: dict[str, Any] = {
            "reached": self.reached, "layer": self.layer, "head": self.head, "text": self.text,
            "said": list(self.said[: self.reached + 1]),
            "rows": len(tower.tokens) + 1 if cut else SPARE,
            "order": {part.name.lower(): int(part) for part in Part},
        }  # fmt: skip
        if cut:
            way["row"] = self.row
        if self.has(Part.LAYERS):
            way["guesses"] = [list(one) for one in self.guesses[: self.layer]]
        if self.has(Part.HEADS):
            way["tops"] = list(self.tops)
        if self.has(Part.AGAIN):
            way["born"] = self.born.as_data()
        return {
            "selection": None,
            "towers": [{**tower.header(""), **known, "tokens": chips}],
            "words": shown.answer.words if answered else [],
            "foot": [],
            "way": way,
        }

    def arrays(self, shown: Map) -> Iterator[tuple[str, NDArray[Any]]]:
        """The pictures of the parts that have been reached."""
        (tower,) = shown.towers
        blocks = _blocks(tower)
        (kind,) = blocks.heads
        for part, name, values in self._strips(blocks.strips):
            if self.has(part):
                yield name, np.ascontiguousarray(values, np.float32)
        if self.has(Part.LOOKS):
            heads = slice(None) if self.has(Part.HEADS) else slice(self.head, self.head + 1)
            yield f"maps.{self.layer}", as_bytes(kind.maps[self.layer, heads], 0.0, 1.0)
            yield "looks", np.ascontiguousarray(self.looks[heads], np.float32)
        for layer in range(blocks.n_layers):
            part = Part.LAYERS if layer < self.layer else Part.WORDS
            if layer != self.layer and self.has(part):
                yield f"maps.{layer}", as_bytes(kind.maps[layer], 0.0, 1.0)
                yield f"wrote.{layer}", np.ascontiguousarray(blocks.wrote[layer], np.float32)
        if self.has(Part.WORDS):
            yield from shown.answer.arrays()

    def _strips(self, strips: Mapping[str, Array]) -> Iterator[tuple[Part, str, Array]]:
        yield Part.EMBEDDING, "embed", self.own
        yield Part.PLACE, "place", self.place
        parts = {"ffn": Part.FFN, "add_1": Part.SUMS, "add_2": Part.SUMS}
        for name, part in parts.items():
            yield part, f"{name}.{self.layer}", strips[name][self.layer]


def _blocks(tower: Tower) -> Blocks:
    """Those that the way goes through."""
    assert tower.blocks is not None
    return tower.blocks
