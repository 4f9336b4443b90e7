"""Every block shape against its equation, written out by hand in float64."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F

from core.nn.attention import MultiHeadAttention
from core.shaped.attention import ShapedAttention
from core.shaped.block import ShapedBlock
from core.shaped.depthwise import CausalDepthwise
from core.shaped.gpt import SmallGPT, SmallGPTConfig
from core.shaped.shapes import SHAPES
from core.tracing.sites import recorded
from core.tracing.tap import NO_TAP, Recorder

D, H, T = 8, 2, 5


def drawn(**shape) -> ShapedBlock:
    """A block whose gains, shifts, biases and kernels are not what they begin as."""
    torch.manual_seed(3)
    block = ShapedBlock(D, H, 16, **shape).double()
    for parameter in block.parameters():
        torch.nn.init.normal_(parameter, std=0.7)
    return block


def norm(x, layer):
    """Ba et al. 2016: (x - mean) / sqrt(var + eps), gain and shift."""
    mean = x.mean(-1, keepdim=True)
    var = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt(var + layer.eps) * layer.weight + layer.bias


def convolved(x, kernel):
    """One position and one back-step at a time, ``(B, T, Dh)``."""
    out = torch.zeros_like(x)
    for t in range(x.shape[1]):
        for back in range(3):
            if t - back >= 0:
                out[:, t] += kernel[back] * x[:, t - back]
    return out


def attention(x, layer, *, qk_norm=False, dconv=False):
    """Head by head, query by query."""
    heads = []
    width = D // H
    for h in range(H):
        own = slice(h * width, (h + 1) * width)
        q, k, v = (x @ w.weight[own].T + w.bias[own] for w in (layer.w_q, layer.w_k, layer.w_v))
        if dconv:
            kernels = (one.kernel[:, h, 0] for one in (layer.conv_q, layer.conv_k, layer.conv_v))
            q, k, v = (convolved(y, kernel) for y, kernel in zip((q, k, v), kernels, strict=True))
        if qk_norm:
            q, k = norm(q, layer.ln_q), norm(k, layer.ln_k)
        z = torch.zeros_like(v)
        for t in range(x.shape[1]):
            scores = (k[:, : t + 1] * q[:, t : t + 1]).sum(-1) / math.sqrt(width)
            z[:, t] = (scores.softmax(-1)[..., None] * v[:, : t + 1]).sum(1)
        heads.append(z)
    return torch.cat(heads, -1) @ layer.w_o.weight.T + layer.w_o.bias


def feed_forward(x, layer, power=1):
    hidden = (x @ layer.w_1.weight.T + layer.w_1.bias).clamp(min=0) ** power
    return hidden @ layer.w_2.weight.T + layer.w_2.bias


def by_hand(name, b, x):
    """The equation of each shape."""
    attn, ffn = (lambda y: attention(y, b.attn)), (lambda y: feed_forward(y, b.ffn))
    if name == "b":
        return x + ffn(attn(norm(x, b.ln_1)))
    if name == "c":
        x = x + ffn(norm(x, b.ln_1))
        return x + attn(norm(x, b.ln_2))
    if name == "d":
        read = norm(x, b.ln_1)
        return x + attn(read) + ffn(read)
    if name == "post":
        x = norm(x + attn(x), b.ln_1)
        return norm(x + ffn(x), b.ln_2)
    if name == "qk_norm":
        attn = lambda y: attention(y, b.attn, qk_norm=True)  # noqa: E731
    if name == "dconv":
        attn = lambda y: attention(y, b.attn, dconv=True)  # noqa: E731
    if name == "squared":
        ffn = lambda y: feed_forward(y, b.ffn, power=2)  # noqa: E731
    x = x + attn(norm(x, b.ln_1))
    return x + ffn(norm(x, b.ln_2))


def options(name) -> dict[str, object]:
    return {one: getattr(SHAPES[name], one) for one in SHAPES[name].__slots__}


@pytest.mark.parametrize("traced", [False, True], ids=["fused", "traced"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_its_equation(name, traced):
    block, x = drawn(**options(name)), torch.randn(2, T, D, dtype=torch.float64)
    with torch.no_grad():
        found = block(x, tap=Recorder() if traced else NO_TAP)
        torch.testing.assert_close(found, by_hand(name, block, x), atol=1e-10, rtol=1e-10)


@pytest.mark.parametrize("name", SHAPES)
def test_what_a_shape_records_is_its_catalogue(name):
    block, x = drawn(**options(name)), torch.randn(1, T, D, dtype=torch.float64)
    tap = Recorder()
    out = block(x, tap=tap)
    sites = {site.name: site for site in block.sites("tokens")}
    assert tuple(tap.values) == recorded(sites)
    assert tap.values[block.output] is out
    for site in sites.values():
        assert site.path.startswith("core/"), site
    sizes = {"T": T, "Tq": T, "Tk": T, "D": D, "H": H, "Dh": D // H, "F": 16, "1": 1}
    for site, value in tap.values.items():
        assert value.shape[1:] == tuple(sizes[axis] for axis in sites[site].axes), site


@pytest.mark.parametrize("name", SHAPES)
def test_no_position_hears_of_a_later_one_and_every_parameter_learns(name):
    block, x = drawn(**options(name)), torch.randn(1, T, D, dtype=torch.float64)
    with torch.no_grad():
        other = x.clone()
        other[0, -1] += 1
        assert torch.equal(block(x)[0, :-1], block(other)[0, :-1])
    x.requires_grad_(True)
    block(x).square().sum().backward()
    for one, parameter in block.named_parameters():
        assert parameter.grad.isfinite().all(), one
        # What is added to every key moves all scores of a query alike: softmax does not see it.
        same_for_all = one.endswith(("w_k.bias", "ln_k.bias"))
        assert same_for_all or parameter.grad.abs().max() > 1e-12, one


def test_without_sums_the_branch_replaces_the_stream():
    block, x = drawn(norm="none", residual=False), torch.randn(1, T, D, dtype=torch.float64)
    torch.testing.assert_close(block(x), feed_forward(attention(x, block.attn), block.ffn))


def test_attention_with_nothing_between_is_multi_head_attention():
    torch.manual_seed(0)
    shaped, plain = ShapedAttention(D, H).double(), MultiHeadAttention(D, H).double()
    plain.load_state_dict(shaped.state_dict())
    x = torch.randn(2, T, D, dtype=torch.float64)
    assert torch.equal(shaped(x, causal=True), plain(x, causal=True))


@pytest.mark.parametrize("length", [1, 2, 6])
def test_a_convolution_over_positions_is_torch_s_own(length):
    conv = CausalDepthwise(H, 4).double()
    torch.testing.assert_close(conv.kernel[:, 0, 0, 0].tolist(), [0.5, 0.5 / 3, 0.5 / 3])
    torch.nn.init.normal_(conv.kernel)
    x = torch.randn(1, H, length, 4, dtype=torch.float64)
    channels = F.pad(x.transpose(2, 3).reshape(1, 8, length), (2, 0))
    kernel = conv.kernel.flip(0)[:, :, 0].permute(1, 2, 0).reshape(8, 1, 3)
    expected = F.conv1d(channels, kernel, groups=8).reshape(1, H, 4, length).transpose(2, 3)
    torch.testing.assert_close(conv(x), expected)


def test_normalised_queries_and_keys_bound_the_scores():
    """Cauchy-Schwarz: |q · k| / √d_head ≤ √d_head, however large the input."""
    block, tap = ShapedBlock(D, H, 16, norm="none", qk_norm=True).double(), Recorder()
    block(1e4 * torch.randn(1, T, D, dtype=torch.float64), tap=tap)
    assert tap.values["attn.scores"].abs().max() <= math.sqrt(D / H) + 1e-6


@pytest.mark.parametrize("spread", ["fixed", "fan_in", "larger"])
def test_a_small_gpt_begins_as_its_config_says(spread):
    config = SmallGPTConfig(64, 16, 64, 1, 4, SHAPES["dconv"], positions=False, spread=spread)
    one, other = (SmallGPT(config, torch.Generator().manual_seed(seed)) for seed in (1, 1))
    tap, ids = Recorder(), torch.arange(16)[None]
    logits = one(ids, tap=tap)
    assert torch.equal(logits, other(ids, tap=Recorder()))
    assert tuple(tap.values) == recorded({site.name: site for site in one.sites()})
    assert tap.values["embed.positions"].abs().max() == 0
    size = tap.values["blocks.0.resid_pre"].square().mean().sqrt().item()
    assert size == pytest.approx(1, abs=0.1)
    std = {"fixed": 0.02, "fan_in": 1 / 8, "larger": 1.5 / 8}[spread]
    assert one.blocks[0].attn.w_q.weight.std().item() == pytest.approx(std, rel=0.05)
