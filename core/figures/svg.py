"""Static drawings of what the components show: for handouts, exports and lessons in print."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.text import percent
from core.figures.theme import PALETTES, Mode, Palette, contrast
from core.language import _

CHAR = 7.3  # width of a character of the 12-pixel code font
_FONT = "font-family='ui-monospace, Menlo, Consolas, monospace' font-size='12'"
_LIMIT = 48  # rows and columns a drawing shows
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
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0f}' height='{height:.0f}' "
        f"viewBox='0 0 {width:.0f} {height:.0f}' role='img'>"
        f"<title>{escape(title)}</title><desc>{escape(alt)}</desc>"
        f"<rect width='100%' height='100%' fill='{palette.background}'/>"
    )
    caption = (
        f"<text x='8' y='20' fill='{palette.text}' font-family='sans-serif' font-size='14' "
        f"font-weight='600'>{escape(title)}</text>"
    )
    return head + caption + "".join(body) + "</svg>"


def bars(
    title: str,
    labels: Sequence[str],
    values: Sequence[float],
    mode: Mode,
    *,
    alt: str,
    show: Callable[[float], str] = percent,
) -> str:
    """A distribution, or counts, as bars; ``show`` writes the value behind each."""
    palette = PALETTES[mode]
    left = 16 + CHAR * max((len(label) for label in labels), default=1)
    top = max([*values, 1e-9])
    body = []
    for row, (label, value) in enumerate(zip(labels, values, strict=True)):
        y = 36 + 20 * row
        body.append(text(left - 6, y + 12, label, palette.text, "end"))
        body.append(
            f"<rect x='{left:.1f}' y='{y}' width='{max(1.0, 300 * value / top):.1f}' height='15' "
            f"fill='{palette.accent}'/>"
        )
        body.append(text(left + 308, y + 12, show(value), palette.muted))
    return frame(left + 390, 48 + 20 * len(labels), title, alt, body, palette)


def mirrored_bars(
    title: str,
    labels: Sequence[str],
    values: Sequence[Sequence[float]],
    names: Sequence[str],
    mode: Mode,
    *,
    alt: str,
) -> str:
    """Two distributions over the same words, one to each side of the word; NaN is left out."""
    palette = PALETTES[mode]
    half = 8 + CHAR * max((len(label) for label in labels), default=1) / 2
    middle, reach = 300 + half, 220.0
    top = max([v for row in values for v in row if not math.isnan(v)] + [1e-9])
    body = []
    for side, name in zip((-1, 1), names, strict=True):
        anchor = "end" if side < 0 else "start"
        body.append(text(middle + side * half, 48, name, palette.muted, anchor))
        for row, value in enumerate(values[0 if side < 0 else 1]):
            if math.isnan(value):
                continue
            y, width = 58 + 20 * row, max(1.0, reach * value / top)
            x = middle + half if side > 0 else middle - half - width
            body.append(
                f"<rect x='{x:.1f}' y='{y}' width='{width:.1f}' height='15' "
                f"fill='{palette.accent}'/>"
            )
            outer = middle + side * (half + width + 6)
            body.append(text(outer, y + 12, percent(value), palette.muted, anchor))
    for row, label in enumerate(labels):
        body.append(text(middle, 70 + 20 * row, label, palette.text, "middle"))
    return frame(2 * middle, 70 + 20 * len(labels), title, alt, body, palette)


def chips(
    title: str,
    labels: Sequence[str],
    notes: Sequence[str],
    heat: Sequence[float],
    mode: Mode,
    *,
    alt: str,
    role: str = "weight",
) -> str:
    """A text as chips in lines of about 900 pixels, ``heat`` from 0 to 1."""
    palette = PALETTES[mode]
    body = []
    x, y = 8.0, 36.0
    for label, note, share in zip(labels, notes, heat, strict=True):
        width = 14 + CHAR * max(len(label), len(note) * 0.8)
        if x + width > 900:
            x, y = 8.0, y + 44
        fill = mix(palette.surface, getattr(palette, role), share)
        body.append(
            f"<rect x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='36' rx='5' fill='{fill}' "
            f"stroke='{palette.border}'/>"
        )
        body.append(text(x + width / 2, y + 16, label, ink_on(fill), "middle"))
        body.append(text(x + width / 2, y + 30, note, ink_on(fill), "middle", "opacity='0.85'"))
        x += width + 4
    return frame(916, y + 52, title, alt, body, palette)


def matrix(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: NDArray[Any],
    mode: Mode,
    *,
    alt: str,
    role: str = "weight",
    limit: float = 1.0,
    mask: NDArray[np.bool_] | None = None,
    texts: Sequence[Sequence[str]] | None = None,
    note: str = "",
    categories: Sequence[Mapping[str, Any]] = (),
) -> str:
    """A matrix as coloured cells; masked ones hatched. At most 48 rows and columns are drawn.

    Args:
        categories: what the values 0, 1 ... stand for, where they are no quantities: the
            colour's role, its share and a label, which is written beneath.
    """
    palette = PALETTES[mode]
    n_rows, n_cols = min(_LIMIT, values.shape[0]), min(_LIMIT, values.shape[1])
    if (n_rows, n_cols) != values.shape:
        cut = _("The first {n} rows and columns are drawn.").format(n=_LIMIT)
        note = f"{note} · {cut}" if note else cut
    left = 16 + CHAR * max((len(label) for label in rows[:n_rows]), default=1)
    wide = 20.0
    if texts is not None:
        drawn_texts = [words for row in texts[:n_rows] for words in row[:n_cols]]
        wide = max(wide, 12 + CHAR * max(map(len, drawn_texts)))
    body = [
        "<defs><pattern id='h' width='5' height='5' patternUnits='userSpaceOnUse' "
        f"patternTransform='rotate(45)'><line x1='0' y1='0' x2='0' y2='5' "
        f"stroke='{palette.border}'/></pattern></defs>"
    ]
    for i in range(n_rows):
        y = 36 + 20 * i
        body.append(text(left - 6, y + 14, rows[i], palette.text, "end"))
        for j in range(n_cols):
            x = left + wide * j
            fill = "url(#h)"
            if mask is None or mask[i, j]:
                fill = (
                    _category_colour(palette, categories[int(values[i, j])])
                    if categories
                    else cell_colour(palette, role, float(values[i, j]), limit)
                )
            body.append(
                f"<rect x='{x:.1f}' y='{y}' width='{wide - 1:.1f}' height='19' fill='{fill}'/>"
            )
            if texts is not None and fill.startswith("#"):
                middle = x + wide / 2
                body.append(text(middle, y + 14, texts[i][j], ink_on(fill), "middle"))
    bottom = 36 + 20 * n_rows
    for j in range(n_cols):
        x = left + wide * j + wide / 2 + 4
        turned = f"transform='rotate(-90 {x:.1f} {bottom + 6})'"
        body.append(text(x, bottom + 6, columns[j], palette.text, "end", turned))
    foot = 20 + CHAR * max((len(label) for label in columns[:n_cols]), default=1)
    if note:
        body.append(text(8, bottom + foot + 8, note, palette.muted))
        foot += 20
    longest = len(note)
    if categories:
        drawn = values[:n_rows, :n_cols]
        for value in np.unique(drawn if mask is None else drawn[mask[:n_rows, :n_cols]]):
            category, y = categories[int(value)], bottom + foot
            body.append(
                f"<rect x='8' y='{y - 3:.1f}' width='14' height='14' "
                f"fill='{_category_colour(palette, category)}'/>"
            )
            body.append(text(28, y + 8, category["label"], palette.text))
            longest = max(longest, 3 + len(category["label"]))
            foot += 20
    width = max(left + wide * n_cols + 12, 16 + 8.2 * len(title), 16 + CHAR * longest)
    return frame(width, bottom + foot, title, alt, body, palette)


def sheet(
    shown: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    mode: Mode,
    *,
    title: str,
    alt: str,
) -> str:
    """A sheet of the matrix component, from the same header and arrays."""
    values, categories = arrays[shown["array"]], shown.get("categories", ())
    texts = None
    if "counts" in shown:
        counts = arrays[shown["counts"]][:_LIMIT, :_LIMIT]
        texts = [[str(count) for count in row] for row in counts]
    elif categories:
        drawn = values[:_LIMIT, :_LIMIT]
        texts = [[categories[int(v)].get("text", "") for v in row] for row in drawn]
    return matrix(
        title,
        shown["rows"]["labels"],
        shown["cols"]["labels"],
        values,
        mode,
        alt=alt,
        role=shown["scale"]["kind"],
        limit=shown["scale"].get("limit", 1.0),
        mask=arrays[shown["mask"]].astype(bool) if shown.get("mask") else None,
        texts=texts,
        note="".join(words for words, _role in shown.get("axes", ())),
        categories=categories,
    )


def _category_colour(palette: Palette, category: Mapping[str, Any]) -> str:
    return mix(palette.surface, getattr(palette, category["role"]), category.get("share", 1.0))


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


def head_grid(title: str, maps: NDArray[Any], mode: Mode, *, alt: str) -> str:
    """Every head's weights as a small picture: ``maps`` is ``(layers, heads, rows, columns)``."""
    palette = PALETTES[mode]
    layers, heads = maps.shape[:2]
    side = 72.0
    body = []
    for layer in range(layers):
        y = 48 + layer * (side + 8)
        body.append(text(56, y + side / 2, f"{layer}", palette.muted, "end"))
        for head in range(heads):
            x = 64 + head * (side + 8)
            if layer == 0:
                body.append(text(x + side / 2, 42, f"{head}", palette.muted, "middle"))
            body.append(thumbnail(maps[layer, head], x, y, side, side, palette))
    width, height = 72 + heads * (side + 8), 60 + layers * (side + 8)
    return frame(width, height, title, alt, body, palette)


def arcs(
    title: str,
    labels: Sequence[str],
    lines: Sequence[tuple[int, int, float, str]],
    mode: Mode,
    *,
    alt: str,
    names: Sequence[str],
    legend: Sequence[tuple[str, str]] = (),
    strong: int | None = None,
    note: str = "",
) -> str:
    """Lines between two columns of the same labels, as thick as their weight.

    Args:
        title, labels, mode, alt: as in every drawing.
        lines: from, to, weight from 0 to 1, the colour's role.
        names: of the two columns.
        legend: a word and the role of its colour, where lines differ in it.
        strong: the label on the left that is selected.
        note: beneath.
    """
    palette = PALETTES[mode]
    edge = 16 + CHAR * max((len(label) for label in labels), default=1)
    left, right, top = edge + 6, edge + 306, 60.0
    body = [
        text(edge, 48, names[0], palette.query, "end"),
        text(right + 6, 48, names[1], palette.key),
    ]
    middle = (left + right) / 2
    for start, end, weight, role in lines:
        a, b = top + 20 * start + 8, top + 20 * end + 8
        body.append(
            f"<path d='M{left:.1f} {a:.0f}C{middle:.1f} {a:.0f} {middle:.1f} {b:.0f} "
            f"{right:.1f} {b:.0f}' fill='none' stroke='{getattr(palette, role)}' "
            f"stroke-width='{0.6 + 5.4 * weight:.2f}' stroke-opacity='{0.18 + 0.72 * weight:.2f}'/>"
        )
    for row, label in enumerate(labels):
        y = top + 20 * row + 12
        chosen = row == strong
        body.append(
            text(edge, y, label, palette.query if chosen else palette.text, "end",
                 "font-weight='700'" if chosen else "")
        )  # fmt: skip
        body.append(text(right + 6, y, label, palette.text))
    y = top + 20 * len(labels) + 20
    for words, role in legend:
        body.append(text(8, y, words, getattr(palette, role), "start", "font-weight='700'"))
        y += 20
    if note:
        body.append(text(8, y, note, palette.muted))
        y += 20
    width = max(right + edge, 16 + 8.2 * len(title), 16 + CHAR * len(note))
    return frame(width, y, title, alt, body, palette)
