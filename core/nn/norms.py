"""Normalisation of each position's vector by itself."""

from __future__ import annotations

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.tracing.tap import NO_TAP, Tap

NormName = Literal["layer", "rms"]


class LayerNorm(nn.Module):
    """Ba et al. 2016, section 3: centre, divide by the standard deviation, scale, shift.

    y = a · (x - mean) / sqrt(var + eps) + b, with the variance over the d
    components themselves (divided by d, not d - 1) and one ``a`` and ``b`` of
    size d for all positions.
    """

    def __init__(self, d_model: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(..., D) -> (..., D)``."""
        if not tap.active:
            return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)
        # Mean and variance as means: five times as fast as torch.var_mean on a CPU. In place
        # (where no gradient needs the old value), as fresh memory is what a trace costs.
        mean = tap("mean", x.mean(dim=-1, keepdim=True))
        centred = x - mean
        var = tap("var", centred.square().mean(dim=-1, keepdim=True))
        scale = torch.rsqrt(var + self.eps)
        scaled = centred * scale if centred.requires_grad else centred.mul_(scale)
        normalized = tap("normalized", scaled)
        return tap("out", torch.addcmul(self.bias, normalized, self.weight))


class RMSNorm(nn.Module):
    """Zhang & Sennrich 2019, equation (4): divide by the root mean square, scale; no centring."""

    def __init__(self, d_model: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(..., D) -> (..., D)``."""
        if not tap.active:
            return F.rms_norm(x, self.weight.shape, self.weight, self.eps)
        rms = tap("rms", torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + self.eps))
        normalized = tap("normalized", x / rms)
        return tap("out", normalized * self.weight)


def make_norm(name: NormName, d_model: int, eps: float) -> LayerNorm | RMSNorm:
    """The norm of that name."""
    return LayerNorm(d_model, eps) if name == "layer" else RMSNorm(d_model, eps)
