"""Bars as a drawing: the frame that is shown, as SVG."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.figures import drawing
from core.figures.drawing import CHAR, rect
from core.figures.theme import Palette

if TYPE_CHECKING:
    from core.figures.components.bars import BarRow, Bars, Series

REACH = 300.0  # pixels of the longest bar in a file
ROW = 20.0
COLUMNS = 100  # characters of a label that stands above its bar


class BarsDrawing:
    """The frame that is shown, as SVG."""

    def __init__(self, bars: Bars, palette: Palette) -> None:
        self.bars, self.palette = bars, palette
        self.rows = bars.frames[bars.frame].rows
        self.values = np.asarray(bars.values[bars.frame], float)[:, : len(self.rows)]
        longest = max((len(row.label) for row in self.rows), default=1)
        self.word = 8.0 if bars.stacked else CHAR * longest + 16
        self.body: list[str] = []
        self.y = 36.0
        if bars.series is None:
            self.one_side()
        elif bars.mirror:
            self.both_sides(bars.series)
        else:
            self.several(bars.series)
        note = bars.frames[bars.frame].note or bars.note
        if note:
            self.body.append(drawing.text(8, self.y + 14, note, palette.muted))
            self.y += ROW
        widest = 16 + CHAR * max(len(note or ""), min(longest, COLUMNS) if bars.stacked else 0)
        sides = 2 if bars.mirror else 1
        self.width = max(self.word + sides * (REACH + 90), 16 + 8.2 * len(bars.heading), widest)
        self.height = self.y + 12

    def top(self) -> float:
        """The value of the longest bar."""
        values = self.values[~np.isnan(self.values)]
        return 1.0 if self.bars.unit is None else max(1e-30, float(values.max(initial=0.0)))

    def colour(self, role: str | None) -> str:
        return drawing.role_colour(self.palette, role or "accent")

    def one_side(self) -> None:
        """One bar a word, at the stage that is shown; what was cut is as it was before."""
        bars, stage, now = self.bars, self.bars.stage, self.values[self.bars.stage]
        if len(bars.stages) > 1:
            self.body.append(drawing.text(8, self.y + 8, bars.stages[stage], self.palette.muted))
            self.y += ROW
        scale = 1.0 if bars.unit is None else max(1e-30, float(np.nanmax(now, initial=0.0)))
        cut = [bars.cut_word is not None and value == 0 for value in now]
        for i, (row, is_cut) in enumerate(zip(self.rows, cut, strict=True)):
            value = self.before(i, stage) if is_cut else float(now[i])
            is_number = not math.isnan(value)
            share = min(1.0, value / scale) if is_number else 0.0
            fill = "url(#h)" if is_cut else self.colour(row.role)
            words = [bars.cut_word or ""] if is_cut else []
            words += [bars.format_value(value) if is_number else "?"] if value or not is_cut else []
            self.label(row.label, row.chosen)
            look = f"stroke='{self.palette.border}'" if is_cut else strength(row)
            if is_number:
                self.body.append(rect(self.word, self.y, max(1.0, REACH * share), 15, fill, look))
            if not is_cut and cut[i + 1 : i + 2] == [True]:
                self.body.append(self.line_below_kept())
            self.body.append(
                drawing.text(self.word + REACH * share + 8, self.y + 12, " · ".join(words),
                             self.palette.muted)
            )  # fmt: skip
            self.y += ROW
        self.body.insert(0, drawing.hatching(self.palette))

    def before(self, row: int, stage: int) -> float:
        """The value at the last stage that had not cut the row."""
        while stage > 0 and self.values[stage, row] == 0:
            stage -= 1
        return float(self.values[stage, row])

    def several(self, series: Sequence[Series]) -> None:
        """A bar for each series under every word."""
        self.legend(series)
        top = self.top()
        for i, row in enumerate(self.rows):
            self.label(row.label, row.chosen)
            for k, entry in enumerate(series):
                value = float(self.values[k, i])
                if not math.isnan(value):
                    width = max(1.0, REACH * min(1.0, value / top))
                    self.body.append(rect(self.word, self.y, width, 12, self.colour(entry.role)))
                words = self.bars.format_value(value)
                self.body.append(
                    drawing.text(self.word + REACH + 8, self.y + 10, words, self.palette.muted)
                )
                self.y += 16
            self.y += 6

    def both_sides(self, series: Sequence[Series]) -> None:
        """Two series, one to each side of the word."""
        top, half = self.top(), self.word / 2
        middle = REACH + 90 + half
        for side, entry in zip((-1, 1), series, strict=True):
            anchor = "end" if side < 0 else "start"
            place = middle + side * half, self.y + 12
            self.body.append(drawing.text(*place, entry.label, self.palette.muted, anchor))
        self.y += ROW + 2
        for i, row in enumerate(self.rows):
            weight = "font-weight='700'" if row.chosen else ""
            self.body.append(
                drawing.text(middle, self.y + 12, row.label, self.palette.text, "middle", weight)
            )
            self.body += self.pair(i, middle, half, top, series)
            self.y += ROW

    def pair(
        self, i: int, middle: float, half: float, top: float, series: Sequence[Series]
    ) -> Iterator[str]:
        """Both bars of a word; none where a series has no number."""
        for k, (side, entry) in enumerate(zip((-1, 1), series, strict=True)):
            value = float(self.values[k, i])
            if math.isnan(value):
                continue
            width = max(1.0, REACH * min(1.0, value / top))
            x = middle + half if side > 0 else middle - half - width
            yield rect(x, self.y, width, 15, self.colour(entry.role), strength(self.rows[i]))
            outer = middle + side * (half + width + 6)
            anchor = "end" if side < 0 else "start"
            yield drawing.text(
                outer, self.y + 12, self.bars.format_value(value), self.palette.muted, anchor
            )

    def label(self, words: str, chosen: bool | None) -> None:
        """What a bar is of, to its left or above it."""
        ink = self.palette.accent if chosen else self.palette.text
        weight = "font-weight='700'" if chosen else ""
        if not self.bars.stacked:
            place = self.word - 6, self.y + 12
            self.body.append(drawing.text(*place, words, ink, "end", weight))
            return
        for line in textwrap.wrap(words, COLUMNS):
            self.body.append(drawing.text(8, self.y + 12, line, ink, "start", weight))
            self.y += 17

    def line_below_kept(self) -> str:
        """The line below the last bar that a filter kept."""
        y, right = self.y + 17.5, self.word + REACH
        return drawing.line(8, y, right, y, self.palette.warning, "stroke-width='2'")

    def legend(self, series: Sequence[Series]) -> None:
        for entry in series:
            self.body.append(rect(8, self.y, 12, 12, self.colour(entry.role)))
            self.body.append(drawing.text(26, self.y + 10, entry.label, self.palette.text))
            self.y += 18
        self.y += 6


def strength(row: BarRow) -> str:
    """How strong a bar's colour is: the one that was taken stands out."""
    return "" if row.chosen else "fill-opacity='0.55'"
