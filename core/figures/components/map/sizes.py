"""How wide the parts of a run are in a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PartWidths:
    """Widths of the parts, in pixels.

    Attributes:
        embed, final: of what stands before and after the layers.
        norm, ffn, add: of the strips in the open block.
        cell: of a gate or a state of a recurrent layer.
        small, drawn: of a head in a closed and in the open block.
        across: heads side by side in the open block, up to six of them, and of more.
    """

    embed: float
    final: float
    norm: float
    ffn: float
    add: float
    cell: float
    small: float
    drawn: float
    across: tuple[int, int]


ALONE = PartWidths(
    embed=76, final=52, norm=46, ffn=58, add=26, cell=58, small=38, drawn=64,
    across=(2, 3),
)  # fmt: skip
BESIDE = PartWidths(
    embed=52, final=40, norm=36, ffn=46, add=22, cell=44, small=34, drawn=54,
    across=(1, 2),
)  # fmt: skip
