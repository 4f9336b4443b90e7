"""Scaled dot-product attention and its multi-head form."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.nn.kv_cache import LayerCache
from core.nn.masks import causal_mask
from core.nn.positions import Rotary, rotate
from core.tracing.tap import NO_TAP, Tap


def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    mask: Tensor | None = None,
    causal: bool = False,
    bias: Tensor | None = None,
    scale: float | None = None,
    tap: Tap = NO_TAP,
) -> Tensor:
    """Scaled dot-product attention: softmax(q kᵀ / sqrt(d_head)) v.

    Vaswani et al. 2017, section 3.2.1, equation (1). With a recording tap the
    equations run one by one; without, the fused kernel, which gives the same
    numbers (tested in float64). Training on a CPU takes the equations too:
    compiled, they beat the fused kernel's backward pass by a fifth at T = 128.

    Args:
        q: queries ``(B, H, Tq, Dh)``.
        k, v: keys and values ``(B, H, Tk, Dh)``.
        mask: bool, True = may attend; broadcasts to ``(B, H, Tq, Tk)``.
        causal: no query sees a later key; the queries are the last ``Tq`` of the ``Tk`` positions.
        bias: added to the scaled scores before the mask (T5's relative bias).
        scale: in place of 1 / sqrt(Dh); T5 has 1.

    Returns:
        ``z``, the mixed values per head ``(B, H, Tq, Dh)``. A query that may
        attend to nothing gets zeros, and sends back zero gradients.
    """
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    causal = causal and q.shape[-2] > 1  # the newest position sees everything
    if not tap.active and not (q.requires_grad and q.device.type == "cpu"):
        return _attend_fused(q, k, v, mask, causal, bias, scale)

    scores = (q * scale) @ k.mT  # (B, H, Tq, Tk)
    if bias is not None:
        scores = scores + bias
    scores = tap("scores", scores)
    if mask is None:
        masked = scores + _later_keys(scores) if causal else scores
        weights = masked.softmax(dim=-1)
    else:
        may_attend = mask & causal_mask(q.shape[-2], k.shape[-2], q.device) if causal else mask
        # A row with nothing to attend to keeps its scores, and its weights are set to zero after
        # the softmax: that of -inf alone is NaN, forward and backward. The causal mask alone has
        # no such row.
        nothing = ~may_attend.any(dim=-1, keepdim=True)  # (..., Tq, 1)
        forbidden = _minus_infinity(~(may_attend | nothing), scores.dtype)
        weights = (scores + forbidden).softmax(dim=-1).masked_fill(nothing, 0.0)
    weights = tap("weights", weights)
    return tap("z", weights @ v)


def _later_keys(scores: Tensor) -> Tensor:
    """-inf on the keys after each query and 0 elsewhere: the causal mask to add. ``(Tq, Tk)``."""
    n_queries, n_keys = scores.shape[-2:]
    return scores.new_full((n_queries, n_keys), -torch.inf).triu_(1 + n_keys - n_queries)


def _minus_infinity(where: Tensor, dtype: torch.dtype) -> Tensor:
    """-inf there and 0 elsewhere. Adding it costs a sixth of filling: a mask serves all heads."""
    return torch.zeros(where.shape, device=where.device, dtype=dtype).masked_fill_(
        where, -torch.inf
    )


def _attend_fused(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    causal: bool,
    bias: Tensor | None,
    scale: float,
) -> Tensor:
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    # The kernel's own causal mask counts from the first position, and takes no other beside it.
    if causal and (mask is not None or bias is not None or n_queries != n_keys):
        order = causal_mask(n_queries, n_keys, q.device)
        mask, causal = order if mask is None else mask & order, False
    if bias is None:
        return F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, is_causal=causal, scale=scale
        )
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=scale)
    nothing = ~mask.any(dim=-1, keepdim=True)
    bias = bias + _minus_infinity(~(mask | nothing), bias.dtype)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=scale)
    return z.masked_fill(nothing, 0.0)


class MultiHeadAttention(nn.Module):
    """Vaswani et al. 2017, section 3.2.2: project, attend in H heads, concatenate, mix by W_O.

    One module serves self-attention (``source`` None) and cross-attention (keys
    and values from ``source``). The projections of q, k and v stand in one
    matrix, so that self-attention multiplies once.

    Args:
        d_model: width of the stream.
        n_heads: H; divides d_model unless d_head is given.
        d_head: width of a head; d_model / n_heads when None.
        bias: whether the projections have biases.
        scale: of the dot products; 1 / sqrt(d_head) when None.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        d_head: int | None = None,
        bias: bool = True,
        scale: float | None = None,
    ) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.d_head = d_model // n_heads if d_head is None else d_head
        self.inner = self.n_heads * self.d_head
        self.scale = scale
        self.w_qkv = nn.Linear(d_model, 3 * self.inner, bias=bias)
        self.w_o = nn.Linear(self.inner, d_model, bias=bias)

    def forward(
        self,
        x: Tensor,
        source: Tensor | None = None,
        *,
        mask: Tensor | None = None,
        causal: bool = False,
        bias: Tensor | None = None,
        rotary: Rotary | None = None,
        cache: LayerCache | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Mix the values of ``source`` (or of ``x`` itself) into every position of ``x``.

        Args:
            x: ``(B, Tq, D)``.
            source: ``(B, Tk, D)`` for cross-attention.
            mask, causal, bias: see ``attend``.
            rotary: angles of the query positions; rotates q and k (self-attention only).
            cache: earlier keys and values of this layer; the new ones are appended.

        Returns:
            ``(B, Tq, D)``.
        """
        if source is None:
            q, k, v = self._split(self.w_qkv(x), 3)
        else:
            weight, offset = self.w_qkv.weight, self.w_qkv.bias
            at = self.inner
            (q,) = self._split(F.linear(x, weight[:at], None if offset is None else offset[:at]), 1)
            k, v = self._split(
                F.linear(source, weight[at:], None if offset is None else offset[at:]), 2
            )
        if rotary is not None:
            q, k = rotate(q, rotary), rotate(k, rotary)
        q, k, v = tap("q", q), tap("k", k), tap("v", v)
        if cache is not None:
            k, v = cache.append(k, v)
        z = attend(q, k, v, mask=mask, causal=causal, bias=bias, scale=self.scale, tap=tap)
        return tap("out", self.w_o(z.transpose(1, 2).flatten(2)))  # (B, H, T, Dh) -> (B, T, D)

    def _split(self, projected: Tensor, n: int) -> tuple[Tensor, ...]:
        """``(B, T, n * H * Dh)`` -> n times ``(B, H, T, Dh)``."""
        batch, length, _ = projected.shape
        parts = projected.view(batch, length, n, self.n_heads, self.d_head)
        return parts.permute(2, 0, 3, 1, 4).unbind(0)
