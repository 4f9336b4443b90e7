"""A matrix whose every cell can be asked where its number comes from."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from core.figures.components.arithmetic import Ranked
from core.figures.components.base import COVERED, Component, PickShape, Selected, data
from core.figures.components.matrix.drawing import SheetDrawing
from core.figures.components.matrix.sheet import Sheet
from core.figures.payload import Payload
from core.figures.theme import PALETTES, Mode
from core.language import _


@dataclass(frozen=True, kw_only=True)
class Matrix(Component):
    """Sheets, their arrays, and which of them is shown.

    Attributes:
        title: that of the first sheet when empty.
        sheets: at least one.
        arrays: by name: what is drawn, and the operands of the arithmetic.
        later: those that nothing but the arithmetic of some sheets wants.
        sheet: the one that is shown while nothing else is selected.
        sheet_field: the field of the selection that names it; None when there is one.
        slim: shown in place of the sheets, one at a time, where these would be too wide.
        slim_field: the field of the selection that names one of those.
        sheet_tabs: tabs are drawn for them; else something else on the page steps through.
        masked_word: what is said of a masked cell, where that is not "masked".
        names: lists of names that the arithmetic refers to.
        lists: lists of named amounts for ``Ranks``, one a row.
        window: first row and column that a drawing shows; None for what the selection needs.
        counted: it says how many columns there are; of a covered sheet that may be asked for.
    """

    folder: ClassVar[str] = "matrix"

    title: str = ""
    sheets: Sequence[Sheet]
    arrays: Mapping[str, NDArray[Any]]
    later: Sequence[str] = ()
    sheet: int | None = None
    sheet_field: str | None = None
    slim: Sequence[Sheet] = ()
    slim_field: str | None = None
    sheet_tabs: bool | None = None
    masked_word: str | None = None
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lists: Mapping[str, Sequence[Ranked]] = field(default_factory=dict)
    window: tuple[int, int] | None = None
    counted: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "title", self.title or self.sheets[0].title)

    def completed(self, alt: str, selection: Selected) -> Self:
        whole = super().completed(alt, selection)
        sheets = [dataclasses.replace(sheet, alt=whole.alt) if sheet.alt == "" else sheet
                  for sheet in self.sheets]  # fmt: skip
        return dataclasses.replace(whole, selection={**whole.selection, **whole.follows},
                                   sheets=sheets)  # fmt: skip

    def payload(self) -> Payload:
        return Payload(
            self.header(
                sheets=[data(sheet) for sheet in self.sheets],
                sheet_field=self.sheet_field,
                slim=[data(sheet) for sheet in self.slim] or None,
                slim_field=self.slim_field,
                sheet=self.sheet,
                sheet_tabs=self.sheet_tabs,
                names=self.names or None,
                lists=self.lists or None,
                labels={
                    "masked": self.masked_word or _("masked"),
                    "keys": _(
                        "The arrow keys go from cell to cell, and each is read out. "
                        "T shows a table."
                    ),
                    "terms": _("{n} terms"),
                    "all": _("show all terms"),
                    "fewer": _("show fewer"),
                    "computed_by": _("computed by"),
                    "code": _("The line of code"),
                    "whole": _("The whole matrix: the arrow keys move the part that is enlarged"),
                    "columns": _("columns {from} to {to} of {n}")
                    if self.counted
                    else _("columns {from} to {to}"),
                    "earlier": _("Earlier columns"),
                    "further": _("Further columns"),
                },
            ),
            self.arrays,
            self.later,
        )

    @property
    def shown(self) -> Sheet:
        """The sheet that is selected."""
        index = self.selection.get(self.sheet_field) if self.sheet_field else None
        chosen = int(index) if index is not None else self.sheet or 0
        return self.sheets[max(0, min(chosen, len(self.sheets) - 1))]

    def covered(self, rows: Sequence[int] | None, chosen: Mapping[str, Any]) -> Matrix | None:
        """The sheet that is shown, alone: its labels, and the numbers of the rows that are open."""
        sheet = self.shown
        array = np.asarray(self.arrays[sheet.array])
        if array.ndim != 2 or (sheet.rows.found and sheet.cols.found):
            return None
        shown = np.full(array.shape, np.nan, np.float32)
        closed = set(range(len(array)) if rows is None else (int(n) for n in rows))
        for n in set(range(len(array))) - closed:
            shown[n] = array[n]
        arrays: dict[str, NDArray[Any]] = {sheet.array: shown}
        if sheet.mask is not None and rows is not None:  # what is masked in the open rows
            arrays[sheet.mask] = np.array(self.arrays[sheet.mask])
            arrays[sheet.mask][sorted(closed)] = 1
        return Matrix(
            title=self.title,
            alt=_(COVERED),
            selection=chosen,
            sheets=[sheet.covered(shown, mask=sheet.mask if sheet.mask in arrays else None)],
            arrays=arrays,
            counted=False,
        )

    def up_to_now(self) -> Self:
        """A matrix ends its arithmetic there."""
        return dataclasses.replace(
            self,
            sheets=[sheet.up_to_now() for sheet in self.sheets],
            selection={**self.selection, **self.follows},  # what goes with a token stays so
        )

    def windowed(self, row: int, col: int) -> Self:
        return dataclasses.replace(self, window=(row, col))

    def pick_shape(self) -> PickShape | None:
        shape = np.shape(self.arrays[self.shown.array])
        return PickShape("cells", *shape) if len(shape) == 2 else None

    def drawing(self, mode: Mode) -> str:
        return SheetDrawing(
            self.shown, self.arrays, self.selection, PALETTES[mode], self.window
        ).svg(self.title, self.alt)
