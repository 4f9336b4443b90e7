"""A common mistake, on purpose: the softmax of attention over the queries, not over the keys."""

from __future__ import annotations

import math

from torch import Tensor

from core.nn.attention import KeysValues
from core.nn.kv_cache import LayerCache
from core.nn.masks import causal_mask
from core.shaped.attention import ShapedAttention
from core.tracing.tap import NO_TAP, Tap


class WrongAxis(ShapedAttention):
    """Attention whose weights add up to 1 down each column: what a model with this bug learns.

    A key shares its weight among the queries, the later ones too. So what a position gets depends
    on texts behind it, although no weight stands above the diagonal: the answer leaks.
    """

    def forward(
        self,
        x: Tensor,
        source: Tensor | KeysValues | None = None,
        *,
        mask: Tensor | None = None,
        causal: bool = False,
        cache: LayerCache | None = None,
        bias: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """``(B, T, D) -> (B, T, D)``; of the other arguments only ``causal`` has a meaning here."""
        assert (source, mask, cache, bias) == (None, None, None, None)
        q, (k, v) = self.queries(x, tap), self.keys_values(x, tap)
        scores = tap("scores", (q / math.sqrt(self.d_head)) @ k.mT)
        if causal:
            allowed = causal_mask(x.shape[1], x.shape[1], x.device)
            scores = scores.masked_fill(~allowed, float("-inf"))
        weights = tap("weights", scores.softmax(dim=-2))  # the mistake: dim=-1 is right
        z = tap("z", weights @ v)
        return tap("out", self.w_o(z.transpose(1, 2).flatten(2)))
