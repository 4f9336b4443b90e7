"""The strokes that drawings are made of: text, frames, colours of numbers, thumbnails. All SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.theme import Palette, contrast

CHAR = 7.3  # width of a character of the 12-pixel code font
_FONT = "font-family='ui-monospace, Menlo, Consolas, monospace' font-size='12'"
_SHADES = 24  # of one hue in a thumbnail: more cannot be told apart


def mix(low: str, high: str, share: float) -> str:
    """A colour between two ``#rrggbb``, ``share`` of the way."""
    share = min(1.0, max(0.0, share))
    pairs = [(int(low[i : i + 2], 16), int(high[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def ink_on(colour: str) -> str:
    """Black or white text, whichever has the higher contrast: at least 4.5."""
    return max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, colour))


def text(
    x: float, y: float, words: str, colour: str, anchor: str = "start", extra: str = ""
) -> str:
    """A piece of text, escaped."""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' fill='{colour}' text-anchor='{anchor}' {_FONT} {extra}>"
        f"{escape(words)}</text>"
    )


def frame(
    width: float, height: float, title: str, alt: str, body: Sequence[str], palette: Palette
) -> str:
    """A whole drawing with its title on top and its description for readers."""
    caption = (
        f"<text x='8' y='20' fill='{palette.text}' font-family='sans-serif' font-size='14' "
        f"font-weight='600'>{escape(title)}</text>"
    )
    return sheet(width, height, title, alt, [caption, *body], palette)


def sheet(
    width: float, height: float, title: str, alt: str, body: Sequence[str], palette: Palette
) -> str:
    """A whole drawing whose body has its own title; readers hear it, and the description."""
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0f}' height='{height:.0f}' "
        f"viewBox='0 0 {width:.0f} {height:.0f}' role='img'>"
        f"<title>{escape(title)}</title><desc>{escape(alt)}</desc>"
        f"<rect width='100%' height='100%' fill='{palette.background}'/>"
    )
    return head + "".join(body) + "</svg>"


def rect(x: float, y: float, width: float, height: float, fill: str, extra: str = "") -> str:
    """A filled box."""
    return (
        f"<rect x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='{height:.1f}' "
        f"fill='{fill}' {extra}/>"
    )


def line(x1: float, y1: float, x2: float, y2: float, colour: str, extra: str = "") -> str:
    """A straight stroke."""
    return (
        f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{colour}' {extra}/>"
    )


def hatching(palette: Palette) -> str:
    """The pattern of masked cells, to be filled with ``url(#h)``: never a colour alone."""
    return (
        "<defs><pattern id='h' width='5' height='5' patternUnits='userSpaceOnUse' "
        f"patternTransform='rotate(45)'><line x1='0' y1='0' x2='0' y2='5' "
        f"stroke='{palette.border}'/></pattern></defs>"
    )


def role_colour(palette: Palette, role: str) -> str:
    """The colour of a meaning."""
    return str(getattr(palette, role))


def cell_colour(palette: Palette, role: str, value: float, limit: float) -> str:
    """The colour of a number: signed around the background, or from the surface up to one hue."""
    share = value / limit if limit and np.isfinite(value) else 0.0
    if role == "signed":
        return mix(palette.zero, palette.negative if share < 0 else palette.positive, abs(share))
    return mix(palette.surface, getattr(palette, role), share)


def thumbnail(
    values: NDArray[Any],
    x: float,
    y: float,
    width: float,
    height: float,
    palette: Palette,
    *,
    role: str = "weight",
    limit: float = 1.0,
) -> str:
    """A matrix as a small picture: cells next to each other in a row and of one shade are one."""
    rows, columns = values.shape
    shades = np.clip(np.rint(values / (limit or 1.0) * _SHADES), -_SHADES, _SHADES).astype(int)
    paths: dict[int, list[str]] = {}
    for i, row in enumerate(shades):
        starts = np.flatnonzero(np.diff(row, prepend=row[0] - 1))
        for start, end in zip(starts, [*starts[1:], columns], strict=True):
            if row[start]:  # the ground shows what is nothing
                paths.setdefault(int(row[start]), []).append(
                    f"M{start} {i}h{end - start}v1h-{end - start}z"
                )
    ground = cell_colour(palette, role, 0.0, limit)
    cells = "".join(
        f"<path d='{''.join(paths[shade])}' "
        f"fill='{cell_colour(palette, role, float(shade), _SHADES)}'/>"
        for shade in sorted(paths)
    )
    return (
        f"<rect x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='{height:.1f}' "
        f"fill='{ground}'/><g shape-rendering='crispEdges' transform='translate({x:.1f} {y:.1f}) "
        f"scale({width / columns:.4f} {height / rows:.4f})'>{cells}</g>"
    )
