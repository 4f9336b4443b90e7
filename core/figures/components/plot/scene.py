"""A drawing in pieces whose colours are still names of the palette, for files and the browser."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures import drawing
from core.figures.components.plot.scales import RAISED
from core.figures.drawing import CHAR, mix
from core.figures.text import MINUS
from core.figures.theme import Palette

Value = str | float
FONTS = {"plain": "sans-serif", "code": "ui-monospace, Menlo, Consolas, monospace"}
_COLOURED = ("fill", "stroke")


@dataclass(frozen=True, slots=True)
class SvgShape:
    """An element of SVG.

    Attributes:
        tag: its name.
        attributes: ``fill`` and ``stroke`` are colours by name, ``font-family`` "plain" or "code".
        words: its text.
    """

    tag: str
    attributes: Mapping[str, Value]
    words: str = ""


@dataclass(frozen=True, slots=True)
class PointMarks:
    """One shape at every point of a series.

    Attributes:
        series: whose points.
        path: around (0, 0).
        attributes: of them all.
    """

    series: int
    path: str
    attributes: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class SeriesCells:
    """The cells of a series."""

    series: int


@dataclass(frozen=True, eq=False)
class Cells:
    """Where the cells of a heat are drawn.

    Attributes:
        box: left, top, width, height.
        rows, columns: for every pixel down and across, doubled, the row or column that is there;
            -1 where there is none.
        shades: ``(rows, columns)`` of the heat, 0 for none, 1 to 255 along its colours.
        colours: names from the first to the last.
    """

    box: tuple[float, float, float, float]
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    shades: NDArray[np.uint8]
    colours: tuple[str, ...]


@dataclass(eq=False)
class Scene:
    """A drawing, and where in it what can be pointed at lies.

    Attributes:
        width, height: in pixels.
        pieces: in the order of drawing.
        panels: left, top, width, height of each.
        points: for each series its points ``(n, 2)``, or bars ``(n, 4)`` as left, top, width,
            height; NaN where one cannot be seen.
        cells: of each heat.
    """

    width: float
    height: float = 0.0
    pieces: list[SvgShape | PointMarks | SeriesCells] = field(default_factory=list)
    panels: list[tuple[float, float, float, float]] = field(default_factory=list)
    points: dict[int, NDArray[np.float64]] = field(default_factory=dict)
    cells: dict[int, Cells] = field(default_factory=dict)

    def add(self, tag: str, /, **attributes: Value) -> None:
        """One more element."""
        self.pieces.append(SvgShape(tag, _svg_attributes(attributes)))

    def text(self, x: float, y: float, words: str, fill: str = "text", **more: Value) -> None:
        """A line of text; in the plain font of 12 pixels if nothing else is said."""
        looks: dict[str, Value] = {"x": x, "y": y, "fill": fill}
        looks |= {"font_family": "plain", "font_size": 12.0, **more}
        self.pieces.append(SvgShape("text", _svg_attributes(looks), words))

    def tick(
        self, x: float, y: float, label: str, anchor: str, size: float = 12, **more: Value
    ) -> None:
        """A number at an axis, its power raised."""
        base = label.rstrip(RAISED)
        looks: dict[str, Value] = {"font_family": "code", **more}
        if base == label:
            self.text(x, y, label, "text", font_size=size, text_anchor=anchor, **looks)
            return
        power = "".join("-0123456789"[RAISED.index(digit)] for digit in label[len(base) :])
        wide, high = CHAR * size / 12 * len(base), 0.75 * CHAR * size / 12 * len(power)
        left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * (wide + high)
        self.text(left, y, base, "text", font_size=size, **looks)
        self.text(
            left + wide, y - 0.4 * size, power.replace("-", MINUS), "text",
            font_size=0.75 * size, **looks,
        )  # fmt: skip

    def data(self) -> list[Any]:
        """The pieces, as the browser reads them."""
        pieces: list[Any] = []
        for piece in self.pieces:
            if isinstance(piece, SeriesCells):
                pieces.append(["cells", {}, piece.series])
            elif isinstance(piece, PointMarks):
                pieces.append(["marks", dict(piece.attributes) | {"d": piece.path}, piece.series])
            else:
                pieces.append(
                    [piece.tag, dict(piece.attributes), *([piece.words] * bool(piece.words))]
                )
        return pieces

    def svg(self, title: str, alt: str, palette: Palette) -> str:
        """The drawing as a file."""
        body = [part for piece in self.pieces for part in self._drawn(piece, palette)]
        return drawing.sheet(self.width, self.height, title, alt, body, palette)

    def _drawn(self, piece: SvgShape | PointMarks | SeriesCells, palette: Palette) -> Iterator[str]:
        if isinstance(piece, SeriesCells):
            cells = self.cells[piece.series]
            x, y, width, height = map(_short, cells.box)
            yield (
                f"<image x='{x}' y='{y}' width='{width}' height='{height}' "
                f"preserveAspectRatio='none' aria-hidden='true' href='{png(cells, palette)}'/>"
            )
        elif isinstance(piece, PointMarks):
            yield f"<g{_attributes(piece.attributes, palette)}>"
            for x, y in self.points[piece.series]:
                if not np.isnan(x):
                    yield f"<path d='{piece.path}' transform='translate({_short(x)} {_short(y)})'/>"
            yield "</g>"
        else:
            yield _element(piece, palette)


def _element(shape: SvgShape, palette: Palette) -> str:
    start = f"<{shape.tag}{_attributes(shape.attributes, palette)}"
    return f"{start}>{escape(shape.words)}</{shape.tag}>" if shape.words else f"{start}/>"


def _attributes(attributes: Mapping[str, Value], palette: Palette) -> str:
    """Attributes as a file has them: colours and fonts are what their names stand for."""
    attributes_ = []
    for name, value in attributes.items():
        text = value
        if name in _COLOURED and value != "none":
            text = drawing.role_colour(palette, str(value))
        elif name == "font-family":
            text = FONTS[str(value)]
        attributes_.append(f" {name}='{text}'")
    return "".join(attributes_)


def _svg_attributes(attributes: Mapping[str, Value]) -> dict[str, Value]:
    """Attributes by their names in SVG, which have dashes."""
    return {name.rstrip("_").replace("_", "-"): _short(v) for name, v in attributes.items()}


def _short(value: Any) -> Any:
    """A length to 1/100 of a pixel; anything else as it is."""
    if not isinstance(value, float | np.floating):
        return value
    rounded = round(float(value), 2)
    return int(rounded) if rounded.is_integer() else rounded


def png(cells: Cells, palette: Palette) -> str:
    """The cells as a picture of 256 colours, the address of which holds all of it."""
    within = (cells.rows[:, None] >= 0) & (cells.columns[None] >= 0)
    pixels = np.where(within, cells.shades[np.ix_(cells.rows, cells.columns)], 0).astype(np.uint8)
    ends = [drawing.role_colour(palette, name) for name in cells.colours]
    colours = b"\0\0\0" + b"".join(
        bytes.fromhex(colour_at(ends, shade / 254)[1:]) for shade in range(255)
    )
    height, width = pixels.shape
    # A byte in front of each row says that it is not told by the row before.
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels], axis=1)
    size = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"PLTE", colours), (b"tRNS", b"\0"),
              (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b""))  # fmt: skip
    data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in chunks)
    return "data:image/png;base64," + base64.b64encode(data).decode()


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def colour_at(ends: list[str], share: float) -> str:
    """The colour that is ``share`` of the way along several."""
    place = min(share, 1.0) * (len(ends) - 1)
    index = min(int(place), len(ends) - 2)
    return mix(ends[index], ends[index + 1], place - index)
