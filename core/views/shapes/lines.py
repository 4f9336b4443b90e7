"""Lines that lie on each other, each still to be seen: by its dashes, its marks and its label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Dash, Series, Symbol
from core.language import _
from core.views.shapes.shaping import NAMES, ROLES, SHORT, Floats, Shaped

SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
ASIDE, BEHIND = 0.04, 0.2  # where labels stand, and the room they need: shares of the x axis
APART = 0.07  # between two labels: a share of the height that the lines take


@dataclass(frozen=True, slots=True)
class Line:
    """One of several lines over the same steps.

    Attributes:
        name: in the legend.
        y: its numbers.
        look: colour and dashes.
        short: at its end; empty for no label.
        chosen: it is thick, and lies beneath the others.
    """

    name: str
    y: Floats
    look: tuple[str, Dash]
    short: str = ""
    chosen: bool = False

    @property
    def role(self) -> str:
        """Its colour."""
        return "accent" if self.chosen else self.look[0]


def told_apart(
    x: Floats, lines: Sequence[Line], *, hover: str, log: bool = False
) -> Iterator[Series]:
    """The lines, the chosen one first, then marks on each in turn, then their labels.

    Args:
        x: the steps of all.
        lines: over them.
        hover: what a point says.
        log: equal steps of the y axis are equal factors.
    """
    for line in sorted(lines, key=lambda line: not line.chosen):
        yield Curve(
            x=x,
            y=line.y,
            name=line.name,
            role=line.role,
            dash="solid" if line.chosen else line.look[1],
            width=5 if line.chosen else 1.6,
            hover=hover,
        )
    n = len(lines)
    for at, line in enumerate(lines):
        own = slice(at * len(x) // (2 * n) + 1, None, max(2, len(x) // 3))
        yield Points(
            x=x[own], y=line.y[own], role=line.role, symbol=SYMBOLS[at % len(SYMBOLS)],
            size=7, name=line.name, hover=hover, legend=False,
        )  # fmt: skip
    yield from _labels(x, [line for line in lines if line.short], log=log)


def room(x: Floats) -> float:
    """Where the x axis has to end for the labels to stand on it."""
    return float(x[-1] + BEHIND * (x[-1] - x[0]))


def _labels(x: Floats, lines: Sequence[Line], *, log: bool) -> Iterator[Series]:
    """A label for each, and a thin line to it from where its own line ends."""
    if not lines:
        return
    every = np.array([line.y for line in lines], np.float64)
    scaled = np.log(every) if log else every
    least = np.log(4) if log else 1e-9  # what the axis shows at least
    gap = APART * max(float(np.nanmax(scaled) - np.nanmin(scaled)), least)
    places = spaced(scaled[:, -1], gap)
    at = x[-1] + ASIDE * (x[-1] - x[0])
    for line, place in zip(lines, np.exp(places) if log else places, strict=True):
        ends = [float(x[-1]), float(at)]
        yield Curve(x=ends, y=[float(line.y[-1]), float(place)], role=line.role, width=0.8,
                    legend=False)  # fmt: skip
        yield Points(
            x=[ends[1]], y=[float(place)], role=line.role, size=3, labels=[line.short], legend=False
        )


def spaced(values: Floats, gap: float) -> Floats:
    """Places as near to some values as can be, in their order and no nearer than a gap.

    Args:
        values: ``(n,)``.
        gap: between two places.
    """
    order = np.argsort(values, kind="stable")
    groups: list[list[float]] = []  # values of places that touch, by their distance to the first
    for value in values[order]:
        groups.append([float(value)])
        while len(groups) > 1 and _first(groups[-1], gap) < _last(groups[-2], gap) + gap:
            groups[-2:] = [groups[-2] + groups[-1]]
    found = np.empty(len(values))
    found[order] = [_first(group, gap) + n * gap for group in groups for n in range(len(group))]
    return found


def _first(group: Sequence[float], gap: float) -> float:
    """The lowest place of values that touch: their middle is that of the values."""
    return sum(group) / len(group) - gap * (len(group) - 1) / 2


def _last(group: Sequence[float], gap: float) -> float:
    return _first(group, gap) + gap * (len(group) - 1)


def plot_of(record: Shaped, drawn: Mapping[str, Floats], first: int, *, title: str, y: str) -> Plot:
    """A line for each shape over the layers."""
    x: Floats = np.arange(first, record.n + 1, dtype=np.float64) - 1
    lines = [
        Line(_(NAMES[name]), line, ROLES[name], SHORT[name], name == record.params.shape)
        for name, line in drawn.items()
    ]
    return Plot(
        title=title,
        x=PlotAxis(title=_("after layer (−1: before the first)"), range=(first - 1.3, room(x))),
        y=PlotAxis(title=y, log=True, range=_wide_enough(drawn)),
        series=list(told_apart(x, lines, hover="{name}: {y:.4g}", log=True)),
        height=480,
    )


def _wide_enough(drawn: Mapping[str, Floats]) -> tuple[float, float] | None:
    """A range for lines that lie so near each other that the axis would make much of nothing."""
    low = min(float(line.min()) for line in drawn.values())
    high = max(float(line.max()) for line in drawn.values())
    middle = float(np.sqrt(low * high))
    return (middle / 2, middle * 2) if low > 0 and high < 2 * low else None
