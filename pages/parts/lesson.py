"""One screen of a lesson: text and question beside the live figure they are about."""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from core import views
from core.errors import CoreError, NoQuestionError
from core.figures.components import Stepper
from core.glossary import as_html
from core.language import _
from core.lessons.cover import COVERED, ahead, covered, up_to_now
from core.lessons.expressions import evaluate
from core.lessons.filling import CHECKED, fill
from core.lessons.posing import Posed, pose
from core.lessons.schema import Figure, Lesson, Step
from core.lessons.study import Answered
from core.lessons.world import Shown, World, world_of
from core.views.params import OnText, declared
from pages.parts import asking, controls, state
from pages.parts.components import mount
from pages.parts.figure import put, reading, result_of, show_steps
from pages.parts.messages import show_error, small_print
from pages.parts.study import follow

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|~$<>-])")


def step(lesson: Lesson, at: int, now: Step) -> None:
    """Draw a step.

    Args:
        lesson: it belongs to.
        at: the screen's number, by which its figures keep their own state.
        now: the step.
    """
    own, varied = _own_text(now), _varied(now, at)
    try:
        # A variation changes what is seen, neither what was asked nor what is said of it.
        world = world_of(now, result_of, own)
        shown_world = (
            world
            if not any(varied.values())
            else world_of(
                now, result_of, {name: {**own[name], **more} for name, more in varied.items()}
            )
        )
        posed, answered = _posed(lesson, now, world)
    except NoQuestionError as problem:
        text(now.before, world.names)
        st.info(problem.sentence(), icon=":material/edit:")
        return
    except CoreError as problem:
        show_error(problem)
        return
    open_ = answered is None or posed is None or asking.finished(posed.question, answered)
    names = world.names if posed is None else {**world.names, **posed.names}
    beside = now.figures and not any(one.wide for one in now.figures)
    said, shown = st.columns([5, 7], gap="large") if beside else (st.container(), st.container())
    with said:
        text(now.before, names)
        if any(figure.own for figure in now.figures) and _typed():
            small_print(_("This step uses your own sentence, from the field above."))
        if posed is not None:
            asking.question(lesson.id, posed.question.id, posed, key=f"question-{lesson.id}")
        if open_:
            text(now.after, names)
            _offers(shown_world, at)
    with shown:
        for one in shown_world.shown:
            _figure(one, at, names, is_open=open_)


def _posed(lesson: Lesson, now: Step, world: World) -> tuple[Posed | None, Answered | None]:
    if now.question is None:
        return None, None
    answered = follow().of(lesson.id, now.question.id)
    return pose(now.question, world.names, answered.seed), answered


def _own_text(now: Step) -> dict[str, dict[str, Any]]:
    """By figure, the learner's own sentence where she has typed one and the step takes it."""
    return {
        figure.name: {"text": _typed()} if figure.own and _typed() else {} for figure in now.figures
    }


def _varied(now: Step, at: int) -> dict[str, dict[str, Any]]:
    """By figure, what the learner has chosen there in place of the lesson's."""
    found: dict[str, dict[str, Any]] = {}
    for figure in now.figures:
        cls, scope = views.get(figure.view).Params, _scope(at, figure)
        own = state.read(cls, scope)
        found[figure.name] = {
            field.name: getattr(own, field.name)
            for field in dataclasses.fields(cls)
            if state.chosen(state.in_scope(field.name, scope))
            and declared(cls, field.name).lives == "server"
        }
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
    component = up_to_now(one.component(names))
    if is_open or not figure.cover:
        show_steps(figure.view, one.record, key=f"{key}-steps", scope=scope, keys=False)
        # A file of a map has no way, so all of it is open there.
        put(one.view, component, one.params, key, scope=scope, save=figure.cover != "ahead")
        if figure.reading:
            reading(figure.view, one.record)
        return
    rows = None if figure.rows is None else [*_places(evaluate(figure.rows, names))]
    by_way = figure.cover == "ahead"
    left = ahead(component) if by_way else covered(component, rows, figure.select)
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


def _offer(name: str, params: Any, trace: Any, scope: str) -> None:
    """One control, of the kind that its parameter wants."""
    said, value = declared(params, name), getattr(params, name)
    if name in ("layer", "head") and trace is not None:
        controls.choice(name, params, range(_how_many(name, trace)), scope=scope)
    elif isinstance(value, bool):
        controls.switch(name, params, scope=scope)
    elif said.choices is not None:
        controls.choice(name, params, scope=scope)
    elif isinstance(value, int | float):
        controls.slider(name, params, step=0.05 if isinstance(value, float) else 1, scope=scope)
    else:
        controls.line(name, params, scope=scope)


def _how_many(name: str, trace: Any) -> int:
    """The layers of the deepest stack, or the heads of a layer."""
    if name == "head":
        return int(trace.config.n_heads)
    return int(max(stack.n_layers for stack in trace.blueprint.stacks))


def text(markdown: str, names: Mapping[str, Any]) -> None:
    """A text of a lesson: its holes filled, its terms explained, its checks marked."""
    if not markdown:
        return
    mark = f" <span class='glass-checked' title='{html.escape(_(CHECKED))}'>✓</span>"
    filled = as_html(markdown, lambda words: fill(words, names, plain, mark))
    st.markdown(filled, unsafe_allow_html=True)  # a term's explanation is HTML of our own


def plain(word: str) -> str:
    """A word of the run with nothing in it that Markdown or HTML would take for its own."""
    return _SPECIAL.sub(r"\\\1", word)


def all_steps(titles: list[str], at: int) -> None:
    """All steps, and the way to each; what each is called stands above."""
    deck = Stepper(
        title=_("Steps of the lesson"), alt=titles[at], n=len(titles), first=at,
        field="lesson_at", titles=[""] * len(titles), keys=False, deck=True,
        selection={"lesson_at": at},
    )  # fmt: skip
    mount(deck.folder, deck.payload(), key="lesson-steps")
