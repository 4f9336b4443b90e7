"""One kind of attention on the map: a small picture for each head of each layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.payload import as_bytes


@dataclass(frozen=True, eq=False, kw_only=True)
class Heads:
    """One kind of attention of a tower.

    Attributes:
        attention: its name in the selection.
        piece: its name among the pieces of a block; of attention by itself "heads".
        label: above its heads where they are large.
        title: what pointing at the label says.
        maps: ``(layers, heads, queries, keys)``, from 0 to 1.
        named: each head has a number; else there is one map a layer.
    """

    attention: str
    piece: str
    label: str
    title: str
    maps: NDArray[np.floating[Any]]
    named: bool = True

    @property
    def n_heads(self) -> int:
        return self.maps.shape[1]

    @property
    def array(self) -> str:
        """The name of its maps in the payload."""
        return "maps" if self.piece == "heads" else f"{self.piece}_maps"

    def of(self, layer: int) -> NDArray[np.uint8]:
        """The maps of a layer as the browser reads them."""
        return as_bytes(self.maps[layer], 0.0, 1.0)

    def header(self) -> dict[str, Any]:
        """What the browser is given of it besides the maps."""
        return {
            "attention": self.attention, "piece": self.piece, "label": self.label,
            "title": self.title, "array": self.array, "n_heads": self.n_heads,
            "named": self.named,
        }  # fmt: skip
