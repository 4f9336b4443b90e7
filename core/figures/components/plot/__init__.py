"""Plots: typed data that Plotly shows on a page, and that we draw ourselves in a file.

A view returns one::

    Plot(
        title=_("Loss by training step"),
        x=PlotAxis(title=_("training step")),
        y=PlotAxis(title=_("loss in bits"), from_zero=True),
        series=[
            Curve(x=record.steps, y=record.loss, name=_("in training"), role="accent",
                  hover="{name}: {y:.4f}"),
        ],
        rules=[Rule(y=record.floor, text=_("the least there is"), dash="dot")],
    )
"""

from core.figures.components.plot.parts import (
    BarSeries,
    Curve,
    Heat,
    Panel,
    PlaceWords,
    PlotAxis,
    Points,
    Rule,
    Series,
    Zone,
    histogram,
)
from core.figures.components.plot.plot import Plot

__all__ = [
    "BarSeries",
    "Curve",
    "Heat",
    "Panel",
    "Plot",
    "PlotAxis",
    "Points",
    "Rule",
    "Series",
    "PlaceWords",
    "Zone",
    "histogram",
]
