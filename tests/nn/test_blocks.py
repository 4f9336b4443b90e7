"""Where the norms stand around attention and feed-forward."""

from __future__ import annotations

import pytest
import torch

from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PostNormBlock, PreNormBlock
from core.nn.feedforward import FeedForward
from core.nn.norms import make_norm
from core.tracing.tap import Recorder


def block(kind, norm="layer"):
    made = kind(
        attn=MultiHeadAttention(8, 2),
        ffn=FeedForward(8, 16, "gelu"),
        ln_1=make_norm(norm, 8, 1e-5),
        ln_2=make_norm(norm, 8, 1e-5),
    ).double()
    for ln in (made.ln_1, made.ln_2):  # gains that are not 1 show a norm in the wrong place
        torch.nn.init.normal_(ln.weight)
    return made


@pytest.mark.parametrize("norm", ["layer", "rms"])
def test_pre_norm_leaves_the_stream_alone(norm):
    b, x = block(PreNormBlock, norm), torch.randn(1, 5, 8, dtype=torch.float64)
    tap = Recorder()
    out = b(x, causal=True, tap=tap)
    mid = x + b.attn(b.ln_1(x), causal=True)
    torch.testing.assert_close(tap.values["resid_pre"], x)
    torch.testing.assert_close(tap.values["resid_mid"], mid)
    torch.testing.assert_close(out, mid + b.ffn(b.ln_2(mid)))
    assert tap.values["resid_post"] is out


def test_post_norm_normalises_the_sum():
    b, x = block(PostNormBlock), torch.randn(1, 5, 8, dtype=torch.float64)
    tap = Recorder()
    out = b(x, tap=tap)
    mid = b.ln_1(x + b.attn(x))
    torch.testing.assert_close(out, b.ln_2(mid + b.ffn(mid)))
    torch.testing.assert_close(tap.values["resid_mid"], x + b.attn(x))
    torch.testing.assert_close(tap.values["resid_post"], mid + b.ffn(mid))
    assert tap.values["ln_2.out"] is out


def test_a_block_hands_bias_and_mask_to_its_attention():
    b, x = block(PreNormBlock), torch.randn(1, 4, 8, dtype=torch.float64)
    mask = torch.rand(4, 4) > 0.3
    bias = torch.randn(1, 2, 4, 4, dtype=torch.float64)
    mid = x + b.attn(b.ln_1(x), mask=mask, bias=bias)
    torch.testing.assert_close(b(x, mask=mask, bias=bias), mid + b.ffn(b.ln_2(mid)))
