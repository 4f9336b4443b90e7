"""The geometry of a plot's drawing: lines cut at the edge of a panel, symbols, cells."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot.arrays import NARROWEST, Floats
from core.figures.components.plot.parts import Dash, Symbol

if TYPE_CHECKING:
    from core.figures.components.plot.frame import PanelBox

Point = tuple[float, float]
FINE = 2  # pixels of a picture of cells for one of the drawing, at least
_DASHES = {"solid": (), "dash": (3.0, 2.0), "dot": (1.0, 1.5)}  # in widths of the line


def dashes(dash: Dash, width: float) -> dict[str, str]:
    """The attribute of a broken line; none for a whole one."""
    lengths = " ".join(f"{part * width:g}" for part in _DASHES[dash])
    return {"stroke_dasharray": lengths} if lengths else {}


def symbol(name: Symbol, size: float) -> str:
    """A path around (0, 0), as wide as ``size``."""
    r = size / 2
    if name == "diamond":
        r *= 1.3  # on its corner, to be as large as the others
        return f"M{-r:g} 0L0 {-r:g}L{r:g} 0L0 {r:g}Z"
    if name == "square":
        return f"M{-r:g} {-r:g}h{2 * r:g}v{2 * r:g}h{-2 * r:g}Z"
    return f"M{-r:g} 0a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0Z"


def held(points: Floats) -> Floats:
    """The corners of a line that holds each value until the next point."""
    if len(points) < 2:
        return points
    corners = np.stack([points[1:, 0], points[:-1, 1]], axis=-1)
    between = np.stack([points[:-1], corners], axis=1).reshape(-1, 2)
    return np.concatenate([between, points[-1:]])


def clipped(points: Floats, box: PanelBox) -> Iterator[list[Point]]:
    """The parts of a line that lie in a box; it is broken at NaN."""
    run: list[Point] = []
    for a, b in pairwise(map(tuple, points.tolist())):
        part = _inside(a, b, box)
        if part is None:
            continue
        start, end = part
        if not run or run[-1] != start:
            if run:
                yield run
            run = [start]
        run.append(end)
    if run:
        yield run


def _inside(a: Point, b: Point, box: PanelBox) -> tuple[Point, Point] | None:
    """The part of a segment that lies in a box (Liang and Barsky 1984)."""
    first, last = 0.0, 1.0
    for start, to, low, high in (
        (a[0], b[0], box.left, box.right),
        (a[1], b[1], box.top, box.bottom),
    ):
        if math.isnan(start) or math.isnan(to):
            return None
        if low <= start <= high and low <= to <= high:
            continue
        if start == to:
            return None
        ends = sorted(((low - start) / (to - start), (high - start) / (to - start)))
        first, last = max(first, ends[0]), min(last, ends[1])
    if first > last:
        return None
    return _along(a, b, first), _along(a, b, last)


def _along(a: Point, b: Point, share: float) -> Point:
    """A point of a segment; its ends are themselves, to the last digit."""
    if share in (0.0, 1.0):
        return b if share else a
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def cells_at(edges: Floats, start: float, length: float) -> NDArray[np.int32]:
    """The cell at every pixel of a picture, -1 where there is none.

    All cells of one size get the same number of pixels: else a browser that draws the picture at
    another size would make some of them look wider, in a pattern that is not in the numbers.

    Args:
        edges: of the cells, in pixels of the drawing, in rising or falling order.
        start, length: of what the picture covers.
    """
    n = len(edges) - 1
    wide = float(np.median(np.abs(np.diff(edges)))) if n > 0 else length
    wide = max(NARROWEST, wide) if wide < length else length  # of other series the axis may be huge
    count = max(1, round(length / wide)) * math.ceil(FINE * wide)
    pixels = start + (np.arange(count) + 0.5) * length / count
    falling = n > 0 and edges[0] > edges[-1]
    cells = np.searchsorted(edges[::-1] if falling else edges, pixels) - 1
    cells = np.where((cells < 0) | (cells >= n), -1, n - 1 - cells if falling else cells)
    return cells.astype(np.int32)
