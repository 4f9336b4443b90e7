"""A lesson in the list: a figure of it from a live run, its name, and how far she is."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.errors import CoreError
from core.language import _, language, ngettext
from core.lessons import Lesson
from core.lessons.schema import Step
from core.lessons.world import world_of
from core.sizes import OBJECT
from pages.parts import controls
from pages.parts.figure import mode, result_of
from pages.parts.messages import small_print
from pages.parts.runs import shared_runs

LONGEST = 80_000  # characters of a drawing that comes with the list


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A figure as an address that holds it, or nothing."""

    address: str

    @property
    def nbytes(self) -> int:
        return len(self.address) + OBJECT


def card(
    found: Lesson,
    right: int | None,
    n: int,
    answered: int,
    begin: Callable[[], None],
    on: tuple[int, Callable[[], None]] | None = None,
) -> None:
    """One lesson.

    Args:
        found: the lesson.
        right: of its questions were right at the first try; None while none was tried.
        n: it asks.
        answered: of them, at any try.
        begin: opens it.
        on: the step to go on with, and what opens it; None for none.
    """
    done = _ring(answered / n if n else 0.0)
    key = ("lesson-card", found.id, language(), mode())
    drawn: _Drawn = shared_runs().kept(key, lambda: _Drawn(_address(found)))
    picture = f"<img alt='' src='{drawn.address}'>" if drawn.address else ""
    with st.container(border=True, key=f"card-{found.id}"):
        st.html(
            f"<div class='glass-card'><div class='picture'>{picture}</div>"
            f"{done}<strong>{html.escape(found.title)}</strong></div>"
        )
        said = _("{minutes} minutes · {right} of {n} right at the first try")
        if right is None:
            said = ngettext(
                "{minutes} minutes · {n} question", "{minutes} minutes · {n} questions", n
            )
        small_print(said.format(minutes=found.minutes, right=right, n=n))
        if on is not None:
            say = _("Continue at step {n}").format(n=on[0])
            controls.button(say, f"on-{found.id}", on[1], width="stretch", type="primary")
        controls.button(_("Open"), f"open-{found.id}", begin, width="stretch")


def _ring(share: float) -> str:
    """How far she is; the line below says it in words."""
    return f"<i class='ring' style='--done: {round(100 * share)}%' aria-hidden='true'></i>"


def _address(found: Lesson) -> str:
    """A figure that stands open in the lesson, the last one first; empty where none is small."""
    is_tour = not found.probe  # whose map is drawn open in a file
    for one in reversed(found.steps):
        drawing = _drawing(one, covered=is_tour)
        if drawing and len(drawing) <= LONGEST:
            return f"data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}"
    return ""


def _drawing(step: Step, *, covered: bool) -> str:
    figures = [one for one in step.figures if covered or not one.cover]
    waits = step.question is not None and step.question.kind != "do"  # a goal covers nothing
    if not figures or (waits and not covered):
        return ""
    try:
        world = world_of(step, result_of)
        shown = next(one for one in world.shown if one.figure in figures)
        return shown.component(world.names).drawing(mode())
    except CoreError:  # what is drawn into the figure is drawn by a question's seed
        return ""
