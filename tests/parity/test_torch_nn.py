"""Our layers against PyTorch's own, in float64."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PostNormBlock, PreNormBlock
from core.nn.feedforward import FeedForward
from core.nn.masks import causal_mask
from core.nn.norms import LayerNorm, RMSNorm
from core.tracing.tap import NO_TAP, Recorder

D, H, F = 12, 3, 20


@pytest.fixture(params=["fused", "traced"])
def tap(request):
    return NO_TAP if request.param == "fused" else Recorder()


def randn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64)


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-10, rtol=0)


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    projections = (ours.w_q, ours.w_k, ours.w_v)
    for mine, yours in zip(projections, theirs.in_proj_weight.chunk(3), strict=True):
        mine.weight.data = yours.data
    ours.w_o.weight.data = theirs.out_proj.weight.data
    if theirs.in_proj_bias is not None:
        for mine, yours in zip(projections, theirs.in_proj_bias.chunk(3), strict=True):
            mine.bias.data = yours.data
        ours.w_o.bias.data = theirs.out_proj.bias.data


def make_attentions(bias: bool = True) -> tuple[MultiHeadAttention, nn.MultiheadAttention]:
    theirs = nn.MultiheadAttention(D, H, bias=bias, batch_first=True).double()
    if bias:
        nn.init.normal_(theirs.in_proj_bias)
        nn.init.normal_(theirs.out_proj.bias)
    ours = MultiHeadAttention(D, H, bias=bias).double()
    copy_attention(ours, theirs)
    return ours.requires_grad_(False), theirs


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("cross", [False, True], ids=["self", "cross"])
def test_attention_and_its_weights(tap, cross, bias):
    ours, theirs = make_attentions(bias)
    x = randn(2, 5, D)
    source = randn(2, 7, D) if cross else x
    expected, weights = theirs(x, source, source, average_attn_weights=False)
    close(ours(x, source if cross else None, tap=tap), expected)
    if tap.active:
        close(tap.values["weights"], weights)


def test_causal_attention(tap):
    ours, theirs = make_attentions()
    x = randn(2, 6, D)
    # Theirs says True where attention is forbidden.
    expected, _ = theirs(x, x, x, attn_mask=~causal_mask(6, 6))
    close(ours(x, causal=True, tap=tap), expected)


def test_padding(tap):
    ours, theirs = make_attentions()
    x = randn(2, 6, D)
    padding = torch.tensor([[False] * 6, [False] * 4 + [True] * 2])
    expected, _ = theirs(x, x, x, key_padding_mask=padding)
    close(ours(x, mask=~padding[:, None, None, :], tap=tap), expected)


def test_layer_norm(tap):
    ours, theirs = LayerNorm(D, 1e-5).double(), nn.LayerNorm(D, 1e-5).double()
    for parameter in ("weight", "bias"):
        getattr(theirs, parameter).data = randn(D)
        getattr(ours, parameter).data = getattr(theirs, parameter).data
    x = 5 + 3 * randn(2, 4, D)
    close(ours(x, tap), theirs(x))


def test_rms_norm(tap):
    ours, theirs = RMSNorm(D, 1e-6).double(), nn.RMSNorm(D, 1e-6).double()
    theirs.weight.data = randn(D)
    ours.weight.data = theirs.weight.data
    x = 5 + 3 * randn(2, 4, D)
    close(ours(x, tap), theirs(x))


@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("kind", [PreNormBlock, PostNormBlock])
@pytest.mark.parametrize("masked", [False, True])
def test_encoder_layer(tap, kind, activation, masked):
    theirs = nn.TransformerEncoderLayer(
        D, H, F, dropout=0.0, activation=activation, batch_first=True,
        norm_first=kind is PreNormBlock,
    ).double()  # fmt: skip
    for norm in (theirs.norm1, theirs.norm2):
        nn.init.normal_(norm.weight)
        nn.init.normal_(norm.bias)
    ours = kind(
        attn=MultiHeadAttention(D, H),
        ffn=FeedForward(D, F, activation),
        ln_1=LayerNorm(D, 1e-5),
        ln_2=LayerNorm(D, 1e-5),
    ).double()
    copy_attention(ours.attn, theirs.self_attn)
    for mine, yours in (
        (ours.ffn.w_1, theirs.linear1),
        (ours.ffn.w_2, theirs.linear2),
        (ours.ln_1, theirs.norm1),
        (ours.ln_2, theirs.norm2),
    ):
        mine.load_state_dict(yours.state_dict())
    x = randn(2, 6, D)
    mask = causal_mask(6, 6) if masked else None
    expected = theirs(x, src_mask=~mask if masked else None)
    close(ours(x, mask=mask, tap=tap), expected)


@pytest.mark.parametrize("kind", [PreNormBlock, PostNormBlock])
@pytest.mark.parametrize("masked", [False, True])
def test_decoder_layer(tap, kind, masked):
    theirs = nn.TransformerDecoderLayer(
        D, H, F, dropout=0.0, batch_first=True, norm_first=kind is PreNormBlock
    ).double()
    for norm in (theirs.norm1, theirs.norm2, theirs.norm3):
        nn.init.normal_(norm.weight)
        nn.init.normal_(norm.bias)
    ours = kind(
        attn=MultiHeadAttention(D, H),
        ffn=FeedForward(D, F, "relu"),
        ln_1=LayerNorm(D),
        ln_2=LayerNorm(D),
        cross_attn=MultiHeadAttention(D, H),
        ln_cross=LayerNorm(D),
    ).double()
    copy_attention(ours.attn, theirs.self_attn)
    copy_attention(ours.cross_attn, theirs.multihead_attn)
    for mine, yours in (
        (ours.ffn.w_1, theirs.linear1),
        (ours.ffn.w_2, theirs.linear2),
        (ours.ln_1, theirs.norm1),
        (ours.ln_cross, theirs.norm2),
        (ours.ln_2, theirs.norm3),
    ):
        mine.load_state_dict(yours.state_dict())
    x, source = randn(2, 5, D), randn(2, 7, D)
    padding = torch.tensor([[False] * 7, [False] * 4 + [True] * 3]) if masked else None
    expected = theirs(x, source, tgt_mask=~causal_mask(5, 5), memory_key_padding_mask=padding)
    source_mask = None if padding is None else ~padding[:, None, None, :]
    close(ours(x, causal=True, source=source, source_mask=source_mask, tap=tap), expected)


def test_a_stack_with_a_final_norm():
    """PyTorch's encoder of pre-norm layers and one norm after the last: GPT-2's arrangement."""
    layer = nn.TransformerEncoderLayer(
        D, H, F, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
    )
    theirs = nn.TransformerEncoder(
        layer, 3, norm=nn.LayerNorm(D), enable_nested_tensor=False
    ).double()
    x = randn(1, 5, D)
    stream = x
    for one in theirs.layers:
        block = PreNormBlock(
            attn=MultiHeadAttention(D, H),
            ffn=FeedForward(D, F, "gelu"),
            ln_1=LayerNorm(D),
            ln_2=LayerNorm(D),
        ).double()
        copy_attention(block.attn, one.self_attn)
        block.ffn.w_1.load_state_dict(one.linear1.state_dict())
        block.ffn.w_2.load_state_dict(one.linear2.state_dict())
        stream = block(stream, causal=True)
    final = LayerNorm(D).double()
    close(final(stream), theirs(x, mask=~causal_mask(5, 5)))
