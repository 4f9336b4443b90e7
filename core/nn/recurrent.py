"""Recurrent layers: a state that reads one position after the other."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from core.language import N_
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


class GRU(nn.Module):
    """Gated recurrent unit: one layer that reads in one direction.

    Cho et al. 2014 ("Learning phrase representations using RNN encoder-decoder"), equations (5)
    to (8), with the reset where PyTorch and cuDNN have it: on what the old state says to the
    candidate, not on the state itself.

    Args:
        d_input: width of what it reads.
        d_state: width of its state.
    """

    def __init__(self, d_input: int, d_state: int) -> None:
        super().__init__()
        self.w_x = nn.Linear(d_input, 3 * d_state)
        self.w_h = nn.Linear(d_state, 3 * d_state)

    @property
    def d_state(self) -> int:
        """Width of its state."""
        return self.w_h.in_features

    @property
    def d_carried(self) -> int:
        """Width of all that goes from one position to the next: the state."""
        return self.d_state

    def forward(self, x_gates: Tensor, h: Tensor, step: int = 0, tap: Tap = NO_TAP) -> Tensor:
        """The next state ``(B, D)``.

        Args:
            x_gates: what the input says to the gates and the candidate, ``w_x(x)``: ``(B, 3 D)``.
                It needs no state, so that of all positions can be computed at once.
            h: the state before, ``(B, D)``.
            step: the position.
        """
        (x_r, x_u, x_c), (h_r, h_u, h_c) = x_gates.chunk(3, -1), self.w_h(h).chunk(3, -1)
        reset = tap("reset", torch.sigmoid(x_r + h_r), step)
        update = tap("update", torch.sigmoid(x_u + h_u), step)
        candidate = tap("candidate", torch.tanh(x_c + reset * h_c), step)
        return tap("hidden", (1 - update) * candidate + update * h, step)

    def sites(self, width: str = "D") -> tuple[Site, ...]:
        """What it taps; ``width`` is the letter of its state."""
        axes = ("T", width)
        return declared(
            type(self),
            Site("reset", axes, r"r_t", N_("The reset gate: how much of the old state the "
                                           "candidate hears, number by number.")),
            Site("update", axes, r"u_t", N_("The update gate: how much of the old state stays, "
                                            "number by number.")),
            Site("candidate", axes, r"\tilde{h}_t", N_("The candidate: what the state would be if "
                                                       "nothing of the old one stayed.")),
            Site("hidden", axes, r"h_t", N_("The hidden state after each position: all that is "
                                            "handed on to the next one.")),
        )  # fmt: skip


class LSTM(nn.Module):
    """Long short-term memory: one layer that reads in one direction.

    Hochreiter & Schmidhuber 1997, with the forget gate of Gers et al. 2000, as in PyTorch. What it
    carries is its hidden state and its cell, side by side.

    Args:
        d_input: width of what it reads.
        d_state: width of its hidden state, and of its cell.
    """

    def __init__(self, d_input: int, d_state: int) -> None:
        super().__init__()
        self.w_x = nn.Linear(d_input, 4 * d_state)
        self.w_h = nn.Linear(d_state, 4 * d_state)

    @property
    def d_state(self) -> int:
        """Width of its hidden state."""
        return self.w_h.in_features

    @property
    def d_carried(self) -> int:
        """Width of all that goes from one position to the next."""
        return 2 * self.d_state

    def forward(self, x_gates: Tensor, carried: Tensor, step: int = 0, tap: Tap = NO_TAP) -> Tensor:
        """What it carries on, ``(B, 2 D)``: the hidden state, then the cell.

        Args:
            x_gates: what the input says to the gates and the candidate, ``w_x(x)``: ``(B, 4 D)``.
            carried: what it carried before, ``(B, 2 D)``.
            step: the position.
        """
        h, cell = carried.chunk(2, -1)
        i, f, c, o = (x_gates + self.w_h(h)).chunk(4, -1)
        enter = tap("input", torch.sigmoid(i), step)
        forget = tap("forget", torch.sigmoid(f), step)
        candidate = tap("candidate", torch.tanh(c), step)
        leave = tap("output", torch.sigmoid(o), step)
        cell = tap("cell", forget * cell + enter * candidate, step)
        return torch.cat([tap("hidden", leave * torch.tanh(cell), step), cell], dim=-1)

    def sites(self, width: str = "D") -> tuple[Site, ...]:
        """What it taps; ``width`` is the letter of its hidden state."""
        axes = ("T", width)
        return declared(
            type(self),
            Site("input", axes, r"i_t", N_("The input gate: how much of the candidate enters the "
                                           "cell, number by number.")),
            Site("forget", axes, r"f_t", N_("The forget gate: how much of the old cell stays, "
                                            "number by number.")),
            Site("candidate", axes, r"\tilde{c}_t", N_("The candidate: what may be added to the "
                                                       "cell.")),
            Site("output", axes, r"o_t", N_("The output gate: how much of the cell is shown in "
                                            "the hidden state, number by number.")),
            Site("cell", axes, r"c_t", N_("The cell after each position: what is kept from one "
                                          "position to the next.")),
            Site("hidden", axes, r"h_t", N_("The hidden state after each position: what the cell "
                                            "shows of itself.")),
        )  # fmt: skip


class Bidirectional(nn.Module):
    """Two layers on one stream: one reads it forwards, one backwards (Schuster & Paliwal 1997).

    Args:
        d_input: width of what they read.
        d_state: width of each one's state.
        cell: of which kind they are.
    """

    def __init__(self, d_input: int, d_state: int, cell: type[GRU | LSTM] = GRU) -> None:
        super().__init__()
        self.d_input = d_input
        # "forward" is a name that add_module keeps for the method.
        self._modules["forward"] = cell(d_input, d_state)
        self._modules["backward"] = cell(d_input, d_state)

    def read(
        self,
        x: Tensor,
        real: Tensor | None = None,
        tap: Tap = NO_TAP,
        backwards: Tensor | None = None,
    ) -> Tensor:
        """The states of both, side by side: ``(B, T, E) -> (B, T, 2 D)``.

        Args:
            x: what they read.
            real: bool ``(B, T)``, False on padding, which leaves every state as it is.
            backwards: what the second one reads, where that is not the same, ``(B, T, E)``: in two
                language models that must not see each other's words.
        """
        n = x.shape[1]
        inputs = {"forward": x, "backward": x if backwards is None else backwards}
        sides = []
        for way, order in (("forward", range(n)), ("backward", reversed(range(n)))):
            layer = self._modules[way]
            assert isinstance(layer, GRU | LSTM)
            # What the input says at all positions is one product, and each position's lies in one
            # piece: (T, B, gates).
            x_gates, at_way = layer.w_x(inputs[way].transpose(0, 1)).unbind(0), tap.at(way)
            h, carried = x.new_zeros(len(x), layer.d_carried), [x] * n
            for t in order:
                new = layer(x_gates[t], h, t, at_way)
                h = carried[t] = new if real is None else torch.where(real[:, t, None], new, h)
            sides.append(torch.stack([state[:, : layer.d_state] for state in carried], dim=1))
        return torch.cat(sides, dim=-1)

    def sites(self, width: str = "D") -> Iterator[Site]:
        """What it taps, in the order of computation; ``width`` as of one of them."""
        for way, layer in self._modules.items():
            assert isinstance(layer, GRU | LSTM)
            yield from within(way, layer.sites(width))
