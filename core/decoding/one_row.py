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

from core.nn.attention import KeysValues, MultiHeadAttention
from core.nn.blocks import PostNormBlock, PreNormBlock
from core.nn.feedforward import FeedForward, GatedFeedForward
from core.nn.kv_cache import LayerCache
from core.nn.norms import LayerNorm, RMSNorm
from core.tracing.tap import Tap

Row = Callable[[Tensor], Tensor]  # (1, D) -> (1, D)
Biased = Callable[[Tensor, Tensor | None], Tensor]  # the same, with what is added to the scores


def fits(ids: Tensor, n_before: int, tap: Tap) -> bool:
    """Whether a step is one token of one row, with others before it, and nobody watches."""
    return ids.numel() == 1 and n_before > 0 and not tap.active


def through(
    blocks: Iterable[nn.Module],
    caches: Sequence[LayerCache],
    sources: Sequence[KeysValues] = (),
    bias: Tensor | None = None,
) -> Row:
    """A function that takes one row through all blocks and adds a position to each cache.

    Weights that are replaced or changed in place later are not seen, or seen in part: the joint
    projection of q, k and v is a copy.

    Args:
        blocks: of one stack.
        caches: one a block, of one row.
        sources: what each block's cross-attention attends to, where they have one.
        bias: what is added to the scores of the last of as many positions as there may be,
            ``(1, H, 1, room)``: it depends on distances alone.
    """
    attended: Sequence[KeysValues | None] = sources or [None] * len(caches)
    steps = [
        _block(block, cache, source)
        for block, cache, source in zip(blocks, caches, attended, strict=True)
    ]

    def step(x: Tensor) -> Tensor:
        if bias is None:
            added = None
        else:
            room = bias.shape[-1]
            added = bias[..., room - caches[0].length - 1 :]
        for step in steps:
            x = step(x, added)
        return x

    return step


def norm(layer: nn.Module) -> Row:
    """A norm as a function of one row."""
    assert isinstance(layer, LayerNorm | RMSNorm)
    weight, shape, eps = layer.weight, layer.weight.shape, layer.eps
    if isinstance(layer, RMSNorm):
        return lambda x: torch.rms_norm(x, shape, weight, eps)
    bias = layer.bias
    return lambda x: torch.layer_norm(x, shape, weight, bias, eps)


def linear(weight: Tensor, bias: Tensor | None = None) -> Row:
    """A linear layer, ``weight`` as ``(D_out, D_in)``, as a function of one row.

    ``F.linear``, made for many rows, reads what lies row by row at half of this speed.
    """
    columns = weight.t()
    if columns.is_contiguous():
        return _product(columns, bias)
    if bias is None:
        return lambda x: torch.mv(weight, x[0])[None]
    return lambda x: torch.addmv(bias, weight, x[0])[None]


def lay_out(model: nn.Module) -> None:
    """Put a model's matrices into memory as one row reads them: along the longer side.

    What gives as many numbers as it is given, or more, lies column by column: a product with one
    row takes 0.6 of the time, a table of 8,192 words 0.4 (width 256, measured); one with many
    rows no more. What gives fewer lies row by row, which takes 0.6 of the other way. A table of
    tokens is a matrix too, where the logits are products with it. The projections of q, k and v
    lie side by side, so that a row meets them as one matrix and no second copy is kept for it.
    """
    for module in model.modules():
        if (isinstance(module, nn.Linear) and module.out_features >= module.in_features) or (
            isinstance(module, nn.Embedding) and _is_vocabulary(module)
        ):
            module.weight.data = _side_by_side([module.weight.data]).t()
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            layers = (module.w_q, module.w_k, module.w_v)
            columns = _side_by_side([layer.weight.data for layer in layers])
            for layer, layer_columns in zip(layers, columns.chunk(3, dim=1), strict=True):
                layer.weight.data = layer_columns.t()


def _is_vocabulary(table: nn.Embedding) -> bool:
    """Whether it has a row for each of many tokens; one of positions is read row by row alone."""
    return table.num_embeddings >= 8 * table.embedding_dim


def _side_by_side(weights: Sequence[Tensor]) -> Tensor:
    """The columns of matrices of one shape, ``(D_in, n D_out)``; no copy where they lie so."""
    (wide, deep), n = weights[0].shape, len(weights)
    first, step = weights[0].data_ptr(), wide * weights[0].element_size()
    lie_so = all(
        weight.stride() == (1, n * wide) and weight.data_ptr() == first + i * step
        for i, weight in enumerate(weights)
    )
    if lie_so:
        return weights[0].as_strided((deep, n * wide), (n * wide, 1))
    return torch.cat([weight.t() for weight in weights], dim=1).contiguous()


def _product(columns: Tensor, bias: Tensor | None) -> Row:
    if bias is None:
        return lambda x: x @ columns
    return lambda x: torch.addmm(bias, x, columns)


def _block(block: nn.Module, cache: LayerCache, source: KeysValues | None) -> Biased:
    assert isinstance(block, PreNormBlock | PostNormBlock)
    attn, ln_1 = _self_attention(block.attn, cache), norm(block.ln_1)
    parts: list[tuple[Row, Row]] = []
    if source is not None and block.cross_attn is not None and block.ln_cross is not None:
        parts.append((_cross_attention(block.cross_attn, source), norm(block.ln_cross)))
    parts.append((_feed_forward(block.ffn), norm(block.ln_2)))
    pre = isinstance(block, PreNormBlock)

    def step(x: Tensor, bias: Tensor | None) -> Tensor:
        x = x + attn(ln_1(x), bias) if pre else ln_1(x + attn(x, bias))
        for layer, ln in parts:
            x = x + layer(ln(x)) if pre else ln(x + layer(x))
        return x

    return step


def _self_attention(attn: MultiHeadAttention, cache: LayerCache) -> Biased:
    heads = (1, 3, attn.n_heads, 1, attn.d_head)
    projections = (attn.w_q, attn.w_k, attn.w_v)
    biases: list[Tensor] = [w.bias for w in projections if w.bias is not None]
    w_qkv = _product(  # (1, D) -> (1, 3 H Dh)
        _side_by_side([w.weight for w in projections]), torch.cat(biases) if biases else None
    )
    w_o, scale = linear(attn.w_o.weight, attn.w_o.bias), None if attn.scaled else 1.0

    def step(x: Tensor, bias: Tensor | None) -> Tensor:
        q, k, v = w_qkv(x).view(heads).unbind(1)  # (1, H, 1, Dh) each
        z = F.scaled_dot_product_attention(q, *cache.append(k, v), bias, scale=scale)
        return w_o(z.view(1, -1))

    return step


def _cross_attention(attn: MultiHeadAttention, source: KeysValues) -> Row:
    heads = (1, attn.n_heads, 1, attn.d_head)
    w_q, w_o = linear(attn.w_q.weight, attn.w_q.bias), linear(attn.w_o.weight, attn.w_o.bias)
    scale = None if attn.scaled else 1.0

    def step(x: Tensor) -> Tensor:
        z = F.scaled_dot_product_attention(w_q(x).view(heads), *source, scale=scale)
        return w_o(z.view(1, -1))

    return step


def _feed_forward(ffn: FeedForward) -> Row:
    w_1, w_2 = linear(ffn.w_1.weight, ffn.w_1.bias), linear(ffn.w_2.weight, ffn.w_2.bias)
    activation = ffn.activation
    if not isinstance(ffn, GatedFeedForward):
        return lambda x: w_2(activation(w_1(x)))
    gate = linear(ffn.w_gate.weight, ffn.w_gate.bias)
    return lambda x: w_2(activation(w_1(x)) * gate(x))
