"""The feed-forward network and its non-linearities, by hand."""

from __future__ import annotations

import math

import pytest
import torch

from core.nn.feedforward import ACTIVATIONS, FeedForward, GatedFeedForward, gelu_tanh
from core.tracing.tap import Recorder


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        ("relu", lambda x: max(0.0, x)),
        ("gelu", lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2)))),
        (
            "gelu_tanh",
            lambda x: 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
        ),
        ("relu_squared", lambda x: max(0.0, x) ** 2),
        ("silu", lambda x: x / (1 + math.exp(-x))),
    ],
)
def test_activations_are_their_formulas(name, by_hand):
    xs = [-3.0, -1.0, -0.1, 0.0, 0.5, 1.0, 4.0]
    found = ACTIVATIONS[name](torch.tensor(xs, dtype=torch.float64))
    assert found.tolist() == pytest.approx([by_hand(x) for x in xs], abs=1e-12)


def test_every_activation_is_tested_above():
    assert set(ACTIVATIONS) == {"relu", "gelu", "gelu_tanh", "relu_squared", "silu"}


def test_a_unit_fires_and_writes_its_column():
    ffn = FeedForward(2, 1, "relu")
    ffn.w_1.weight.data = torch.tensor([[1.0, -1.0]])
    ffn.w_1.bias.data = torch.tensor([0.5])
    ffn.w_2.weight.data = torch.tensor([[10.0], [20.0]])
    ffn.w_2.bias.data = torch.tensor([1.0, 2.0])
    tap = Recorder()
    out = ffn(torch.tensor([[[3.0, 1.0], [1.0, 3.0]]]), tap)
    assert tap.values["pre"].flatten().tolist() == [2.5, -1.5]
    assert tap.values["post"].flatten().tolist() == [2.5, 0.0]
    assert out.tolist() == [[[26.0, 52.0], [1.0, 2.0]]]
    assert tap.values["out"].equal(out)


def test_a_gate_multiplies_the_activation():
    ffn = GatedFeedForward(4, 6, "silu", bias=False).double()
    x = torch.randn(1, 3, 4, dtype=torch.float64)
    tap = Recorder()
    out = ffn(x, tap)
    gate = x @ ffn.w_gate.weight.T
    hidden = torch.nn.functional.silu(x @ ffn.w_1.weight.T) * gate
    torch.testing.assert_close(tap.values["gate"], gate)
    torch.testing.assert_close(tap.values["post"], hidden)
    torch.testing.assert_close(out, hidden @ ffn.w_2.weight.T)


def test_each_position_stands_alone():
    ffn = FeedForward(4, 8, "gelu")
    x = torch.randn(1, 3, 4)
    torch.testing.assert_close(ffn(x)[:, 1:2], ffn(x[:, 1:2]))


def test_gelu_with_gradients():
    x = torch.linspace(-3, 3, 50, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(gelu_tanh, x)
