"""What is in a place of the flowing picture: rows of marks, each a number or a strip of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.figures import drawing
from core.figures.components.base import Component
from core.figures.components.map.part import Array, picture
from core.figures.drawing import CHAR, rect
from core.figures.payload import Payload
from core.figures.theme import PALETTES, Mode, Palette

ROW, STRIP, BAR, GAP, TOP = 26.0, 150.0, 110.0, 14.0, 66.0  # pixels of a drawing


@dataclass(frozen=True, slots=True)
class ComponentTerm:
    """One of the numbers that a component is made of.

    Attributes:
        column: of the sheet, by its name.
        row: in it.
        times: what it is multiplied by, in words; empty for nothing.
    """

    column: str
    row: int
    times: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMark:
    """One mark: what it says, and where it leads.

    Attributes:
        row: of the sheet.
        text: that is written; of a strip, behind it.
        says: its value in words.
        made: from which numbers, in a line.
        share: of a bar, how long it is; below 0 it goes to the left.
        goes: the place that it opens; empty for none.
        sign: between the terms that each component of a strip is made of.
        terms: the same.
        more: there are others, too small to be named.
        strong: it is the one that counts.
        limit: of a strip, where its colour is full; None for that of its column.
        value: the number that the text says, for a table; None for words.
    """

    row: int
    text: str = ""
    says: str = ""
    made: str = ""
    share: float | None = None
    goes: str = ""
    sign: str = ""
    terms: Sequence[ComponentTerm] = ()
    more: bool = False
    strong: bool = False
    limit: float | None = None
    value: float | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Column:
    """Marks of one kind, one below the other.

    Attributes:
        name: stable.
        title: above them.
        says: what they are, in a sentence.
        kind: strips of numbers, numbers, words, or bars with a text.
        role: of their colour.
        marks: from the top.
        values: of strips, the numbers ``(marks, n)``; NaN behind one that has fewer.
        made: how its numbers come of those before, as a formula below them; empty for none.
        spare: it is left out where there is little room.
        faint: nothing follows from it.
    """

    name: str
    title: str
    says: str
    kind: Literal["strip", "text", "words", "bar"]
    role: str
    marks: Sequence[PlaceMark]
    values: Array | None = None
    made: str = ""
    spare: bool = False
    faint: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Inside(Component):
    """The inside of one place.

    Attributes:
        place: by its name; empty where there is nothing.
        rows: what each row is called.
        aligned: the rows are the tokens of the picture around it.
        row: that is looked at; -1 for none.
        at: the positions that are looked at, by the names of the selection.
        fan: two columns of strips, between which the weights are drawn as lines; none where empty.
        weights: of each row, where there is a fan.
        columns: from left to right.
    """

    folder: ClassVar[str] = "inside"

    place: str
    rows: Sequence[str]
    aligned: bool
    row: int = -1
    at: Mapping[str, int]
    fan: Sequence[str] = ()
    weights: Sequence[float] = ()
    columns: Sequence[Column]

    def payload(self) -> Payload:
        header = self.header(
            mode="inside", title=self.title, alt=self.alt, place=self.place, rows=list(self.rows),
            aligned=self.aligned, row=self.row, at=dict(self.at), fan=list(self.fan),
            weights=[float(weight) for weight in self.weights],
            columns=[_column(column) for column in self.columns],
        )  # fmt: skip
        arrays = {
            column.name: picture(column.values)
            for column in self.columns
            if column.values is not None
        }
        return Payload(header, arrays)

    def drawing(self, mode: Mode) -> str:
        palette = PALETTES[mode]
        body: list[str] = []
        x = 8.0

        def write(x: float, y: float, text: str, colour: str) -> None:
            body.append(drawing.text(x, y, text, colour))

        for row, label in enumerate(self.rows):
            write(x, TOP + (row + 0.6) * ROW, label, palette.text)
        x += CHAR * max((len(row) for row in self.rows), default=0) + GAP
        for column in self.columns:
            write(x, TOP - 8, column.title, palette.muted)
            wide = {"strip": STRIP, "bar": BAR}.get(column.kind, 0.0)
            for n, mark in enumerate(column.marks):
                y = TOP + mark.row * ROW
                if column.values is not None:
                    limit = limit_of(column.values)
                    values = column.values[n : n + 1]
                    values = values[:, ~np.isnan(values[0])]
                    body.append(drawing.thumbnail(values, x, y + 3, wide, ROW - 6,
                                                  palette, limit=mark.limit or limit))  # fmt: skip
                if mark.share is not None:
                    body.append(_bar(column, mark.share, x, y, palette))
                write(
                    x + wide + 4,
                    y + 0.6 * ROW,
                    mark.text,
                    palette.muted if column.faint else palette.text,
                )
            write(x, TOP + ROW * len(self.rows) + 14, column.made, palette.muted)
            longest = max((len(mark.text) for mark in column.marks), default=0)
            written = max(len(column.title), len(column.made))
            x += max(wide + 4 + CHAR * longest, CHAR * written) + GAP
        height = TOP + ROW * len(self.rows) + 22
        return drawing.frame(x, height, self.title, self.alt, body, palette)


def _bar(column: Column, share: float, x: float, y: float, palette: Palette) -> str:
    """A bar, to the left of a line where it is below zero."""
    shares = [mark.share or 0.0 for mark in column.marks]
    low = min(0.0, *shares)
    unit = BAR / ((max(0.0, *shares) if low < 0 else 1.0) - low)
    zero, wide = x - low * unit, max(1.0, unit * min(1.0, abs(share)))
    left, colour = (zero - wide, palette.negative) if share < 0 else (zero, palette.weight)
    bar = rect(left, y + 6, wide, ROW - 12, colour)
    return bar if low >= 0 else bar + rect(zero, y, 1, ROW, palette.muted)


def limit_of(values: Array) -> float:
    """Where the colour of a strip is full: few components are far larger than the rest."""
    return float(np.nanquantile(np.abs(values), 0.97)) if values.size else 1.0


def _column(column: Column) -> dict[str, Any]:
    """As the browser reads it, without what is empty."""
    limit: NDArray[Any] | float = 1.0 if column.values is None else limit_of(column.values)
    return {
        "name": column.name, "title": column.title, "says": column.says, "kind": column.kind,
        "role": column.role, "spare": column.spare, "faint": column.faint, "limit": limit,
        "made": column.made, "marks": [_mark(mark) for mark in column.marks],
    }  # fmt: skip


def _mark(mark: PlaceMark) -> dict[str, Any]:
    terms = [[term.column, term.row, term.times] for term in mark.terms]
    fields = {
        "text": mark.text, "says": mark.says, "made": mark.made, "share": mark.share,
        "goes": mark.goes, "sign": mark.sign, "terms": terms,
        "more": mark.more or None, "strong": mark.strong, "limit": mark.limit,
    }  # fmt: skip
    return {"row": mark.row} | {
        name: value for name, value in fields.items() if value or value == 0.0
    }
