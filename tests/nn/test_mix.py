"""The weighted sum of layers is the paper's equation (1)."""

from __future__ import annotations

import pytest
import torch

from core.errors import ParameterError
from core.nn.mix import ScalarMix, mixed


def layers(n: int = 3) -> list[torch.Tensor]:
    return list(torch.randn(n, 2, 4, 5, dtype=torch.float64))


def test_at_first_it_is_the_mean():
    mix, given = ScalarMix(3).double(), layers()
    torch.testing.assert_close(mix(given), sum(given) / 3)


def test_shares_are_a_softmax_and_the_sum_is_scaled():
    given, scores = layers(), torch.tensor([0.0, 1.0, -2.0], dtype=torch.float64)
    shares = scores.exp() / scores.exp().sum()
    expected = 2.5 * torch.einsum("j,j...->...", shares, torch.stack(given))
    torch.testing.assert_close(mixed(given, scores, 2.5), expected)


def test_a_score_a_layer():
    with pytest.raises(ParameterError, match="one for each of 3 layers"):
        mixed(layers(), torch.zeros(2))


def test_it_learns():
    mix, given = ScalarMix(3).double(), layers()
    mix(given).square().sum().backward()
    assert mix.scores.grad.abs().sum() > 0
    assert mix.scale.grad.abs() > 0
