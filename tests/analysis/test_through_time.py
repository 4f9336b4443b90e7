"""The gradient through time, against what torch finds on the same cell."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import torch

from core.analysis.through_time import back_through_gru, back_through_lstm
from core.nn.recurrent import GRU, LSTM

STEPS, D_INPUT, D = 7, 5, 6


def run(cell, width):
    """What a cell computes at each step, what it carries, and the gradient at each of these."""
    torch.manual_seed(3)
    for parameter in cell.parameters():
        torch.nn.init.normal_(parameter, 0, 0.7)
    found = defaultdict(list)

    def tap(name, value, _step):
        found[name].append(value.detach()[0].numpy())
        return value

    carried = [torch.zeros(1, width, dtype=torch.float64, requires_grad=True)]
    with torch.enable_grad():
        for step, x in enumerate(torch.randn(STEPS, 1, D_INPUT, dtype=torch.float64)):
            carried.append(cell(cell.w_x(x), carried[-1], step, tap))
        gradients = torch.autograd.grad(carried[-1][:, :D].norm(), carried[1:])
    sizes = [float(one.norm()) for one in gradients]
    w, b = cell.w_h.weight.detach().numpy(), cell.w_h.bias.detach().numpy()
    return {name: np.array(rows) for name, rows in found.items()}, sizes, w, b


def before(states):
    return np.concatenate([np.zeros((1, D)), states[:-1]])


def test_back_through_a_gru():
    cells, sizes, w, b = run(GRU(D_INPUT, D).double(), D)
    found = back_through_gru(cells, before(cells["hidden"]), w, b)
    np.testing.assert_allclose(found, sizes, rtol=1e-9)
    assert found[-1] == 1


def test_back_through_an_lstm():
    cells, sizes, w, _b = run(LSTM(D_INPUT, D).double(), 2 * D)
    found = back_through_lstm(cells, before(cells["cell"]), w)
    np.testing.assert_allclose(found, sizes, rtol=1e-9)
