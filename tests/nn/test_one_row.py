"""One row with the weights at hand goes through the blocks as the blocks say, number by number."""

from __future__ import annotations

import gc

import pytest
import torch

from core.nn import one_row
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PostNormBlock, PreNormBlock
from core.nn.feedforward import FeedForward
from core.nn.kv_cache import KVCache
from core.nn.norms import LayerNorm
from core.nn.one_row import linear, norm, through
from tests.conftest import tiny_gpt, tiny_transformer


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


@torch.inference_mode()
def written(model, ids, source):
    """Logits after each token, one pushed after the other."""
    decoder = model.begin(source) if source is not None else model.begin()
    return torch.cat([decoder.push(ids[:, at : at + 1]) for at in range(ids.shape[1])], dim=1)


@pytest.mark.parametrize("name", ["gpt", "transformer"])
def test_a_machine_writes_as_one_pass_says_and_sees_its_weights_change(name):
    model = {"gpt": tiny_gpt, "transformer": tiny_transformer}[name]().double().eval()
    ids = torch.tensor([[1, 5, 7, 3, 2, 9]])
    source = torch.tensor([[4, 8, 6]]) if name == "transformer" else None

    def check():
        whole = model(ids) if source is None else model(source, ids)
        torch.testing.assert_close(written(model, ids, source), whole, atol=1e-12, rtol=0)
        return whole

    before = check()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.1)
    assert not torch.allclose(check(), before)
    # Weights read from a file take the place of the old ones.
    model.load_state_dict({n: w * 0.9 for n, w in model.state_dict().items()}, assign=True)
    check()


def test_a_matrix_is_laid_out_once_and_let_go_with_its_weight():
    weight = torch.randn(5, 3)
    with torch.inference_mode():
        first, again = linear(weight), linear(weight)
    assert first.__closure__[0].cell_contents is again.__closure__[0].cell_contents
    n = len(one_row._COLUMNS)
    del weight, first, again
    gc.collect()
    assert len(one_row._COLUMNS) == n - 1
