"""The position-wise feed-forward network and its non-linearities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch.nn.functional as F
from torch import Tensor, nn

from core.language import N_
from core.tracing.sites import Site, declared
from core.tracing.tap import NO_TAP, Tap

ActivationName = Literal["relu", "gelu", "gelu_tanh", "relu_squared", "silu"]


def relu_squared(x: Tensor) -> Tensor:
    """So et al. 2021 (Primer), section 4.1: max(0, x) squared."""
    return F.relu(x).square()


def gelu_tanh(x: Tensor) -> Tensor:
    """Hendrycks & Gimpel 2016, section 2: the tanh approximation of GELU that GPT-2 has.

    x/2 · (1 + tanh(sqrt(2/π) · (x + 0.044715 x³))).
    """
    return F.gelu(x, approximate="tanh")


ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,  # x · Phi(x), by the error function, as BERT has it
    "gelu_tanh": gelu_tanh,
    "relu_squared": relu_squared,
    "silu": F.silu,
}


class FeedForward(nn.Module):
    """Vaswani et al. 2017, section 3.3: linear, non-linearity, linear, at each position alone.

    Args:
        d_model: width of the stream.
        d_ff: hidden units.
        activation: a name of ``ACTIVATIONS``.
        bias: whether the linear maps have biases.
    """

    def __init__(
        self, d_model: int, d_ff: int, activation: ActivationName, *, bias: bool = True
    ) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[activation]
        self.w_1 = nn.Linear(d_model, d_ff, bias=bias)
        self.w_2 = nn.Linear(d_ff, d_model, bias=bias)

    def forward(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, T, D) -> (B, T, D)``."""
        pre = tap("pre", self.w_1(x))  # (B, T, F)
        return tap("out", self.w_2(tap("post", self.activation(pre))))

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        after = N_("The hidden units after the activation function.")
        return self._sites(Site("post", ("T", "F"), r"\phi(h)", after))

    def _sites(self, *inner: Site) -> tuple[Site, ...]:
        return declared(
            type(self),
            Site("pre", ("T", "F"), r"h", N_("The hidden units of the feed-forward network, "
                                             "before the activation function.")),
            *inner,
            Site("out", ("T", "D"), rf"W_2\,{inner[-1].symbol}", N_("What the feed-forward network "
                                                                    "adds to the residual stream.")),
        )  # fmt: skip


class GatedFeedForward(FeedForward):
    """The activation is multiplied by a second linear map of the input.

    Shazeer 2020 ("GLU variants improve Transformer"), section 2: GEGLU, SwiGLU.
    """

    def __init__(
        self, d_model: int, d_ff: int, activation: ActivationName, *, bias: bool = True
    ) -> None:
        super().__init__(d_model, d_ff, activation, bias=bias)
        self.w_gate = nn.Linear(d_model, d_ff, bias=bias)

    def forward(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, T, D) -> (B, T, D)``."""
        pre, gate = tap("pre", self.w_1(x)), tap("gate", self.w_gate(x))
        return tap("out", self.w_2(tap("post", self.activation(pre) * gate)))

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        gate = N_("The gate: what the hidden units of a gated network are multiplied by.")
        after = N_("The hidden units after the activation function, multiplied by the gate.")
        return self._sites(
            Site("gate", ("T", "F"), r"g", gate),
            Site("post", ("T", "F"), r"(\phi(h) \odot g)", after),
        )
