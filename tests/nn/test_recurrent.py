"""Recurrent layers are those of PyTorch, step by step, and additive attention is its equation."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from core.nn.recurrent import GRU, LSTM, Bidirectional
from core.tracing.tap import Recorder


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


def of_torch(layers: list[GRU] | list[LSTM]) -> nn.GRU | nn.LSTM:
    """PyTorch's own layer with the same weights, one direction or two."""
    first = layers[0]
    kind = {GRU: nn.GRU, LSTM: nn.LSTM}[type(first)]
    theirs = kind(
        first.w_x.in_features, first.d_state, batch_first=True, bidirectional=len(layers) == 2
    ).double()
    theirs.load_state_dict(
        {
            f"{kind}_{letter}h_l0{suffix}": getattr(module, kind)
            for layer, suffix in zip(layers, ("", "_reverse"), strict=False)
            for letter, module in (("i", layer.w_x), ("h", layer.w_h))
            for kind in ("weight", "bias")
        }
    )
    return theirs


def through(layer: GRU | LSTM, x: torch.Tensor, carried: torch.Tensor) -> torch.Tensor:
    """What is carried on after each position, ``(B, T, carried)``."""
    found = []
    for at in range(x.shape[1]):
        carried = layer(layer.w_x(x[:, at]), carried, at)
        found.append(carried)
    return torch.stack(found, 1)


def test_a_step_is_that_of_torch():
    gru = GRU(5, 4).double()
    x, h = torch.randn(3, 6, 5, dtype=torch.float64), torch.randn(3, 4, dtype=torch.float64)
    theirs, last = of_torch([gru])(x, h[None])
    found = through(gru, x, h)
    close(found, theirs)
    close(found[:, -1], last[0])


def test_a_step_of_a_cell_is_that_of_torch():
    lstm = LSTM(5, 4).double()
    x, carried = torch.randn(3, 6, 5, dtype=torch.float64), torch.randn(3, 8, dtype=torch.float64)
    h, cell = carried.chunk(2, -1)
    theirs, (last, last_cell) = of_torch([lstm])(x, (h[None].contiguous(), cell[None].contiguous()))
    found = through(lstm, x, carried)
    close(found[..., :4], theirs)
    close(found[:, -1], torch.cat([last[0], last_cell[0]], -1))


def both(d_input: int, d_state: int, cell: type = GRU) -> Bidirectional:
    return Bidirectional(d_input, d_state, cell).double()


@pytest.mark.parametrize("cell", [GRU, LSTM])
def test_two_directions_are_those_of_torch(cell):
    layer, x = both(5, 4, cell), torch.randn(2, 7, 5, dtype=torch.float64)
    close(layer.read(x), of_torch(list(layer.children()))(x)[0])


@pytest.mark.parametrize("cell", [GRU, LSTM])
def test_padding_leaves_every_state_as_it_is(cell):
    layer, x = both(5, 4, cell), torch.randn(2, 7, 5, dtype=torch.float64)
    lengths = torch.tensor([3, 7])
    real = torch.arange(7) < lengths[:, None]
    found = layer.read(x, real)
    for row, n in enumerate(lengths):
        close(found[row, :n], layer.read(x[row : row + 1, :n])[0])
    close(found[0, 3:, :4], found[0, 2:3, :4].expand(4, 4))  # the last real state, forwards
    assert not found[0, 3:, 4:].any()  # backwards nothing has been read yet


@pytest.mark.parametrize("cell", [GRU, LSTM])
def test_each_direction_may_read_something_of_its_own(cell):
    """As torch's layers do, one on each input; padding behind a row changes nothing of it."""
    layer = both(5, 4, cell)
    x, other = torch.randn(2, 2, 7, 5, dtype=torch.float64)
    forward, backward = ([of_torch([one])(given)[0] for given in (x, other.flip(1))][way]
                         for way, one in enumerate(layer.children()))  # fmt: skip
    found = layer.read(x, backwards=other)
    close(found, torch.cat([forward, backward.flip(1)], -1))
    real = torch.arange(7) < torch.tensor([3, 7])[:, None]
    short = layer.read(x[:1, :3], backwards=other[:1, :3])
    close(layer.read(x, real, backwards=other)[0, :3], short[0])


def tapped(cell: type) -> dict[str, torch.Tensor]:
    """What a layer of two directions taps, which is what it says and what it hands on."""
    layer, tap = both(5, 4, cell), Recorder()
    whole = layer.read(torch.randn(1, 3, 5, dtype=torch.float64), tap=tap)
    assert list(tap.values) == [site.name for site in layer.sites()]
    values = tap.values
    close(torch.cat([values["forward.hidden"], values["backward.hidden"]], -1), whole)
    return values


def before(states: torch.Tensor) -> torch.Tensor:
    """What each position met."""
    return torch.cat([torch.zeros(1, 1, 4), states[:, :-1]], 1)


def test_what_it_taps_is_what_it_says():
    values = tapped(GRU)
    keep, hidden = values["forward.update"], values["forward.hidden"]
    close(hidden, (1 - keep) * values["forward.candidate"] + keep * before(hidden))
    for gate in ("reset", "update"):
        assert ((values[f"backward.{gate}"] > 0) & (values[f"backward.{gate}"] < 1)).all()


def test_what_a_cell_taps_is_what_it_says():
    values = tapped(LSTM)
    cell = values["forward.cell"]
    kept = values["forward.forget"] * before(cell)
    close(cell, kept + values["forward.input"] * values["forward.candidate"])
    close(values["forward.hidden"], values["forward.output"] * torch.tanh(cell))
    for gate in ("input", "forget", "output"):
        assert ((values[f"backward.{gate}"] > 0) & (values[f"backward.{gate}"] < 1)).all()
