"""Plots that have, together, every feature of the type."""

from __future__ import annotations

import numpy as np

from core.figures.components.plot import (
    BarSeries,
    Curve,
    Heat,
    Panel,
    PlaceWords,
    Plot,
    PlotAxis,
    Points,
    Rule,
    Zone,
    histogram,
)

HOSTILE = "<b>x</b> &amp; </svg><script>alert('1')</script> {x} %{y} \"q\" ]]>"
NAN = float("nan")
rng = np.random.default_rng(0)


def plot(title: str = "A title", **parts) -> Plot:
    axes = {"x": PlotAxis(title="size"), "y": PlotAxis(title="bits"), "series": []}
    return Plot(title=title, alt=f"what {title} shows", **(axes | parts))


def logarithmic() -> Plot:
    """A curve on a logarithmic x axis, and one below it that is logarithmic upwards, too."""
    x = 2 ** np.arange(11)
    return plot(
        "Logarithmic",
        height=450,
        x=PlotAxis(title="d", log=True, ticks=[1, 4, 16, 64, 256, 1024]),
        y=PlotAxis(title="entropy in bits"),
        series=[
            Curve(x=x, y=3.5 - 0.3 * np.arange(11), name="down", role="weight", markers=6,
                  hover="{name}\nd = {x}\n{y:.4g}"),
        ],
        below=[
            Panel(
                y=PlotAxis(title="gradient", log=True, ticks=[0.01, 0.1, 1]),
                series=[Curve(x=x, y=0.9 / (1 + x / 20), name="below", role="key", dash="dot",
                              markers=6, hover="{name}\nd = {x}\n{y:.4g}")],
                share=0.5,
            )
        ],
    )  # fmt: skip


def scatter() -> Plot:
    """A curve, points with names, one of them labelled, counts below, a legend inside."""
    before = rng.normal(-1, 1.5, 200)
    x = np.linspace(-4, 4, 101)
    counts = histogram(before, 30, role="residual", name="how many", opacity=0.3,
                       hover="{y} units")  # fmt: skip
    return plot(
        "Scatter",
        legend="inside",
        x=PlotAxis(title="before", range=(-4, 4)),
        y=PlotAxis(title="after"),
        series=[
            Curve(x=x, y=np.maximum(x, 0), name="ReLU", role="muted", hover="{name}\n{y:.4g}"),
            Points(x=before, y=np.maximum(before, 0), name="units", role="residual", size=5,
                   opacity=0.45, text=list(map(str, range(200))),
                   hover="unit {text}: {x:.4g} → {y:.4g}"),
            Points(x=[1.25], y=[1.25], name="unit 7", role="accent", size=11, labels=["7"],
                   sides="left", text=["7"], hover="unit {text}: {x:.4g} → {y:.4g}"),
        ],
        below=[
            Panel(y=PlotAxis(title="how many", range=(0, 80), ticks=[0, 40, 80], grid=False),
                  series=[counts], share=0.3)
        ],
    )  # fmt: skip


def zones() -> Plot:
    """Points on categories that run down, over bands that are named, between lines."""
    names = ["0 cat", "1 sat", "2 cat", "3 mat"]
    values = [0.123456, 0.85, 0.95, 0.8]
    return plot(
        "Zones",
        fixed=True,
        height=312,
        x=PlotAxis(title="thrown", range=(0, 1), every=0.1),
        y=PlotAxis(title="words", categories=names, reversed=True),
        zones=[
            Zone(low=0, high=0.8, role="warning", label="masked"),
            Zone(low=0.8, high=0.9, role="residual", label="random"),
            Zone(low=0.9, high=1, role="background", label="stays"),
        ],
        rules=[Rule(x=0.8, role="border"), Rule(x=0.9, role="border")],
        series=[
            Points(x=values, y=range(4), role="accent", symbol="diamond", size=13,
                   labels=[f"{v:.2f}" for v in values],
                   sides=["left" if v > 0.5 else "right" for v in values],
                   text=[f"falls on {v}" for v in values], hover="{y}: {text}"),
        ],
    )  # fmt: skip


def unified() -> Plot:
    """Lines with dashes, all named at once, from 0, and a level with words."""
    steps = np.arange(0, 301, 20)
    return plot(
        "Unified",
        unified=True,
        height=340,
        x=PlotAxis(title="training step"),
        y=PlotAxis(title="loss", from_zero=True),
        series=[
            Curve(x=steps, y=4 * 0.9 ** (steps / 20), name="visible", role="warning",
                  hover="{name}: {y:.4f}"),
            Curve(x=steps, y=4 * 0.97 ** (steps / 20), name="not written yet", role="accent",
                  dash="dash", hover="{name}: {y:.4f}"),
        ],
        rules=[Rule(y=1.0, text="no honest prediction gets below", role="residual", dash="dot")],
    )  # fmt: skip


def panels() -> Plot:
    """Two panels over one x axis, a line that ends early, steps, and a line through both."""
    x = np.arange(120)
    return plot(
        "Panels",
        x=PlotAxis(title="distance"),
        y=PlotAxis(title="cosine"),
        series=[
            Curve(y=np.cos(x / 9) / (1 + x / 30), name="sines", role="position",
                  hover="{name}\ndistance {x}\n{y:.6f}"),
            Curve(y=np.exp(-x[:80] / 40), name="learned", role="accent",
                  hover="{name}\ndistance {x}\n{y:.6f}"),
        ],
        below=[
            Panel(
                y=PlotAxis(title="bucket"),
                series=[Curve(y=np.minimum(x // 8, 9), name="bucket", role="residual", step=True,
                              hover="distance {x}, bucket {y}")],
                rules=[Rule(y=4.0, role="border")],
                share=0.32,
            )
        ],
        rules=[Rule(x=80, role="text", dash="dot")],
    )  # fmt: skip


def heat() -> Plot:
    """Signed cells, row 0 on top, with a bar of colours and a number of their own."""
    z = np.round(rng.normal(0, 0.6, (6, 9)), 3).astype(np.float32)
    return plot(
        "Heat",
        x=PlotAxis(title="component", grid=False, ticks=[0, 4, 8], labels=["0", "8", "7"]),
        y=PlotAxis(title="position", grid=False, reversed=True),
        series=[
            Heat(z=z, limit=1.0, custom=np.broadcast_to(np.arange(9)[::-1], z.shape),
                 hover="position {y}, component {custom}\n{z:.6f}"),
        ],
    )  # fmt: skip


def grid() -> Plot:
    """Cells of one hue, with holes, on axes of their own, cut at the range, and words."""
    z = np.add.outer(np.arange(8.0), np.arange(8.0))
    z[6:, :] = z[:, 6:] = NAN
    at = np.arange(0, 80, 10)
    return plot(
        "Grid",
        height=300,
        x=PlotAxis(title="key", range=(0, 80), grid=False),
        y=PlotAxis(title="query", range=(80, 0), grid=False),
        series=[
            Heat(z=z, x=at, y=at, kind="position", key=False,
                 hover="query {y}, key {x}\nbucket {z}"),
        ],
        rules=[Rule(x=60, role="text", dash="dot"), Rule(y=60, role="text", dash="dot")],
        words=[PlaceWords(x=70, y=70, text="no rows")],
    )  # fmt: skip


def categories() -> Plot:
    """Bars and lines over names in their order, at an angle; bars stand at places of their own."""
    names = ["embeddings", "0 + attention", "0 + ffn", "1 + attention", "1 + ffn"]
    return plot(
        "Categories",
        legend="inside",
        bars="alone",
        x=PlotAxis(title="after", categories=names, angle=-60, font_size=11),
        y=PlotAxis(title="length", range=(0, 40)),
        series=[
            Curve(x=range(5), y=[2, 3, 12, 14, 22], role="border", width=1, legend=False,
                  name="·cat", hover="{name}\n{x}: {y:.4g}"),
            BarSeries(x=[1, 3], y=[4.5, 6.25], name="attention", role="weight",
                      hover="{name}\n{x}: {y:.4g}"),
            BarSeries(x=[2, 4], y=[7, 9], name="ffn", role="value", hover="{name}\n{x}: {y:.4g}"),
            Curve(x=range(5), y=[1, 2, 10, 16, 25], role="residual", width=3, markers=6,
                  name="stream", hover="{name}\n{x}: {y:.4g}"),
        ],
    )  # fmt: skip


def lying() -> Plot:
    """Bars that lie, each with its colour, its number and words of its own."""
    return plot(
        "Lying",
        height=210,
        gap=0.3,
        x=PlotAxis(title="bits per character"),
        y=PlotAxis(title="code", categories=["GPT", "code", "characters"], grid=False),
        series=[
            BarSeries(x=[0.05, 6.32, 3.78], y=range(3), across=True,
                      role=["accent", "residual", "residual"], labels=["0.05", "6.32", "3.78"],
                      text=["as predicted", "as learned", "as counted"],
                      hover="{text}\n{x:.3g} bits"),
        ],
    )  # fmt: skip


def beside() -> Plot:
    """Bars of two series beside each other, some of them negative, some missing."""
    return plot(
        "Beside",
        series=[
            BarSeries(x=[0, 1, 2], y=[1, -2.5, NAN], name="one", role="query", hover="{y:.2f}"),
            BarSeries(x=[0, 1, 2], y=[-0.5, 2, 3], name="two", role="key", hover="{y:.2f}"),
        ],
    )


def decades() -> Plot:
    """A logarithmic axis over many decades, with a number that has no place on it."""
    return plot(
        "Decades",
        x=PlotAxis(title="block"),
        y=PlotAxis(title="gradient", log=True),
        series=[
            Curve(y=10.0 ** np.arange(-24, 1, 2), role="warning", name="neither", hover="{y:.4g}"),
            Curve(y=[1, 0, 10, 5, -2, 3, 30.5], role="accent", name="both", hover="{y:.4g}"),
        ],
    )  # fmt: skip


def cut() -> Plot:
    """Lines that leave the panel, come back, and have gaps."""
    x = np.linspace(0, 12, 60)
    y = 3 * np.sin(x)
    y[20:23] = NAN
    return plot(
        "Cut",
        x=PlotAxis(title="x", range=(1, 11)),
        y=PlotAxis(title="y", range=(-2, 2)),
        series=[Curve(x=x, y=y, role="query", hover="{x:.3f} {y:.3f}")],
    )


def hostile() -> Plot:
    """Words of a learner, everywhere where words can be."""
    return Plot(
        title=HOSTILE,
        alt=HOSTILE,
        x=PlotAxis(title=HOSTILE, categories=[HOSTILE, "b"]),
        y=PlotAxis(title=HOSTILE, ticks=[0, 1], labels=[HOSTILE, "one"]),
        zones=[Zone(low=0, high=0.5, role="warning", label=HOSTILE)],
        rules=[Rule(y=0.5, text=HOSTILE)],
        words=[PlaceWords(x=0, y=0.7, text=HOSTILE)],
        series=[
            Curve(x=[0, 1], y=[0, 1], name=HOSTILE, role="query", text=[HOSTILE, "t"],
                  hover="{name}\n{text} <i>&lt; {x} 100 %{y}"),
            Points(x=[0], y=[0.2], labels=[HOSTILE], role="key", text=["<b>"], hover="{text}"),
            BarSeries(x=[1], y=[0.4], labels=[HOSTILE], role="value", name=HOSTILE, hover="{x}"),
        ],
    )  # fmt: skip


def empty() -> Plot:
    """Nothing at all, and series that turn out to be empty."""
    return plot(
        "Empty",
        series=[
            Curve(x=[], y=[], role="query", name="a", hover="{y:.3f}"),
            Curve(x=[1, 2], y=[NAN, NAN], role="key", name="b", hover="{y:.3f}"),
            BarSeries(x=[], y=[], role="value", name="c", hover="{y:.3f}"),
        ],
    )


PLOTS = {
    make.__name__: make()
    for make in (logarithmic, scatter, zones, unified, panels, heat, grid, categories, lying,
                 beside, decades, cut, hostile, empty)
}  # fmt: skip
