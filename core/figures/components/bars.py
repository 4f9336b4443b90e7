"""A distribution over words as bars: one, several stages of it, or several beside each other."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from core.figures import drawing
from core.figures.components.bars_drawing import BarsDrawing
from core.figures.components.base import COVERED, Component, Follow
from core.figures.payload import Payload, as_shares
from core.figures.text import Sentence, number, percent, sentence
from core.figures.theme import PALETTES, Mode
from core.language import _
from core.locale import spelt


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
        unit: "count" writes whole numbers, "number" any others, against the largest; else shares,
            against 100 %.
        limit: rows beyond it are folded away.
        note: beneath.
        pick: rows are buttons.
        wide, stacked, short: how rows stand.
        cut_word: what is written where a stage cut a word off; None where nothing is cut.
        more_word, less_word: on the button that unfolds the rows, where a limit or the screen of a
            lecture has folded some away.
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
        names = ("frames", "stages", "stage_field", "series", "mirror", "follow", "unit",
                 "limit", "note", "pick", "wide", "stacked", "short")  # fmt: skip
        labels = {
            "cut": self.cut_word,
            "more": self.more_word or _("Show all {n}"),
            "less": self.less_word or _("Show fewer"),
        }
        header = self.header(
            labels={name: word for name, word in labels.items() if word is not None},
            **{name: getattr(self, name) for name in names},
            # What follows a selection has a text alternative for each frame, or its title.
            alt=self.alt if self.follow is None else None,
        )
        return Payload(header, {"probs": as_shares(self.values)})

    @property
    def frame(self) -> int:
        """The frame that is shown."""
        return (self.follow or Follow("")).state(self.selection, len(self.frames))

    @property
    def stage(self) -> int:
        """The stage that is shown."""
        chosen = self.selection.get(self.stage_field or "stage")
        last = len(self.stages) - 1
        return last if chosen is None else max(0, min(last, int(chosen)))

    def format_value(self, value: float) -> str:
        """A value as it is written."""
        if self.unit == "number" or not math.isfinite(value):
            return number(float(value))
        return spelt(f"{value:,.0f}") if self.unit == "count" else percent(value)

    def covered(self, rows: Sequence[int] | None, chosen: Mapping[str, Any]) -> Bars | None:
        """What the bars stand for, without a bar; None where that is a result."""
        if not self.given:
            return None
        words = [BarRow(row.id, row.label) for row in self.frames[self.frame].rows]
        n = 1 if self.series is None else len(self.series)
        return Bars(
            title=self.title, alt=_(COVERED), selection=chosen,
            frames=[BarFrame(words, title=sentence("{title}", title=self.title))],
            values=np.full((1, n, len(words)), np.nan), series=self.series, mirror=self.mirror,
            wide=self.wide, stacked=self.stacked, unit=self.unit,
        )  # fmt: skip

    def up_to_now(self) -> Self:
        """Bars end their stages there, with what is said of the last one."""
        if self.stage == len(self.stages) - 1:
            return self
        n = self.stage + 1
        return dataclasses.replace(
            self, stages=self.stages[:n], values=self.values[:, :n],
            frames=[dataclasses.replace(frame, note=None) for frame in self.frames],
        )  # fmt: skip

    def drawing(self, mode: Mode) -> str:
        bars = BarsDrawing(self, PALETTES[mode])
        size = bars.width, bars.height
        return drawing.frame(*size, self.heading, self.alt, bars.body, bars.palette)

    @property
    def heading(self) -> str:
        """The title in a file: of what is drawn, and of the frame."""
        title = self.frames[self.frame].title
        return self.title if title is None or str(title) == self.title else f"{self.title}: {title}"
