"""How a recurrent cell makes its state: the arithmetic behind a number, and its operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.figures.components.arithmetic import Apply, Of, Step, Sum, Times, Value
from core.language import _
from core.tracing.trace import Array
from core.views.recurrent.run import StateRun


@dataclass(frozen=True, eq=False)
class Made:
    """How the state of a step is made.

    Attributes:
        operands: further arrays, ``(T, D)``.
        steps: of a number of the state.
    """

    operands: Mapping[str, Array]
    steps: tuple[Step, ...]


def _at(name: str) -> Of:
    return Of(name, row="token", col="col")


def _gru(record: StateRun, before: Array) -> Made:
    """Cho et al. 2014, equation (7), with the gate as PyTorch has it."""
    update = record("update")
    operands = {"before": before, "kept": update * before, "open": 1 - update,
                "new": (1 - update) * record("candidate")}  # fmt: skip
    return Made(operands, (
        Value(title=_("The state before this step"), name="h[{col}]", result=_at("before")),
        Times(title=_("What the update gate keeps of it"), a=_at("update"), b=_at("before"),
              result=_at("kept")),
        Times(title=_("What it lets in: 1 − update, times the candidate"), a=_at("open"),
              b=_at("candidate"), result=_at("new")),
        Sum(title=_("The state after this step"), now=True, terms=(_at("kept"), _at("new")),
            result=_at("hidden")),
    ))  # fmt: skip


def _lstm(record: StateRun, before: Array) -> Made:
    """Hochreiter & Schmidhuber 1997, with the forget gate of Gers et al. 2000."""
    operands = {"before": before, "kept": record("forget") * before,
                "new": record("input") * record("candidate"),
                "squeezed": np.tanh(record("cell"))}  # fmt: skip
    return Made(operands, (
        Value(title=_("The cell before this step"), name="c[{col}]", result=_at("before")),
        Times(title=_("What the forget gate keeps of it"), a=_at("forget"), b=_at("before"),
              result=_at("kept")),
        Times(title=_("What the input gate lets in of the candidate"), a=_at("input"),
              b=_at("candidate"), result=_at("new")),
        Sum(title=_("The cell after this step"), terms=(_at("kept"), _at("new")),
            result=_at("cell")),
        Apply(title=_("Squeeze it between −1 and 1"), name="tanh", x=_at("cell"),
              result=_at("squeezed")),
        Times(title=_("What the output gate shows of it: the state"), now=True, a=_at("output"),
              b=_at("squeezed"), result=_at("hidden")),
    ))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of recurrent cell.

    Attributes:
        carried: what goes from one step to the next.
        keeps: the gate that says how much of it stays.
        how: the arithmetic, from that before each step.
    """

    carried: str
    keeps: str
    how: Callable[[StateRun, Array], Made]


# By what a cell computes at each step.
_KINDS: Mapping[frozenset[str], Kind] = {
    frozenset({"reset", "update", "candidate", "hidden"}): Kind("hidden", "update", _gru),
    frozenset({"input", "forget", "candidate", "output", "cell", "hidden"}): Kind(
        "cell", "forget", _lstm
    ),
}


def kind_of(record: StateRun) -> Kind | None:
    """What kind of cell it is; None for one that is none of these."""
    return _KINDS.get(frozenset(record.cells))


def made(record: StateRun) -> Made | None:
    """How the states are made; None for an unknown kind of cell, or one that begins unseen."""
    kind = kind_of(record)
    before = None if kind is None else record.before(kind.carried)
    return None if kind is None or before is None else kind.how(record, before)
