"""A plot: series over axes, with zones, rules and words; Plotly's on a page, our own in a file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.figures.components.base import COVERED, Component
from core.figures.components.plot import asked, hover, live, page, picture
from core.figures.components.plot.parts import (
    Curve,
    Heat,
    Panel,
    PlaceWords,
    PlotAxis,
    Rule,
    Series,
    Zone,
)
from core.figures.components.plot.space import Space, is_drawn, places
from core.figures.payload import Payload
from core.figures.theme import PALETTES, Mode
from core.language import _

WIDTH = 640  # pixels of a drawing in a file
# Pixels of a covered plot and each of its panels: its own height may say how much is on it.
COVERED_PLOT, COVERED_PANEL = 340, 120


@dataclass(frozen=True, kw_only=True)
class Plot(Component):
    """Series over one x axis.

    Attributes:
        x, y: the axes.
        series: those that are drawn, the first below; lines and points are above bars, and bars
            above heats.
        zones: bands behind everything.
        rules: lines across.
        words: at places.
        below: further panels over the same x axis.
        legend: "below", "inside" (on top on the left), or "none". A single entry has none.
        unified: pointing at an x says what all series are there.
        height: in pixels, with title and legend.
        bars: series of bars stand "beside" each other, or each "alone" at its own places.
        gap: the share of a place that bars leave free.
        fixed: it cannot be zoomed on the page.
    """

    folder: ClassVar[str] = "plot"
    drawn_by: ClassVar[str] = "plotly"

    x: PlotAxis
    y: PlotAxis
    series: Sequence[Series]
    zones: Sequence[Zone] = ()
    rules: Sequence[Rule] = ()
    words: Sequence[PlaceWords] = ()
    below: Sequence[Panel] = ()
    legend: Literal["below", "inside", "none"] = "below"
    unified: bool = False
    height: int = 400
    bars: Literal["beside", "alone"] = "beside"
    gap: float = 0.2
    fixed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for series in self.all:
            x, y = places(series)
            if not isinstance(series, Heat) and len(x) != len(y):
                raise ValueError(f"{series.name!r}: {len(x)} x and {len(y)} y")
            list(hover.parts(series.hover, self.kinds(series)))

    @property
    def panels(self) -> tuple[Panel, ...]:
        """All panels from top to bottom, this plot's own first."""
        share = 1 - sum(panel.share for panel in self.below)
        rules = [rule for rule in self.rules if rule.y is not None]
        return (Panel(y=self.y, series=self.series, rules=rules, share=share), *self.below)

    @property
    def all(self) -> list[Series]:
        """The series of all panels, in order."""
        return [*self.series, *(series for panel in self.below for series in panel.series)]

    def panel_of(self, series: Series) -> int:
        """In which panel a series stands."""
        return next(n for n, panel in enumerate(self.panels) if _among(series, panel.series))

    def axis_of(self, series: Series) -> PlotAxis:
        """The y axis that a series is measured on."""
        return self.panels[self.panel_of(series)].y

    @property
    def entries(self) -> list[Series | Zone]:
        """What the legend names; nothing when that is a single thing."""
        named = [
            series for series in self.all if series.legend and series.name and is_drawn(series)
        ]
        entries = [*named, *(zone for zone in self.zones if zone.label)]
        return entries if len(entries) > 1 and self.legend != "none" else []

    def kinds(self, series: Series) -> Mapping[str, hover.Kind]:
        """The fields of a series' template, and what each of them is."""
        x, y = places(series)
        kinds: dict[str, hover.Kind] = {
            "name": "text",
            "x": "text" if self.x.categories is not None else _kind(x),
            "y": "text" if self.axis_of(series).categories is not None else _kind(y),
        }
        if series.text is not None:
            kinds["text"] = "text"
        if isinstance(series, Heat):
            kinds["z"] = _kind(series.z)
            if series.custom is not None:
                kinds["custom"] = _kind(series.custom)
        return kinds

    @cached_property
    def space(self) -> Space:
        """The axes with their ranges."""
        return Space(self)

    # --- how it is shown ---------------------------------------------------------------------

    def figure(self, mode: Mode) -> go.Figure:
        """The plot for a page."""
        return page.figure(self, mode)

    def on_page(self) -> Payload:
        return asked.payload(self)

    def covered(self, rows: Sequence[int] | None, chosen: Mapping[str, Any]) -> Plot:
        """The axes by name, and what would be drawn over them: no number, no point, no place."""
        return Plot(
            title=self.title, alt=_(COVERED), x=self.x.covered(), y=self.y.covered(),
            series=_legend(self.series), legend=self.legend, fixed=True,
            height=COVERED_PLOT + COVERED_PANEL * len(self.below),
            words=[PlaceWords(x=0.5, y=0.5, text="?")],
            below=[Panel(y=panel.y.covered(), series=_legend(panel.series), share=panel.share)
                   for panel in self.below],
        )  # fmt: skip

    def drawing(self, mode: Mode) -> str:
        return picture.draw(self, WIDTH).svg(self.title, self.alt, PALETTES[mode])

    def payload(self) -> Payload:
        return live.payload(self)


def _among(series: Series, several: Sequence[Series]) -> bool:
    """Whether it is one of them; equal ones are others."""
    return any(series is other for other in several)


def _kind(values: NDArray[Any]) -> hover.Kind:
    finite = values[np.isfinite(values)]
    return "whole" if (finite == np.rint(finite)).all() else "real"


def _legend(several: Sequence[Series]) -> list[Series]:
    """The curves by name; a point may be called after what was found there."""
    return [
        dataclasses.replace(series, y=[np.nan], x=[np.nan], markers=0, hover="", text=None)
        for series in several
        if isinstance(series, Curve)
    ]
