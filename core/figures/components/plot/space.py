"""The axes of a plot with their ranges, and how much room each series needs on them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.figures.components.plot.arrays import Floats, edges, numbers
from core.figures.components.plot.parts import BarSeries, Curve, Heat, Series
from core.figures.components.plot.scales import AxisScale, Need, scale_of

if TYPE_CHECKING:
    from core.figures.components.plot.plot import Plot


def places(series: Series) -> tuple[Floats, Floats]:
    """The x and y of a series' points, bars, or columns and rows."""
    if isinstance(series, Heat):
        rows, columns = series.z.shape
        x = numbers(np.arange(columns) if series.x is None else series.x)
        return x, numbers(np.arange(rows) if series.y is None else series.y)
    y = numbers(series.y)
    return numbers(np.arange(len(y)) if series.x is None else series.x), y


def is_drawn(series: Series) -> bool:
    """Whether anything of a series can be seen: one that is nowhere has no name in a legend."""
    x, y = places(series)
    n = min(len(x), len(y))
    return isinstance(series, Heat) or bool((np.isfinite(x[:n]) & np.isfinite(y[:n])).any())


LAST = 0.9  # of the x axis: a word that is behind such a place stands before it


class Space:
    """Where a plot's numbers stand."""

    def __init__(self, plot: Plot) -> None:
        self.plot = plot

    @cached_property
    def x(self) -> AxisScale:
        """The x axis."""
        plot, need = self.plot, Need()
        for series in plot.all:
            self._claim(series, need, sideways=True)
        for zone in plot.zones:
            need.add([zone.low, zone.high], firm=True)
        need.add([rule.x for rule in plot.rules if rule.x is not None])
        need.add([words.x for words in plot.words])
        return scale_of(plot.x, need)

    def is_last(self, x: float) -> bool:
        """Whether what stands behind a place of the x axis would leave the plot."""
        return float(self.x.share([x])[0]) > LAST

    @cached_property
    def panels(self) -> tuple[AxisScale, ...]:
        """The y axis of each panel, from top to bottom."""
        scales = []
        for n, panel in enumerate(self.plot.panels):
            need = Need()
            for series in panel.series:
                self._claim(series, need, sideways=False)
            need.add([rule.y for rule in panel.rules if rule.y is not None])
            need.add([words.y for words in self.plot.words] if n == 0 else [])
            scales.append(scale_of(panel.y, need))
        return tuple(scales)

    def y(self, series: Series) -> AxisScale:
        """The y axis of a series."""
        return self.panels[self.plot.panel_of(series)]

    def spans(self, series: BarSeries) -> tuple[Floats, Floats]:
        """Both ends of each bar on the axis of the places."""
        if series.width is not None:
            return series.places - series.width / 2, series.places + series.width / 2
        group = [series] if self.plot.bars == "alone" else self._group(series)
        rank = next(n for n, bars in enumerate(group) if bars is series)
        room = (1 - self.plot.gap) * self._slot(series)
        low = series.places - room / 2 + rank * room / len(group)
        return low, low + room / len(group)

    def _group(self, series: BarSeries) -> list[BarSeries]:
        """The series of bars that share its places."""
        bars = (series for series in self.plot.all if isinstance(series, BarSeries))
        return [bar for bar in bars if bar.width is None and bar.across == series.across]

    def _slot(self, series: BarSeries) -> float:
        """The room of a bar, or of several beside each other, with the gap."""
        if series.width is not None:
            return series.width
        steps = np.diff(np.unique(np.concatenate([bars.places for bars in self._group(series)])))
        return float(steps.min()) if len(steps) else 1.0

    def _claim(self, series: Series, need: Need, *, sideways: bool) -> None:
        """What a series needs of an axis."""
        x, y = places(series)
        if isinstance(series, Heat):
            middles = x if sideways else y
            need.add(middles, firm=True)
            need.add(edges(middles), firm=True, edge=True)
        elif isinstance(series, BarSeries) and sideways != series.across:
            half = self._slot(series) / 2
            need.add(series.places, firm=True)
            need.add(series.places - half, firm=True, edge=True)
            need.add(series.places + half, firm=True, edge=True)
        elif isinstance(series, BarSeries):
            need.add(series.lengths)
            need.add([0.0], firm=True)
        else:
            there = ~np.isnan(x) & ~np.isnan(y)
            plain = isinstance(series, Curve) and not series.markers
            need.add((x if sideways else y)[there], firm=sideways and plain)
