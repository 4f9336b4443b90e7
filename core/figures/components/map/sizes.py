"""How wide the parts of a map are, on the page and in a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """Widths of the parts, in pixels; they go to the browser with the payload.

    Attributes:
        embed, final: of what stands before and after the layers.
        norm, ffn, add: of the strips in the open block.
        cell: of a gate or a state of a recurrent layer.
        small, large: of a head in a closed and in the open block.
        drawn: of a head in the open block, in a file.
        across: heads side by side in the open block, up to six of them, and of more.
        readable: the least height of a row on a projector.
    """

    embed: float
    final: float
    norm: float
    ffn: float
    add: float
    cell: float
    small: float
    large: float
    drawn: float
    across: tuple[int, int]
    readable: float


ALONE = Sizes(
    embed=76, final=52, norm=46, ffn=58, add=26, cell=58, small=38, large=80, drawn=64,
    across=(2, 3), readable=24,
)  # fmt: skip
BESIDE = Sizes(
    embed=52, final=40, norm=36, ffn=46, add=22, cell=44, small=34, large=60, drawn=54,
    across=(1, 2), readable=34,
)  # fmt: skip
