"""A sheet of a matrix as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures import drawing
from core.figures.components.base import Selection
from core.figures.components.matrix.sheet import Category, Sheet
from core.figures.drawing import CHAR, cell_colour, ink_on, mix, rect
from core.figures.text import number
from core.figures.theme import Palette
from core.language import _

WINDOW = 48  # rows and columns shown at once, on the screen and in a file
HEIGHT, WIDE = 20.0, 20.0  # of a cell in a file
BAR_HEIGHT, BAR_WIDE = 44.0, 8.0
STRIP, SHADES = 176.0, 33  # the scale: how wide, and in how many shades
MAX_CELL, NUMBERED = 34, 46  # width of a cell in the browser, and of one with a bar and its number


class SheetDrawing:
    """A sheet as SVG: the window that is shown, with what is selected outlined."""

    def __init__(
        self,
        sheet: Sheet,
        arrays: Mapping[str, NDArray[Any]],
        selection: Selection,
        palette: Palette,
        window: tuple[int, int] | None,
    ) -> None:
        self.sheet, self.arrays, self.palette = sheet, arrays, palette
        self.values = arrays[sheet.array]
        self.row, self.col = sheet.rows.chosen(selection), sheet.cols.chosen(selection)
        self.n_rows = min(WINDOW, self.values.shape[0])
        self.n_cols = min(sheet.cols.window or WINDOW, self.values.shape[1])
        window_start = window or (None, None)
        self.rows = _window(window_start[0], self.row, self.n_rows, self.values.shape[0])
        self.cols = _window(window_start[1], self.col, self.n_cols, self.values.shape[1])
        self.height = BAR_HEIGHT if sheet.glyph == "bars" else HEIGHT
        self.left = 16 + CHAR * max((len(self.label("rows", i)) for i in self.rows), default=1)
        texts = [self.text(i, j) for i in self.rows for j in self.cols]
        self.wide = max(WIDE, 12 + CHAR * max(map(len, texts), default=0))
        if sheet.glyph == "bars":
            self.wide = self.wide + 2 * BAR_WIDE if self.numbered else BAR_WIDE

    def label(self, name: str, index: int) -> str:
        axis = self.sheet.rows if name == "rows" else self.sheet.cols
        return "" if axis.hide else axis.labels[index]

    def masked(self, i: int, j: int) -> bool:
        mask = self.sheet.mask
        return mask is not None and not self.arrays[mask][i, j]

    @property
    def numbered(self) -> bool:
        """A bar has its number beside it, where the browser has room for that."""
        return bool(self.sheet.numbers) and (self.sheet.max_cell or MAX_CELL) >= NUMBERED

    def text(self, i: int, j: int) -> str:
        if self.sheet.glyph == "bars" and not self.numbered:
            return ""
        if self.sheet.counts is not None and not self.masked(i, j):
            return str(self.arrays[self.sheet.counts][i, j])
        return value_at(self.sheet, self.values, i, j, self.masked(i, j))

    def colour(self, i: int, j: int) -> str:
        value = self.values[i, j]
        if self.sheet.categories is not None:
            named = category_of(self.sheet.categories, value)
            return category_colour(self.palette, named) if named else self.palette.surface
        scale = self.sheet.scale
        return cell_colour(self.palette, scale.kind, float(value) - scale.zero,
                           scale.of(i) - scale.zero)  # fmt: skip

    def svg(self, title: str, alt: str) -> str:
        body = [drawing.hatching(self.palette)]
        for down, i in enumerate(self.rows):
            y = 36 + self.height * down
            chosen = i == self.row
            ink = drawing.role_colour(self.palette, self.sheet.rows.role if chosen else "text")
            body.append(
                drawing.text(self.left - 6, y + self.height / 2 + 4, self.label("rows", i), ink,
                             "end", "font-weight='700'" if chosen else "")
            )  # fmt: skip
            for across, j in enumerate(self.cols):
                body += self.cell(i, j, self.left + self.wide * across, y)
        body += self.outlines()
        if self.sheet.nothing:
            middle = 36 + self.height * self.n_rows / 2
            body.append(drawing.text(self.left, middle, self.sheet.nothing, self.palette.text))
        bottom = 36 + self.height * self.n_rows
        body += self.columns(bottom)
        foot = bottom + 20 + CHAR * max((len(self.label("cols", j)) for j in self.cols), default=1)
        width = max(
            self.left + self.wide * self.n_cols + 12,
            16 + 8.2 * len(title),
            self.left + CHAR * len(self.sheet.nothing or "") + 12,
        )
        if self.sheet.scaled and np.isfinite(self.values).any():  # nothing where all is covered
            body += self.scale(foot)
            foot += 32
        for words in self.notes():
            body.append(drawing.text(8, foot + 8, words, self.palette.muted))
            width, foot = max(width, 16 + CHAR * len(words)), foot + 20
        for entry in self.legend(foot):
            body += entry
            foot += 20
        return drawing.frame(width, foot, title, alt, body, self.palette)

    def cell(self, i: int, j: int, x: float, y: float) -> Iterator[str]:
        """A cell's ground, and what is written on it."""
        masked, words, middle = self.masked(i, j), self.text(i, j), x + self.wide / 2
        if self.sheet.glyph == "bars":
            yield from self.bar(i, j, x, y)
            return
        fill = "url(#h)" if masked else self.colour(i, j)
        yield rect(x, y, self.wide - 1, self.height - 1, fill)
        if words:
            ink = self.palette.muted if masked else ink_on(fill)
            yield drawing.text(middle, y + self.height / 2 + 4, words, ink, "middle")

    def bar(self, i: int, j: int, x: float, y: float) -> Iterator[str]:
        """A cell as a bar from the row's zero line, its number beside it."""
        palette, value = self.palette, float(self.values[i, j])
        middle = y + self.height / 2
        yield rect(x, y, self.wide - 1, self.height - 2, palette.surface)
        under = 8 + 2 * BAR_WIDE if self.numbered else self.wide - 1
        yield rect(x, middle - 0.5, under, 1, palette.border)
        later = self.sheet.grows and self.row is not None and i > self.row
        if later or math.isnan(value):
            return
        share = value / (self.sheet.scale.of(i) or 1.0) if math.isfinite(value) else 0.0
        share = max(-1.0, min(1.0, share))
        tall = abs(share) * (self.height / 2 - 3)
        colour = palette.negative if share < 0 else palette.positive if share else palette.muted
        top = middle - tall if share > 0 else middle
        start, wide = (x + 4, 2 * BAR_WIDE) if self.numbered else (x, BAR_WIDE - 1)
        yield rect(start, top, wide, max(1.0, tall), colour)
        if self.numbered:
            words = self.text(i, j)
            yield drawing.text(x + self.wide - 4, middle + 4, words, palette.text, "end")

    def outlines(self) -> Iterator[str]:
        """The selected row and the selected cell."""
        row, col = self.row, self.col
        if row is None or row not in self.rows:
            return
        y = 36 + self.height * (row - self.rows[0])
        stroke = f"stroke='{self.palette.accent}'"
        yield rect(self.left - 0.5, y - 0.5, self.wide * self.n_cols, self.height, "none", stroke)
        if col is not None and col in self.cols:
            x = self.left + self.wide * (col - self.cols[0])
            stroke = f"stroke='{self.palette.text}' stroke-width='2'"
            yield rect(x - 1, y - 1, self.wide + 1, self.height + 1, "none", stroke)

    def columns(self, bottom: float) -> Iterator[str]:
        for across, j in enumerate(self.cols):
            x = self.left + self.wide * across + self.wide / 2 + 4
            turned = f"transform='rotate(-90 {x:.1f} {bottom + 6})'"
            chosen = j == self.col
            ink = drawing.role_colour(self.palette, self.sheet.cols.role if chosen else "text")
            yield drawing.text(x, bottom + 6, self.label("cols", j), ink, "end", turned)

    def scale(self, foot: float) -> Iterator[str]:
        """What the colours stand for: from the lowest number to the highest, as a strip."""
        scale = self.sheet.scale
        signed, high = scale.kind == "signed", scale.of(0)
        low = -high if signed else scale.zero
        zero = 0.0 if signed else scale.zero
        for n, value in enumerate(np.linspace(low, high, SHADES)):
            fill = cell_colour(self.palette, scale.kind, float(value) - zero, high - zero)
            yield rect(8 + n * STRIP / SHADES, foot - 4, STRIP / SHADES + 0.5, 9, fill)
        ends = ((low, "start"), (0.0, "middle"), (high, "end")) if signed else (
            (low, "start"), (high, "end"))  # fmt: skip
        places = {"start": 8.0, "middle": 8 + STRIP / 2, "end": 8 + STRIP}
        for value, anchor in ends:
            label = self.sheet.format_value(value)
            yield drawing.text(places[anchor], foot + 18, label, self.palette.muted, anchor)

    def notes(self) -> Iterator[str]:
        """What rows and columns are, and which of them are drawn."""
        if self.sheet.axes is not None:
            yield str(self.sheet.axes)
        if self.values.shape != (self.n_rows, self.n_cols):
            yield _("Drawn: rows {a} to {b} of {rows}, columns {c} to {d} of {columns}.").format(
                a=self.rows[0], b=self.rows[-1], rows=self.values.shape[0],
                c=self.cols[0], d=self.cols[-1], columns=self.values.shape[1],
            )  # fmt: skip

    def legend(self, foot: float) -> Iterator[list[str]]:
        """The categories that are drawn."""
        if self.sheet.categories is None:
            return
        drawn = {int(self.values[i, j]) for i in self.rows for j in self.cols
                 if not self.masked(i, j) and np.isfinite(self.values[i, j])}  # fmt: skip
        for n, value in enumerate(sorted(drawn)):
            category, y = self.sheet.categories[value], foot + 20 * n
            yield [
                rect(8, y - 3, 14, 14, category_colour(self.palette, category)),
                drawing.text(28, y + 8, category.label, self.palette.text),
            ]


def _window(top: int | None, chosen: int | None, shown: int, n: int) -> range:
    """The rows that are shown: from the one asked for, else with the selected one among them."""
    first = (0 if chosen is None else chosen - shown + 1) if top is None else top
    start = max(0, min(first, n - shown))
    return range(start, start + shown)


def value_at(sheet: Sheet, values: NDArray[Any], i: int, j: int, masked: bool) -> str:
    """What is written into a cell of a file."""
    if masked:
        return sheet.masked_text or ""
    if sheet.texts is not None:
        return sheet.texts[i][j]
    if sheet.categories is not None:
        named = category_of(sheet.categories, values[i, j])
        return (named.text or "") if named else "?"
    return number(float(values[i, j]), 3 if sheet.glyph else 2) if sheet.numbers else ""


def category_of(categories: Sequence[Category], value: float) -> Category | None:
    """What a cell stands for; None while it is covered."""
    return categories[int(value)] if np.isfinite(value) else None


def category_colour(palette: Palette, category: Category) -> str:
    """The colour of a category."""
    share = 1.0 if category.share is None else category.share
    return mix(palette.surface, drawing.role_colour(palette, category.role), share)
