"""What a plot is made of: axes, series, zones, rules and words, all of them plain data.

Colours are names of the palette ("query", "muted"); what points say is a template
(``core.figures.components.plot.hover``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot.arrays import BEYOND, Floats, Numbers, numbers

Dash = Literal["solid", "dash", "dot"]
Symbol = Literal["circle", "diamond", "square"]
Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotAxis:
    """One axis.

    Attributes:
        title: what it measures, with its unit.
        range: first and last value, in the order in which they stand; None for what the series
            need (``core.figures.components.plot.scales`` has the rule).
        log: equal steps are equal factors.
        from_zero: a range that is found out begins at 0.
        reversed: a range that is found out runs the other way: 0 on top.
        ticks: their values, where they are not to be found out.
        labels: of ``ticks``, where they do not say their values.
        every: the distance of ticks.
        categories: names of the places 0, 1, ...; values of series are places then.
        angle: of the tick labels, in degrees; None for what has room.
        font_size: of the tick labels, in pixels.
        grid: lines at the ticks.
    """

    title: str
    range: tuple[float, float] | None = None
    log: bool = False
    from_zero: bool = False
    reversed: bool = False
    ticks: Sequence[float] | None = None
    labels: Sequence[str] | None = None
    every: float | None = None
    categories: Sequence[str] | None = None
    angle: float | None = None
    font_size: float = 12
    grid: bool = True

    def covered(self) -> PlotAxis:
        """What it measures; where it begins and ends would say how large the numbers are."""
        return PlotAxis(title=self.title, range=(0, 1), ticks=(), labels=(), grid=False)

    def __post_init__(self) -> None:
        if self.labels is not None and len(self.labels) != len(self.ticks or ()):
            raise ValueError(f"{self.title!r}: each tick needs its label")
        if self.log and self.range is not None and min(self.range) <= 0:
            raise ValueError(f"{self.title!r}: a logarithmic axis has no {min(self.range)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Points in a line; NaN is a gap.

    Attributes:
        y, x: the points; ``x`` counts from 0 when it is None.
        role: its colour.
        name: in the legend, and ``{name}``.
        dash, width: of the line.
        markers: size of the dot on each point, in pixels; 0 for none.
        step: each value holds until the next point.
        hover: the template of what a point says; empty for nothing.
        text: ``{text}`` of each point.
        legend: whether it is in the legend.
    """

    y: Numbers
    x: Numbers | None = None
    role: str
    name: str = ""
    dash: Dash = "solid"
    width: float = 2
    markers: float = 0
    step: bool = False
    hover: str = ""
    text: Sequence[str] | None = None
    legend: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Single points.

    Attributes:
        x, y: the points.
        role: their colour.
        name: in the legend, and ``{name}``.
        symbol, size, opacity: their looks.
        labels: written beside each.
        sides: on which side: one for all, or one for each.
        hover, text, legend: as those of a curve.
    """

    x: Numbers
    y: Numbers
    role: str
    name: str = ""
    symbol: Symbol = "circle"
    size: float = 6
    opacity: float = 1
    labels: Sequence[str] | None = None
    sides: Side | Sequence[Side] = "right"
    hover: str = ""
    text: Sequence[str] | None = None
    legend: bool = True

    def side(self, index: int) -> Side:
        """Where the label of a point stands."""
        return self.sides if isinstance(self.sides, str) else self.sides[index]


@dataclass(frozen=True, slots=True, kw_only=True)
class BarSeries:
    """Bars from 0.

    Attributes:
        x, y: place and length of each.
        role: their colour: one for all, or one for each.
        name: in the legend, and ``{name}``.
        across: bars lie: ``y`` are the places and ``x`` the lengths.
        width: of a bar, on the axis of the places; None for what has room.
        opacity: of all.
        labels: written on each, or beside it where it is too short.
        hover, text, legend: as those of a curve.
    """

    x: Numbers
    y: Numbers
    role: str | Sequence[str]
    name: str = ""
    across: bool = False
    width: float | None = None
    opacity: float = 1
    labels: Sequence[str] | None = None
    hover: str = ""
    text: Sequence[str] | None = None
    legend: bool = True

    @property
    def places(self) -> Floats:
        """Where the bars stand, or lie."""
        return numbers(self.y if self.across else self.x)

    @property
    def lengths(self) -> Floats:
        """The ends of the bars along the axis of their numbers."""
        return numbers(self.x if self.across else self.y)

    def role_of(self, index: int) -> str:
        """The colour of one bar."""
        return self.role if isinstance(self.role, str) else self.role[index]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    """Numbers as colours; NaN has none.

    Attributes:
        z: ``(rows, columns)``; row 0 at the smallest ``y``.
        x, y: the middles of columns and rows; they count from 0 when None.
        kind: "signed", or the colour of a quantity from 0.
        limit: the size at which the colour is full; None, or no size, for the largest there is.
        key: a bar beside the plot says what the colours mean.
        custom: ``{custom}`` of each cell, numbers of the same shape.
        name: ``{name}``.
        hover: the template of what a cell says; empty for nothing.
    """

    z: NDArray[Any]
    x: Numbers | None = None
    y: Numbers | None = None
    kind: str = "signed"
    limit: float | None = None
    key: bool = True
    custom: NDArray[Any] | None = None
    name: str = ""
    hover: str = ""
    # It is in no legend.
    legend: ClassVar[bool] = False
    text: ClassVar[None] = None

    @property
    def top(self) -> float:
        """The size at which the colour is full."""
        if self.limit is not None and 0 < self.limit < BEYOND:
            return self.limit
        sizes = np.abs(numbers(self.z))
        sizes = sizes[~np.isnan(sizes)]
        return float(sizes.max(initial=0.0)) or 1.0

    @property
    def low(self) -> float:
        """The number at the other end of the colours."""
        return -self.top if self.kind == "signed" else 0.0

    @property
    def colours(self) -> tuple[str, ...]:
        """Its colours by name, from the lowest number to the highest."""
        if self.kind == "signed":
            return ("negative", "zero", "positive")
        return ("background", self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A band from top to bottom.

    Attributes:
        low, high: on the x axis.
        role: its colour, of which ``opacity`` is left.
        label: in the legend; empty for none.
    """

    low: float
    high: float
    role: str
    label: str = ""
    opacity: float = 0.18


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A line across the whole plot, at an ``x`` through all panels, or at a ``y``.

    Attributes:
        x, y: one of them.
        text: beside it.
        role, dash, width: its looks.
    """

    x: float | None = None
    y: float | None = None
    text: str = ""
    role: str = "muted"
    dash: Dash = "solid"
    width: float = 1

    def __post_init__(self) -> None:
        if (self.x is None) == (self.y is None):
            raise ValueError("a rule stands at an x or at a y")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceWords:
    """Words in the middle of a place."""

    x: float
    y: float
    text: str
    role: str = "muted"


Series = Curve | Points | BarSeries | Heat


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One more plot below, over the same x axis.

    Attributes:
        y: its own axis.
        series: measured on it.
        rules: lines at a ``y`` of it.
        share: of the height of all panels together.
    """

    y: PlotAxis
    series: Sequence[Series]
    rules: Sequence[Rule] = ()
    share: float = 0.3


def histogram(values: Numbers, bins: int, **looks: Any) -> BarSeries:
    """How many values lie where, in ``bins`` bars of equal width over their range.

    Args:
        values: to be counted.
        bins: how many.
        looks: further fields of the bars.
    """
    counts, edges = np.histogram(np.asarray(values, np.float64), bins)
    width = float(edges[1] - edges[0])
    return BarSeries(x=(edges[:-1] + edges[1:]) / 2, y=counts, width=width, **looks)
