"""The table: a row for each use, a column for each machine, as far as it is guessed and settled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, join, sentence
from core.figures.values import Values
from core.language import _, name_of
from core.locale import listed
from core.views.view import Note
from core.views.which.deciding import KINDS, NEED
from core.views.which.run import At, Decision, OfDeciding, written

OPEN, GUESSED, CAN, CANNOT, UNKNOWN = range(5)
ROOM = 130


class Table(OfDeciding):
    """Open, guessed, or settled with its number."""

    name = "which.table"

    def values(self, record: Decision) -> Mapping[str, Values]:
        axes, at = (record.along_rows, record.along_machines), _place(record)
        numbers = _grid(record, record.number)
        verdicts = _grid(record, lambda cell: _as_number(record.can(cell)))
        right = _grid(record, lambda cell: _as_number(record.right(cell)))
        return {
            "number": Values(_("what the probe measured"), numbers, axes, selected=at),
            "can": Values(_("can"), verdicts, axes, selected=at),
            "right": Values(_("guessed right"), right, axes, selected=at),
            "least": Values(
                _("threshold"), np.array([kind.least for kind in KINDS]), axes[:1],
                selected=(record.row,),
            ),
        }  # fmt: skip

    def describe(self, record: Decision) -> Sentence:
        said = [sentence(
            _("{n} of {all} cells are settled."),
            n=Mark(str(len(record.found)), "accent"), all=str(record.cells),
        )]  # fmt: skip
        marked = [one for one in map(record.right, record.found) if one is not None]
        if marked:
            said.append(sentence(
                _("Right guesses: {right} of {n}."),
                n=str(len(marked)), right=Mark(str(sum(marked)), "accent"),
            ))  # fmt: skip
        return join([*said, *_advice(record)])

    def draw(self, record: Decision) -> Matrix:
        title = _("What each machine can do on this text")
        kinds = _grid(record, lambda cell: _kind(record, cell)).astype(np.uint8)
        columns = list(record.machines)
        sheet = Sheet(
            title=title,
            array="kinds",
            texts=[[_text(record, (row, column)) for column in columns]
                   for row in range(len(KINDS))],
            rows=Axis([_(kind.says) for kind in KINDS], "probe", "accent", room=ROOM),
            cols=Axis([name_of(record.machines[one]) for one in columns], "probed", "query",
                      ids=columns),
            scale=Scale("category"),
            categories=[
                Category(_("open"), "surface"),
                Category(_("guessed, not settled"), "position", share=0.2),
                Category(_("can"), "value", share=0.35),
                Category(_("cannot"), "key", share=0.3),
                Category(_("the text is too short for this probe"), "residual", share=0.2),
            ],
            least_cell=52,
            max_cell=150,
            row_height=34,
            axes=sentence(
                _("rows: what a machine may be wanted for · green: it can · orange: it cannot · "
                  "✓ and ✗: your guess was right or wrong")
            ),
            alt="",
        )  # fmt: skip
        return Matrix(
            selection=record.selection(), sheets=[sheet],
            arrays={"kinds": kinds},
        )  # fmt: skip

    def notes(self, record: Decision) -> Sequence[Note]:
        cut = record.params.text[len(record.params.read) :].strip()
        if not cut:
            return []
        return [Note("warning", sentence(_("The probes read the text up to here: “{cut}” is left "
                                           "out."), cut=cut[:60]))]  # fmt: skip


def _advice(record: Decision) -> list[Sentence]:
    """Whom to take, of each row that is settled as a whole."""
    said = []
    for row, kind in enumerate(KINDS):
        able = record.able(row)
        if able is None:
            continue
        template = (
            _("For “{use}” take: {machines}.")
            if able
            else _("For “{use}” no machine here will do.")
        )
        said.append(sentence(
            template, use=Mark(_(kind.says), "strong"),
            **({"machines": Mark(listed(able, "or"), "accent")} if able else {}),
        ))  # fmt: skip
    return said


def _grid(record: Decision, of: Callable[[At], float]) -> NDArray[np.float64]:
    """A number for each cell."""
    return np.array(
        [[of((row, column)) for column in record.machines] for row in range(len(KINDS))], float
    )


def _place(record: Decision) -> tuple[int, int]:
    """The cell that is looked at."""
    return record.row, list(record.machines).index(record.column)


def _as_number(said: bool | None) -> float:
    return np.nan if said is None else float(said)


def _kind(record: Decision, at: At) -> int:
    can = record.can(at)
    if at in record.found:
        return UNKNOWN if can is None else CAN if can else CANNOT
    return GUESSED if at in record.params.guessed else OPEN


def _text(record: Decision, at: At) -> str:
    """What stands in a cell."""
    kind = _kind(record, at)
    if kind == OPEN:
        return "?"
    if kind == GUESSED:
        return _("yes?") if record.params.said[at] == NEED[0] else _("no?")
    if kind == UNKNOWN:
        return "–"
    number = written(KINDS[at[0]], record.found[at].number)
    if record.found[at].lacks:
        said = _("no")
    else:
        said = (_("yes {number}") if kind == CAN else _("no {number}")).format(number=number)
    right = record.right(at)
    return said if right is None else f"{'✓' if right else '✗'} {said}"
