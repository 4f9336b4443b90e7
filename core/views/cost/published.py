"""The published machines: what the formula gives, and what their authors say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.costs import Machine
from core.analysis.published import PUBLISHED, Published
from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.text import MINUS, Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.locale import grouped, listed
from core.models.needs import NO_MODEL
from core.views.cost.bill import large
from core.views.params import param
from core.views.view import Note, View

COLUMNS = (N_("layers"), N_("d_model"), N_("feed-forward"), N_("formula"), N_("published"),
           N_("difference"))  # fmt: skip
PLAIN, FOUND = range(2)
ROOM = 92
NOTHING = 1e-4  # a difference without a sign


@dataclass(frozen=True, slots=True)
class Listed:
    """A cell of the list.

    Attributes:
        cost_row: the machine that is looked at.
        cost_column: the column.
    """

    cost_row: int = param(0, low=0, high=200, lives="browser", label=N_("Row"))
    cost_column: int = param(
        0, low=0, high=len(COLUMNS) - 1, lives="browser", label=N_("Column")
    )  # fmt: skip


class AllPublished(View[Listed, Listed]):
    """A row for each machine."""

    name, Params, needs = "cost.published", Listed, NO_MODEL

    def compute(self, runs: Sequence[object], params: Listed) -> Listed:
        return params

    def values(self, record: Listed) -> Mapping[str, Values]:
        every = list(PUBLISHED.values())
        axes = (Along("machine", _("machine"), [one.name for one in every]),)
        found = np.array([one.machine.parameters for one in every])
        said = np.array([one.said for one in every])
        data = np.array([_(one.data) for one in every], object)
        source = np.array([one.source for one in every], object)
        return {
            "layers": Values(_("layers"), np.array([_layers(one.machine) for one in every]), axes),
            "d_model": Values(
                _("d_model"), np.array([one.machine.d_model for one in every]), axes
            ),
            "parameters": Values(_("parameters by the formula"), found, axes),
            "published": Values(_("parameters as published"), said, axes),
            "difference": Values(_("share above what is published"), found / said - 1, axes),
            "trained_on": Values(_("trained on"), data, axes),
            "source": Values(_("published in"), source, axes),
        }  # fmt: skip

    def describe(self, record: Listed) -> Sentence:
        every = list(PUBLISHED.values())
        worst = max(every, key=lambda one: abs(_off(one)))
        sizes = [one.machine.parameters for one in every]
        return join([
            sentence(
                _("One formula gives all {n} sizes, from {least} to {most} parameters."),
                n=str(len(every)), least=large(min(sizes)), most=large(max(sizes)),
            ),
            sentence(
                _("{machine} is furthest from what its authors say: {off}."),
                machine=Mark(worst.name, "strong"), off=Mark(_signed(_off(worst)), "accent"),
            ),
        ])  # fmt: skip

    def draw(self, record: Listed) -> Matrix:
        title = _("Published sizes, and what the formula gives")
        kinds = np.full((len(PUBLISHED), len(COLUMNS)), PLAIN, np.uint8)
        kinds[:, COLUMNS.index("formula")] = FOUND
        sheet = Sheet(
            title=title,
            array="kinds",
            texts=[_cells(one) for one in PUBLISHED.values()],
            rows=Axis([one.name for one in PUBLISHED.values()], "cost_row", "accent",
                      room=ROOM),
            cols=Axis([_(name) for name in COLUMNS], "cost_column", "query"),
            scale=Scale("category"),
            categories=[Category(_("published"), "surface"),
                        Category(_("by the formula"), "accent", share=0.2)],
            least_cell=72,
            max_cell=140,
            row_height=30,
            axes=sentence(_("rows: machines · blue: by the formula")),
            alt="",
        )  # fmt: skip
        at = min(record.cost_row, len(kinds) - 1)
        return Matrix(
            sheets=[sheet], arrays={"kinds": kinds},
            selection={"cost_row": at, "cost_column": record.cost_column},
        )  # fmt: skip

    def notes(self, record: Listed) -> Sequence[Note]:
        sources = dict.fromkeys(one.source for one in PUBLISHED.values())
        said = sentence(
            _("Shapes and sizes are those of {sources}. The formula of BERT and ViT counts no head "
              "for pretraining. That of GPT-2 gives 1.56 billion, and the authors say 1.5."),
            sources=listed(sources),
        )  # fmt: skip
        return (Note("more", said),)


def _layers(machine: Machine) -> int:
    return sum(stack.n for stack in machine.layers)


def _off(one: Published) -> float:
    return one.machine.parameters / one.said - 1


def _signed(share: float) -> str:
    """With its sign: +3.8 %."""
    if abs(share) < NOTHING:
        return percent(abs(share))
    return ("+" if share > 0 else MINUS) + percent(abs(share))


def _cells(one: Published) -> list[str]:
    machine = one.machine
    return [
        " + ".join(str(stack.n) for stack in machine.layers),
        grouped(machine.d_model), grouped(machine.d_ff),
        large(machine.parameters), large(one.said), _signed(_off(one)),
    ]  # fmt: skip
