"""A plot for the page: Plotly's figure, with the ranges and tick labels that a file has, too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from core.figures.components.plot import hover
from core.figures.components.plot.arrays import names_at
from core.figures.components.plot.hover import FORMS, for_page
from core.figures.components.plot.parts import BarSeries, Curve, Heat, Points, Rule, Series
from core.figures.components.plot.scales import AxisScale
from core.figures.components.plot.space import is_drawn, places
from core.figures.theme import INSIDE, PALETTES, Mode, Palette, axis_looks, layout

if TYPE_CHECKING:
    from core.figures.components.plot.plot import Plot

APART = 0.06  # of the height, between two panels


def figure(plot: Plot, mode: Mode) -> go.Figure:
    """The figure, as Plotly's Python has it."""
    # Plotly takes 30 ms to check what it is given, ten times as long as all the rest; tests do.
    return go.Figure(**described(plot, PALETTES[mode]), _validate=False)


def described(plot: Plot, palette: Palette) -> dict[str, Any]:
    """Data and layout, as Plotly calls what is in them."""
    page = _Page(plot, palette)
    common = axis_looks(palette)
    looks = layout(palette, plot.title, for_page) | {
        "height": plot.height,
        "showlegend": bool(plot.entries),
        "hovermode": "x unified" if plot.unified else "closest",
        "bargap": plot.gap,
        "shapes": [*page.zones(), *page.rules()],
        "annotations": [*page.rule_words(), *page.words()],
        **{name: common | axis for name, axis in page.axes().items()},
    }
    looks |= {"legend": INSIDE} if plot.legend == "inside" else {}
    return {"data": [*map(page.trace, plot.all), *page.keys()], "layout": looks}


def _trace(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind} | {name: value for name, value in fields.items() if value is not None}


class _Page:
    """A plot's parts, as Plotly calls them."""

    def __init__(self, plot: Plot, palette: Palette) -> None:
        self.plot, self.palette, self.space = plot, palette, plot.space

    def colour(self, role: str) -> str:
        return str(getattr(self.palette, role))

    # --- axes --------------------------------------------------------------------------------

    def axis_name(self, series: Series) -> str:
        """The y axis of a series: y for the first panel, then y2, y3 … down the page."""
        return self.panel_axis(self.plot.panel_of(series))

    @staticmethod
    def panel_axis(panel: int) -> str:
        return "y" if panel == 0 else f"y{panel + 1}"

    def axes(self) -> dict[str, Any]:
        """The layout of every axis."""
        plot, space = self.plot, self.space
        panels = range(len(plot.panels))
        axes = {"xaxis": self.axis(space.x) | {"anchor": self.panel_axis(panels[-1])}}
        if plot.unified:
            form = FORMS["whole" if space.x.whole else "real"]
            title = for_page(plot.x.title) + f" %{{x:{form}}}"
            axes["xaxis"]["unifiedhovertitle"] = {"text": title}
        for n, (low, high) in enumerate(self.domains()):
            name = self.panel_axis(n).replace("y", "yaxis")
            axes[name] = self.axis(space.panels[n]) | {"domain": [low, high]}
        return axes

    def domains(self) -> list[tuple[float, float]]:
        """Where the panels stand, from the top, as shares of the height."""
        free = 1 - APART * (len(self.plot.panels) - 1)
        tops = [0.0, *accumulate(panel.share * free + APART for panel in self.plot.panels)]
        return [
            (max(0.0, 1 - top - panel.share * free), 1 - top)
            for panel, top in zip(self.plot.panels, tops, strict=False)
        ]

    def axis(self, scale: AxisScale) -> dict[str, Any]:
        """One axis: its range and, where they are given, its ticks."""
        axis, palette = scale.axis, self.palette
        layout: dict[str, Any] = {
            "title": {"text": for_page(axis.title)},
            "type": "log" if axis.log else "linear",
            "range": list(scale.ends),
            "showgrid": axis.grid,
            "zeroline": axis.grid and axis.categories is None,
            "fixedrange": self.plot.fixed,
            "tickfont": {"size": axis.font_size},
            "exponentformat": "power",
            "separatethousands": True,
            "gridcolor": palette.border,
            "zerolinecolor": palette.border,
            "automargin": True,
        }
        if axis.angle is not None:
            layout["tickangle"] = axis.angle
        if axis.every is not None:
            layout["dtick"] = axis.every
        if axis.categories is not None or axis.ticks is not None:
            ticks = scale.ticks(0)
            layout["tickvals"] = [value for value, _label in ticks]
            layout["ticktext"] = [for_page(label) for _value, label in ticks]
        return layout

    # --- series ------------------------------------------------------------------------------

    def trace(self, series: Series) -> Any:
        """A series, as Plotly calls it."""
        if isinstance(series, Heat):
            return self.heat(series)
        x, y = places(series)
        common = {
            "x": x,
            "y": y,
            "name": for_page(series.name),
            "showlegend": series.legend and bool(series.name) and is_drawn(series),
            "yaxis": self.axis_name(series),
            **self.hover(series),
        }
        if isinstance(series, BarSeries):
            return self.bars(series, common)
        if isinstance(series, Curve):
            return _trace(
            "scatter",
                mode="lines+markers" if series.markers else "lines",
                line={
                    "color": self.colour(series.role), "dash": series.dash, "width": series.width,
                    "shape": "hv" if series.step else "linear",
                },
                marker={"size": series.markers or 6},
                cliponaxis=False,
                **common,
            )  # fmt: skip
        return self.points(series, common)

    def points(self, series: Points, common: dict[str, Any]) -> dict[str, Any]:
        beside: dict[str, Any] = {}
        if series.labels is not None:
            sides = [f"middle {series.side(index)}" for index in range(len(series.labels))]
            beside = {
                "text": [for_page(label) for label in series.labels],
                "textposition": sides,
                "textfont": {"color": self.palette.text},
            }
        return _trace(
            "scatter",
            mode="markers+text" if beside else "markers",
            marker={
                "color": self.colour(series.role), "size": series.size, "symbol": series.symbol,
                "opacity": series.opacity,
            },
            cliponaxis=False,
            **beside,
            **common,
        )  # fmt: skip

    def bars(self, series: BarSeries, common: dict[str, Any]) -> dict[str, Any]:
        low, high = self.space.spans(series)
        roles = [series.role_of(index) for index in range(len(low))]
        labels = series.labels and [for_page(label) for label in series.labels]
        return _trace(
            "bar",
            orientation="h" if series.across else "v",
            offset=low - series.places,
            width=high - low,
            marker={"color": [self.colour(role) for role in roles], "line": {"width": 0}},
            opacity=series.opacity,
            text=labels,
            textposition="auto" if labels else "none",
            **common,
        )

    def heat(self, series: Heat) -> dict[str, Any]:
        x, y = places(series)
        colours = [self.colour(role) for role in series.colours]
        return _trace(
            "heatmap",
            x=x,
            y=y,
            z=np.asarray(series.z, np.float32),
            zmin=series.low,
            zmax=series.top,
            colorscale=[
                [index / (len(colours) - 1), colour] for index, colour in enumerate(colours)
            ],
            showscale=series.key,
            hoverongaps=False,
            colorbar={"thickness": 10, "outlinewidth": 0},
            customdata=None if series.custom is None else np.asarray(series.custom, np.float32),
            name=for_page(series.name),
            yaxis=self.axis_name(series),
            **self.hover(series),
        )

    def hover(self, series: Series) -> dict[str, Any]:
        """What its points say, and the texts among it."""
        if not series.hover:
            return {"hoverinfo": "skip"}
        kinds = self.plot.kinds(series)
        columns = self.columns(series)
        row = "customdata" if len(columns) == 1 else "customdata[{}]"  # texts are less than lists
        refer = {name: row.format(index) for index, name in enumerate(columns)}
        refer |= {"name": "fullData.name"} | ({"custom": "customdata"} if not columns else {})
        template = hover.for_plotly(series.hover, kinds, lambda name: refer.get(name, name))
        written = [list(map(for_page, column)) for column in columns.values()]
        rows = written[0] if len(written) == 1 else list(map(list, zip(*written, strict=True)))
        return {"hovertemplate": template} | ({"customdata": rows} if columns else {})

    def columns(self, series: Series) -> dict[str, list[str]]:
        """The fields of a series that are texts, one for each point."""
        if isinstance(series, Heat):
            return {}
        texts = {} if series.text is None else {"text": list(series.text)}
        x, y = places(series)
        for name, axis, values in (("x", self.plot.x, x), ("y", self.plot.axis_of(series), y)):
            if axis.categories is not None:
                texts[name] = names_at(axis.categories, values)
        return texts

    # --- what stands around them -------------------------------------------------------------

    def keys(self) -> Iterator[dict[str, Any]]:
        """What zones are called: points that are nowhere, for the legend's sake."""
        for zone in self.plot.zones:
            if zone.label:
                yield _trace(
                    "scatter",
                    x=[None], y=[None], mode="markers", name=for_page(zone.label),
                    marker={
                        "size": 13, "color": self.colour(zone.role), "symbol": "square",
                        "opacity": 0.4, "line": {"color": self.palette.muted, "width": 2},
                    },
                )  # fmt: skip

    def zones(self) -> Iterator[dict[str, Any]]:
        for zone in self.plot.zones:
            yield {
                "type": "rect", "xref": "x", "yref": "paper", "x0": zone.low, "x1": zone.high,
                "y0": 0, "y1": 1, "fillcolor": self.colour(zone.role), "opacity": zone.opacity,
                "line": {"width": 0}, "layer": "below",
            }  # fmt: skip

    def placed_rules(self) -> Iterator[tuple[Rule, dict[str, Any]]]:
        """Each rule, and where it stands."""
        for rule in self.plot.rules:
            if rule.x is not None:
                yield rule, {"xref": "x", "yref": "paper", "x0": rule.x, "x1": rule.x,
                             "y0": 0, "y1": 1}  # fmt: skip
        for n, panel in enumerate(self.plot.panels):
            for rule in panel.rules:
                yield rule, {"xref": "paper", "yref": self.panel_axis(n), "x0": 0, "x1": 1,
                             "y0": rule.y, "y1": rule.y}  # fmt: skip

    def rules(self) -> Iterator[dict[str, Any]]:
        for rule, where in self.placed_rules():
            line = {"color": self.colour(rule.role), "width": rule.width, "dash": rule.dash}
            yield {"type": "line", "line": line, **where}

    def rule_words(self) -> Iterator[dict[str, Any]]:
        """At the left end of a rule, below it; beside the top of one that stands."""
        for rule, where in self.placed_rules():
            if rule.text:
                x, y = where["x0"], where["y1"]
                last = rule.x is not None and self.space.is_last(rule.x)
                if rule.x is not None and self.plot.x.log:
                    x = float(np.log10(x))
                if rule.y is not None:
                    y = self.log_place(where["yref"], y)
                yield {
                    "x": x, "y": y, "xref": where["xref"], "yref": where["yref"],
                    "text": for_page(rule.text), "showarrow": False,
                    "xanchor": "right" if last else "left", "yanchor": "top",
                    "font": {"color": self.palette.muted, "size": 12},
                }  # fmt: skip

    def words(self) -> Iterator[dict[str, Any]]:
        for label in self.plot.words:
            x = float(self.space.x.on_line([label.x])[0])
            yield {
                "x": x, "y": self.log_place("y", label.y), "text": for_page(label.text),
                "showarrow": False, "font": {"color": self.colour(label.role)},
            }  # fmt: skip

    def log_place(self, axis: str, y: float) -> float:
        """A height as an annotation says it: on a logarithmic axis, its logarithm."""
        panel = 0 if axis == "y" else int(axis[1:]) - 1
        return float(self.space.panels[panel].on_line([y])[0])
