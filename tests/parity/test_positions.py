"""Rotary and relative positions against those of the transformers package."""

from __future__ import annotations

import pytest
import torch
from transformers import models

from core.nn.positions import (
    relative_buckets,
    rotary_angles,
    rotate,
    sinusoidal_positions,
)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("n_buckets", "max_distance"), [(32, 128), (8, 20), (64, 300)])
def test_t5_buckets(bidirectional, n_buckets, max_distance):
    relative = torch.arange(-1000, 1001)
    expected = models.t5.modeling_t5.T5Attention._relative_position_bucket(
        relative, bidirectional=bidirectional, num_buckets=n_buckets, max_distance=max_distance
    )
    found = relative_buckets(relative, n_buckets, max_distance, bidirectional=bidirectional)
    assert found.equal(expected)


def test_gpt_j_rotary():
    """GPT-J turns neighbouring components, as the paper does; its axes are (B, T, H, Dh)."""
    x = torch.randn(1, 2, 9, 8)
    gptj = models.gptj.modeling_gptj
    sin, cos = gptj.create_sinusoidal_positions(9, 8).chunk(2, dim=-1)
    expected = gptj.apply_rotary_pos_emb(x.transpose(1, 2), sin[None], cos[None]).transpose(1, 2)
    torch.testing.assert_close(rotate(x, rotary_angles(torch.arange(9), 8)), expected)


def test_llama_rotary_is_the_same_with_the_components_in_another_order():
    """Llama pairs component i with i + Dh/2; sorting pairs side by side gives the paper's form."""
    q, k = torch.randn(2, 1, 2, 9, 8, dtype=torch.float64)
    angles = torch.arange(9).double()[:, None] * 10000 ** (-torch.arange(0, 8, 2).double() / 8)
    twice = torch.cat([angles, angles], dim=-1)[None]
    halves = torch.arange(8).view(2, 4).t().flatten()  # 0, 4, 1, 5, ...
    theirs = models.llama.modeling_llama.apply_rotary_pos_emb(q, k, twice.cos(), twice.sin())
    rotary = rotary_angles(torch.arange(9), 8)
    for mine, yours in zip((q, k), theirs, strict=True):
        torch.testing.assert_close(rotate(mine[..., halves], rotary), yours[..., halves])


def test_sinusoids_have_the_frequencies_of_rotary():
    """Row p of the table is what the pair (0, 1) becomes when it is turned by p."""
    table = sinusoidal_positions(6, 8)
    pairs = torch.tensor([1.0, 0.0]).repeat(4)  # cos 0, sin 0
    turned = rotate(pairs.expand(6, 8), rotary_angles(torch.arange(6), 8))
    cos_sin = table.view(6, 4, 2).flip(-1).flatten(1)
    torch.testing.assert_close(turned, cos_sin)
