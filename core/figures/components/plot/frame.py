"""How a drawing of a plot is laid out: its panels, ticks and margins, for a given width."""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.figures.components.plot.arrays import NARROWEST, Floats, Numbers, edges
from core.figures.components.plot.parts import Heat, PlotAxis
from core.figures.components.plot.scales import AxisScale, Need, scale_of
from core.figures.components.plot.space import places
from core.figures.drawing import CHAR

if TYPE_CHECKING:
    from core.figures.components.plot.plot import Plot

Ticks = list[tuple[float, str]]
TITLE, NAME = 8.2, 6.6  # width of a character of the title, and of names
ROW, TITLE_ROW = 20.0, 15.0  # heights of a line: in the legend, of an axis' title
KEY = 34.0  # width of a sign in the legend
LONG = 28  # characters of a name below the x axis
EDGE = 8.0
LEAST_PANEL = 80.0
APART = 22.0  # between two panels
STEEP = -60.0  # the angle of names that have no room side by side


@dataclass(frozen=True, slots=True)
class PanelBox:
    """A panel: its place in pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def x(self, scale: AxisScale, values: Numbers) -> Floats:
        """Where numbers stand from the left."""
        return self.left + self.width * scale.share(values)

    def y(self, scale: AxisScale, values: Numbers) -> Floats:
        """Where numbers stand from the top."""
        return self.bottom - self.height * scale.share(values)

    def inside(self, x: Floats, y: Floats) -> Floats:
        """The points that can be seen, ``(n, 2)``; NaN in place of others."""
        points = np.stack([x, y], axis=-1)
        near = 0.01
        hidden = ~(
            (x >= self.left - near) & (x <= self.right + near)
            & (y >= self.top - near) & (y <= self.bottom + near)
        )  # fmt: skip
        points[hidden] = np.nan
        return points


class PlotFrame:
    """Margins, panels and ticks.

    Attributes:
        title, y_titles: in lines; the titles of all panels' y axes.
        boxes: the panels.
        x_ticks, angle: below the last panel.
        y_ticks: of each panel.
        names: the entries of the legend below, in rows.
        width: of the whole: what was asked for, or a little more or less.
        x_title, legend: how far down these stand.
        height: of the whole.
    """

    def __init__(self, plot: Plot, width: float) -> None:
        self.plot, self.width = plot, float(width)
        self.title = wrapped(plot.title, (width - 2 * EDGE) / TITLE)
        below = plot.entries if plot.legend == "below" else []
        self.names = rows([entry_name(entry) for entry in below], width - 2 * EDGE)
        top = 16.0 + 18 * len(self.title)
        named = sum(ROW * row.lines for row in self.names) + 8
        self._upright(plot.height - top - named - 50)
        self.left: float = math.ceil(self._left())
        inner = math.floor(max(60.0, width - self.left - self._right()))
        self.x_ticks, self.angle = self._x_ticks(inner)
        lean = math.ceil(self._lean(inner))
        even = self._even(inner - lean)
        self.left, self.width = self.left + lean, width + even - (inner - lean)
        under = 34 + self._label_height()
        room = plot.height - top - under - named - APART * (len(plot.panels) - 1)
        self.boxes, y = [], top
        for panel in plot.panels:
            box = PanelBox(self.left, y, even, max(LEAST_PANEL, room * panel.share))
            self.boxes.append(box)
            y = box.bottom + APART
        bottom = self.boxes[-1].bottom
        self.x_title, self.legend = bottom + under - 6, bottom + under + 8
        self.height = bottom + under + named

    def _upright(self, room: float) -> None:
        """Ticks and titles of the y axes, for about so much height."""
        plot, space = self.plot, self.plot.space
        self.y_ticks, self.y_titles = [], []
        for panel, scale in zip(plot.panels, space.panels, strict=True):
            tall = max(LEAST_PANEL, room * panel.share)
            self.y_ticks.append(scale.ticks(max(4, int(tall / 34))))
            self.y_titles.append(wrapped(panel.y.title, tall / NAME))

    def y_lines(self, panel: int, label: str) -> list[str]:
        """A tick label on the left; names have two lines of two fifths of the width."""
        axis = self.plot.space.panels[panel].axis
        if axis.categories is None and axis.labels is None:
            return [label]
        lines = wrapped(label, 0.4 * self.width / CHAR)
        return lines if len(lines) < 3 else [lines[0], f"{lines[1]} …"]

    def _left(self) -> float:
        widest = max(
            text_width(self.y_lines(n, label), self.plot.space.panels[n].axis.font_size)
            for n, ticks in enumerate(self.y_ticks)
            for _value, label in [*ticks, (0.0, "")]
        )
        return EDGE + max(map(title_room, self.y_titles)) + widest + 8

    def _right(self) -> float:
        heat = key_of(self.plot)
        if heat is not None:
            return 32 + text_width(label for _v, label in key_scale(heat).ticks(4)) + EDGE
        return 20.0

    def _even(self, inner: float) -> float:
        """A width at which narrow columns of cells all get the same whole or half of a pixel.

        Columns that differ from their neighbours, as sines and cosines do, would be mixed with
        these in some places and not in others, which looks like a pattern in the numbers.
        """
        for series in self.plot.all:
            if isinstance(series, Heat) and series.z.shape[1] > 1:
                ends = self.plot.space.x.share(edges(places(series)[0]))
                wide = inner * float(np.abs(np.diff(ends)).mean())
                even = round(2 * wide) / 2 if NARROWEST < wide < 4 else 0.0
                if 0.85 * wide < even < 1.1 * wide:
                    return inner * even / wide
        return inner

    def _x_ticks(self, inner: float) -> tuple[Ticks, float]:
        """Ticks whose labels have room, and their angle."""
        scale = self.plot.space.x
        axis = scale.axis
        size = axis.font_size
        for most in range(max(2, int(inner / 44)), 1, -1):
            ticks = [(value, short(label)) for value, label in scale.ticks(most)]
            apart = inner * np.diff(np.sort(scale.share([value for value, _label in ticks])))
            if len(ticks) < 2 or text_width((t for _v, t in ticks), size) + 12 <= apart.min():
                return ticks, axis.angle or 0.0
        if axis.angle is None and axis.categories is not None:
            return self._thin(ticks, inner, size + 2), STEEP
        if axis.angle:
            return self._thin(ticks, inner, size + 2), axis.angle
        return self._thin(ticks, inner, text_width((t for _v, t in ticks), size) + 8), 0.0

    def _thin(self, ticks: Ticks, inner: float, room: float) -> Ticks:
        """Ticks without the labels for which there is no room."""
        labelled: Ticks = []
        last = -math.inf
        shares = self.plot.space.x.share([value for value, _label in ticks])
        for (value, label), share in zip(ticks, shares, strict=True):
            fits = abs(share * inner - last) >= room
            labelled.append((value, label if fits else ""))
            last = share * inner if fits else last
        return labelled

    def _lean(self, inner: float) -> float:
        """How far names at an angle reach beyond the left end, over what is free there."""
        if not self.angle:
            return 0.0
        size, turn = self.plot.x.font_size, math.radians(self.angle)
        reach = [
            text_width([label], size) * math.cos(turn) - share * inner - self.left + EDGE
            for (_value, label), share in zip(
                self.x_ticks, self.plot.space.x.share([v for v, _l in self.x_ticks]), strict=True
            )
        ]
        return max(0.0, *reach) if self.angle < 0 and reach else 0.0

    def _label_height(self) -> float:
        size, turn = self.plot.x.font_size, math.radians(abs(self.angle))
        wide = text_width((label for _value, label in self.x_ticks), size)
        return wide * math.sin(turn) + size * math.cos(turn)


# --- texts ------------------------------------------------------------------------------------


def text_width(texts: Iterable[str], size: float = 12) -> float:
    """Pixels that the longest of some texts needs."""
    return max((n_columns(text) * CHAR * size / 12 for text in texts), default=0.0)


def n_columns(text: str) -> int:
    """Characters that a text is wide; those of East Asian scripts are twice as wide."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def wrapped(text: str, columns: float) -> list[str]:
    """A text in lines of at most so many columns."""
    lines = textwrap.wrap(text, max(8, int(columns * len(text) / max(1, n_columns(text)))))
    return lines or [""]


def short(text: str) -> str:
    """A text of at most ``LONG`` characters."""
    return text if len(text) <= LONG else f"{text[: LONG - 1].rstrip()}…"


def title_room(lines: Sequence[str]) -> float:
    """Pixels beside an axis for its title."""
    return 22 + TITLE_ROW * (len(lines) - 1) if any(lines) else 0


@dataclass(frozen=True, slots=True)
class NameRow:
    """A row of the legend: how many lines it has, and each name's place and lines."""

    lines: int
    names: Sequence[tuple[int, float, list[str]]]


def rows(names: Sequence[str], width: float) -> list[NameRow]:
    """The names of a legend side by side, in as many rows as they need."""
    rows: list[list[tuple[int, float, list[str]]]] = []
    x = math.inf
    for n, name in enumerate(names):
        lines = wrapped(name, (width - KEY) / NAME)
        wide = KEY + NAME * max(map(n_columns, lines)) + 18
        if x + wide - 18 > width:
            rows.append([])
            x = 0.0
        rows[-1].append((n, x, lines))
        x += wide
    return [NameRow(max(len(lines) for _n, _at, lines in row), row) for row in rows]


def entry_name(entry: object) -> str:
    """What the legend calls a series or a zone."""
    return str(getattr(entry, "name", None) or getattr(entry, "label", ""))


# --- what the colours mean ---------------------------------------------------------------------


def key_of(plot: Plot) -> Heat | None:
    """The heat whose colours are explained."""
    return next((series for series in plot.all if isinstance(series, Heat) and series.key), None)


def key_scale(heat: Heat) -> AxisScale:
    """Its numbers, as a scale of their own."""
    return scale_of(PlotAxis(title="", range=(heat.low, heat.top)), Need())
