"""One colour per meaning, light and dark, and the one template of every plot.

The pairs are checked by a test on every surface they stand on: contrast 4.5:1
for text, 3:1 for marks.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from core.language import language
from core.locale import signs

Mode = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one mode.

    Attributes:
        background, surface, border, text, muted: the page.
        accent: the model's choice, and what is selected.
        query, key, value, weight, position: as in the formulas.
        residual: the stream that runs through the blocks.
        negative, zero, positive: the ends and middle of signed numbers.
        warning: something the learner should know before trusting a number.
        tokens: backgrounds that tell neighbouring tokens apart; text stands on them.
    """

    background: str
    surface: str
    border: str
    text: str
    muted: str
    accent: str
    query: str
    key: str
    value: str
    weight: str
    position: str
    residual: str
    negative: str
    zero: str
    positive: str
    warning: str
    tokens: tuple[str, ...]


LIGHT = Palette(
    background="#ffffff",
    surface="#f4f5fa",
    border="#d8dce8",
    text="#1b2130",
    muted="#5a6275",
    accent="#005fa8",
    query="#0072b2",
    key="#b34d00",
    value="#00805e",
    weight="#5b45b0",
    position="#007a85",
    residual="#697081",
    negative="#2166ac",
    zero="#ffffff",
    positive="#b2182b",
    warning="#9a5b00",
    tokens=("#e3edf7", "#f7ebdf", "#e2f2ec", "#ebe7f7", "#e0f0f2", "#f5e6ec"),
)
DARK = Palette(
    background="#10141b",
    surface="#1a202b",
    border="#323b4c",
    text="#e8ebf2",
    muted="#a0a9bb",
    accent="#6cb5f8",
    query="#58b2ec",
    key="#f2964d",
    value="#3fc79b",
    weight="#9a86f5",
    position="#45c4d0",
    residual="#98a1b3",
    negative="#5aa5e6",
    zero="#10141b",
    positive="#ef6a6a",
    warning="#e8b04b",
    tokens=("#20344a", "#45301d", "#1b3b30", "#302a4d", "#1a3a40", "#432a35"),
)
PALETTES: dict[Mode, Palette] = {"light": LIGHT, "dark": DARK}


# A palette that says what a colour means, for who knows the colours: the browser.
ROLE = "role:"
BY_ROLE = Palette(
    **{name: f"{ROLE}{name}" for name in Palette.__dataclass_fields__ if name != "tokens"},
    tokens=tuple(f"{ROLE}tokens.{n}" for n in range(len(LIGHT.tokens))),
)


def luminance(colour: str) -> float:
    """Relative luminance of a ``#rrggbb``, 0 to 1 (WCAG 2.2)."""
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    r, g, b = (v / 3294 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    """Contrast of two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


# A legend in the upper left corner of the plot, for curves that leave it free.
INSIDE = {"orientation": "v", "yref": "paper", "y": 1.0, "yanchor": "top", "x": 0.02}


def axis_looks(palette: Palette) -> dict[str, Any]:
    """What every axis of a plot has."""
    border = palette.border
    colours = ("gridcolor", "linecolor", "zerolinecolor", "tickcolor")
    return {**dict.fromkeys(colours, border), "automargin": True}


def layout(palette: Palette, title: str, words: Callable[[str], str] = str) -> dict[str, Any]:
    """The project's looks of a plot, as Plotly has them; every plot has a title.

    Args:
        palette: its colours.
        title: of the plot.
        words: how Plotly must be told a line of it.
    """
    write = signs(language())
    # Plotly does not break titles; a phone's width takes about 40 characters.
    lines = textwrap.wrap(title, 40)
    return {
        "title": {
            "text": "<br>".join(map(words, lines)), "x": 0, "xref": "container",
            "y": 1, "yanchor": "top", "pad": {"t": 18},
            "font": {"size": 15, "color": palette.text},
        },
        "font": {"color": palette.text, "size": 13},
        "separators": write["."] + write[","],
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "colorway": [
            palette.query, palette.key, palette.value, palette.weight, palette.position,
            palette.residual,
        ],
        "margin": {"l": 8, "r": 8, "t": 26 + 20 * len(lines), "b": 8},
        "hoverlabel": {
            "bgcolor": palette.surface, "bordercolor": palette.border,
            "font": {"color": palette.text}, "namelength": -1,
        },
        "legend": {"orientation": "h", "yref": "container", "y": 0.01, "yanchor": "bottom", "x": 0},
    }  # fmt: skip
