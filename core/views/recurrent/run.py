"""One recurrent layer on a stream: what every view of its gates and states is computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from core.errors import ParameterError
from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Sentence, sentence
from core.figures.values import Along
from core.language import N_, Phrase, _
from core.locale import Choice
from core.models.blueprint import Direction, Recurrence
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.tracing.trace import Array, Stream, Trace
from core.units import Unit
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.parts import layer_at, names, titled
from core.views.view import View


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
        """What it reads."""
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
        own = [
            name.removeprefix(self.prefix)
            for name in self.trace.catalogue
            if name.startswith(self.prefix)
        ]
        return [own[-1], *own[:-1]]

    def __call__(self, cell: str) -> Array:
        """What a cell is at each step, ``(T, D)``."""
        return self.trace[self.prefix + cell]

    def is_gate(self, cell: str) -> bool:
        """Whether all its numbers lie between 0 and 1, so that they let a share through."""
        values = self(cell)
        return bool(values.min(initial=0.0) >= 0.0 and values.max(initial=0.0) <= 1.0)

    @property
    def width(self) -> int:
        """Units of its state."""
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
        after, own = self(cell), self.recurrence
        start = np.zeros((1, after.shape[1]), after.dtype)
        if own.first is not None and cell == self.cells[0]:
            start = self.trace[own.first].reshape(1, -1)
        elif own.told is not None:
            return None
        if self.direction == "backward":
            return np.concatenate([after[1:], start])
        return np.concatenate([start, after[:-1]])


class OfState(View[AtState, StateRun]):
    """A view of one recurrent layer."""

    Params, needs = AtState, Needs(parts=("recurrent",))

    def requests(self, params: AtState) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.given),)

    def compute(self, runs: Sequence[Run], params: AtState) -> StateRun:
        return state_run(runs, params)

    def controls(self, record: StateRun) -> Sequence[Control]:
        own, blueprint = record.recurrence, record.trace.blueprint
        params = replace(record.params, recurrence=own.name)
        return (
            *(Control(name, now, options=[*names(params, blueprint, name).items()])
              for name, now in (("recurrence", own.name), ("direction", record.direction))),
            Control.numbered("layer", record.layer, own.n_layers),
        )  # fmt: skip


def strip_of(record: StateRun, title: str, alt: Sentence, **heat: Any) -> Strip:
    """Its tokens, each with a number.

    Args:
        record: the layer.
        title: which is made the layer's.
        alt: what is said of the one that is selected.
        heat: what a strip is told of its numbers, and what is said of each of them.
    """
    title = titled(title, layer_at(record.recurrence.n_layers, record.layer))
    return Strip(
        title=title,
        alt=str(alt),
        selection=record.selection(),
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
    own = runs[0].trace.blueprint.recurrence(params.recurrence)
    ways = {str(way): way for way in own.directions}
    direction = params.direction or own.directions[0]
    if direction not in ways:
        choices = Choice(list(ways))
        raise ParameterError(
            "direction", direction, Phrase(N_("one of {choices}"), choices=choices)
        )
    return StateRun(runs[0], params, own, ways[direction])
