"""How a model is told the order of its tokens."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from core.errors import ParameterError
from core.language import N_, Phrase
from core.tracing.sites import Site, declared
from core.tracing.tap import NO_TAP, Tap

_MOST_BITS = 63  # a whole number of torch has 64, one of them for its sign


def sinusoidal_positions(n: int, d_model: int, base: float = 10000.0) -> Tensor:
    """The fixed table of Vaswani et al. 2017, section 3.5: ``(n, d_model)``.

    PE(pos, 2i) = sin(pos / base^(2i / d_model)), PE(pos, 2i + 1) = cos(the same),
    with i counting the sine-cosine pairs.

    Raises:
        ParameterError: d_model is odd, or a size is below 1.
    """
    if n < 1:
        raise ParameterError("n", n, N_("at least 1"))
    if d_model < 2 or d_model % 2:
        raise ParameterError("d_model", d_model, N_("an even number, at least 2"))
    # On the CPU whatever the surrounding device: a model is first made without memory.
    pairs = torch.arange(0, d_model, 2, dtype=torch.float64, device="cpu")
    places = torch.arange(n, dtype=torch.float64, device="cpu")
    angles = places[:, None] / base ** (pairs / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).float()


class Sinusoids(nn.Module):
    """The sinusoidal table as a part of a model: nothing in it is learned, nothing is stored."""

    def __init__(self, n_ctx: int, d_model: int) -> None:
        super().__init__()
        self.weight: Tensor
        self.register_buffer("weight", sinusoidal_positions(n_ctx, d_model), persistent=False)


def binary_positions(n: int, bits: int) -> Tensor:
    """Counting in binary, the highest bit first: ``(n, bits)`` of 0.0 and 1.0.

    The picture behind the sinusoids: the last column flips at every step, each
    column before it half as often.

    Raises:
        ParameterError: the largest position does not fit into ``bits``, or a size is below 1 or
            beyond the bits of a whole number of torch.
    """
    if n < 1:
        raise ParameterError("n", n, N_("at least 1"))
    if not 1 <= bits <= _MOST_BITS:
        raise ParameterError(
            "bits", bits, Phrase(N_("between {low} and {high}"), low=1, high=_MOST_BITS)
        )
    if n > 2**bits:
        raise ParameterError("bits", bits, Phrase(N_("enough to count to {n}"), n=n - 1))
    shifts = torch.arange(bits - 1, -1, -1)
    return ((torch.arange(n)[:, None] >> shifts) & 1).float()


class Rotary(NamedTuple):
    """Cosines and sines of each position's angles, ``(T, Dh / 2)`` each, exact and on the CPU."""

    cos: Tensor
    sin: Tensor


def rotary_angles(positions: Tensor, d_head: int, base: float = 10000.0) -> Rotary:
    """Su et al. 2021 (RoFormer), equation (15): pair i at position p turns by p · base^(-2i / Dh).

    Args:
        positions: ``(T,)`` whole numbers.
        d_head: even.

    Raises:
        ParameterError: d_head is odd or below 2.
    """
    if d_head < 2 or d_head % 2:
        raise ParameterError("d_head", d_head, N_("an even number, at least 2"))
    pairs = torch.arange(0, d_head, 2, dtype=torch.float64)
    angles = positions.cpu().double()[:, None] * base ** (-pairs / d_head)
    return Rotary(angles.cos(), angles.sin())


def rotate(x: Tensor, rotary: Rotary) -> Tensor:
    """Turn each pair of neighbouring components by its position's angle: ``(..., T, Dh)``.

    Su et al. 2021, equation (34). After it, q · k depends on positions only
    through their difference.
    """
    cos, sin = rotary.cos.to(x), rotary.sin.to(x)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return turned.flatten(-2)


class RelativePositions(nn.Module):
    """A number for each head and distance, added to the scores in place of position vectors.

    Raffel et al. 2020 (T5), section 2.1: one table for all layers of a stack.

    Args:
        n_heads: H.
        n_buckets, max_distance, bidirectional: see ``relative_buckets``.
    """

    def __init__(
        self,
        n_heads: int,
        n_buckets: int = 32,
        max_distance: int = 128,
        *,
        bidirectional: bool = True,
    ) -> None:
        super().__init__()
        _check_buckets(n_buckets, max_distance, bidirectional=bidirectional)
        self.max_distance, self.bidirectional = max_distance, bidirectional
        self.table = nn.Embedding(n_buckets, n_heads)

    def forward(self, n_queries: int, n_keys: int, tap: Tap = NO_TAP) -> Tensor:
        """What is added to the scores, ``(1, H, Tq, Tk)``; the queries are the last of the keys."""
        places = torch.arange(n_keys, device=self.table.weight.device)
        relative = places - places[n_keys - n_queries :, None]  # (Tq, Tk)
        buckets = relative_buckets(
            relative, self.table.num_embeddings, self.max_distance,
            bidirectional=self.bidirectional,
        )  # fmt: skip
        return tap("bias", self.table(buckets).permute(2, 0, 1)[None])

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        return declared(
            type(self),
            Site("bias", ("H", "Tq", "Tk"), r"b", N_("What is added to the scores: a learned "
                                                     "number for each head and distance between "
                                                     "query and key.")),
        )  # fmt: skip


def _check_buckets(n_buckets: int, max_distance: int, *, bidirectional: bool) -> None:
    if bidirectional and (n_buckets < 4 or n_buckets % 2):
        raise ParameterError("n_buckets", n_buckets, N_("an even number, at least 4"))
    if n_buckets < 2:
        raise ParameterError("n_buckets", n_buckets, N_("at least 2"))
    exact = n_buckets // (4 if bidirectional else 2)
    if max_distance <= exact:
        raise ParameterError("max_distance", max_distance, Phrase(N_("above {n}"), n=exact))


def relative_buckets(
    relative: Tensor, n_buckets: int = 32, max_distance: int = 128, *, bidirectional: bool = True
) -> Tensor:
    """Which bucket a distance falls into: exact when near, logarithmic when far.

    Raffel et al. 2020 (T5), section 2.1. Distances beyond ``max_distance``
    share the last bucket, so a model can be run past the length it was trained on.

    Args:
        relative: key position minus query position, any shape.
        bidirectional: half of the buckets for each side; else later keys share bucket 0.

    Returns:
        Whole numbers in [0, n_buckets), the shape of ``relative``.

    Raises:
        ParameterError: the buckets cannot be shared out, or all distances are near.
    """
    _check_buckets(n_buckets, max_distance, bidirectional=bidirectional)
    offset = torch.zeros_like(relative)
    if bidirectional:
        n_buckets //= 2
        offset = (relative > 0).long() * n_buckets
        distance = relative.abs()
    else:
        distance = (-relative).clamp(min=0)
    exact = n_buckets // 2
    far = (
        exact
        + (
            torch.log(distance.clamp(min=1).float() / exact)
            / math.log(max_distance / exact)
            * (n_buckets - exact)
        ).long()
    )
    return offset + torch.where(distance < exact, distance, far.clamp(max=n_buckets - 1))
