"""A plot is drawn whatever its numbers are: none, infinite, as large or as small as they can be."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.figures.components.plot import (
    BarSeries,
    Curve,
    Heat,
    PlaceWords,
    Plot,
    PlotAxis,
    Points,
    Rule,
    Zone,
)

# NumPy warns of what overflows in 32 bits.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

NONE, ENDLESS = float("nan"), float("inf")
ODD = (0.0, -0.0, 1.0, -1.0, 0.5, 5e-324, 1e-30, 1.0000000000001, 1e15, 1e99, 1e100, -1.7e308,
       NONE, ENDLESS, -ENDLESS)  # fmt: skip


def drawn(plot: Plot) -> None:
    """For a file, for a live file and for a page; without a place that is no number."""
    for mode in ("light", "dark"):
        svg = plot.drawing(mode)
        assert not re.search(r"['\" ,(]-?(nan|inf)\b", svg)
    plot.payload().pack()
    assert plot.figure("light").to_json()


def plot(series, x=None, y=None, **more) -> Plot:
    axes = {"x": PlotAxis(title="x", **(x or {})), "y": PlotAxis(title="y", **(y or {}))}
    return Plot(title="t", alt="t", series=series, **axes, **more)


@pytest.mark.parametrize("value", ODD)
def test_a_range_a_limit_and_a_distance_of_ticks_may_be_any_number(value):
    heat = Heat(z=np.array([[0.0, value], [-1.0, NONE]]), limit=value, hover="{z}")
    drawn(plot([heat]))
    for other in (value, 0.0, ENDLESS):
        drawn(plot([Curve(y=[1, 2], role="key")], {"range": (value, other)}, {"every": value}))
    if value > 0:
        drawn(plot([Curve(y=[1, 2], role="key")], {"range": (value, value), "log": True}))


@pytest.mark.parametrize("seed", range(25))
def test_any_numbers_are_a_drawing(seed):
    rng = np.random.default_rng(seed)

    def some(n: int) -> list[float]:
        return [ODD[at] for at in rng.integers(0, len(ODD), n)]

    axes = [{"log": bool(rng.random() < 0.3), "from_zero": bool(rng.random() < 0.3)} for _ in "xy"]
    series = [
        Curve(y=some(4), x=some(4), role="weight", markers=4, hover="{x} {y}"),
        Points(x=some(3), y=some(3), role="key", labels=["a"] * 3),
        BarSeries(x=some(3), y=some(3), role="value", labels=["a"] * 3),
        Heat(z=np.array(some(6)).reshape(2, 3), hover="{z}"),
    ]
    (x,), (low, high) = some(1), some(2)
    drawn(plot([series[n] for n in rng.permutation(4)[:2]], *axes,
               zones=[Zone(low=low, high=high, role="key")], rules=[Rule(x=x), Rule(y=x)],
               words=[PlaceWords(x=x, y=high, text="w")]))  # fmt: skip
