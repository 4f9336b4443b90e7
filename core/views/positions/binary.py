"""Counting in binary: the picture behind the sinusoids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.positions import flips
from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import listed
from core.models.needs import NO_MODEL
from core.runs.requests import PositionsRequest, Request
from core.runs.results import PositionTable
from core.views.positions.positional import Floats, Sinusoidal, along_positions
from core.views.view import View

N, BITS = 16, 4


@dataclass(frozen=True)
class Binary:
    """0 to 15 in four bits, the highest first.

    Attributes:
        table: ``(positions, bits)`` of 0 and 1.
    """

    table: Floats

    @property
    def worth(self) -> list[str]:
        """What the digits are worth."""
        return [str(2**bit) for bit in reversed(range(self.table.shape[1]))]


class BinaryTable(View[Sinusoidal, Binary]):
    """Rows are positions, columns the digits of their numbers."""

    name, Params, needs = "positions.binary", Sinusoidal, NO_MODEL

    def requests(self, params: Sinusoidal) -> tuple[Request, ...]:
        return (PositionsRequest("binary", N, BITS),)

    def compute(self, runs: Sequence[PositionTable], params: Sinusoidal) -> Binary:
        return Binary(runs[0].values)

    def values(self, record: Binary) -> Mapping[str, Values]:
        digits = Along("digit", _("digit"), record.worth)
        axes = (along_positions(len(record.table)), digits)
        return {"bits": Values(_("bits"), record.table.astype(int), axes)}

    def describe(self, record: Binary) -> Sentence:
        *slower, last = flips(record.table)
        return sentence(
            _("The last digit changes {last} times, the digits before it {slower} times. Fast "
              "and slow digits together give every position its own pattern. Sines do the "
              "same without jumps."),
            last=Mark(str(last), "position"),
            slower=Mark(listed(str(n) for n in reversed(slower)), "position"),
        )  # fmt: skip

    def draw(self, record: Binary) -> Matrix:
        title = _("Counting in binary, 0 to {last}").format(last=len(record.table) - 1)
        rows = [str(at) for at in range(len(record.table))]
        sheet = Sheet(
            title=title,
            array="bits",
            rows=Axis(rows, "nth", "position"),
            cols=Axis(record.worth, "bit", "position"),
            scale=Scale("position", 1.6),
            texts=[[f"{bit:.0f}" for bit in row] for row in record.table],
            max_cell=40,
            row_height=21,
            axes=sentence(_("rows: positions · columns: what a digit is worth")),
            alt="",
        )
        bits = np.asarray(record.table, np.float32)
        return Matrix(sheets=[sheet], arrays={"bits": bits})
