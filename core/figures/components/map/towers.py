"""What a run is drawn from: its towers, and what the last one says, as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from core.figures.components.map.part import Array, TowerPart, picture
from core.figures.components.strip import Chip


@dataclass(frozen=True, eq=False, kw_only=True)
class Tower:
    """What is made of one stream, part after part.

    Attributes:
        name: of the stream.
        title: above it; None where it is the only one.
        tokens: the rows of its pictures.
        first: the position of the first of them.
        field: of the selection that names a position.
        parts: in the order of computation.
        shown: which of its tokens are drawn, where not all are.
    """

    name: str
    title: str | None = None
    tokens: Sequence[Chip]
    first: int
    field: str
    parts: Sequence[TowerPart]
    shown: str = ""

    def header(self, prefix: str) -> dict[str, Any]:
        """What the browser is given of it besides the arrays.

        Args:
            prefix: of their names.
        """
        return {
            "name": self.name, "title": self.title,
            "tokens": [chip.as_data() for chip in self.tokens],
            "first": self.first, "field": self.field,
            "parts": [part.header(f"{prefix}{n}.") for n, part in enumerate(self.parts)],
        }  # fmt: skip

    def arrays(self, prefix: str) -> Iterator[tuple[str, NDArray[Any]]]:
        """Its pictures by name."""
        for n, part in enumerate(self.parts):
            for name, values in part.arrays():
                yield f"{prefix}{n}.{name}", values


@dataclass(frozen=True, eq=False, kw_only=True)
class TowerAnswer:
    """What the last tower says for each of its tokens, or once for all of them.

    Attributes:
        heading: above it.
        at: which token it belongs to, with ``{token}``.
        logits: a picture of them, ``(tokens, cells)``, or a single row.
        words: the likeliest, for each token, or in a single row.
        probs: how likely they are, ``(tokens, words)``, or in a single row.
    """

    heading: str
    at: str
    logits: Array
    words: Sequence[Sequence[str]]
    probs: Array

    def arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Its numbers by name."""
        yield "logits", picture(self.logits)
        yield "probs", picture(self.probs)
