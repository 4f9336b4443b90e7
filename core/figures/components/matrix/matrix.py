"""A matrix whose every cell can be asked where its number comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from numpy.typing import NDArray

from core.figures.components.arithmetic import Ranked
from core.figures.components.base import Component, data
from core.figures.components.matrix.drawing import SheetDrawing
from core.figures.components.matrix.sheet import Sheet
from core.figures.payload import Payload
from core.figures.theme import PALETTES, Mode
from core.language import _


@dataclass(frozen=True, kw_only=True)
class Matrix(Component):
    """Sheets, their arrays, and which of them is shown.

    Attributes:
        sheets: at least one.
        arrays: by name: what is drawn, and the operands of the arithmetic.
        sheet: the one that is shown while nothing else is selected.
        sheet_field: the field of the selection that names it; None when there is one.
        sheet_tabs: tabs are drawn for them; else something else on the page steps through.
        masked_word: what is said of a masked cell, where that is not "masked".
        names: lists of names that the arithmetic refers to.
        lists: lists of named amounts for ``Ranks``, one a row.
        window: first row and column that a drawing shows; None for what the selection needs.
    """

    folder: ClassVar[str] = "matrix"

    sheets: Sequence[Sheet]
    arrays: Mapping[str, NDArray[Any]]
    sheet: int | None = None
    sheet_field: str | None = None
    sheet_tabs: bool | None = None
    masked_word: str | None = None
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lists: Mapping[str, Sequence[Ranked]] = field(default_factory=dict)
    window: tuple[int, int] | None = None

    def payload(self) -> Payload:
        return Payload(
            self.header(
                sheets=[data(sheet) for sheet in self.sheets],
                sheet_field=self.sheet_field,
                sheet=self.sheet,
                sheet_tabs=self.sheet_tabs,
                names=self.names or None,
                lists=self.lists or None,
                labels={
                    "masked": self.masked_word or _("masked"),
                    "terms": _("{n} terms"),
                    "all": _("show all terms"),
                    "fewer": _("show fewer"),
                    "computed_by": _("computed by"),
                    "whole": _("The whole matrix: the arrow keys move the part that is enlarged"),
                },
            ),
            self.arrays,
        )

    @property
    def shown(self) -> Sheet:
        """The sheet that is selected."""
        at = self.selection.get(self.sheet_field) if self.sheet_field else None
        chosen = int(at) if at is not None else self.sheet or 0
        return self.sheets[max(0, min(chosen, len(self.sheets) - 1))]

    def drawing(self, mode: Mode) -> str:
        return SheetDrawing(
            self.shown, self.arrays, self.selection, PALETTES[mode], self.window
        ).svg(self.title, self.alt)
