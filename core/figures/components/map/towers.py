"""What a map is drawn from: its towers, and what the last one says, as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components.strip import Chip
from core.figures.payload import as_bytes

Array = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Heads:
    """One kind of attention in the blocks of a tower.

    Attributes:
        attention: its name in the selection.
        piece: its name among the pieces of a block.
        label: above its heads in the open block.
        title: what pointing at the label says.
        maps: ``(layers, heads, queries, keys)``, from 0 to 1.
    """

    attention: str
    piece: str
    label: str
    title: str
    maps: Array

    @property
    def array(self) -> str:
        """The name of its maps in the payload."""
        return "maps" if self.piece == "heads" else f"{self.piece}_maps"


@dataclass(frozen=True, eq=False, kw_only=True)
class Tower:
    """One stack of blocks with what stands before and after it.

    Attributes:
        name: of the stack.
        title: above it; None where it is the only one.
        tokens: the rows of its pictures.
        first: the position of the first of them.
        field: of the selection that names a position.
        order: the pieces of a block, in the order of computation.
        heads: its kinds of attention.
        strips: by piece, ``(layers, tokens, cells)``.
        wrote: how much the feed-forward network writes, ``(layers, tokens)``.
        embed, final: what the first block is given and the last one hands on, ``(tokens, cells)``.
        final_label: above the latter.
        shown: which of its tokens are drawn, where not all are.
        goes: what a click on its parts chooses besides the layer.
        gives: what later towers take of the last picture; None when they do not look at it.
    """

    name: str
    title: str | None = None
    tokens: Sequence[Chip]
    first: int
    field: str
    order: Sequence[str]
    heads: Sequence[Heads]
    strips: Mapping[str, Array]
    wrote: Array
    embed: Array
    final: Array
    final_label: str
    shown: str = ""
    goes: Mapping[str, str]
    gives: str | None = None

    @property
    def n_layers(self) -> int:
        return len(self.wrote)

    @property
    def n_heads(self) -> int:
        return self.heads[0].maps.shape[1]

    @property
    def looks_across(self) -> bool:
        """Its blocks attend to another tower."""
        return len(self.heads) > 1

    def header(self, prefix: str) -> dict[str, Any]:
        """What the browser is given of it besides the arrays.

        Args:
            prefix: of their names.
        """
        kinds = [
            {"attention": kind.attention, "piece": kind.piece, "label": kind.label,
             "title": kind.title, "array": kind.array}
            for kind in self.heads
        ]  # fmt: skip
        return {
            "name": self.name, "prefix": prefix, "title": self.title,
            "tokens": [chip.as_data() for chip in self.tokens],
            "first": self.first, "field": self.field, "n_layers": self.n_layers,
            "n_heads": self.n_heads, "order": self.order, "heads": kinds,
            "final": self.final_label, "shown": self.shown, "goes": self.goes,
            "gives": self.gives,
        }  # fmt: skip

    def arrays(self, prefix: str) -> Iterator[tuple[str, NDArray[Any]]]:
        """Its pictures by name."""
        yield f"{prefix}embed", _picture(self.embed)
        yield f"{prefix}final", _picture(self.final)
        for layer in range(self.n_layers):
            for kind in self.heads:
                yield f"{prefix}{kind.array}.{layer}", as_bytes(kind.maps[layer], 0.0, 1.0)
            for name, strips in self.strips.items():
                yield f"{prefix}{name}.{layer}", _picture(strips[layer])
            yield f"{prefix}wrote.{layer}", _picture(self.wrote[layer])


@dataclass(frozen=True, eq=False, kw_only=True)
class Answer:
    """What the last tower says for each of its tokens.

    Attributes:
        heading: above it.
        at: which token it belongs to, with ``{token}``.
        logits: a picture of them, ``(tokens, cells)``.
        words: the likeliest, for each token.
        probs: how likely they are, ``(tokens, words)``.
    """

    heading: str
    at: str
    logits: Array
    words: Sequence[Sequence[str]]
    probs: Array

    def arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Its numbers by name."""
        yield "logits", _picture(self.logits)
        yield "probs", _picture(self.probs)


def _picture(values: Array) -> NDArray[np.float32]:
    return np.ascontiguousarray(values, np.float32)
