"""The figures of a lesson's step on the page, whole or with what is covered left out."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.figures.components import Component
from core.figures.components.base import COVERED
from core.language import _
from core.lessons import player
from core.lessons.cover import before_answer
from core.lessons.posing import Posed
from core.lessons.schema import Figure, Step
from core.lessons.world import Shown, World
from pages.parts.figure import put, reading, show_notes, show_steps
from pages.parts.names import Screen

LINES = "<p></p><p></p><p></p><p></p><p></p>"  # of a text that is waited for


def places(now: Step, above: str = "lesson-above") -> tuple[Any, list[Any]]:
    """Where a step's texts stand, and each of its figures.

    Args:
        now: the step.
        above: the key of the place for texts above figures that stand side by side.
    """
    n = len(now.figures)
    if any(one.beside for one in now.figures):
        return st.container(key=above), list(st.columns(n, gap="large"))
    if not n or any(one.wide for one in now.figures):
        return st.container(), [st.container()] * n
    said, shown = st.columns([5, 7], gap="large")
    return said, [shown] * n


def stand_in(now: Step) -> None:
    """Where the text and the figures of a step will be, while their runs are waited for."""
    said, each = places(now, above="lesson-awaited")  # both may be there in one run
    said.html(f"<div class='glass-waits' aria-hidden='true'>{LINES}</div>")
    for place in each:
        place.html("<div class='glass-waits' aria-hidden='true'><div></div></div>")


def drawn_of(
    world: World, names: Mapping[str, Any], posed: Posed | None, *, is_open: bool
) -> dict[str, Component | None]:
    """By figure, what may be seen of it now; None for nothing but its place."""
    question = None if posed is None else posed.question
    return {
        one.figure.name: one.component(names).up_to_now()
        if is_open
        else before_answer(one, names, question)
        for one in world.shown
    }


def picks(posed: Posed, drawn: Mapping[str, Component | None], at: Screen) -> dict[str, Any] | None:
    """The figure in which the answer is picked; None where it is picked below the question."""
    name = posed.question.figure
    return None if name is None else player.picks(posed, drawn[name], key_of(at, name))


def scope_of(at: Screen, figure: Figure) -> str:
    """Whose selection it shares."""
    return f"{at}{figure.follows or figure.name}"


def key_of(at: Screen, name: str) -> str:
    """Keeps a figure mounted."""
    return f"lesson-{at}{name}"


def stand(
    one: Shown,
    at: Screen,
    component: Component | None,
    names: Mapping[str, Any],
    *,
    is_open: bool,
    pen: Mapping[str, Any] | None = None,
) -> bool:
    """Put a figure in its place, or what may be seen of it; whether all of it is shown.

    Args:
        one: the figure.
        at: its screen.
        component: what may be seen of it now; None for nothing but its place.
        names: that it is drawn with.
        is_open: nothing is covered.
        pen: what lets her draw on it (``doing.drawn_on``); None for nothing.
    """
    figure, scope, key = one.figure, scope_of(at, one.figure), key_of(at, one.figure.name)
    if component is None:
        title = "" if figure.cover == "place" else one.component(names).title
        st.html(
            f"<div class='glass-covered' role='img' aria-label='{html.escape(_(COVERED))}'>"
            f"<p>{html.escape(title)}</p><p>?</p></div>"
        )
    elif is_open or not figure.cover:
        record = one.chosen(names)
        if figure.play:
            show_steps(figure.view, record, key=f"{key}-steps", scope=scope, keys=False)
        # A file of a map has no way, so all of it is open there.
        save = figure.cover != "ahead"
        drawn = {**(pen or {}), "more": {**((pen or {}).get("more") or {}), "lesson": True}}
        put(one.view, component, one.params, key, scope=scope, save=save, **drawn)
        if figure.offers:  # what was put in there and could not be shown
            show_notes(figure.view, record, "info")
        if figure.reading:
            reading(figure.view, record)
        return True
    else:
        put(one.view, component, one.params, key, scope=scope, save=False)
    return False
