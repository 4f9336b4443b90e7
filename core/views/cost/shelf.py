"""The Transformers of the shelf: what the formula gives beside what is counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.costs import PARTS
from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, join, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.locale import grouped, listed
from core.models.needs import NO_MODEL
from core.runs.costed import ShelfCosts
from core.runs.requests import Request, ShelfCostsRequest
from core.views.cost.sizes import PART_NAMES
from core.views.params import param
from core.views.view import Note, View

ROOM = 110
SAME, OTHER, SUM = range(3)


@dataclass(frozen=True, slots=True)
class OnShelf:
    """A cell of the table.

    Attributes:
        cost_row: the machine that is looked at.
        cost_part: the part, or the sum behind them.
    """

    cost_row: int = param(0, low=0, high=200, lives="browser", label=N_("Row"))
    cost_part: int = param(0, low=0, high=len(PARTS), lives="browser", label=N_("Part"))


@dataclass(frozen=True, eq=False)
class Shelf:
    """What is on it, and what was asked for."""

    params: OnShelf
    costs: ShelfCosts

    @property
    def formula(self) -> list[list[int]]:
        """By the formula, a row for each machine and a column for each part."""
        return [[one.machine.of_part(part) for part in PARTS] for one in self.costs.machines]

    @property
    def counted(self) -> list[list[int]]:
        """The same, counted."""
        return [list(one.counted) for one in self.costs.machines]


class OfShelf(View[OnShelf, Shelf]):
    """A row for each machine, a column for each part."""

    name, Params, needs = "cost.shelf", OnShelf, NO_MODEL

    def requests(self, params: OnShelf) -> tuple[Request, ...]:
        return (ShelfCostsRequest(),)

    def compute(self, runs: Sequence[ShelfCosts], params: OnShelf) -> Shelf:
        return Shelf(params, runs[0])

    def values(self, record: Shelf) -> Mapping[str, Values]:
        machines = Along("machine", _("machine"), _names(record))
        parts = Along("part", _("part"), [_(PART_NAMES[part]) for part in PARTS])
        formula, counted = np.array(record.formula), np.array(record.counted)
        return {
            "formula": Values(_("parameters by the formula"), formula, (machines, parts)),
            "counted": Values(_("parameters counted"), counted, (machines, parts)),
            "total": Values(_("all parameters"), counted.sum(axis=1), (machines,)),
            "same": Values(_("cells that agree"), np.array((formula == counted).sum())),
        }

    def describe(self, record: Shelf) -> Sentence:
        same = np.array(record.formula) == np.array(record.counted)
        said = sentence(
            _("In {same} of {all} cells the formula gives the number that is counted."),
            same=Mark(str(int(same.sum())), "accent"), all=str(same.size),
        )  # fmt: skip
        if same.all():
            return join([said, sentence(_("Not one parameter is left over."))])
        return said

    def draw(self, record: Shelf) -> Matrix:
        title = _("Parameters of the Transformers on our shelf, counted")
        same = np.array(record.formula) == np.array(record.counted)
        kinds = np.where(same, SAME, OTHER)
        kinds = np.column_stack([kinds, np.full(len(kinds), SUM)]).astype(np.uint8)
        sheet = Sheet(
            title=title,
            array="kinds",
            texts=[[*map(grouped, row), grouped(sum(row))] for row in record.counted],
            rows=Axis(_names(record), "cost_row", "accent", room=ROOM),
            cols=Axis([*(_(PART_NAMES[part]) for part in PARTS), _("all")], "cost_part", "query"),
            scale=Scale("category"),
            categories=[
                Category(_("the formula gives the same"), "value", share=0.25),
                Category(_("the formula gives another number"), "key", share=0.4),
                Category(_("sum"), "surface"),
            ],
            least_cell=74,
            max_cell=130,
            row_height=28,
            axes=sentence(_("rows: models · columns: parts · green: the formula gives the same")),
            alt="",
        )  # fmt: skip
        at = min(record.params.cost_row, len(kinds) - 1)
        return Matrix(
            sheets=[sheet], arrays={"kinds": kinds},
            selection={"cost_row": at, "cost_part": record.params.cost_part},
        )  # fmt: skip

    def notes(self, record: Shelf) -> Sequence[Note]:
        if not record.costs.others:
            return ()
        said = sentence(
            _("The formula is that of Transformers. These models are built in another way: "
              "{models}."),
            models=listed(map(name_of, record.costs.others)),
        )  # fmt: skip
        return (Note("more", said),)


def _names(record: Shelf) -> list[str]:
    return [name_of(one.model) for one in record.costs.machines]
