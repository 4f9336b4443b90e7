"""The generator: its cross-attention is the formula's, and guidance starts from the empty text."""

from __future__ import annotations

import math

import pytest
import torch

from core.digits.drawing import as_pixels, draw, guided, noise
from core.digits.network import READINGS, Drawer, DrawerConfig, Reads
from core.digits.reading import padded
from core.errors import ParameterError
from core.tracing.tap import Recorder


@pytest.fixture
def drawer() -> Drawer:
    """A tiny one with drawn weights, in float64."""
    config = DrawerConfig(d_text=6, fine=4, coarse=8, fine_heads=1, coarse_heads=2, d_time=8,
                          groups=2)  # fmt: skip
    made = Drawer(config, torch.Generator().manual_seed(0)).double()
    generator = torch.Generator().manual_seed(1)
    for parameter in made.parameters():  # what begins at 0 would hide a mistake
        parameter.data.normal_(0.0, 0.3, generator=generator)
    return made.eval()


def text(n: int, seed: int) -> torch.Tensor:
    return torch.randn(n, 6, generator=torch.Generator().manual_seed(seed)).double()


BEGIN = noise(2, 3, torch.float64)


def test_every_place_reads_the_text_by_the_formula():
    """softmax(q k^T / sqrt(d)) v, one head and one place after the other; padding is not read."""
    generator = torch.Generator().manual_seed(0)
    layer = Reads(4, 2, 6, 2).double()
    x = torch.randn(1, 4, 3, 3, generator=generator).double()
    states, tap = text(5, 2), Recorder()
    mask = torch.tensor([True, True, True, False, False])[None, None, None]
    found = layer(x, states[None], mask, tap)
    attn = layer.attn
    inner, source = layer.norm(x).flatten(2).mT[0], layer.text(states[:3])
    q, k, v = attn.w_q(inner), attn.w_k(source), attn.w_v(source)
    mixed = torch.zeros(9, 4).double()
    for head in range(2):
        own = slice(2 * head, 2 * head + 2)
        for place in range(9):
            scores = torch.stack([q[place, own] @ key[own] / math.sqrt(2) for key in k])
            weights = scores.exp() / scores.exp().sum()
            mixed[place, own] = (weights[:, None] * v[:, own]).sum(dim=0)
            assert torch.allclose(tap.values["weights"][0, head, place, :3], weights, atol=1e-12)
            assert not tap.values["weights"][0, head, place, 3:].any()
    expected = x + attn.w_o(mixed).mT.reshape(1, 4, 3, 3)
    assert torch.allclose(found, expected, atol=1e-12)


def test_it_draws_the_same_from_a_seed(drawer):
    assert torch.equal(noise(2, 3), noise(2, 3))
    assert not torch.equal(noise(2, 3), noise(2, 4))
    with pytest.raises(ParameterError):
        noise(2, -1)
    one, two = (draw(drawer, BEGIN, [text(3, 0)] * 2, text(1, 1), 3.0, steps=4) for _ in range(2))
    assert torch.equal(one.frames, two.frames)
    assert one.frames.shape == (5, 2, 28, 28)
    assert torch.equal(one.frames[0], BEGIN[:, 0])


def test_the_empty_text_is_the_branch_that_guidance_starts_from(drawer):
    """Whatever the guidance, it draws what no text at all would: guidance 0."""
    empty = text(1, 1)
    for guidance in (1.0, 3.0):
        said = draw(drawer, BEGIN, [empty] * 2, empty, guidance, steps=4)
        none = draw(drawer, BEGIN, [text(3, 0)] * 2, empty, 0.0, steps=4)
        assert torch.allclose(said.frames, none.frames, atol=1e-9)


def test_a_picture_does_not_depend_on_what_is_drawn_beside_it(drawer):
    texts, empty = [text(3, 0), text(7, 5)], text(1, 1)
    both = draw(drawer, BEGIN, texts, empty, 2.0, steps=3)
    for n, own in enumerate(texts):
        alone = draw(drawer, BEGIN[n : n + 1], [own], empty, 2.0, steps=3)
        assert torch.allclose(alone.frames[:, 0], both.frames[:, n], atol=1e-9)


def test_what_is_watched_are_the_weights_of_each_step(drawer):
    drawn = draw(drawer, BEGIN, [text(3, 0)] * 2, text(5, 1), 2.0, steps=3, watched=True)
    assert {name: one.shape for name, one in drawn.weights.items()} == {
        name: (3, 2, 2 if name == "coarse" else 1, side**2, 5) for name, side in READINGS.items()
    }
    for one in drawn.weights.values():
        assert torch.allclose(one.sum(dim=-1), torch.ones(()).double())
        assert not one[..., 3:].any()  # the padding of the shorter text
    again = draw(drawer, BEGIN, [text(3, 0)] * 2, text(5, 1), 2.0, steps=3)
    assert again.weights == {}
    assert torch.allclose(again.frames, drawn.frames, atol=1e-12)  # fused or not


def test_guidance_goes_beyond_the_text():
    assert guided(torch.tensor(2.0), torch.tensor(1.0), 0.0) == 1
    assert guided(torch.tensor(2.0), torch.tensor(1.0), 1.0) == 2
    assert guided(torch.tensor(2.0), torch.tensor(1.0), 3.0) == 4


def test_pixels_are_bytes():
    assert as_pixels(torch.tensor([-2.0, -1.0, 0.0, 1.0, 5.0])).tolist() == [0, 0, 128, 255, 255]


def test_texts_of_different_length_are_padded():
    rows, mask = padded([text(2, 0), text(3, 1)])
    assert rows.shape == (2, 3, 6)
    assert mask.tolist() == [[True, True, False], [True, True, True]]
