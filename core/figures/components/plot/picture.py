"""A plot as a drawing of our own: the strokes of its axes, series, zones, rules and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.figures.components.plot import keys
from core.figures.components.plot.arrays import Floats, edges
from core.figures.components.plot.frame import (
    EDGE,
    TITLE_ROW,
    PanelBox,
    PlotFrame,
    key_of,
    text_width,
)
from core.figures.components.plot.parts import BarSeries, Curve, Heat, Points, Rule, Series
from core.figures.components.plot.scales import AxisScale
from core.figures.components.plot.scene import Cells, PointMarks, Scene, SeriesCells
from core.figures.components.plot.space import places
from core.figures.components.plot.strokes import cells_at, clipped, dashes, held, symbol

if TYPE_CHECKING:
    from core.figures.components.plot.plot import Plot


def draw(plot: Plot, width: float) -> Scene:
    """The drawing at a width."""
    return _Drawing(plot, width).scene


class _Drawing:
    """One plot at one width."""

    def __init__(self, plot: Plot, width: float) -> None:
        self.plot, self.space = plot, plot.space
        self.frame = PlotFrame(plot, width)
        self.scene = Scene(self.frame.width, self.frame.height)
        self.boxes = self.frame.boxes
        self.scene.panels = [(b.left, b.top, b.width, b.height) for b in self.boxes]
        for n, words in enumerate(self.frame.title):
            self.scene.text(EDGE, 22 + 18 * n, words, font_size=14.0, font_weight=600)
        self.zones()
        self.grid()
        for kind in (Heat, BarSeries, Curve | Points):
            for index, series in enumerate(plot.all):
                if isinstance(series, kind):
                    self.series(index, series)
        self.rules()
        self.axes()
        for label in plot.words:
            box = self.boxes[0]
            x, y = box.x(self.space.x, [label.x])[0], box.y(self.space.panels[0], [label.y])[0]
            if np.isfinite([x, y]).all():
                self.scene.text(x, y + 4, label.text, label.role, text_anchor="middle")
        heat = key_of(plot)
        if heat is not None:
            keys.draw_colours(self.scene, heat, self.boxes[plot.panel_of(heat)])
        keys.draw_legend(self.scene, plot, self.frame)

    # --- behind the series -------------------------------------------------------------------

    def zones(self) -> None:
        for zone in self.plot.zones:
            for box in self.boxes:
                ends = np.clip(box.x(self.space.x, [zone.low, zone.high]), box.left, box.right)
                if np.isnan(ends).any():
                    continue
                self.scene.add(
                    "rect", x=ends.min(), y=box.top, width=np.ptp(ends), height=box.height,
                    fill=zone.role, fill_opacity=zone.opacity, class_="zone",
                )  # fmt: skip

    def grid(self) -> None:
        x = self.space.x
        for n, (box, y) in enumerate(zip(self.boxes, self.space.panels, strict=True)):
            if x.axis.grid:
                for position in box.x(x, [value for value, _label in self.frame.x_ticks]):
                    self.line(position, box.top, position, box.bottom, "border")
            if y.axis.grid:
                for position in box.y(y, [value for value, _label in self.frame.y_ticks[n]]):
                    self.line(box.left, position, box.right, position, "border")

    def line(
        self, x1: float, y1: float, x2: float, y2: float, role: str, **more: float | str
    ) -> None:
        self.scene.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=role, **more)

    # --- series ------------------------------------------------------------------------------

    def series(self, index: int, series: Series) -> None:
        box = self.boxes[self.plot.panel_of(series)]
        scale = self.space.y(series)
        if isinstance(series, Heat):
            self.heat(index, series, box, scale)
        elif isinstance(series, BarSeries):
            self.bars(index, series, box, scale)
        else:
            x, y = places(series)
            across, down = box.x(self.space.x, x), box.y(scale, y)
            self.scene.points[index] = box.inside(across, down)
            if isinstance(series, Curve):
                self.curve(index, series, box, np.stack([across, down], axis=-1))
            else:
                self.points(index, series)

    def curve(self, index: int, series: Curve, box: PanelBox, points: Floats) -> None:
        path = "".join(
            "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in run)
            for run in clipped(held(points) if series.step else points, box)
        )
        if path:
            self.scene.add(
                "path", d=path, fill="none", stroke=series.role, stroke_width=series.width,
                stroke_linejoin="round", class_=f"series-{index}",
                **dashes(series.dash, series.width),
            )  # fmt: skip
        if series.markers:
            looks = {"fill": series.role, "class": f"series-{index}"}
            self.scene.pieces.append(PointMarks(index, symbol("circle", series.markers), looks))

    def points(self, index: int, series: Points) -> None:
        looks: dict[str, float | str] = {"fill": series.role, "class": f"series-{index}"}
        if series.opacity < 1:
            looks["fill-opacity"] = series.opacity
        self.scene.pieces.append(PointMarks(index, symbol(series.symbol, series.size), looks))
        for n, label in enumerate(series.labels or ()):
            x, y = self.scene.points[index][n]
            if not np.isnan(x):
                sign = 1 if series.side(n) == "right" else -1
                anchor = "start" if sign > 0 else "end"
                out = x + sign * (series.size / 2 + 5)
                self.scene.text(out, y + 4, label, text_anchor=anchor, font_family="code")

    def bars(self, index: int, series: BarSeries, box: PanelBox, scale: AxisScale) -> None:
        low, high = self.space.spans(series)
        nought = np.zeros(len(low))
        if series.across:
            x1, x2 = box.x(self.space.x, nought), box.x(self.space.x, series.lengths)
            y1, y2 = box.y(scale, low), box.y(scale, high)
        else:
            x1, x2 = box.x(self.space.x, low), box.x(self.space.x, high)
            y1, y2 = box.y(scale, nought), box.y(scale, series.lengths)
        # A logarithmic axis has no 0: bars stand on its edge.
        x1, y1 = np.nan_to_num(x1, nan=box.left), np.nan_to_num(y1, nan=box.bottom)
        x1, x2 = (np.clip(ends, box.left, box.right) for ends in (x1, x2))
        y1, y2 = (np.clip(ends, box.top, box.bottom) for ends in (y1, y2))
        sides = [np.minimum(x1, x2), np.minimum(y1, y2), np.abs(x2 - x1), np.abs(y2 - y1)]
        rectangles = np.stack(sides, axis=-1)
        rectangles[np.isnan(rectangles).any(axis=-1)] = np.nan
        self.scene.points[index] = rectangles
        for n, (x, y, width, height) in enumerate(rectangles):
            if not np.isnan(x):
                self.scene.add(
                    "rect", x=x, y=y, width=width, height=height, fill=series.role_of(n),
                    fill_opacity=series.opacity, class_=f"series-{index}",
                )  # fmt: skip
                if series.labels is not None:
                    self.bar_label(series, series.labels[n], x, y, width, height)

    def bar_label(
        self, series: BarSeries, label: str, x: float, y: float, width: float, height: float
    ) -> None:
        """At the end of a bar, inside where there is room."""
        wide = text_width([label])
        if series.across:
            fits = wide + 14 < width
            place = (x + width - 7, "end") if fits else (x + width + 6, "start")
            down = y + height / 2 + 4
        else:
            fits = wide + 4 < width and height > 22
            place = (x + width / 2, "middle")
            down = y + 16 if fits else y - 5
        ink = "background" if fits else "text"
        self.scene.text(place[0], down, label, ink, text_anchor=place[1], font_family="code")

    def heat(self, index: int, series: Heat, box: PanelBox, scale: AxisScale) -> None:
        x, y = places(series)
        share = np.clip((series.z - series.low) / (series.top - series.low), 0, 1)
        self.scene.cells[index] = Cells(
            box=(box.left, box.top, box.width, box.height),
            columns=cells_at(box.x(self.space.x, edges(x)), box.left, box.width),
            rows=cells_at(box.y(scale, edges(y)), box.top, box.height),
            shades=np.where(np.isnan(share), 0, 1 + np.rint(share * 254)).astype(np.uint8),
            colours=series.colours,
        )
        self.scene.pieces.append(SeriesCells(index))

    # --- over the series ---------------------------------------------------------------------

    def rules(self) -> None:
        for rule in self.plot.rules:
            if rule.x is not None and self.space.x.holds(rule.x):
                for n, box in enumerate(self.boxes):
                    x = box.x(self.space.x, [rule.x])[0]
                    self.rule(rule, x, box.top, x, box.bottom)
                    if n == 0:
                        last = self.space.is_last(rule.x)
                        before = {"text_anchor": "end"} if last else {}
                        place = x - 5 if last else x + 5
                        self.scene.text(place, box.top + 13, rule.text, "muted", **before)
        for n, (panel, box) in enumerate(zip(self.plot.panels, self.boxes, strict=True)):
            for rule in panel.rules:
                if rule.y is not None and self.space.panels[n].holds(rule.y):
                    y = box.y(self.space.panels[n], [rule.y])[0]
                    self.rule(rule, box.left, y, box.right, y)
                    under = y + 15 < box.bottom - 3
                    self.scene.text(box.left + 6, y + (15 if under else -6), rule.text, "muted")

    def rule(self, rule: Rule, x1: float, y1: float, x2: float, y2: float) -> None:
        looks = dashes(rule.dash, max(2.0, rule.width))
        self.line(x1, y1, x2, y2, rule.role, stroke_width=rule.width, class_="rule", **looks)

    def axes(self) -> None:
        frame, x = self.frame, self.space.x
        for n, (box, scale) in enumerate(zip(self.boxes, self.space.panels, strict=True)):
            self.line(box.left, box.bottom, box.right, box.bottom, "muted")
            self.line(box.left, box.top, box.left, box.bottom, "muted")
            size = scale.axis.font_size
            for value, label in frame.y_ticks[n]:
                y, lines = box.y(scale, [value])[0], frame.y_lines(n, label)
                self.line(box.left - 4, y, box.left, y, "muted")
                for row, words in enumerate(lines):
                    down = y + 4 + 15 * (row - (len(lines) - 1) / 2)
                    self.scene.tick(box.left - 8, down, words, "end", size, class_=f"y-{n}")
            self.upright(frame.y_titles[n], EDGE + 11, box, -90)
        box = self.boxes[-1]
        for value, label in frame.x_ticks:
            self.x_tick(box.x(x, [value])[0], box.bottom, label)
        self.scene.text(box.left + box.width / 2, frame.x_title, x.axis.title,
                        text_anchor="middle", font_size=13.0)  # fmt: skip

    def upright(self, lines: Sequence[str], x: float, box: PanelBox, turn: float) -> None:
        """A title beside a panel, in the middle."""
        middle = box.top + box.height / 2
        for n, line in enumerate(lines):
            across = x + TITLE_ROW * n * (1 if turn < 0 else -1)
            self.scene.text(across, middle, line, text_anchor="middle", font_size=13.0,
                            transform=f"rotate({turn} {across:.2f} {middle:.2f})")  # fmt: skip

    def x_tick(self, x: float, bottom: float, label: str) -> None:
        size, turn = self.space.x.axis.font_size, self.frame.angle
        self.line(x, bottom, x, bottom + 4, "muted")
        if turn:
            down = bottom + 12
            self.scene.tick(
                x, down, label, "end" if turn < 0 else "start", size, class_="x",
                transform=f"rotate({turn:g} {x:.2f} {down:.2f})",
            )  # fmt: skip
        else:
            self.scene.tick(x, bottom + 6 + size, label, "middle", size, class_="x")
