"""What the signs and colours of a plot's drawing mean: its legend, and the bar of colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.figures.components.plot.frame import (
    EDGE,
    KEY,
    NAME,
    ROW,
    PanelBox,
    PlotFrame,
    entry_name,
    key_scale,
    n_columns,
    wrapped,
)
from core.figures.components.plot.parts import BarSeries, Curve, Heat, Series, Zone
from core.figures.components.plot.scene import Scene
from core.figures.components.plot.strokes import dashes, symbol

if TYPE_CHECKING:
    from core.figures.components.plot.plot import Plot

STEPS = 64  # of a bar of colours


def draw_legend(scene: Scene, plot: Plot, frame: PlotFrame) -> None:
    """The names below the plot, or in its upper left corner."""
    if plot.legend == "inside" and plot.entries:
        _inside(scene, plot, frame.boxes[0])
    down = frame.legend
    for row in frame.names:
        for n, x, lines in row.names:
            _entry(scene, plot.entries[n], EDGE + x, down, lines)
        down += ROW * row.lines


def _inside(scene: Scene, plot: Plot, box: PanelBox) -> None:
    names = [wrapped(entry_name(entry), (box.width - KEY - 30) / NAME) for entry in plot.entries]
    wide = KEY + 8 + NAME * max(n_columns(line) for lines in names for line in lines)
    tall = ROW * sum(map(len, names)) + 4
    scene.add("rect", x=box.left + 8, y=box.top + 6, width=wide, height=tall, rx=4,
              fill="background", fill_opacity=0.85)  # fmt: skip
    down = box.top + 8
    for entry, lines in zip(plot.entries, names, strict=True):
        _entry(scene, entry, box.left + 12, down, lines)
        down += ROW * len(lines)


def _entry(scene: Scene, entry: Series | Zone, x: float, y: float, lines: list[str]) -> None:
    """A sign, and the name beside it."""
    middle, down = x + 13, y + 10
    if isinstance(entry, Zone):
        scene.add("rect", x=x + 7, y=y + 4, width=12, height=12, fill=entry.role,
                  fill_opacity=0.4, stroke="muted")  # fmt: skip
    elif isinstance(entry, BarSeries):
        scene.add("rect", x=x + 7, y=y + 4, width=12, height=12, fill=entry.role_of(0),
                  fill_opacity=entry.opacity)  # fmt: skip
    elif isinstance(entry, Curve):
        scene.add("line", x1=x, y1=down, x2=x + 26, y2=down, stroke=entry.role,
                  stroke_width=entry.width, **dashes(entry.dash, entry.width))  # fmt: skip
        if entry.markers:
            _sign(scene, symbol("circle", entry.markers), middle, down, entry.role, 1)
    elif not isinstance(entry, Heat):
        path = symbol(entry.symbol, min(12, entry.size))
        _sign(scene, path, middle, down, entry.role, entry.opacity)
    for n, line in enumerate(lines):
        scene.text(x + KEY, y + 14 + ROW * n, line, class_="name")


def _sign(scene: Scene, path: str, x: float, y: float, role: str, opacity: float) -> None:
    scene.add("path", d=path, fill=role, fill_opacity=opacity, transform=f"translate({x} {y})")


def draw_colours(scene: Scene, heat: Heat, box: PanelBox) -> None:
    """The colours of a heat from its lowest number to its highest, beside the panel."""
    x, tall = box.right + 14, box.height / STEPS
    for step in range(STEPS):
        share = 1 - (step + 0.5) / STEPS
        role, strength = heat.kind, share
        if heat.kind == "signed":
            role, strength = "positive" if share > 0.5 else "negative", abs(2 * share - 1)
        scene.add("rect", x=x, y=box.top + step * tall, width=10, height=tall, fill=role,
                  fill_opacity=strength, shape_rendering="crispEdges")  # fmt: skip
    scale = key_scale(heat)
    for value, label in scale.ticks(4):
        scene.tick(x + 16, box.y(scale, [value])[0] + 4, label, "start", class_="key")
