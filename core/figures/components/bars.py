"""A distribution over words as bars: one, several stages of it, or several beside each other."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.figures import drawing
from core.figures.components.base import Component, Follow
from core.figures.drawing import CHAR, rect
from core.figures.payload import Payload
from core.figures.text import Sentence, percent
from core.figures.theme import PALETTES, Mode, Palette
from core.locale import spelt

REACH = 300.0  # pixels of the longest bar in a file
ROW = 20.0
COLUMNS = 100  # characters of a label that stands above its bar


@dataclass(frozen=True, slots=True)
class BarRow:
    """One word.

    Attributes:
        id: keeps a row the same from frame to frame.
        label: as it is written.
        role: colour of its bar, where there is one series.
        title: what pointing at it says, before the number.
        titles: the same for each series.
        chosen: it is the one that was taken.
    """

    id: str
    label: str
    role: str | None = None
    title: str | None = None
    titles: Sequence[str] | None = None
    chosen: bool | None = None


@dataclass(frozen=True, slots=True)
class BarFrame:
    """One distribution.

    Attributes:
        rows: its words.
        title, note, alt: of this frame, where they are not the component's.
    """

    rows: Sequence[BarRow]
    title: Sentence | None = None
    note: str | None = None
    alt: str | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """One of several distributions over the same words: its name and its colour."""

    label: str
    role: str | None = None


@dataclass(frozen=True, kw_only=True)
class Bars(Component):
    """Frames of bars.

    Attributes:
        frames: one a distribution; a field of the selection says which is shown.
        values: ``(frames, stages or series, rows)``; NaN where a series has no number.
        stages: of a distribution, from the first to the last; what a stage makes 0 is cut off.
        stage_field: the field of the selection that names the stage.
        series: in place of stages: every word has a bar for each.
        mirror: two series stand to both sides of the word.
        follow: which frame is shown.
        full_scale: the scale ends at 1, not at the largest value.
        unit: "count" writes whole numbers, else shares.
        limit: rows beyond it are folded away.
        note: beneath.
        pick: rows are buttons.
        wide, stacked, short: how rows stand.
        cut_word: what is written where a stage cut a word off; None where nothing is cut.
        more_word, less_word: on the button that unfolds the rows.
        given: which words there are is no result: a covered figure shows them.
    """

    folder: ClassVar[str] = "bars"

    frames: Sequence[BarFrame]
    values: NDArray[np.floating[Any]]
    stages: Sequence[str] = field(default_factory=lambda: ("",))
    stage_field: str | None = None
    series: Sequence[Series] | None = None
    mirror: bool | None = None
    follow: Follow | None = None
    full_scale: bool | None = None
    unit: str | None = None
    limit: int | None = None
    note: str | None = None
    pick: bool | None = None
    wide: bool | None = None
    stacked: bool | None = None
    short: bool | None = None
    cut_word: str | None = None
    more_word: str | None = None
    less_word: str | None = None
    given: bool = False

    def payload(self) -> Payload:
        names = ("frames", "stages", "stage_field", "series", "mirror", "follow", "full_scale",
                 "unit", "limit", "note", "pick", "wide", "stacked", "short")  # fmt: skip
        labels = {"cut": self.cut_word, "more": self.more_word, "less": self.less_word}
        header = self.header(
            labels={name: word for name, word in labels.items() if word is not None},
            **{name: getattr(self, name) for name in names},
            # What follows a selection has a text alternative for each frame, or its title.
            alt=self.alt if self.follow is None else None,
        )
        return Payload(header, {"probs": self.values.astype(np.float32)})

    @property
    def at(self) -> int:
        """The frame that is shown."""
        return (self.follow or Follow("")).at(self.selection, len(self.frames))

    @property
    def stage(self) -> int:
        """The stage that is shown."""
        chosen = self.selection.get(self.stage_field or "stage")
        last = len(self.stages) - 1
        return last if chosen is None else max(0, min(last, int(chosen)))

    def said(self, value: float) -> str:
        """A value as it is written."""
        return spelt(f"{value:,.0f}") if self.unit == "count" else percent(value)

    def drawing(self, mode: Mode) -> str:
        own = _Drawing(self, PALETTES[mode])
        return drawing.frame(own.width, own.height, self.heading, self.alt, own.body, own.palette)

    @property
    def heading(self) -> str:
        """The title in a file: of what is drawn, and of the frame."""
        own = self.frames[self.at].title
        return self.title if own is None or str(own) == self.title else f"{self.title}: {own}"


class _Drawing:
    """The frame that is shown, as SVG."""

    def __init__(self, bars: Bars, palette: Palette) -> None:
        self.bars, self.palette = bars, palette
        self.rows = bars.frames[bars.at].rows
        self.values = np.asarray(bars.values[bars.at], float)[:, : len(self.rows)]
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
        note = bars.frames[bars.at].note or bars.note
        if note:
            self.body.append(drawing.text(8, self.y + 14, note, palette.muted))
            self.y += ROW
        widest = 16 + CHAR * max(len(note or ""), min(longest, COLUMNS) if bars.stacked else 0)
        sides = 2 if bars.mirror else 1
        self.width = max(self.word + sides * (REACH + 90), 16 + 8.2 * len(bars.heading), widest)
        self.height = self.y + 12

    def top(self) -> float:
        """The value of the longest bar."""
        known = self.values[~np.isnan(self.values)]
        return 1.0 if self.bars.full_scale else max(1e-9, float(known.max(initial=0.0)))

    def colour(self, role: str | None) -> str:
        return drawing.role_colour(self.palette, role or "accent")

    def one_side(self) -> None:
        """One bar a word, at the stage that is shown; what was cut is as it was before."""
        bars, stage, now = self.bars, self.bars.stage, self.values[self.bars.stage]
        if len(bars.stages) > 1:
            self.body.append(drawing.text(8, self.y + 8, bars.stages[stage], self.palette.muted))
            self.y += ROW
        scale = 1.0 if bars.full_scale else max(1e-9, float(np.nanmax(now, initial=0.0)))
        cut = [bars.cut_word is not None and value == 0 for value in now]
        for i, (row, is_cut) in enumerate(zip(self.rows, cut, strict=True)):
            value = self.before(i, stage) if is_cut else float(now[i])
            share = min(1.0, value / scale)
            fill = "url(#h)" if is_cut else self.colour(row.role)
            words = [bars.cut_word or ""] if is_cut else []
            words += [bars.said(value)] if value or not is_cut else []
            self.label(row.label, row.chosen)
            look = f"stroke='{self.palette.border}'" if is_cut else strength(row)
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
            for k, one in enumerate(series):
                value = float(self.values[k, i])
                if not math.isnan(value):
                    width = max(1.0, REACH * min(1.0, value / top))
                    self.body.append(rect(self.word, self.y, width, 12, self.colour(one.role)))
                words = self.bars.said(value)
                self.body.append(
                    drawing.text(self.word + REACH + 8, self.y + 10, words, self.palette.muted)
                )
                self.y += 16
            self.y += 6

    def both_sides(self, series: Sequence[Series]) -> None:
        """Two series, one to each side of the word."""
        top, half = self.top(), self.word / 2
        middle = REACH + 90 + half
        for side, one in zip((-1, 1), series, strict=True):
            anchor = "end" if side < 0 else "start"
            place = middle + side * half, self.y + 12
            self.body.append(drawing.text(*place, one.label, self.palette.muted, anchor))
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
        for k, (side, one) in enumerate(zip((-1, 1), series, strict=True)):
            value = float(self.values[k, i])
            if math.isnan(value):
                continue
            width = max(1.0, REACH * min(1.0, value / top))
            x = middle + half if side > 0 else middle - half - width
            yield rect(x, self.y, width, 15, self.colour(one.role), strength(self.rows[i]))
            outer = middle + side * (half + width + 6)
            anchor = "end" if side < 0 else "start"
            yield drawing.text(
                outer, self.y + 12, self.bars.said(value), self.palette.muted, anchor
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
        for one in series:
            self.body.append(rect(8, self.y, 12, 12, self.colour(one.role)))
            self.body.append(drawing.text(26, self.y + 10, one.label, self.palette.text))
            self.y += 18
        self.y += 6


def strength(row: BarRow) -> str:
    """How strong a bar's colour is: the one that was taken stands out."""
    return "" if row.chosen else "fill-opacity='0.55'"
