"""Reading a plot's drawing back, and Plotly's figure of the same plot."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np

from core.figures.components.plot import Plot, PlotAxis

SVG = "{http://www.w3.org/2000/svg}"
RAISED = dict(zip("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))


@dataclass
class Line:
    """An axis of a drawing, as its own tick labels say where numbers stand."""

    ticks: list[tuple[float, str]]  # pixels, label
    axis: PlotAxis

    def values(self) -> list[float]:
        if self.axis.categories is not None:
            return [float(n) for n in range(len(self.ticks))]
        if self.axis.labels is not None:  # they name something else
            return list(self.axis.ticks)
        return [number(label) for _pixel, label in self.ticks]

    def at(self, pixels):
        """The numbers at some pixels."""
        values = np.log10(self.values()) if self.axis.log else np.array(self.values())
        slope, start = np.polyfit([pixel for pixel, _label in self.ticks], values, 1)
        found = slope * np.asarray(pixels, float) + start
        return 10**found if self.axis.log else found


def number(label: str) -> float:
    """What a tick says."""
    power = "".join({v: k for k, v in RAISED.items()}.get(char, "") for char in label)
    plain = "".join(char for char in label if char not in RAISED.values()).replace(",", "")
    if power:
        share = plain.removesuffix("10").removesuffix("×").replace("−", "-")
        share += "1" if share in ("", "-") else ""
        return float(share) * 10.0 ** int(power.replace("−", "-"))
    return float(plain.replace("−", "-"))


class Drawn:
    """The drawing of a plot, as somebody sees it who has nothing but the file."""

    def __init__(self, plot: Plot, mode: str = "light") -> None:
        self.plot = plot
        self.root = ElementTree.fromstring(plot.drawing(mode))

    def of(self, name: str) -> list[ElementTree.Element]:
        """The elements of a class, in order."""
        return [one for one in self.root.iter() if one.get("class") == name]

    def texts(self) -> list[str]:
        return [one.text or "" for one in self.root.iter(f"{SVG}text")]

    def line(self, name: str, axis: PlotAxis) -> Line:
        """The x axis, "y-0", "y-1" ... for the panels down the page."""
        ticks: list[tuple[float, str]] = []
        for text in self.of(name):
            size = float(text.get("font-size"))
            if size < 10:  # the power of the label before
                before = ticks.pop()
                ticks.append((before[0], before[1] + "".join(RAISED[c] for c in text.text)))
                continue
            pixel = float(text.get("x")) if name == "x" else float(text.get("y")) - 4
            ticks.append((pixel, text.text or ""))
        return Line(ticks, axis)

    def axes(self, series) -> tuple[Line, Line]:
        """Those of a series."""
        up = f"y-{self.plot.panel_of(series)}"
        return self.line("x", self.plot.x), self.line(up, self.plot.axis_of(series))

    def vertices(self, at: int) -> np.ndarray:
        """The corners of a curve, in pixels; the runs one after another."""
        (path,) = [one for one in self.of(f"series-{at}") if one.get("fill") == "none"]
        found = re.findall(r"(-?[\d.]+) (-?[\d.]+)", path.get("d"))
        return np.array(found, float)

    def marks(self, at: int) -> np.ndarray:
        """The middles of a series' marks, in pixels."""
        (group,) = [one for one in self.of(f"series-{at}") if one.tag == f"{SVG}g"]
        return np.array(
            [re.findall(r"-?[\d.]+", one.get("transform")) for one in group], float
        ).reshape(-1, 2)

    def boxes(self, name: str) -> np.ndarray:
        """Left, top, right and bottom of every rectangle of a class."""
        sides = [[float(one.get(s)) for s in ("x", "y", "width", "height")]
                 for one in self.of(name)]  # fmt: skip
        found = np.array(sides, float).reshape(-1, 4)
        found[:, 2:] += found[:, :2]
        return found


def traces(plot: Plot, mode: str = "light") -> tuple[list[dict], dict]:
    """Plotly's figure as the browser gets it, arrays as numbers: of the series, and the layout."""
    figure = json.loads(plot.figure(mode).to_json())
    found = [{name: plain(value) for name, value in one.items()} for one in figure["data"]]
    return found[: len(plot.all)], figure["layout"]


def plain(value):
    """Plotly's packed arrays as lists."""
    if isinstance(value, dict) and "bdata" in value:
        flat = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
        shape = [int(n) for n in value.get("shape", str(len(flat))).split(",")]
        return flat.reshape(shape)
    return value


def there(x, y, axis_x: dict, axis_y: dict) -> np.ndarray:
    """The points of a trace that Plotly shows: on both axes and in their ranges, ``(n, 2)``."""
    points = np.array([x, y], float).T
    for column, axis in enumerate((axis_x, axis_y)):
        low, high = sorted(ends(axis))
        with np.errstate(invalid="ignore"):
            spare = 1e-6 * (high - low)
            inside = (points[:, column] >= low - spare) & (points[:, column] <= high + spare)
        points = points[inside]
    return points


def ends(axis: dict) -> tuple[float, float]:
    """The range of a Plotly axis, as numbers."""
    low, high = axis["range"]
    return (10.0**low, 10.0**high) if axis["type"] == "log" else (low, high)


def axis_of(trace: dict, layout: dict) -> dict:
    return layout["yaxis" + trace.get("yaxis", "y")[1:]]


def close(found, wanted, axis: dict) -> None:
    """Equal to a twentieth of a pixel of some 300."""
    low, high = ends(axis)
    if axis["type"] == "log":
        found, wanted = np.log10(found), np.log10(wanted)
        low, high = np.log10(low), np.log10(high)
    np.testing.assert_allclose(found, wanted, atol=abs(high - low) / 6000, rtol=0)


def decoded(address: str) -> np.ndarray:
    """A picture of 256 colours with no filter, as red, green, blue and alpha."""
    assert address.startswith("data:image/png;base64,")
    data = base64.b64decode(address.split(",")[1])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(name + body)
        chunks[name] = body
        at += length + 12
    width, height = struct.unpack_from(">II", chunks[b"IHDR"])
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not lines[:, 0].any()
    colours = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)
    alpha = np.full((len(colours), 1), 255, np.uint8)
    alpha[: len(chunks[b"tRNS"]), 0] = list(chunks[b"tRNS"])
    return np.concatenate([colours, alpha], axis=1)[lines[:, 1:]]
