"""From a picture to a row of vectors: squares cut out, projected, and told where they stood."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from core.language import N_
from core.tracing.sites import Site, declared
from core.tracing.tap import NO_TAP, Tap


class Patches(nn.Module):
    """Dosovitskiy et al. 2021 ("An image is worth 16x16 words"), section 3.1, equation (1).

    The picture is cut into squares, each is laid out as one row of numbers and multiplied by one
    matrix. A learned vector stands before them ([CLS]), and each place adds its own.

    Args:
        size: rows and columns of pixels of a patch.
        n_patches: of a picture.
        channels: numbers of a pixel.
        d_model: width of the stream.
    """

    def __init__(self, size: int, n_patches: int, channels: int, d_model: int) -> None:
        super().__init__()
        self.size = size
        self.w_p = nn.Linear(channels * size * size, d_model)
        self.cls = nn.Parameter(torch.zeros(d_model))
        self.positions = nn.Embedding(1 + n_patches, d_model)

    def forward(self, pixels: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, C, height, width) -> (B, 1 + N, D)``, [CLS] first."""
        x = self.w_p(tap("pixels", self.cut(pixels)))
        cls = self.cls.expand(len(x), 1, -1)
        x = tap("patches", torch.cat([cls, x], dim=1))
        return x + tap("positions", self.positions.weight[None])

    def cut(self, pixels: Tensor) -> Tensor:
        """The patches row by row, each one's numbers in a row: ``(B, N, C · size · size)``."""
        squares = pixels.unfold(2, self.size, self.size).unfold(3, self.size, self.size)
        return squares.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)

    def moved(self, pixels: Tensor, order: Sequence[int]) -> Tensor:
        """One picture ``(C, height, width)`` with the patches in another order."""
        n_columns = pixels.shape[2] // self.size
        squares = pixels.unfold(1, self.size, self.size).unfold(2, self.size, self.size)
        ordered = squares.flatten(1, 2)[:, list(order)].unflatten(1, (-1, n_columns))
        return ordered.transpose(2, 3).flatten(3).flatten(1, 2)

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        return declared(
            type(self),
            Site("pixels", ("N", "P"), r"x_p", N_("The pixels of each patch, one after the "
                                                  "other: 0 is black, 1 is white.")),
            Site("patches", ("T", "D"), r"W_p\,x_p", N_("Each patch's pixels, multiplied by the "
                                                        "projection matrix; before them the "
                                                        "learned vector of [CLS].")),
            Site("positions", ("T", "D"), r"P_t", N_("The row of the position table for each "
                                                     "place of the picture.")),
            letters={"N": N_("N patches"), "P": N_("P numbers in a patch")},
        )  # fmt: skip
