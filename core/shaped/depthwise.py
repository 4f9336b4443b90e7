"""A convolution over positions that mixes no components: each has a small kernel of its own."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from core.language import N_
from core.tracing.sites import Site, declared
from core.tracing.tap import NO_TAP, Tap

WIDTH = 3  # So et al. 2021, section 4.1
OWN = 0.5  # what a position's own vector counts at first; those before it share as much


class CausalDepthwise(nn.Module):
    """So et al. 2021 (Primer), section 4.1: the convolution of multi-dconv-head attention.

    y[t] = Σ_s w[s] ⊙ x[t - s] for s = 0, 1, 2, with a kernel for each head and component. Nothing
    stands before the first position. At first a position keeps half of its own vector and takes a
    sixth of each of the two before it, as in the authors' code.

    Args:
        n_heads: H.
        d_head: components of each.
        width: positions that it reads, its own among them.
    """

    def __init__(self, n_heads: int, d_head: int, width: int = WIDTH) -> None:
        super().__init__()
        first = torch.full((width, n_heads, 1, d_head), OWN / width)
        first[0] = OWN
        self.kernel = nn.Parameter(first)

    def forward(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, H, T, Dh) -> (B, H, T, Dh)``."""
        mixed = x * self.kernel[0]
        for back, weight in enumerate(self.kernel[1:], 1):
            before = x[:, :, : max(0, x.shape[2] - back)]  # a short text has none so far back
            mixed = mixed + weight * nn.functional.pad(
                before, (0, 0, x.shape[2] - before.shape[2], 0)
            )
        return tap("out", mixed)

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        return declared(
            type(self),
            Site(
                "out",
                ("H", "T", "Dh"),
                r"w * x",
                N_("Each vector mixed with those of the two tokens before it, "
                   "component by component."),
            ),
        )  # fmt: skip
