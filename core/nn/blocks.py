"""A Transformer block: attention, feed-forward, and where the norms stand around them.

In both kinds ``resid_mid`` and ``resid_post`` are the two sums, the "+" nodes of
the drawings. In a pre-norm block ``resid_post`` is what the next block reads;
in a post-norm block that is ``ln_2.out``, the sum after its norm.
"""

from __future__ import annotations

from torch import Tensor, nn

from core.nn.attention import MultiHeadAttention
from core.nn.feedforward import FeedForward
from core.nn.kv_cache import LayerCache
from core.nn.norms import LayerNorm, RMSNorm
from core.tracing.tap import NO_TAP, Tap


class _Block(nn.Module):
    """The four parts; the two kinds differ in the order they put them in."""

    def __init__(
        self,
        attn: MultiHeadAttention,
        ffn: FeedForward,
        ln_1: LayerNorm | RMSNorm,
        ln_2: LayerNorm | RMSNorm,
    ) -> None:
        super().__init__()
        self.ln_1, self.attn = ln_1, attn
        self.ln_2, self.ffn = ln_2, ffn


class PreNormBlock(_Block):
    """Norm inside the residual branch: x + Layer(norm(x)). GPT-2 (Radford et al. 2019), 2.3."""

    def forward(
        self,
        x: Tensor,
        *,
        mask: Tensor | None = None,
        causal: bool = False,
        bias: Tensor | None = None,
        cache: LayerCache | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """``(B, T, D) -> (B, T, D)``; the other arguments are those of the attention."""
        x = tap("resid_pre", x)
        x = tap("resid_mid", x + self.attn(
            self.ln_1(x, tap.at("ln_1")),
            mask=mask, causal=causal, bias=bias, cache=cache, tap=tap.at("attn"),
        ))  # fmt: skip
        return tap("resid_post", x + self.ffn(self.ln_2(x, tap.at("ln_2")), tap.at("ffn")))


class PostNormBlock(_Block):
    """Norm after the sum: norm(x + Layer(x)). Vaswani et al. 2017, section 3.1."""

    def forward(
        self,
        x: Tensor,
        *,
        mask: Tensor | None = None,
        causal: bool = False,
        bias: Tensor | None = None,
        cache: LayerCache | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """``(B, T, D) -> (B, T, D)``; the other arguments are those of the attention."""
        x = tap("resid_pre", x)
        x = self.ln_1(tap("resid_mid", x + self.attn(
            x, mask=mask, causal=causal, bias=bias, cache=cache, tap=tap.at("attn"),
        )), tap.at("ln_1"))  # fmt: skip
        return self.ln_2(tap("resid_post", x + self.ffn(x, tap.at("ffn"))), tap.at("ln_2"))
