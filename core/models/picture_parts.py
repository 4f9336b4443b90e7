"""The parts that pictures come in through, as plain data (``core.models.parts`` has the others)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PatchStem:
    """Squares of a picture as vectors, where a stream begins: each is projected by one matrix.

    Attributes:
        prefix: of its sites: "embed".
        stream: that begins here.
        size: rows and columns of pixels of a patch.
        rows, columns: of patches in a picture.
        channels: numbers of a pixel.
        mark: what stands before them, "[CLS]"; empty for nothing.
        positions: how places are told; None where nothing tells them.
        learned_from: as of an embedding.
        d_model: width of a patch's vector, where no stack says it.
    """

    prefix: str
    stream: str
    size: int
    rows: int
    columns: int
    channels: int
    mark: str
    positions: Literal["learned"] | None
    learned_from: Literal["random"] | None
    d_model: int | None = None

    @property
    def first(self) -> int:
        """The position of the first patch."""
        return 1 if self.mark else 0

    @property
    def n_numbers(self) -> int:
        """Numbers in a patch: its channels times its sides."""
        return self.channels * self.size * self.size

    @property
    def terms(self) -> tuple[str, ...]:
        """The sites that are added up."""
        positions = () if self.positions is None else (f"{self.prefix}.positions",)
        return (f"{self.prefix}.patches", *positions)


@dataclass(frozen=True, slots=True)
class ConvolutionalStem:
    """Convolutions, one on top of the other, where a picture comes in: kernels that give maps.

    Attributes:
        prefix: of its sites: "convolutions".
        stream: that begins here; it has no positions, but maps.
        filters: kernels of each.
        kernel: rows and columns of a kernel.
        pooled: after which of them the maps are made smaller, and by how much on either side;
            1 where they are not.
    """

    prefix: str
    stream: str
    filters: tuple[int, ...]
    kernel: int
    pooled: tuple[int, ...]

    @property
    def n_layers(self) -> int:
        return len(self.filters)

    def maps(self, layer: int) -> str:
        """The site of the maps of a convolution."""
        return f"{self.prefix}.{layer}.maps"

    @property
    def output(self) -> str:
        """The site of what the last one hands on."""
        last = self.n_layers - 1
        return f"{self.prefix}.{last}.pooled" if self.pooled[last] > 1 else self.maps(last)

    def reach(self, layer: int) -> int:
        """On how many rows of pixels a number of its maps depends, and as many columns."""
        reach = step = 1
        for pooled in (*self.pooled[:layer], 0):
            reach += (self.kernel - 1) * step
            if pooled > 1:
                reach, step = reach + (pooled - 1) * step, step * pooled
        return reach
