"""One row with the weights at hand goes through the blocks as the blocks say, number by number."""

from __future__ import annotations

import pytest
import torch

from core.decoding.one_row import lay_out, norm, through
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PostNormBlock, PreNormBlock
from core.nn.feedforward import FeedForward, GatedFeedForward
from core.nn.kv_cache import KVCache
from core.nn.norms import LayerNorm, RMSNorm
from core.nn.positions import RelativePositions
from core.tracing import Recorder
from tests.conftest import tiny_gpt, tiny_transformer


def drawn(module):
    """In float64, with gains and biases that are not 1 and 0, which would hide a mix-up."""
    for name, parameter in module.double().named_parameters():
        if parameter.ndim == 1:
            torch.nn.init.normal_(parameter, mean=float("weight" in name), std=0.2)
    return module.requires_grad_(False)


NORMS = {"layer": LayerNorm, "rms": RMSNorm}


def stack(
    kind, activation="relu", *, cross=False, gated=False, bias=True, norm="layer", scaled=True
):
    def attention():
        return MultiHeadAttention(8, 2, bias=bias, scaled=scaled)

    made = NORMS[norm]
    return [
        drawn(
            kind(
                attn=attention(),
                ffn=(GatedFeedForward if gated else FeedForward)(8, 12, activation, bias=bias),
                ln_1=made(8),
                ln_2=made(8),
                cross_attn=attention() if cross else None,
                ln_cross=made(8) if cross else None,
            )
        )
        for _ in range(2)
    ]


@pytest.mark.parametrize("laid_out", [False, True], ids=["", "laid out"])
@pytest.mark.parametrize("options", [
    {}, {"cross": True}, {"activation": "gelu_tanh"}, {"activation": "silu", "gated": True},
    {"bias": False}, {"norm": "rms"}, {"scaled": False}, {"relative": True},
    {"cross": True, "gated": True, "bias": False, "norm": "rms", "activation": "gelu",
     "scaled": False, "relative": True},
], ids=lambda options: "-".join(options))  # fmt: skip
@pytest.mark.parametrize("kind", [PreNormBlock, PostNormBlock])
def test_a_row_goes_through_as_the_whole_text_does(kind, options, laid_out):
    cross, relative = options.get("cross"), None
    blocks = stack(kind, **{name: value for name, value in options.items() if name != "relative"})
    if options.get("relative"):
        relative = RelativePositions(2, 4, 5, bidirectional=False).double().requires_grad_(False)

    def bias(n_queries, n_keys):
        return None if relative is None else relative(n_queries, n_keys)

    text = torch.randn(1, 6, 8, dtype=torch.float64)
    source = torch.randn(1, 3, 8, dtype=torch.float64)
    expected = text
    for block in blocks:
        expected = block(
            expected, causal=True, source=source if cross else None, bias=bias(6, 6),
            tap=Recorder(),
        )  # fmt: skip
    if laid_out:
        lay_out(torch.nn.ModuleList(blocks))
    cache = KVCache.empty(2, 2, 4, 6, dtype=torch.float64)
    sources = [block.cross_attn.keys_values(source) for block in blocks] if cross else []
    x = text[:, :2]
    for block, layer in zip(blocks, cache.layers, strict=True):
        x = block(
            x, causal=True, cache=layer, source=source if cross else None, bias=bias(2, 2)
        )  # fmt: skip
    step = through(blocks, cache.layers, sources, bias(1, 9))
    for at in range(2, 6):
        torch.testing.assert_close(step(text[:, at]), expected[:, at], atol=1e-12, rtol=0)
        assert cache.length == at + 1


@pytest.mark.parametrize("kind", [LayerNorm, RMSNorm])
def test_a_norm_of_one_row_is_the_norm(kind):
    layer, x = drawn(kind(8, eps=0.1)), torch.randn(1, 8, dtype=torch.float64)
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


def test_a_matrix_lies_along_its_longer_side():
    model = tiny_gpt().eval().requires_grad_(False)
    lay_out(model)
    block, table = model.blocks[0], model.embed.tokens.weight
    assert len(table) > 8 * table.shape[1]
    for columns in (block.ffn.w_1.weight, block.attn.w_o.weight, table):
        assert columns.t().is_contiguous()
    for rows in (block.ffn.w_2.weight, model.embed.positions.weight):
        assert rows.is_contiguous()


def test_a_model_that_is_laid_out_keeps_no_weight_twice():
    model = tiny_gpt().eval().requires_grad_(False)
    before = model.state_dict()
    values = {name: weight.clone() for name, weight in before.items()}
    lay_out(model)
    for name, weight in model.state_dict().items():
        assert torch.equal(weight, values[name])
    attn = model.blocks[0].attn
    memory = {layer.weight.untyped_storage().data_ptr() for layer in (attn.w_q, attn.w_k, attn.w_v)}
    assert len(memory) == 1
    decoder = model.begin()
    with torch.inference_mode():
        for one in (1, 5):
            decoder.push(torch.tensor([[one]]))
    held = [cell.cell_contents for cell in _functions_of(decoder._step)]
    own = {weight.untyped_storage().data_ptr() for weight in model.state_dict().values()}
    matrices = [one for one in held if isinstance(one, torch.Tensor) and one.ndim == 2]
    assert len(matrices) > 10
    assert {one.untyped_storage().data_ptr() for one in matrices} <= own


def _functions_of(function):
    """Every cell that a function and those in its cells hold."""
    for cell in function.__closure__ or ():
        yield cell
        found = cell.cell_contents
        for one in found if isinstance(found, list) else [found]:
            for part in one if isinstance(one, tuple) else [one]:
                if getattr(part, "__closure__", None):
                    yield from _functions_of(part)
