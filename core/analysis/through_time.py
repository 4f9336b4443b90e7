"""The gradient of a recurrent layer's last state on its way back, one step at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]


def back_through_gru(cells: Mapping[str, Array], before: Array, w: Array, b: Array) -> Array:
    """How large the gradient of the last state's length is at every state, ``(T,)``.

    Args:
        cells: "reset", "update", "candidate" and "hidden", each ``(T, D)`` in the order of reading.
        before: the state before each step, ``(T, D)``.
        w: what the state is multiplied by, reset, update and candidate below each other,
            ``(3 D, D)``.
        b: what is added, ``(3 D,)``.
    """
    reset, update, candidate = (cells[name] for name in ("reset", "update", "candidate"))
    w_r, w_u, w_c = np.split(w, 3)
    h_c = before @ w_c.T + np.split(b, 3)[2]
    gradient, sizes = _of_length(cells["hidden"][-1]), []
    for t in reversed(range(len(before))):
        sizes.append(float(np.linalg.norm(gradient)))
        inside = gradient * (1 - update[t]) * (1 - candidate[t] ** 2)
        gradient = (
            gradient * update[t]
            + (gradient * (before[t] - candidate[t]) * update[t] * (1 - update[t])) @ w_u
            + (inside * reset[t]) @ w_c
            + (inside * h_c[t] * reset[t] * (1 - reset[t])) @ w_r
        )
    return np.array(sizes[::-1])


def back_through_lstm(cells: Mapping[str, Array], before: Array, w: Array) -> Array:
    """The same of an LSTM, whose state is its hidden vector and its cell.

    Args:
        cells: "input", "forget", "candidate", "output", "cell" and "hidden".
        before: the cell before each step, ``(T, D)``.
        w: what the hidden vector is multiplied by, for the gates in their order, ``(4 D, D)``.
    """
    enter, forget, candidate, leave = (
        cells[name] for name in ("input", "forget", "candidate", "output")
    )
    squeezed = np.tanh(cells["cell"])
    hidden, sizes = _of_length(cells["hidden"][-1]), []
    cell = np.zeros_like(hidden)
    for t in reversed(range(len(before))):
        sizes.append(float(np.hypot(np.linalg.norm(hidden), np.linalg.norm(cell))))
        cell = cell + hidden * leave[t] * (1 - squeezed[t] ** 2)
        gates = (
            cell * candidate[t] * enter[t] * (1 - enter[t]),
            cell * before[t] * forget[t] * (1 - forget[t]),
            cell * enter[t] * (1 - candidate[t] ** 2),
            hidden * squeezed[t] * leave[t] * (1 - leave[t]),
        )
        hidden, cell = np.concatenate(gates) @ w, cell * forget[t]
    return np.array(sizes[::-1])


def _of_length(state: Array) -> Array:
    """The gradient of a vector's length: its direction."""
    length = float(np.linalg.norm(state))
    return state / length if length else np.zeros_like(state)
