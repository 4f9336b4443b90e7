"""Scaled dot-product attention and its multi-head form."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.language import N_
from core.nn.kv_cache import LayerCache
from core.nn.masks import causal_mask
from core.tracing.sites import Site, declared, derived
from core.tracing.tap import NO_TAP, Tap


def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    mask: Tensor | None = None,
    causal: bool = False,
    scaled: bool = True,
    bias: Tensor | None = None,
    tap: Tap = NO_TAP,
) -> Tensor:
    """Dot-product attention: softmax(q kᵀ / sqrt(d_head) + bias) v.

    Vaswani et al. 2017, section 3.2.1, equation (1); the bias is that of Raffel et al. 2020
    (T5), section 2.1, where dot products are not divided. With a recording tap the
    equations run one by one; without, the fused kernel, which gives the same
    numbers (tested in float64). Training on a CPU takes the equations too:
    compiled, they beat the fused kernel's backward pass by a fifth at T = 128.

    Args:
        q: queries ``(B, H, Tq, Dh)``.
        k, v: keys and values ``(B, H, Tk, Dh)``.
        mask: bool, True = may attend; broadcasts to ``(B, H, Tq, Tk)``.
        causal: no query sees a later key; the queries are the last ``Tq`` of the ``Tk`` positions.
        scaled: dot products are divided by sqrt(d_head).
        bias: is added to the scores; broadcasts to ``(B, H, Tq, Tk)``.

    Returns:
        ``z``, the mixed values per head ``(B, H, Tq, Dh)``. A query that may
        attend to nothing gets zeros, and passes no gradient on.
    """
    causal = causal and q.shape[-2] > 1  # the newest position sees everything
    if causal and q.shape[-2] > k.shape[-2]:  # the first queries come before every key
        order = causal_mask(q.shape[-2], k.shape[-2], q.device)
        mask, causal = order if mask is None else mask & order, False
    if not tap.active and not (q.requires_grad and q.device.type == "cpu"):
        return _attend_fused(q, k, v, mask, causal, scaled, bias)

    scores = _scores(q, k, scaled, bias, tap)  # (B, H, Tq, Tk)
    if mask is None:
        masked = scores + _later_keys(scores) if causal else scores
        weights = masked.softmax(dim=-1)
    else:
        may_attend = mask & causal_mask(q.shape[-2], k.shape[-2], q.device) if causal else mask
        sees_nothing = ~may_attend.any(dim=-1, keepdim=True)
        masked = scores + _minus_infinity(~(may_attend | sees_nothing), scores.dtype)
        weights = masked.softmax(dim=-1)
        # The softmax of -inf alone is NaN, and so is every gradient that meets it. Such a row
        # keeps its finite scores until here.
        weights = weights.masked_fill(sees_nothing, 0.0)
    weights = tap("weights", weights)
    return tap("z", weights @ v)


def _scores(q: Tensor, k: Tensor, scaled: bool, bias: Tensor | None, tap: Tap) -> Tensor:
    if scaled:
        return _scaled(q, k, tap) if bias is None else _scaled_biased(q, k, bias, tap)
    return _unscaled(q, k, tap) if bias is None else _unscaled_biased(q, k, bias, tap)


# A function for each kind, so that the line shown beside the scores is the one that made them.
def _scaled(q: Tensor, k: Tensor, tap: Tap) -> Tensor:
    d_head = q.shape[-1]
    return tap("scores", (q / math.sqrt(d_head)) @ k.mT)


def _scaled_biased(q: Tensor, k: Tensor, bias: Tensor, tap: Tap) -> Tensor:
    d_head = q.shape[-1]
    return tap("scores", (q / math.sqrt(d_head)) @ k.mT + bias)


def _unscaled(q: Tensor, k: Tensor, tap: Tap) -> Tensor:
    return tap("scores", q @ k.mT)


def _unscaled_biased(q: Tensor, k: Tensor, bias: Tensor, tap: Tap) -> Tensor:
    return tap("scores", q @ k.mT + bias)


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
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, causal: bool,
    scaled: bool, bias: Tensor | None,
) -> Tensor:  # fmt: skip
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    scale = None if scaled else 1.0
    # The kernel's own causal mask counts from the first position, and takes no other beside it.
    if causal and (mask is not None or bias is not None or n_queries != n_keys):
        order = causal_mask(n_queries, n_keys, q.device)
        mask, causal = order if mask is None else mask & order, False
    if bias is None or mask is None:
        added = mask if bias is None else bias
        return F.scaled_dot_product_attention(q, k, v, added, is_causal=causal, scale=scale)
    # The kernel takes a mask or a bias. A row of -inf alone would be NaN: it keeps its bias.
    sees_nothing = ~mask.any(dim=-1, keepdim=True)
    added = bias + _minus_infinity(~(mask | sees_nothing), bias.dtype)
    z = F.scaled_dot_product_attention(q, k, v, added, scale=scale)
    return z.masked_fill(sees_nothing, 0.0)


class KeysValues(NamedTuple):
    """What a stack attends to in another one, projected once: ``(B, H, Tk, Dh)`` each."""

    k: Tensor
    v: Tensor


class MultiHeadAttention(nn.Module):
    """Vaswani et al. 2017, section 3.2.2: project, attend in H heads, concatenate, mix by W_O.

    One module serves self-attention (no ``source``) and cross-attention, where
    keys and values come from the ``source``.

    Args:
        d_model: width of the stream.
        n_heads: H; divides d_model unless d_head is given.
        d_head: width of a head; d_model / n_heads when None.
        bias: whether the projections have biases.
        scaled: dot products are divided by sqrt(d_head).
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        d_head: int | None = None,
        bias: bool = True,
        scaled: bool = True,
    ) -> None:
        super().__init__()
        self.n_heads, self.scaled = n_heads, scaled
        self.d_head = d_model // n_heads if d_head is None else d_head
        inner = self.n_heads * self.d_head
        self.w_q = nn.Linear(d_model, inner, bias=bias)
        self.w_k = nn.Linear(d_model, inner, bias=bias)
        self.w_v = nn.Linear(d_model, inner, bias=bias)
        self.w_o = nn.Linear(inner, d_model, bias=bias)

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
        """Mix the values of ``source`` (or of ``x`` itself) into every position of ``x``.

        Args:
            x: ``(B, Tq, D)``.
            source: ``(B, Tk, D)``, or its keys and values, for cross-attention.
            mask, causal, bias: see ``attend``.
            cache: earlier keys and values of this layer; the new ones are appended.

        Returns:
            ``(B, Tq, D)``.
        """
        q = self.queries(x, tap)
        if isinstance(source, KeysValues):
            k, v = source
        else:
            k, v = self.keys_values(x if source is None else source, tap)
        if cache is not None:
            k, v = cache.append(k, v)
        z = attend(
            q, k, v, mask=mask, causal=causal, scaled=self.scaled, bias=bias, tap=tap
        )  # fmt: skip
        return tap("out", self.w_o(z.transpose(1, 2).flatten(2)))  # (B, H, T, Dh) -> (B, T, D)

    def queries(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Queries of what attends, ``(B, Tq, D) -> (B, H, Tq, Dh)``."""
        return tap("q", self._heads(self.w_q(x)))

    def keys_values(self, source: Tensor, tap: Tap = NO_TAP) -> KeysValues:
        """Keys and values of what is attended to, ``(B, Tk, D)``.

        A decoder asks for those of its source once, however much it writes.
        """
        k = tap("k", self._heads(self.w_k(source)))
        v = tap("v", self._heads(self.w_v(source)))
        return KeysValues(k, v)

    def _heads(self, projected: Tensor) -> Tensor:
        """``(B, T, H * Dh) -> (B, H, T, Dh)``."""
        return projected.unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)

    def sites(self, *, biased: bool = False) -> tuple[Site, ...]:
        """What it taps, and what follows from that; ``biased`` when a bias is added to the scores."""
        pairs = ("H", "Tq", "Tk")
        dots = (N_("The dot product of each query with each key, before scaling.") if self.scaled
                else N_("The dot product of each query with each key."))  # fmt: skip
        return declared(
            type(self),
            Site("q", ("H", "Tq", "Dh"), r"q", N_("Queries: what each token looks for.")),
            Site("k", ("H", "Tk", "Dh"), r"k", N_("Keys: what each token can be found by.")),
            Site("v", ("H", "Tk", "Dh"), r"v", N_("Values: what each token passes on when it "
                                                  "is attended to.")),
            derived("dots", pairs, r"q \cdot k", dots),
            self._scores(pairs, biased=biased),
            derived("scores_masked", pairs, r"\tilde{s}", N_("The scores, with minus infinity "
                                                             "where the mask forbids attention.")),
            Site("weights", pairs, r"\alpha", N_("Attention weights: the softmax of each "
                                                 "query's scores. Each row adds up to 1."), part="attend"),
            Site("z", ("H", "Tq", "Dh"), r"z", N_("The weighted sum of the values, per head."), part="attend"),
            Site("out", ("Tq", "D"), r"W_O\,z", N_("The outputs of all heads side by side, "
                                                   "multiplied by the output matrix W_O.")),
        )  # fmt: skip

    def _scores(self, pairs: tuple[str, ...], *, biased: bool) -> Site:
        part, meaning = {
            (True, False): ("_scaled", N_("The scaled dot products, before the mask.")),
            (True, True): ("_scaled_biased", N_("The scaled dot products with the bias added, "
                                                "before the mask.")),
            (False, False): ("_unscaled", N_("The dot products, before the mask.")),
            (False, True): ("_unscaled_biased", N_("The dot products with the bias added, before "
                                                   "the mask.")),
        }[self.scaled, biased]  # fmt: skip
        symbol = r"\frac{q \cdot k}{\sqrt{d_\mathrm{head}}}" if self.scaled else r"q \cdot k"
        return Site("scores", pairs, symbol + (" + b" if biased else ""), meaning, part=part)
