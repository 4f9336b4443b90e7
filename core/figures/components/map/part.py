"""What every part of a tower has in common; a kind of part is one file beside this one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from core.figures.components.map.picture import RunDrawing
    from core.figures.components.map.towers import Tower

Array = NDArray[np.floating[Any]]
NamedArrays = Iterator[tuple[str, NDArray[Any]]]


@dataclass(frozen=True, eq=False, kw_only=True)
class TowerPart(ABC):
    """One column of a tower: drawn by the browser's module of its kind, and in a file.

    Attributes:
        title: above it.
        gives: what later towers take of it, in words, in a file; None where they take nothing.
        takes: it takes what an earlier tower gives.
        note: what else its pictures mean, below them in a file.
    """

    kind: ClassVar[str]

    title: str
    gives: str | None = None
    takes: bool = False
    note: str = ""

    @property
    def n_layers(self) -> int:
        """Its layers, of which one is open; 1 for what has none."""
        return 1

    def header(self, prefix: str) -> dict[str, Any]:
        """What the browser is given of it besides the arrays.

        Args:
            prefix: of their names.
        """
        return {
            "kind": self.kind, "prefix": prefix, "title": self.title,
            "takes": self.takes, "n_layers": self.n_layers, **self.extras(),
        }  # fmt: skip

    def extras(self) -> dict[str, Any]:
        """What a part of this kind says besides."""
        return {}

    @abstractmethod
    def arrays(self) -> NamedArrays:
        """Its pictures by name."""

    @abstractmethod
    def draw(self, on: RunDrawing, tower: Tower) -> None:
        """Draw it where the pen is, and go on to the right of it."""


def picture(values: Array) -> NDArray[np.float32]:
    """Numbers as the browser reads them."""
    return np.ascontiguousarray(values, np.float32)
