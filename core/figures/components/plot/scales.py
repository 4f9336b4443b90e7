"""Where numbers stand on an axis: its range, its ticks, and how these are written.

A range that is not given is found out here, once, for the page and for files: it holds every
number, with 1/20 of its length to spare at each end. Nothing is spared where the end is firm: at
the edge of cells, bars and zones, at the zero that bars grow from or that was asked for, and
sideways at the ends of lines without dots.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field

import numpy as np

from core.figures.components.plot.arrays import BEYOND, Floats, Numbers, numbers
from core.figures.components.plot.parts import PlotAxis
from core.figures.text import MINUS, number
from core.locale import spelt

SPARE = 0.05
MOST_TICKS = 1000
RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"  # a minus, and the digits


@dataclass(slots=True)
class Need:
    """What an axis must have room for: numbers that need air around them, and firm ends."""

    soft: list[float] = field(default_factory=list)
    firm: list[float] = field(default_factory=list)
    whole: bool = True

    def add(self, values: Numbers, *, firm: bool = False, edge: bool = False) -> None:
        """Make room for some numbers; edges do not count when it is asked whether all are whole."""
        finite = numbers(values)
        finite = finite[~np.isnan(finite)]
        self.whole = self.whole and (edge or bool((finite == np.rint(finite)).all()))
        (self.firm if firm else self.soft).extend(
            (float(finite.min()), float(finite.max())) if len(finite) else ()
        )


@dataclass(frozen=True, slots=True)
class AxisScale:
    """An axis with its range.

    Attributes:
        axis: as it was asked for.
        low, high: first and last number, in the order in which they stand.
        whole: all numbers on it are whole.
    """

    axis: PlotAxis
    low: float
    high: float
    whole: bool = False

    def on_line(self, values: Numbers) -> Floats:
        """Numbers as distances; on a logarithmic axis, those of their logarithms."""
        numbers_ = numbers(values)
        if not self.axis.log:
            return numbers_
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(numbers_ > 1 / BEYOND, np.log10(numbers_), np.nan)

    @property
    def ends(self) -> tuple[float, float]:
        """The range, as distances."""
        low, high = self.on_line([self.low, self.high])
        return float(low), float(high)

    def share(self, values: Numbers) -> Floats:
        """How far along the axis numbers stand, 0 to 1; NaN where they have no place."""
        low, high = self.ends
        return (self.on_line(values) - low) / (high - low)

    def holds(self, value: float) -> bool:
        """Whether a number is in the range."""
        return -1e-9 <= float(self.share([value])[0]) <= 1 + 1e-9

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """Ticks and their labels: those given, else about ``most`` of them at round numbers."""
        axis = self.axis
        if axis.categories is not None:
            return list(enumerate(axis.categories))
        if axis.ticks is not None:
            labels = axis.labels or [tick_label(value) for value in axis.ticks]
            ticks = list(zip(map(float, axis.ticks), labels, strict=True))
        else:
            low, high = sorted((self.low, self.high))
            values = _decades(low, high, most) if axis.log else self._steps(low, high, most)
            small = axis.log and min(values, default=1.0) < 1e-4
            ticks = [(value, tick_label(value, powers=small)) for value in values]
        return [(value, label) for value, label in ticks if self.holds(value)]

    def _steps(self, low: float, high: float, most: int) -> list[float]:
        step = self.axis.every or 0.0
        if not (high - low) / MOST_TICKS < step < BEYOND:
            step = nice_step((high - low) / max(1, most), whole=self.whole)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        decimals = max(0, 2 - math.floor(math.log10(step)))
        return [round(i * step, decimals) for i in range(first, last + 1)]


def scale_of(axis: PlotAxis, need: Need) -> AxisScale:
    """An axis with its range: as given, else by the rule above."""
    if axis.range is not None:
        ends = AxisScale(axis, *axis.range, need.whole)
        if np.isfinite(ends.ends).all():
            return ends if _apart(*ends.ends) else _widened(ends)
    if axis.categories is not None:
        low, high = -0.5, max(1, len(axis.categories)) - 0.5
    else:
        low, high = _around(axis, need)
    return AxisScale(
        axis, high if axis.reversed else low, low if axis.reversed else high, need.whole
    )


def _around(axis: PlotAxis, need: Need) -> tuple[float, float]:
    """The smallest range that holds everything, and its spare ends."""
    line = AxisScale(axis, 0.0, 1.0)
    soft = [v for v in line.on_line(need.soft) if not math.isnan(v)]
    firm = [v for v in line.on_line(need.firm) if not math.isnan(v)]
    if axis.from_zero and not axis.log:
        firm.append(0.0)
    if not soft and not firm:
        soft = [0.0, 1.0]
    low, high = min(soft + firm), max(soft + firm)
    if not _apart(low, high):
        low, high = _around_one(low) if low not in firm or low else (0.0, 1.0)
    spare = SPARE * (high - low)
    low -= spare if low < min(firm, default=math.inf) else 0
    high += spare if high > max(firm, default=-math.inf) else 0
    return (10.0**low, 10.0**high) if axis.log else (low, high)


def _apart(low: float, high: float) -> bool:
    """Whether there is room between two ends for ticks that can be told apart."""
    return abs(high - low) > max(1e-9 * max(abs(low), abs(high)), 1 / BEYOND)


def _around_one(value: float) -> tuple[float, float]:
    """A range for one number alone."""
    room = max(1.0, 1e-6 * abs(value))
    return value - room, value + room


def _widened(scale: AxisScale) -> AxisScale:
    """An axis whose ends are one, with room around it."""
    low, high = _around_one(scale.ends[0])
    low, high = (10.0**low, 10.0**high) if scale.axis.log else (low, high)
    return dataclasses.replace(scale, low=low, high=high)


def nice_step(least: float, *, whole: bool = False) -> float:
    """The smallest of 1, 2, 5, 10, ... times a power of ten that is not below ``least``."""
    size = 10.0 ** math.floor(math.log10(least))
    step = next(m * size for m in (1, 2, 5, 10) if m * size >= least * (1 - 1e-9))
    return max(1.0, step) if whole else step


def _decades(low: float, high: float, most: int) -> list[float]:
    """Powers of ten; between few of them, 2 and 5 times each too."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last - first >= 2:
        by = math.ceil((last - first + 1) / max(1, most))
        return [10.0**n for n in range(first, last + 1) if n % by == 0]
    fine = [m * 10.0**n for n in range(first - 1, last + 1) for m in (1, 2, 5)]
    values = [value for value in fine if low <= value <= high]
    if len(values) >= 2:
        return values
    step = nice_step((high - low) / max(1, most))
    return [i * step for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def tick_label(value: float, *, powers: bool = False) -> str:
    """A number at a tick: −0.5, 20,000, 10⁻⁷, 2×10⁶; with ``powers`` beside such, 10⁻² too."""
    if value == 0 or not 1 / BEYOND < abs(value) < BEYOND:
        return number(value)
    size = math.floor(math.log10(abs(value)) + 1e-9)
    if 0 <= size < 2 if powers else -5 < size < 6:
        return spelt(f"{value:,.10g}".replace("-", MINUS))
    power = "10" + str(size).translate(str.maketrans("-0123456789", RAISED))
    share = f"{value / 10.0**size:.10g}"
    text = {"1": power, "-1": f"-{power}"}.get(share, f"{share}×{power}")
    return spelt(text.replace("-", MINUS))
