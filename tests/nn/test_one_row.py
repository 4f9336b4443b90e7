"""One row with the weights at hand goes through the blocks as the blocks say, number by number."""

from __future__ import annotations

import pytest
import torch

from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PostNormBlock, PreNormBlock
from core.nn.feedforward import FeedForward
from core.nn.kv_cache import KVCache
from core.nn.norms import LayerNorm
from core.nn.one_row import norm, through


def drawn(module):
    """In float64, with gains and biases that are not 1 and 0, which would hide a mix-up."""
    for name, parameter in module.double().named_parameters():
        if parameter.ndim == 1:
            torch.nn.init.normal_(parameter, mean=float("weight" in name), std=0.2)
    return module.requires_grad_(False)


def stack(kind, activation, *, cross=False):
    return [
        drawn(
            kind(
                attn=MultiHeadAttention(8, 2),
                ffn=FeedForward(8, 12, activation),
                ln_1=LayerNorm(8),
                ln_2=LayerNorm(8),
                cross_attn=MultiHeadAttention(8, 2) if cross else None,
                ln_cross=LayerNorm(8) if cross else None,
            )
        )
        for _ in range(2)
    ]


@pytest.mark.parametrize("cross", [False, True], ids=["", "with a source"])
@pytest.mark.parametrize("activation", ["gelu_tanh", "relu"])
@pytest.mark.parametrize("kind", [PreNormBlock, PostNormBlock])
def test_a_row_goes_through_as_the_whole_text_does(kind, activation, cross):
    blocks = stack(kind, activation, cross=cross)
    text = torch.randn(1, 6, 8, dtype=torch.float64)
    source = torch.randn(1, 3, 8, dtype=torch.float64)
    expected = text
    for block in blocks:
        expected = block(expected, causal=True, source=source if cross else None)
    cache = KVCache.empty(2, 2, 4, 6, dtype=torch.float64)
    sources = [block.cross_attn.keys_values(source) for block in blocks] if cross else []
    x = text[:, :2]
    for block, layer in zip(blocks, cache.layers, strict=True):
        x = block(x, causal=True, cache=layer, source=source if cross else None)
    step = through(blocks, cache.layers, sources)
    for at in range(2, 6):
        torch.testing.assert_close(step(text[:, at]), expected[:, at], atol=1e-12, rtol=0)
        assert cache.length == at + 1


def test_a_norm_of_one_row_is_the_norm():
    layer, x = drawn(LayerNorm(8, eps=0.1)), torch.randn(1, 8, dtype=torch.float64)
    torch.testing.assert_close(norm(layer)(x), layer(x), atol=1e-14, rtol=0)
