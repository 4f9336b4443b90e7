"""One screen of a lesson: text and question beside the live figure they are about."""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from core import views
from core.errors import CoreError
from core.glossary import as_html
from core.language import _
from core.lessons.cover import COVERED, covered
from core.lessons.expressions import evaluate
from core.lessons.filling import CHECKED, fill
from core.lessons.posing import Posed, pose
from core.lessons.schema import Figure, Lesson, Step
from core.lessons.study import Answered
from core.lessons.world import Shown, World, world_of
from core.tracing.trace import Trace
from core.views.params import OnText, declared
from pages.parts import asking, controls, state
from pages.parts.figure import put, reading, result_of
from pages.parts.messages import show_error
from pages.parts.study import follow

_TERM = re.compile(r"\[\[[^\[\]]+\]\]")
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|~$<>-])")


def step(lesson: Lesson, at: int, now: Step) -> None:
    """Draw a step.

    Args:
        lesson: it belongs to.
        at: the screen's number, by which its figures keep their own state.
        now: the step.
    """
    try:
        world = world_of(now, result_of, _given(now, at))
        posed, answered = _posed(lesson, now, world)
    except CoreError as problem:
        show_error(problem)
        return
    open_ = answered is None or answered.done
    names = world.names if posed is None else {**world.names, **posed.names}
    said, shown = (
        st.columns([5, 7], gap="large") if now.figures else (st.container(), st.container())
    )
    with said:
        text(now.before, names)
        if any(figure.own for figure in now.figures) and _typed():
            st.caption(_("This step uses your own sentence, from the field above."))
        if posed is not None:
            asking.question(lesson.id, posed.question.id, posed, key=f"question-{lesson.id}")
        if open_:
            text(now.after, names)
            _offers(world, at)
    with shown:
        for one in world.shown:
            _figure(one, at, names, is_open=open_)


def _posed(lesson: Lesson, now: Step, world: World) -> tuple[Posed | None, Answered | None]:
    if now.question is None:
        return None, None
    answered = follow().of(lesson.id, now.question.id)
    return pose(now.question, world.names, answered.seed), answered


def _given(now: Step, at: int) -> Mapping[str, Mapping[str, Any]]:
    """By figure, what the learner has chosen there in place of the lesson's."""
    found: dict[str, dict[str, Any]] = {}
    for figure in now.figures:
        cls, scope = views.get(figure.view).Params, _scope(at, figure)
        own = state.read(cls, scope)
        given = {
            field.name: getattr(own, field.name)
            for field in dataclasses.fields(cls)
            if state.chosen(state.in_scope(field.name, scope))
            and declared(cls, field.name).lives == "server"
        }
        if figure.own and _typed():
            given.setdefault("text", _typed())
        found[figure.name] = given
    return found


def _typed() -> str:
    """The learner's own sentence; empty where she has typed none."""
    own = state.read(OnText).text
    return own if state.chosen("text") and own.strip() else ""


def _scope(at: int, figure: Figure) -> str:
    return f"{at}{figure.name}"


def _figure(one: Shown, at: int, names: Mapping[str, Any], *, is_open: bool) -> None:
    """A figure, or what may be seen of it before the answer."""
    figure, scope = one.figure, _scope(at, one.figure)
    key = f"lesson-{scope}"
    component = one.component(names)
    if is_open or not figure.cover:
        put(one.view, component, one.params, key, scope=scope)
        if figure.reading:
            reading(figure.view, one.record)
        return
    rows = None if figure.rows is None else [*_places(evaluate(figure.rows, names))]
    left = covered(component, rows, figure.select)
    if left is not None:
        put(one.view, left, one.params, key, scope=scope, save=False)
    else:
        st.html(
            f"<div class='glass-covered' role='img' aria-label='{html.escape(_(COVERED))}'>"
            f"<p>{html.escape(component.title)}</p><p>?</p></div>"
        )


def _places(found: Any) -> list[int]:
    return [int(one) for one in (found if hasattr(found, "__len__") else [found])]


def _offers(world: World, at: int) -> None:
    """The controls of a step's variation."""
    for one in world.shown:
        for name in one.figure.offers:
            _offer(name, one.params, one.trace, _scope(at, one.figure))


def _offer(name: str, params: Any, trace: Trace | None, scope: str) -> None:
    """One control, of the kind that its parameter wants."""
    said, value = declared(params, name), getattr(params, name)
    heads = {"layer": "n_layers", "head": "n_heads"}
    if name in heads and trace is not None:
        controls.choice(name, params, range(getattr(trace.config, heads[name])), scope=scope)
    elif isinstance(value, bool):
        controls.switch(name, params, scope=scope)
    elif said.choices is not None:
        controls.choice(name, params, scope=scope)
    elif isinstance(value, int | float):
        controls.slider(name, params, step=0.05 if isinstance(value, float) else 1, scope=scope)
    else:
        controls.line(name, params, scope=scope)


def text(markdown: str, names: Mapping[str, Any]) -> None:
    """A text of a lesson: its holes filled, its terms explained, its checks marked."""
    if not markdown:
        return
    mark = f" <span class='glass-checked' title='{html.escape(_(CHECKED))}'>✓</span>"
    parts, at = [], 0
    for found in _TERM.finditer(markdown):  # a term's explanation is HTML of our own
        parts += [fill(markdown[at : found.start()], names, plain, mark), as_html(found[0])]
        at = found.end()
    parts.append(fill(markdown[at:], names, plain, mark))
    st.markdown("".join(parts), unsafe_allow_html=True)


def plain(word: str) -> str:
    """A word of the run with nothing in it that Markdown or HTML would take for its own."""
    return _SPECIAL.sub(r"\\\1", word)
