"""One kind of attention of a run: the weights of each head of each layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Heads:
    """One kind of attention of a tower.

    Attributes:
        attention: its name.
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

    def header(self) -> dict[str, Any]:
        """What the browser is given of it besides the maps."""
        return {
            "piece": self.piece, "label": self.label, "title": self.title, "array": self.array,
            "n_heads": self.n_heads, "named": self.named,
        }  # fmt: skip
