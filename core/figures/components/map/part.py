"""What every part of a tower has in common; a kind of part is one file beside this one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from core.figures.components.map.heads import Heads
    from core.figures.components.map.picture import Picture
    from core.figures.components.map.towers import Tower

Array = NDArray[np.floating[Any]]
NamedArrays = Iterator[tuple[str, NDArray[Any]]]


@dataclass(frozen=True, eq=False, kw_only=True)
class TowerPart(ABC):
    """One column of a tower: drawn by the browser's module of its kind, and in a file.

    Attributes:
        title: above it.
        says: what it does, in a few words.
        gives: what later towers take of it, in words; None where they take nothing.
        takes: it takes what an earlier tower gives.
        note: what else its pictures mean, below the map.
    """

    kind: ClassVar[str]

    title: str
    says: str
    gives: str | None = None
    takes: bool = False
    note: str = ""

    @property
    def n_layers(self) -> int:
        """Its layers, of which one is open; 1 for what has none."""
        return 1

    @property
    def attentions(self) -> Sequence[Heads]:
        """The kinds of attention in it."""
        return ()

    def header(self, prefix: str) -> dict[str, Any]:
        """What the browser is given of it besides the arrays.

        Args:
            prefix: of their names.
        """
        return {
            "kind": self.kind, "prefix": prefix, "title": self.title, "says": self.says,
            "gives": self.gives, "takes": self.takes, "n_layers": self.n_layers, **self.own(),
        }  # fmt: skip

    def own(self) -> dict[str, Any]:
        """What a part of this kind says besides."""
        return {}

    @abstractmethod
    def arrays(self) -> NamedArrays:
        """Its pictures by name."""

    @abstractmethod
    def draw(self, on: Picture, tower: Tower) -> None:
        """Draw it where the pen is, and go on to the right of it."""


def picture(values: Array) -> NDArray[np.float32]:
    """Numbers as the browser reads them."""
    return np.ascontiguousarray(values, np.float32)
