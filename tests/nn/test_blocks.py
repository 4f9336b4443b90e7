"""Where the norms stand around attention and feed-forward."""

from __future__ import annotations

import pytest
import torch

from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PostNormBlock, PreNormBlock, stack_sites
from core.nn.feedforward import FeedForward
from core.nn.norms import LayerNorm, RMSNorm
from core.tracing.tap import Recorder


def block(kind, norm=LayerNorm, *, cross=False):
    made = kind(
        attn=MultiHeadAttention(8, 2),
        ffn=FeedForward(8, 16, "gelu"),
        ln_1=norm(8),
        ln_2=norm(8),
        cross_attn=MultiHeadAttention(8, 2) if cross else None,
        ln_cross=norm(8) if cross else None,
    ).double()
    for ln in made.modules():  # gains that are not 1 show a norm in the wrong place
        if isinstance(ln, norm):
            torch.nn.init.normal_(ln.weight)
    return made


@pytest.mark.parametrize("norm", [LayerNorm, RMSNorm])
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


def test_a_block_hands_the_mask_to_its_attention():
    b, x = block(PreNormBlock), torch.randn(1, 4, 8, dtype=torch.float64)
    mask = torch.rand(4, 4) > 0.3
    mid = x + b.attn(b.ln_1(x), mask=mask)
    torch.testing.assert_close(b(x, mask=mask), mid + b.ffn(b.ln_2(mid)))


def test_a_pre_norm_block_attends_to_the_source_between_its_two_layers():
    b = block(PreNormBlock, cross=True)
    x, source = (torch.randn(1, t, 8, dtype=torch.float64) for t in (4, 6))
    source_mask = torch.rand(4, 6) > 0.3
    tap = Recorder()
    out = b(x, causal=True, source=source, source_mask=source_mask, tap=tap)
    mid = x + b.attn(b.ln_1(x), causal=True)
    cross = mid + b.cross_attn(b.ln_cross(mid), source, mask=source_mask)
    torch.testing.assert_close(tap.values["resid_cross"], cross)
    torch.testing.assert_close(out, cross + b.ffn(b.ln_2(cross)))


def test_a_post_norm_block_attends_to_the_source_between_its_two_layers():
    b = block(PostNormBlock, cross=True)
    x, source = (torch.randn(1, t, 8, dtype=torch.float64) for t in (4, 6))
    source_mask = torch.rand(4, 6) > 0.3
    tap = Recorder()
    out = b(x, causal=True, source=source, source_mask=source_mask, tap=tap)
    mid = b.ln_1(x + b.attn(x, causal=True))
    cross = mid + b.cross_attn(mid, source, mask=source_mask)
    torch.testing.assert_close(tap.values["resid_cross"], cross)
    after = b.ln_cross(cross)
    torch.testing.assert_close(out, b.ln_2(after + b.ffn(after)))


@pytest.mark.parametrize("cross", [False, True], ids=["", "with a source"])
@pytest.mark.parametrize("norm", [LayerNorm, RMSNorm])
@pytest.mark.parametrize("kind", [PreNormBlock, PostNormBlock])
def test_a_block_declares_what_it_taps(kind, norm, cross):
    """In the order of computation."""
    b, tap = block(kind, norm, cross=cross), Recorder()
    x, source = (torch.randn(1, t, 8, dtype=torch.float64) for t in (4, 6))
    b(x, causal=True, source=source if cross else None, tap=tap)
    sites = list(stack_sites([b], "target", "source" if cross else None))
    names = [f"blocks.0.{name}" for name in tap.values]
    assert [site.name for site in sites if not site.derived] == names
    own, to_source = (
        {site.stream("Tk") for site in sites if site.name.startswith(f"blocks.0.{part}.")}
        for part in ("attn", "cross_attn")
    )
    assert own == {"target"}
    assert to_source == ({"source"} if cross else set())
    assert {site.stream(axis) for site in sites for axis in ("T", "Tq")} == {"target"}
