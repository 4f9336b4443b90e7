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
        gated: multiply the activation by a second linear map of the input
            (Shazeer 2020, "GLU variants", section 2: GEGLU, SwiGLU).
        bias: whether the linear maps have biases.
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        activation: ActivationName,
        *,
        gated: bool = False,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[activation]
        self.w_1 = nn.Linear(d_model, d_ff, bias=bias)
        self.w_gate = nn.Linear(d_model, d_ff, bias=bias) if gated else None
        self.w_2 = nn.Linear(d_ff, d_model, bias=bias)

    def forward(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, T, D) -> (B, T, D)``."""
        hidden = self.activation(tap("pre", self.w_1(x)))  # (B, T, F)
        if self.w_gate is not None:
            hidden = hidden * tap("gate", self.w_gate(x))
        return tap("out", self.w_2(tap("post", hidden)))

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        gate = Site("gate", ("T", "F"), r"g",
                    N_("The gate: what the hidden units of a gated network are multiplied by."))  # fmt: skip
        return declared(
            type(self),
            Site("pre", ("T", "F"), r"h", N_("The hidden units of the feed-forward network, "
                                             "before the activation function.")),
            *(() if self.w_gate is None else (gate,)),
            Site("post", ("T", "F"), r"\phi(h)", N_("The hidden units after the activation "
                                                    "function.")),
            Site("out", ("T", "D"), r"W_2\,\phi(h)", N_("What the feed-forward network adds "
                                                        "to the residual stream.")),
        )  # fmt: skip
