"""One new token through a model: the forward pass of generation, with nothing to look up.

A step multiplies one row, so on a CPU the way from module to module takes as
long as half of its arithmetic. Here every weight is found once, before the
first step. The equations are those of the blocks (tested to be the same).
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.models.gpt import GPT
from core.models.protocols import CausalLM
from core.nn.blocks import PreNormBlock
from core.nn.kv_cache import KVCache, LayerCache
from core.nn.norms import LayerNorm


def stepper(model: CausalLM, cache: KVCache) -> Callable[[int], Tensor]:
    """A function from the newest token's id to the logits ``(V,)`` after it.

    Each call adds a position to the cache, which holds one row. Weights that
    are replaced later are not seen.

    Raises:
        InputTooLongError: by a call for which the cache has no room.
    """
    if not isinstance(model, GPT):
        device = cache.layers[0].keys.device
        return lambda token: model(torch.tensor([[token]], device=device), cache=cache)[0, -1]  # type: ignore[call-arg]
    tokens, positions = model.embed.tokens.weight, model.embed.positions.weight
    blocks = [_block(block) for block in model.blocks]
    final_norm = _norm(model.final_norm)

    def step(token: int) -> Tensor:
        cache.check_room(1)
        x = (tokens[token] + positions[cache.length])[None]  # (1, D)
        for block, layer in zip(blocks, cache.layers, strict=True):
            x = block(x, layer)
        return F.linear(final_norm(x), tokens)[0]

    return step


def _block(block: nn.Module) -> Callable[[Tensor, LayerCache], Tensor]:
    """The block for one position: ``(1, D) -> (1, D)``."""
    assert isinstance(block, PreNormBlock)
    ln_1, ln_2 = _norm(block.ln_1), _norm(block.ln_2)
    attn, ffn = block.attn, block.ffn
    heads = (1, 3, attn.n_heads, 1, attn.d_head)
    w_qkv, b_qkv, w_o, b_o = attn.w_qkv.weight, attn.w_qkv.bias, attn.w_o.weight, attn.w_o.bias
    w_1, b_1, w_2, b_2 = ffn.w_1.weight, ffn.w_1.bias, ffn.w_2.weight, ffn.w_2.bias
    activation = ffn.activation

    def step(x: Tensor, cache: LayerCache) -> Tensor:
        q, k, v = F.linear(ln_1(x), w_qkv, b_qkv).view(heads).unbind(1)  # (1, H, 1, Dh) each
        z = F.scaled_dot_product_attention(q, *cache.append(k, v))
        x = x + F.linear(z.view(1, -1), w_o, b_o)
        return x + F.linear(activation(F.linear(ln_2(x), w_1, b_1)), w_2, b_2)

    return step


def _norm(norm: nn.Module) -> Callable[[Tensor], Tensor]:
    assert isinstance(norm, LayerNorm)
    weight, bias, eps = norm.weight, norm.bias, norm.eps
    shape = weight.shape
    return lambda x: torch.layer_norm(x, shape, weight, bias, eps)
