"""Recurrent layers: what their gates let through and what their state is, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.through_time import back_through_gru, back_through_lstm
from core.errors import ParameterError
from core.figures import tokens
from core.figures.components import Axis, How, Matrix, Scale, Sheet, Strip
from core.figures.components.arithmetic import Apply, ArithmeticStep, Of, Sum, Times, Value
from core.figures.components.base import Selected
from core.figures.components.matrix import signed_limit
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, Phrase, _
from core.locale import Choice
from core.models.blueprint import Direction, Recurrence
from core.models.needs import Needs
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.tracing.trace import Array, Stream, Trace
from core.units import Unit
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.parts import layer_at, names, titled
from core.views.view import View

# --- one recurrent layer on a stream: what every view of its gates and states is computed from


@dataclass(frozen=True, slots=True)
class AtState(OnText):
    """One step of a recurrent layer, and one unit of its state.

    Attributes:
        recurrence: which recurrent layers, in a model that has several; empty for those that the
            answer is read from.
        direction: in which they read; empty for the first.
        layer: counted from 0.
        token: the step; -1 for the last word.
        col: the unit.
        sheet: which matrix is shown: the state, then its gates.
    """

    recurrence: str = param("", part="recurrence", label=N_("Layers of"))
    direction: str = param("", part="direction", label=N_("Reads"))
    layer: int = param(5, low=0, high=255, picked=True, label=N_("Layer"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    col: int = param(0, low=0, high=100_000, lives="browser", label=N_("Column"))
    sheet: int = param(0, low=0, high=20, lives="browser", label=N_("Matrix"))


@dataclass(frozen=True, eq=False)
class StateRun:
    """One layer that reads in one direction.

    Attributes:
        run: of the model.
        params: what was asked for.
        recurrence: which recurrent layers.
        direction: in which they read.
    """

    run: Run
    params: AtState
    recurrence: Recurrence
    direction: Direction

    @property
    def trace(self) -> Trace:
        return self.run.trace

    @property
    def stream(self) -> Stream:
        """The stream that the machine reads."""
        return self.trace.streams[self.recurrence.stream]

    @property
    def units(self) -> tuple[Unit, ...]:
        """What stands at its steps."""
        return self.stream.units

    @property
    def layer(self) -> int:
        return nearest("layer", self.params.layer, self.recurrence.n_layers - 1)

    @property
    def prefix(self) -> str:
        """Of the sites of this layer."""
        return f"{self.recurrence.layer(self.layer, self.direction)}."

    @cached_property
    def cells(self) -> list[str]:
        """What it computes at a step: its state first, then what that is made from, in order."""
        cells = [
            name.removeprefix(self.prefix)
            for name in self.trace.catalogue
            if name.startswith(self.prefix)
        ]
        return [cells[-1], *cells[:-1]]

    def __call__(self, cell: str) -> Array:
        """What a cell is at each step, ``(T, D)``."""
        return self.trace[self.prefix + cell]

    def is_gate(self, cell: str) -> bool:
        """Whether all its numbers lie between 0 and 1, so that they let a share through."""
        values = self(cell)
        return bool(values.min(initial=0.0) >= 0.0 and values.max(initial=0.0) <= 1.0)

    @property
    def width(self) -> int:
        """How many units the state has."""
        return self(self.cells[0]).shape[-1]

    # --- what is selected ----------------------------------------------------------------

    @property
    def token(self) -> int:
        if self.params.token < 0:
            return tokens.last_word(self.units)
        return nearest("token", self.params.token, len(self.units) - 1)

    @property
    def col(self) -> int:
        return nearest("col", self.params.col, self.width - 1)

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return {"token": self.token, "col": self.col, "layer": self.layer,
                "sheet": nearest("sheet", self.params.sheet, len(self.cells) - 1)}  # fmt: skip

    @property
    def along(self) -> tuple[Along, Along]:
        """The steps and the units, for numbers."""
        names = [str(unit) for unit in range(self.width)]
        return (
            Along("token", _("token"), tokens.labels(self.units)),
            Along("unit", _("unit"), names),
        )

    # --- from one step to the next -------------------------------------------------------

    def before(self, cell: str) -> Array | None:
        """What a cell was before each step, ``(T, D)``; None where its beginning is not known."""
        after, recurrence = self(cell), self.recurrence
        start = np.zeros((1, after.shape[1]), after.dtype)
        if recurrence.first is not None and cell == self.cells[0]:
            start = self.trace[recurrence.first].reshape(1, -1)
        elif recurrence.told is not None:
            return None
        if self.direction == "backward":
            return np.concatenate([after[1:], start])
        return np.concatenate([start, after[:-1]])


class RecurrentView(View[AtState, StateRun]):
    """A view of one recurrent layer."""

    Params, needs = AtState, Needs(parts=("recurrent",))

    def requests(self, params: AtState) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.given),)

    def compute(self, runs: Sequence[Run], params: AtState) -> StateRun:
        return state_run(runs, params)

    def controls(self, record: StateRun) -> Sequence[Control]:
        recurrence, blueprint = record.recurrence, record.trace.blueprint
        params = replace(record.params, recurrence=recurrence.name)
        return (
            *(Control(name, now, options=[*names(params, blueprint, name).items()])
              for name, now in (("recurrence", recurrence.name), ("direction", record.direction))),
            Control.numbered("layer", record.layer, recurrence.n_layers),
        )  # fmt: skip

    def selection(self, record: StateRun) -> Selected:
        return record.selection()


def strip_of(record: StateRun, title: str, **heat: Any) -> Strip:
    """Its tokens, each with a number.

    Args:
        record: the layer.
        title: which is made the layer's.
        heat: what a strip is told of its numbers, and what is said of each of them.
    """
    title = titled(title, layer_at(record.recurrence.n_layers, record.layer))
    return Strip(
        title=title,
        tokens=[
            tokens.chip(unit, born=record.stream.written and not unit.special)
            for unit in record.units
        ],
        default=record.token,
        heading=sentence(title),
        heat_role="residual",
        name=title,
        **heat,
    )


def state_run(runs: Sequence[Run], params: AtState) -> StateRun:
    """The layer that was asked for.

    Raises:
        ParameterError: the model has no layers of that name, or they do not read in that direction.
        NoPartError: it has no recurrent layers.
    """
    recurrence = runs[0].trace.blueprint.recurrence(params.recurrence)
    ways = {str(way): way for way in recurrence.directions}
    direction = params.direction or recurrence.directions[0]
    if direction not in ways:
        choices = Choice(list(ways))
        raise ParameterError(
            "direction", direction, Phrase(N_("one of {choices}"), choices=choices)
        )
    return StateRun(runs[0], params, recurrence, ways[direction])


# --- how a recurrent cell makes its state: the arithmetic behind a number, and its operands


@dataclass(frozen=True, eq=False)
class StateMaking:
    """How the state of a step is made.

    Attributes:
        operands: further arrays, ``(T, D)``.
        steps: of a number of the state.
    """

    operands: Mapping[str, Array]
    steps: tuple[ArithmeticStep, ...]


def _at(name: str) -> Of:
    return Of(name, row="token", col="col")


def _gru(record: StateRun, before: Array) -> StateMaking:
    """Cho et al. 2014, equation (7), with the gate as PyTorch has it."""
    update = record("update")
    operands = {"before": before, "kept": update * before, "open": 1 - update,
                "new": (1 - update) * record("candidate")}  # fmt: skip
    return StateMaking(operands, (
        Value(title=_("The state before this step"), name="h[{col}]", result=_at("before")),
        Times(title=_("What the update gate keeps of it"), a=_at("update"), b=_at("before"),
              result=_at("kept")),
        Times(title=_("What it lets in: 1 − update, times the candidate"), a=_at("open"),
              b=_at("candidate"), result=_at("new")),
        Sum(title=_("The state after this step"), now=True, terms=(_at("kept"), _at("new")),
            result=_at("hidden")),
    ))  # fmt: skip


def _lstm(record: StateRun, before: Array) -> StateMaking:
    """Hochreiter & Schmidhuber 1997, with the forget gate of Gers et al. 2000."""
    operands = {"before": before, "kept": record("forget") * before,
                "new": record("input") * record("candidate"),
                "squeezed": np.tanh(record("cell"))}  # fmt: skip
    return StateMaking(operands, (
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
class CellKind:
    """A kind of recurrent cell.

    Attributes:
        carried: what goes from one step to the next.
        keeps: the gate that says how much of it stays.
        how: the arithmetic, from that before each step.
    """

    carried: str
    keeps: str
    how: Callable[[StateRun, Array], StateMaking]


# By what a cell computes at each step.
_KINDS: Mapping[frozenset[str], CellKind] = {
    frozenset({"reset", "update", "candidate", "hidden"}): CellKind("hidden", "update", _gru),
    frozenset({"input", "forget", "candidate", "output", "cell", "hidden"}): CellKind(
        "cell", "forget", _lstm
    ),
}


def kind_of(record: StateRun) -> CellKind | None:
    """What kind of cell it is; None for one that is none of these."""
    return _KINDS.get(frozenset(record.cells))


def arithmetic_of(record: StateRun) -> StateMaking | None:
    """How the states are made; None for an unknown kind of cell, or one that begins unseen."""
    kind = kind_of(record)
    before = None if kind is None else record.before(kind.carried)
    return None if kind is None or before is None else kind.how(record, before)


# --- the tokens, with how much of the last state's gradient comes back to the state of each


class RecurrentGradientView(RecurrentView):
    """Under each token the gradient of the last state's length, which begins with size 1."""

    name = "recurrent.gradient"

    def values(self, record: StateRun) -> Mapping[str, Values]:
        along, place, back = record.along[:1], (record.token,), gradient(record)
        cell = record.cells[0]
        length = np.linalg.norm(record(cell), axis=1)
        values = {
            "length": Values(
                _("length of the state"), length, along, site=record.prefix + cell, selected=place
            )
        }
        if back is not None:
            label = _("gradient of the last state's length")
            values["gradient"] = Values(label, back, along, selected=place)
        return values

    def describe(self, record: StateRun) -> Sentence:
        return reading(record, record.token, gradient(record))

    def draw(self, record: StateRun) -> Strip:
        gradients = gradient(record)
        most = 0.0 if gradients is None else float(gradients.max(initial=0.0))
        return strip_of(
            record, _("How much gradient comes back through time"),
            heat=gradients,
            heat_limit=None if gradients is None else max(most, 1.0),
            heat_unit="share" if gradients is not None and most <= 1 else None,
            readings=[reading(record, position, gradients)
                      for position in range(len(record.units))],
        )  # fmt: skip


def gradient(record: StateRun) -> Array | None:
    """Its size at each state, ``(T,)``; None for an unknown kind of cell, or one begun unseen."""
    kind = kind_of(record)
    before = None if kind is None else record.before(kind.carried)
    w = record.trace.weights.get(f"{record.prefix}w_h.weight")
    b = record.trace.weights.get(f"{record.prefix}w_h.bias")
    if kind is None or before is None or w is None or b is None:
        return None
    way = slice(None, None, -1 if record.direction == "backward" else 1)
    cells, earlier = {name: record(name)[way] for name in record.cells}, before[way]
    if kind.carried == "cell":
        return np.asarray(back_through_lstm(cells, earlier, w)[way], np.float32)
    return np.asarray(back_through_gru(cells, earlier, w, b)[way], np.float32)


def reading(record: StateRun, position: int, gradients: Array | None) -> Sentence:
    """What comes back to one state, of what comes back to all."""
    name = record.units[position].spoken
    if gradients is None:
        return sentence(_("How these states are made is not known, so no gradient is drawn."))
    size = float(gradients[position])
    return sentence(
        _("At “{token}” the gradient is {share} of what it is at the last state."),
        token=Mark(name, "query"),
        share=Mark(percent(size) if size <= 1 else number(size), "residual"),
    )


# --- the tokens, with how much of the state each step leaves as it was ----------------


class RecurrentKeptView(RecurrentView):
    """Under each token the share that stays of the state, mean over its units."""

    name = "recurrent.kept"

    def values(self, record: StateRun) -> Mapping[str, Values]:
        along, place = record.along[:1], (record.token,)
        values = {
            "length": Values(
                _("length of the state"), np.linalg.norm(record(record.cells[0]), axis=1), along,
                site=record.prefix + record.cells[0], selected=place,
            )
        }  # fmt: skip
        share = kept_share(record)
        if share is not None:
            label = _("share of the state that stays, mean over its units")
            values["kept"] = Values(label, share, along, selected=place)
        return values

    def describe(self, record: StateRun) -> Sentence:
        return kept_reading(record, record.token)

    def draw(self, record: StateRun) -> Strip:
        share = kept_share(record)
        length = np.linalg.norm(record(record.cells[0]), axis=1)
        limit = 1.0 if share is not None else float(length.max()) or 1.0
        return strip_of(
            record, _("How much of the state each step keeps"),
            heat=length if share is None else share,
            heat_limit=limit,
            heat_unit="share" if share is not None else None,
            readings=[kept_reading(record, position) for position in range(len(record.units))],
        )  # fmt: skip


def kept_share(record: StateRun) -> Array | None:
    """How much stays at each step, mean over the units, ``(T,)``; None where no gate says that."""
    kind = kind_of(record)
    return None if kind is None else np.asarray(record(kind.keeps).mean(axis=1), np.float32)


def kept_reading(record: StateRun, position: int) -> Sentence:
    """What one step does to the state."""
    share, name = kept_share(record), record.units[position].spoken
    length = float(np.linalg.norm(record(record.cells[0])[position]))
    after = sentence(
        _("After “{token}” the state has length {length}."),
        token=Mark(name, "query"),
        length=Mark(number(length), "strong"),
    )
    if share is None:
        return after
    stays = sentence(
        _("At “{token}” the gates keep {share} of the state, mean over its {n} units."),
        token=Mark(name, "query"), share=Mark(percent(float(share[position])), "residual"),
        n=str(record.width),
    )  # fmt: skip
    return join([stays, after])


# --- the state of a recurrent layer after each step, and the gates that made it -------


class RecurrentStatesView(RecurrentView):
    """Rows are steps, columns units: a sheet for the state and one for each gate."""

    name = "recurrent.states"

    def values(self, record: StateRun) -> Mapping[str, Values]:
        place = (record.token, record.col)
        return {
            cell: Values(
                _(cell), record(cell), record.along, site=record.prefix + cell, selected=place
            )
            for cell in record.cells
        }

    def describe(self, record: StateRun) -> Sentence:
        hidden = record.cells[0]
        summary = sentence(
            _("After “{token}”, unit {unit} of the state is {value}."),
            token=Mark(record.units[record.token].spoken, "query"),
            unit=str(record.col),
            value=Mark(_cell_at(record, record(hidden)), "strong"),
        )
        return join([summary, *_kept_sentences(record)])

    def draw(self, record: StateRun) -> Matrix:
        return Matrix(
            title=titled(
                _("State and gates, step by step"),
                layer_at(record.recurrence.n_layers, record.layer),
            ),
            sheets=[_sheet(record, cell) for cell in record.cells],
            sheet=0,
            sheet_field="sheet",
            arrays=_arrays(record),
        )


def _cell_at(record: StateRun, values: NDArray[Any]) -> str:
    return number(float(values[record.token, record.col]))


def _kept_sentences(record: StateRun) -> Iterator[Sentence]:
    """How much of what was carried stays in the unit that is selected, where that is known."""
    kind, how = kind_of(record), arithmetic_of(record)
    if kind is None or how is None:
        return
    yield sentence(
        _("The {gate} gate keeps {share} of the old {old}; the candidate is {new}."),
        gate=_(kind.keeps),
        share=Mark(percent(float(record(kind.keeps)[record.token, record.col])), "residual"),
        old=_cell_at(record, how.operands["before"]),
        new=_cell_at(record, record("candidate")),
    )


def _sheet(record: StateRun, cell: str) -> Sheet:
    gate = record.is_gate(cell)
    what = record.trace.site(record.prefix + cell).sentence()
    return Sheet(
        title=what,
        tab=_(cell),
        array=cell,
        rows=Axis(tokens.labels(record.units), "token", "query"),
        cols=Axis([str(unit) for unit in range(record.width)], "col", "accent", hide=True),
        scale=Scale("residual", 1.0) if gate else Scale("signed", signed_limit(record(cell))),
        axes=sentence(_("rows: steps, in the order of the text · columns: units of the state")),
        max_cell=14,
        how=_how(record) if cell == record.cells[0] else None,
        source=record.trace.source(record.prefix + cell),
    )


def _arrays(record: StateRun) -> dict[str, NDArray[np.float32]]:
    """What is drawn, and what the arithmetic of the state is made of."""
    how = arithmetic_of(record)
    arrays = {cell: record(cell) for cell in record.cells} | dict(how.operands if how else {})
    return {name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()}


def _how(record: StateRun) -> How | None:
    """How a number of the state is computed, where that is known."""
    how = arithmetic_of(record)
    return None if how is None else How(_("How unit {col} after “{row}” is computed"), how.steps)
