"""One new position through a stack of blocks, with nothing to look up.

A step of writing multiplies one row, so on a CPU the way from module to module
takes as long as half of its arithmetic. Here every weight is found once, before
the first step, the projections of q, k and v become one, and matrices lie as one
row reads them. The equations are those of the blocks (tested to be the same).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.weak import WeakTensorKeyDictionary

from core.nn.attention import KeysValues, MultiHeadAttention
from core.nn.blocks import PostNormBlock, PreNormBlock
from core.nn.feedforward import FeedForward
from core.nn.kv_cache import LayerCache
from core.nn.norms import LayerNorm
from core.tracing.tap import Tap

Row = Callable[[Tensor], Tensor]  # (1, D) -> (1, D)

# Weight -> which it was, and how it lies for one row; gone when the weight is.
_COLUMNS = WeakTensorKeyDictionary()


def fits(ids: Tensor, n_before: int, tap: Tap) -> bool:
    """Whether a step is one token of one row, with others before it, and nobody watches."""
    return ids.numel() == 1 and n_before > 0 and not tap.active


def through(
    blocks: Iterable[nn.Module], caches: Sequence[LayerCache], sources: Sequence[KeysValues] = ()
) -> Row:
    """A function that takes one row through all blocks and adds a position to each cache.

    Weights that are replaced later are not seen.

    Args:
        blocks: of one stack.
        caches: one a block, of one row.
        sources: what each block's cross-attention attends to, where they have one.
    """
    attended: Sequence[KeysValues | None] = sources or [None] * len(caches)
    steps = [
        _block(block, cache, source)
        for block, cache, source in zip(blocks, caches, attended, strict=True)
    ]

    def step(x: Tensor) -> Tensor:
        for one in steps:
            x = one(x)
        return x

    return step


def norm(layer: nn.Module) -> Row:
    """A LayerNorm as a function of one row."""
    assert isinstance(layer, LayerNorm)
    weight, bias, eps = layer.weight, layer.bias, layer.eps
    shape = weight.shape
    return lambda x: torch.layer_norm(x, shape, weight, bias, eps)


def linear(weight: Tensor, bias: Tensor | None = None) -> Row:
    """A linear layer, ``weight`` as ``(D_out, D_in)``, as a function of one row."""
    if weight.device.type != "cpu":
        return lambda x: F.linear(x, weight, bias)
    columns = _columns(weight)
    if bias is None:
        return lambda x: x @ columns
    return lambda x: torch.addmm(bias, x, columns)


def _columns(*weights: Tensor) -> Tensor:
    """The columns of some weights side by side, ``(D_in, D_out)``, in the order they are read in.

    A row times such a matrix takes half the time of ``F.linear``, which was made for many rows;
    so each is laid out once, and again when it has changed.
    """
    if weights[0].device.type != "cpu":
        return torch.cat([w.t() for w in weights], dim=1)
    which = [(w.data_ptr(), 0 if w.is_inference() else w._version) for w in weights]
    was, columns = _COLUMNS.get(weights[0], (None, None))
    if was != which:
        with torch.inference_mode(False), torch.no_grad():
            columns = torch.cat([w.detach().t() for w in weights], dim=1).contiguous()
        _COLUMNS[weights[0]] = which, columns
    return columns


def _block(block: nn.Module, cache: LayerCache, source: KeysValues | None) -> Row:
    assert isinstance(block, PreNormBlock | PostNormBlock)
    parts = [(_self_attention(block.attn, cache), norm(block.ln_1))]
    if source is not None and block.cross_attn is not None and block.ln_cross is not None:
        parts.append((_cross_attention(block.cross_attn, source), norm(block.ln_cross)))
    parts.append((_feed_forward(block.ffn), norm(block.ln_2)))
    pre = isinstance(block, PreNormBlock)

    def step(x: Tensor) -> Tensor:
        for layer, ln in parts:
            x = x + layer(ln(x)) if pre else ln(x + layer(x))
        return x

    return step


def _self_attention(attn: MultiHeadAttention, cache: LayerCache) -> Row:
    heads = (1, 3, attn.n_heads, 1, attn.d_head)
    projections = (attn.w_q, attn.w_k, attn.w_v)
    w_qkv = _columns(*(w.weight for w in projections))  # (D, 3 H Dh)
    b_qkv = torch.cat([w.bias for w in projections])
    w_o = linear(attn.w_o.weight, attn.w_o.bias)

    def step(x: Tensor) -> Tensor:
        q, k, v = torch.addmm(b_qkv, x, w_qkv).view(heads).unbind(1)  # (1, H, 1, Dh) each
        z = F.scaled_dot_product_attention(q, *cache.append(k, v))
        return w_o(z.view(1, -1))

    return step


def _cross_attention(attn: MultiHeadAttention, source: KeysValues) -> Row:
    heads = (1, attn.n_heads, 1, attn.d_head)
    w_q, w_o = linear(attn.w_q.weight, attn.w_q.bias), linear(attn.w_o.weight, attn.w_o.bias)

    def step(x: Tensor) -> Tensor:
        z = F.scaled_dot_product_attention(w_q(x).view(heads), *source)
        return w_o(z.view(1, -1))

    return step


def _feed_forward(ffn: FeedForward) -> Row:
    w_1, w_2 = linear(ffn.w_1.weight, ffn.w_1.bias), linear(ffn.w_2.weight, ffn.w_2.bias)
    activation = ffn.activation
    return lambda x: w_2(activation(w_1(x)))
