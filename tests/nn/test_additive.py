"""Additive attention: its equation, and what it does with what is hidden."""

from __future__ import annotations

import pytest
import torch

from core.nn.additive import AdditiveAttention, AdditiveSelfAttention
from core.tracing.tap import Recorder


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


def looked(n: int = 4):
    attn = AdditiveAttention(6, 8, 5).double()
    h, memory = torch.randn(2, 6, dtype=torch.float64), torch.randn(2, n, 8, dtype=torch.float64)
    return attn, h, memory


def test_it_is_its_equation():
    attn, h, memory = looked()
    tap = Recorder()
    z = attn(h, attn.keys(memory, tap), memory, tap=tap)
    scores = torch.stack(
        [attn.w_s(torch.tanh(attn.w_q(h) + attn.w_k(memory[:, i])))[:, 0] for i in range(4)], 1
    )
    weights = scores.exp() / scores.exp().sum(1, keepdim=True)
    close(tap.values["scores"][:, 0], scores)
    close(tap.values["weights"][:, 0], weights)
    close(z, sum(weights[:, i, None] * memory[:, i] for i in range(4)))


@pytest.mark.parametrize("hidden", [[0], [1, 3], [0, 1, 2, 3]], ids=str)
def test_what_is_hidden_gets_nothing_and_passes_no_gradient(hidden):
    attn, h, memory = looked()
    memory.requires_grad_(True)
    may = torch.ones(2, 4, dtype=torch.bool)
    may[:, hidden] = False
    tap = Recorder()
    z = attn(h, attn.keys(memory), memory, may, tap=tap)
    weights = tap.values["weights"][:, 0]
    assert not weights[:, hidden].any()
    assert torch.isfinite(z).all()
    z.sum().backward()
    assert not memory.grad[:, hidden].any()
    assert torch.isfinite(memory.grad).all()
    if len(hidden) < 4:
        close(weights.sum(1), torch.ones(2, dtype=torch.float64))
        seen = [at for at in range(4) if at not in hidden]
        close(z, attn(h, attn.keys(memory[:, seen]), memory[:, seen]))


def test_states_that_look_back_are_queries_and_keys_of_one_another():
    attn = AdditiveSelfAttention(6, 5).double()
    states = torch.randn(2, 4, 6, dtype=torch.float64)
    one_by_one = AdditiveAttention(6, 6, 5).double()
    one_by_one.load_state_dict(attn.state_dict())
    z = attn(states, states)
    for at in range(4):
        past = states[:, : at + 1]
        close(z[:, at], one_by_one(states[:, at], one_by_one.keys(past), past))
    close(attn(states[:, 2:], states), z[:, 2:])
