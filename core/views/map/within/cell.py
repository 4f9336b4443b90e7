"""In a recurrent cell: its gates at one step, and how the state of the step is made."""

from __future__ import annotations

from typing import Any

from core.figures.components.arithmetic import Apply, Of, Sum, Times
from core.figures.text import Mark as Said
from core.figures.text import number, sentence
from core.language import _
from core.models.blueprint import Direction, Recurrence
from core.views.map.within.made import Ladder, Sheet, Spot, begun
from core.views.recurrent import AtState, StateRun, made


def cell(spot: Spot, recurrence: Recurrence) -> Sheet:
    """Every number of the step at the row that is looked at."""
    asked = spot.whole.params
    wanted: Direction = "backward" if spot.place.backward else "forward"
    way = wanted if wanted in recurrence.directions else recurrence.directions[0]
    params = AtState(text=asked.text, model=asked.model, target=asked.target,
                     recurrence=recurrence.name, direction=way, layer=spot.place.layer,
                     token=spot.row)  # fmt: skip
    record = StateRun(spot.whole.run, params, recurrence, way)
    ladder, at = Ladder(), spot.row
    state, *gates = record.cells
    rows: dict[str, int] = {}
    how = made(record)
    results = set() if how is None else {_made(one) for one in how.steps}
    for name in gates:
        if name not in results:
            says = record.trace.site(record.prefix + name).sentence()
            rows[name] = ladder.strip(begun(says), record(name)[at], says=says)
    if how is None:
        ladder.strip(_("the state after this step"), record(state)[at])
    else:
        _steps(ladder, record, how, rows, at)
    own = record(state)[at]
    most = int(abs(own).argmax())
    said = sentence(
        _("After “{token}”, unit {unit} of the state is largest, with {value}."),
        token=Said(spot.token, "query"), unit=str(most),
        value=Said(number(float(own[most])), "strong"),
    )  # fmt: skip
    title = _("One step of the cell, layer {layer}, at “{token}”")
    about: dict[str, str | int] = {"recurrence": recurrence.name, "direction": way,
                                   "layer": record.layer, "token": at}  # fmt: skip
    return Sheet(
        title=title.format(layer=record.layer, token=spot.token), reading=said, rows=ladder.rows,
        columns=ladder.columns(), about=("recurrent.states", about),
    )  # fmt: skip


def _made(step: Any) -> str:
    """The array that a step makes."""
    return str(step.result.array)


def _steps(ladder: Ladder, record: StateRun, how: Any, rows: dict[str, int], at: int) -> None:
    """The arithmetic of the state, each of its steps a row."""

    def values(of: Of) -> Any:
        return (how.operands[of.array] if of.array in how.operands else record(of.array))[at]

    for step in how.steps:
        given: list[Of] = []
        sign = ""
        if isinstance(step, Times):
            given, sign = [step.a, step.b], "·"
        elif isinstance(step, Sum):
            given, sign = list(step.terms), "+"
        elif isinstance(step, Apply):
            given = [step.x]
        known = [rows[one.array] for one in given if one.array in rows]
        rows[_made(step)] = ladder.strip(
            step.title, values(step.result), sign, known if len(known) == len(given) else ()
        )
