"""Convolutions: small kernels that slide over a picture and give a map each."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn

from core.language import N_
from core.tracing.sites import Site, declared
from core.tracing.tap import NO_TAP, Tap

POOLED = 2  # rows and columns of the squares of which pooling keeps the largest number


class Convolution(nn.Module):
    """Kernels, a bias each, ReLU, and where asked the largest of each square (LeCun et al. 1998).

    Every kernel looks at all maps it is given, at one small square at a time, with the same
    numbers everywhere; zeros stand around the maps, so that a map keeps its size.

    Args:
        n_in: maps it is given.
        n_out: kernels, and maps it gives.
        kernel: rows and columns of a kernel; odd.
        pooled: whether only the largest number of each square of four is kept.
    """

    def __init__(self, n_in: int, n_out: int, kernel: int, *, pooled: bool) -> None:
        super().__init__()
        self.pooled = pooled
        self.conv = nn.Conv2d(n_in, n_out, kernel, padding=kernel // 2)

    def forward(self, maps: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, n_in, height, width) -> (B, n_out, height, width)``, halved where pooled."""
        maps = tap("maps", F.relu(tap("pre", self.conv(maps))))
        return tap("pooled", F.max_pool2d(maps, POOLED)) if self.pooled else maps

    def sites(self) -> tuple[Site, ...]:
        """What it taps, in the order of computation."""
        axes = ("C", "Y", "X")
        pooled = Site("pooled", axes, r"\max", N_("The largest number of each square of two by "
                                                  "two: smaller maps of the same."))  # fmt: skip
        return declared(
            type(self),
            Site("pre", axes, r"K * x", N_("What each kernel finds at each place: its numbers "
                                           "times those under it, added up.")),
            Site("maps", axes, r"\max(0, K * x)", N_("The feature maps: what each kernel finds "
                                                     "at each place, or 0 where that is "
                                                     "negative.")),
            *((pooled,) if self.pooled else ()),
            letters={"C": N_("C maps, one per kernel"), "Y": N_("Y rows"), "X": N_("X columns")},
        )  # fmt: skip
