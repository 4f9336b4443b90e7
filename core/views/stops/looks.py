"""How the machines of the walk are told apart in a plot: by colour, dash and order."""

from __future__ import annotations

from typing import TypedDict

from core.figures.components.plot.parts import Dash


class Looks(TypedDict):
    """Of one machine's line."""

    role: str
    dash: Dash


_EACH: tuple[tuple[str, Dash], ...] = (
    ("muted", "dot"),
    ("key", "dash"),
    ("position", "dash"),
    ("value", "solid"),
    ("accent", "solid"),
)


def looks(at: int) -> Looks:
    """Of the machine at a place, from 0: dotted before attention, dashed with it, then solid."""
    role, dash = _EACH[at % len(_EACH)]
    return {"role": role, "dash": dash}
