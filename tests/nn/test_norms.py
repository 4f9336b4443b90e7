"""Norms against numbers worked out by hand. Parity with torch.nn is in tests/parity."""

from __future__ import annotations

import pytest
import torch

from core.nn.norms import LayerNorm, RMSNorm
from core.tracing.tap import NO_TAP, Recorder


def test_layer_norm_of_the_lecture():
    """[100, 200, 100, 0]: mean 100, variance 5000, so 0, 1.414, 0, -1.414."""
    tap = Recorder()
    out = LayerNorm(4, eps=0.0)(torch.tensor([100.0, 200.0, 100.0, 0.0]), tap)
    assert tap.values["mean"].item() == 100
    assert tap.values["var"].item() == 5000
    expected = torch.tensor([0.0, 2**0.5, 0.0, -(2**0.5)])
    torch.testing.assert_close(tap.values["normalized"], expected)
    torch.testing.assert_close(out, expected)


def test_layer_norm_scales_and_shifts_each_component():
    norm = LayerNorm(2, eps=0.0)
    norm.weight.data = torch.tensor([2.0, 3.0])
    norm.bias.data = torch.tensor([10.0, 20.0])
    # [1, 3] has mean 2 and variance 1, so it becomes [-1, 1].
    torch.testing.assert_close(norm(torch.tensor([[1.0, 3.0]])), torch.tensor([[8.0, 23.0]]))


def test_eps_stands_inside_the_root():
    norm = LayerNorm(2, eps=3.0)
    # Variance 1 plus eps 3: the root is 2.
    for tap in (NO_TAP, Recorder()):
        torch.testing.assert_close(norm(torch.tensor([1.0, 3.0]), tap), torch.tensor([-0.5, 0.5]))


def test_rms_norm_divides_by_the_root_mean_square_without_centring():
    tap = Recorder()
    norm = RMSNorm(2, eps=0.0)
    norm.weight.data = torch.tensor([1.0, 10.0])
    # Squares 1 and 49: their mean is 25, its root 5.
    out = norm(torch.tensor([1.0, 7.0]), tap)
    assert tap.values["rms"].item() == 5
    torch.testing.assert_close(out, torch.tensor([0.2, 14.0]))


@pytest.mark.parametrize("kind", [LayerNorm, RMSNorm])
def test_equal_components_make_no_nan(kind):
    norm = kind(4, 1e-5)
    for x in (torch.zeros(1, 4), torch.full((1, 4), 7.0)):
        for tap in (NO_TAP, Recorder()):
            assert norm(x, tap).isfinite().all()
