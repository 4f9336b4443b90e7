"""The state of a recurrent layer after each step, and the gates that made it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Axis, How, Matrix, Scale, Sheet
from core.figures.components.matrix import signed_limit
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Values
from core.language import _
from core.views.parts import layer_at, titled
from core.views.recurrent.arithmetic import kind_of, made
from core.views.recurrent.run import OfState, StateRun


class States(OfState):
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
        own = sentence(
            _("After “{token}”, unit {unit} of the state is {value}."),
            token=Mark(record.units[record.token].spoken, "query"),
            unit=str(record.col),
            value=Mark(_at(record, record(hidden)), "strong"),
        )
        return join([own, *_kept(record)])

    def draw(self, record: StateRun) -> Matrix:
        sheets = [_sheet(record, cell) for cell in record.cells]
        return Matrix(
            title=titled(
                _("State and gates, step by step"),
                layer_at(record.recurrence.n_layers, record.layer),
            ),
            selection=record.selection(),
            sheets=sheets,
            sheet=0,
            sheet_field="sheet",
            arrays=_arrays(record),
        )


def _at(record: StateRun, values: NDArray[Any]) -> str:
    return number(float(values[record.token, record.col]))


def _kept(record: StateRun) -> Iterator[Sentence]:
    """How much of what was carried stays in the unit that is selected, where that is known."""
    kind, how = kind_of(record), made(record)
    if kind is None or how is None:
        return
    yield sentence(
        _("The {gate} gate keeps {share} of the old {old}; the candidate is {new}."),
        gate=_(kind.keeps),
        share=Mark(percent(float(record(kind.keeps)[record.token, record.col])), "residual"),
        old=_at(record, how.operands["before"]),
        new=_at(record, record("candidate")),
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
    how = made(record)
    found = {cell: record(cell) for cell in record.cells} | dict(how.operands if how else {})
    return {name: np.ascontiguousarray(array, np.float32) for name, array in found.items()}


def _how(record: StateRun) -> How | None:
    """How a number of the state is computed, where that is known."""
    how = made(record)
    return None if how is None else How(_("How unit {col} after “{row}” is computed"), how.steps)
