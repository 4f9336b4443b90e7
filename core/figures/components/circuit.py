"""Circuits side by side: a stream from top to bottom, branches beside it, and where they are added.

A circuit is said as sums; where boxes and wires lie follows from that, once for browser and file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from core.figures import drawing
from core.figures.components.base import Component
from core.figures.drawing import CHAR, line, rect
from core.figures.payload import Payload
from core.figures.theme import PALETTES, Mode, Palette

WIDE, TALL = 120.0, 36.0  # pixels of a box: twelve signs in the large type of a lecture
GAP = 14.0  # between two boxes of a branch
BESIDE = 10.0  # between two branches
EDGE = 8.0  # free at the sides of a circuit
RADIUS = 8.0  # of the sign of a sum
ARROW = 5.0
ABOVE = 58.0  # the title of a file, and the circuits' names

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stage:
    """A box of a circuit.

    Attributes:
        label: on it.
        role: its colour.
        note: under the label: its number.
        marked: it stands out.
    """

    label: str
    role: str
    note: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class ResidualSum:
    """A sum: what is added to the stream.

    Attributes:
        first: what all branches read through; None where they read the stream itself.
        branches: side by side, each from top to bottom.
        last: what stands on the stream behind the sum; None for nothing.
        note: beside the sum: its number.
    """

    first: Stage | None
    branches: Sequence[Sequence[Stage]]
    last: Stage | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Wired:
    """One circuit.

    Attributes:
        id: names it in the selection.
        name: above it.
        start: beside the place where the stream begins.
        sums: from top to bottom.
        says: to who hears it.
    """

    id: str
    name: str
    start: str
    sums: Sequence[ResidualSum]
    says: str


@dataclass(frozen=True, slots=True)
class StageBox:
    """A stage at its place: the left upper corner."""

    x: float
    y: float
    label: str
    role: str
    note: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Wire:
    """A line of straight strokes, and the corners of the arrow at its end, if it has one."""

    points: Sequence[Point]
    tip: Sequence[Point] = ()


@dataclass(frozen=True, slots=True)
class Plus:
    """The sign of a sum, by its middle, and its number."""

    x: float
    y: float
    note: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything of a circuit lies."""

    width: float
    height: float
    boxes: Sequence[StageBox]
    wires: Sequence[Wire]
    sums: Sequence[Plus]


@dataclass(frozen=True, kw_only=True)
class Circuit(Component):
    """Circuits, one of which is selected.

    Attributes:
        circuits: side by side, in the next row where there is no room.
        field: of the selection, which names one by its id.
        note: what the numbers are.
    """

    folder: ClassVar[str] = "circuit"

    circuits: Sequence[Wired]
    field: str
    note: str

    def payload(self) -> Payload:
        drawn: list[dict[str, Any]] = [
            {"id": circuit.id, "name": circuit.name, "says": circuit.says, "start": circuit.start,
             "layout": laid_out(circuit)}
            for circuit in self.circuits
        ]  # fmt: skip
        sizes = {"wide": WIDE, "tall": TALL, "radius": RADIUS}
        return Payload(
            self.header(
                title=self.title, alt=self.alt, circuits=drawn, note=self.note, sizes=sizes,
                selects=self.field,
            )
        )  # fmt: skip

    def drawing(self, mode: Mode) -> str:
        palette, x, body = PALETTES[mode], EDGE, list[str]()
        tallest = 0.0
        for circuit in self.circuits:
            layout = laid_out(circuit)
            is_selected = circuit.id == self.selection.get(self.field)
            look = f"rx='6' stroke='{palette.accent if is_selected else palette.border}'"
            look += f" stroke-width='{2.5 if is_selected else 1}'"
            body.append(
                rect(x, ABOVE - 22, layout.width, layout.height + 26, palette.background, look)
            )
            bold = "font-weight='700'" if is_selected else ""
            body.append(drawing.text(x + EDGE, ABOVE - 6, circuit.name, palette.text, extra=bold))
            body.append(f"<g transform='translate({x:.1f} {ABOVE:.1f})'>")
            body += _circuit_svg(layout, circuit.start, palette)
            body.append("</g>")
            x += layout.width + 12
            tallest = max(tallest, layout.height)
        body.append(drawing.text(EDGE, ABOVE + tallest + 26, self.note, palette.muted))
        width = max(x, 2 * EDGE + CHAR * len(self.note))
        return drawing.frame(width, ABOVE + tallest + 38, self.title, self.alt, body, palette)


def _circuit_svg(layout: Layout, start: str, palette: Palette) -> Iterator[str]:
    """A circuit from its own corner."""
    for wire in layout.wires:
        for (x1, y1), (x2, y2) in zip(wire.points, wire.points[1:], strict=False):
            yield line(x1, y1, x2, y2, palette.residual, "stroke-width='1.6'")
        if wire.tip:
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in wire.tip)
            yield f"<polygon points='{points}' fill='{palette.residual}'/>"
    x, y = layout.wires[0].points[0]
    yield drawing.text(x + 12, y + 12, start, palette.muted)
    for box in layout.boxes:
        colour = drawing.role_colour(palette, box.role)
        look = f"rx='5' stroke='{colour}' stroke-width='{3 if box.marked else 1.2}'"
        yield rect(box.x, box.y, WIDE, TALL, palette.surface, look)
        middle = box.x + WIDE / 2
        y = box.y + (15 if box.note else 22)
        yield drawing.text(middle, y, box.label, palette.text, "middle")
        if box.note:
            yield drawing.text(middle, box.y + 30, box.note, palette.muted, "middle")
    for plus in layout.sums:
        yield (
            f"<circle cx='{plus.x:.1f}' cy='{plus.y:.1f}' r='{RADIUS}' "
            f"fill='{palette.background}' stroke='{palette.residual}' stroke-width='1.6'/>"
        )
        yield drawing.text(plus.x, plus.y + 4, "+", palette.text, "middle")
        yield drawing.text(plus.x + 12, plus.y + 20, plus.note, palette.muted)


def _arrow(*points: Point) -> Wire:
    """A wire that ends in an arrow."""
    (x0, y0), (x, y) = points[-2:]
    dx, dy = (x > x0) - (x < x0), (y > y0) - (y < y0)
    bx, by = x - ARROW * 1.6 * dx, y - ARROW * 1.6 * dy
    tip = ((x, y), (bx + ARROW * dy, by + ARROW * dx), (bx - ARROW * dy, by - ARROW * dx))
    return Wire(points, tip)


def laid_out(circuit: Wired) -> Layout:
    """Where boxes, wires and sums lie; pixels from the circuit's left upper corner."""
    behind = any(joined.last is not None for joined in circuit.sums)
    stream = EDGE + (WIDE / 2 if behind else RADIUS)
    beside = stream + 24
    boxes: list[StageBox] = []
    wires: list[Wire] = []
    sums: list[Plus] = []
    y = top = 4.0
    stops = [top]  # where the stream is cut by a sum or a box
    for joined in circuit.sums:
        y = _branches(joined, stream, beside, y + 22, boxes, wires)
        sums.append(Plus(stream, y, joined.note))
        stops += [y - RADIUS, y + RADIUS]
        y += RADIUS
        if joined.last is not None:
            y += 26
            boxes.append(_box(joined.last, stream - WIDE / 2, y))
            stops += [y, y + TALL]
            y += TALL
    stops.append(y + 26)
    pieces = list(zip(stops[::2], stops[1::2], strict=True))
    arrows = [_arrow((stream, low), (stream, high)) for low, high in pieces]
    widest = max(len(joined.branches) for joined in circuit.sums)
    width = beside + widest * WIDE + (widest - 1) * BESIDE + EDGE
    return Layout(width, stops[-1] + 4, boxes, [*arrows, *wires], sums)


def _branches(
    joined: ResidualSum,
    stream: float,
    beside: float,
    y: float,
    boxes: list[StageBox],
    wires: list[Wire],
) -> float:
    """Lay out what a sum adds, from where it leaves the stream; gives the height of the sum."""
    middles = [beside + WIDE / 2 + n * (WIDE + BESIDE) for n in range(len(joined.branches))]
    centre = sum(middles) / len(middles)
    leaves, down = (stream, y), y + 16
    if joined.first is not None:
        wires.append(_arrow(leaves, (centre, y), (centre, down)))
        boxes.append(_box(joined.first, centre - WIDE / 2, down))
        leaves, down = (centre, down + TALL), down + TALL + GAP
        if len(middles) > 1:
            fork = (centre, leaves[1] + GAP / 2)
            wires.append(Wire((leaves, fork)))
            leaves = fork
    end = down + max(len(branch) for branch in joined.branches) * (TALL + GAP)
    for middle, branch in zip(middles, joined.branches, strict=True):
        into = (middle, down)
        way = (leaves, into) if leaves[0] == middle else (leaves, (middle, leaves[1]), into)
        wires.append(_arrow(*way))
        top = down
        for n, stage in enumerate(branch):
            if n:
                wires.append(_arrow((middle, top - GAP), (middle, top)))
            boxes.append(_box(stage, middle - WIDE / 2, top))
            top += TALL + GAP
        out = (middle, top - GAP)
        wires.append(_arrow(out, (middle, end), (stream + RADIUS, end)))
    return end


def _box(stage: Stage, x: float, y: float) -> StageBox:
    return StageBox(x, y, stage.label, stage.role, stage.note, stage.marked)
