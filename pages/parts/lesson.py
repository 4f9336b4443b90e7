"""One screen of a lesson: text and question beside the live figure they are about."""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core import views
from core.errors import CoreError, NoQuestionError
from core.figures.components import Component, Stepper
from core.figures.text import token_label
from core.glossary import as_html
from core.language import _, language
from core.lessons.again import again
from core.lessons.cover import COVERED, before_answer, up_to_now
from core.lessons.expressions import evaluate
from core.lessons.filling import CHECKED, fill
from core.lessons.picking import shape_in
from core.lessons.posing import Posed, pose, pose_another
from core.lessons.schema import Figure, Lesson, Step
from core.lessons.study import Answered
from core.lessons.world import Shown, World, requests_of, world_of
from core.views.masks.asked import KINDS, SIZES
from core.views.masks.run import MaskRun, spec_for
from core.views.params import OnText, declared
from pages.parts import asking, controls, state
from pages.parts.components import mount
from pages.parts.figure import TRAINS, put, reading, result_of, show_steps
from pages.parts.messages import show_error, small_print
from pages.parts.names import Came
from pages.parts.numbers import explaining, numbers
from pages.parts.onward import onward
from pages.parts.runs import ahead, device
from pages.parts.study import follow

Screen = int | str  # by which figures keep their own state
AGAIN: Screen = "again"  # that of the question that comes back
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
        world = shown_world = world_of(now, result_of, own)
        if any(varied.values()):
            given = {name: {**own[name], **more} for name, more in varied.items()}
            shown_world = world_of(now, result_of, given)
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
    drawn = {one.figure.name: _drawn(one, names, posed, is_open=open_) for one in shown_world.shown}
    explain = explaining(world, posed, plain, is_open=open_)
    said, places = _places(now)
    with said:
        text(now.before, names, explain)
        _sentences(world)
        if posed is not None:
            asking.question(lesson.id, posed.question.id, posed, key=f"question-{lesson.id}",
                            picks=_picks(posed, drawn, at))  # fmt: skip
        if open_:
            text(now.after, names, explain)
            _offers(shown_world, at)
        numbers(
            _texts(now, is_open=open_), world, posed, f"numbers-{lesson.id}-{at}", is_open=open_
        )
    here = Came(lesson.id, at, _typed())
    scopes = [_scope(at, figure) for figure in now.figures]
    for one, place, scope in zip(shown_world.shown, places, scopes, strict=True):
        with place:
            whole = _figure(one, at, drawn[one.figure.name], names, is_open=open_)
            if open_ and "token" in one.figure.offers:
                _tokens(one, scope, names)
            if whole:
                onward(one, here, scope, scopes, one.selected(names))


def _texts(now: Step, *, is_open: bool) -> list[str]:
    """What of a step's texts may be asked about: before the answer nothing that is said after."""
    asks = now.question
    before, after = [now.before], [now.after]
    if asks is not None:
        before, after = [now.before, asks.ask], [asks.solution, now.after]
    return before + after if is_open else before


def once_more(lesson: Lesson, now: Step) -> None:
    """Below a step that has been answered, a question on an idea that the learner has shown.

    Args:
        lesson: that is open.
        now: its step.
    """
    study = follow()
    if now.question is not None:
        own = study.of(lesson.id, now.question.id)
        if not asking.finished(now.question, own):
            return
    back = again(study, lesson, now, language())
    if back is None or back.step.question is None:
        return
    answered = study.of(*back.key)
    try:
        world = world_of(back.step, result_of)
        posed = pose_another(back.step.question, world.names, answered.seed, back.asked(study))
    except CoreError as problem:
        show_error(problem)
        return
    answered.seed = posed.seed
    names, open_ = {**world.names, **posed.names}, asking.finished(posed.question, answered)
    drawn = {one.figure.name: _drawn(one, names, posed, is_open=open_) for one in world.shown}
    with st.container(border=True, key="lesson-once-more"):
        st.markdown(_("**Once more**, as in “{step}”: an answer of yours showed an idea that leads "
                      "astray. When you were right twice at the first try, it does not come back.")
                    .format(step=plain(back.step.title)))  # fmt: skip
        _sentences(world)
        said, places = _places(back.step)
        with said:
            asking.question(*back.key, posed, key="question-again",
                            picks=_picks(posed, drawn, AGAIN))  # fmt: skip
        for one, place in zip(world.shown, places, strict=True):
            with place:
                _figure(one, AGAIN, drawn[one.figure.name], names, is_open=open_)


def _sentences(world: World) -> None:
    """What the step is about, where the field above says something else."""
    if any(one.figure.own for one in world.shown) and _typed():
        small_print(_("This step uses your own sentence, from the field above."))
    texts = [str(one.params.text) for one in world.shown if "text" in one.figure.params]
    for sentence in dict.fromkeys(texts):
        if sentence != state.read(OnText).text:
            small_print(_("On the sentence “{text}”").format(text=sentence))


def _places(now: Step) -> tuple[Any, list[Any]]:
    """Where the texts stand, and each figure."""
    n = len(now.figures)
    if any(one.beside for one in now.figures):
        return st.container(key="lesson-above"), list(st.columns(n, gap="large"))
    if not n or any(one.wide for one in now.figures):
        return st.container(), [st.container()] * n
    said, shown = st.columns([5, 7], gap="large")
    return said, [shown] * n


def _drawn(
    one: Shown, names: Mapping[str, Any], posed: Posed | None, *, is_open: bool
) -> Component | None:
    """A figure, or what may be seen of it before the answer; None for nothing but its place."""
    if is_open:
        return up_to_now(one.component(names))
    return before_answer(one, names, None if posed is None else posed.question)


def _picks(
    posed: Posed, drawn: Mapping[str, Component | None], at: Screen
) -> dict[str, Any] | None:
    """The figure in which the answer is picked; None where it is picked below the question."""
    if posed.question.figure is None:
        return None
    shape = shape_in(drawn[posed.question.figure], len(posed.options), posed.grid)
    row = None if posed.grid is None else posed.grid.row
    return shape and {"figure": _key(at, posed.question.figure), "shape": shape, "row": row}


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


def _scope(at: Screen, figure: Figure) -> str:
    """Whose selection it shares."""
    return f"{at}{figure.follows or figure.name}"


def _key(at: Screen, name: str) -> str:
    """Keeps a figure mounted."""
    return f"lesson-{at}{name}"


def _figure(
    one: Shown, at: Screen, component: Component | None, names: Mapping[str, Any], *, is_open: bool
) -> bool:
    """Put a figure in its place, or what may be seen of it; whether all of it is shown."""
    figure, scope, key = one.figure, _scope(at, one.figure), _key(at, one.figure.name)
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
        put(one.view, component, one.params, key, scope=scope)
        if figure.reading:
            reading(figure.view, record)
        return True
    else:
        put(one.view, component, one.params, key, scope=scope, save=False)
    return False


def _offers(world: World, at: int) -> None:
    """The controls of a step's variation; the tokens of a text stand below their figure."""
    for one in world.shown:
        for name in one.figure.offers:
            if name != "token":
                _offer(name, one, _scope(at, one.figure))


def _tokens(one: Shown, scope: str, names: Mapping[str, Any]) -> None:
    """The text's tokens side by side; the one that the learner picked is marked, or the lesson."""
    if one.trace is not None:
        labels = one.names["tokens"]
    else:  # the view itself knows them, and those that it made
        labels = [token_label(token) for token in one.record.tokens[: one.record.n_prompt]]
    own = state.read(type(one.params), scope, follow=("token",)).token
    at = own if own >= 0 else int(evaluate(one.figure.select.get("token", "-1"), names))
    params = dataclasses.replace(one.params, token=at if at >= 0 else len(labels) - 1)
    controls.choice("token", params, range(len(labels)), labels.__getitem__, scope=scope)


def _offer(name: str, one: Shown, scope: str) -> None:
    """One control, of the kind that its parameter wants."""
    params = one.params
    said, value = declared(params, name), getattr(params, name)
    if name in ("layer", "head") and one.trace is not None:
        controls.choice(name, params, range(_how_many(name, one.trace)), scope=scope)
    elif name == "mask" and isinstance(one.record, MaskRun):
        controls.choice(name, params, _masks(one.record), _mask_called, scope=scope)
    elif isinstance(value, bool):
        controls.switch(name, params, scope=scope)
    elif said.choices is not None:
        controls.choice(name, params, scope=scope)
    elif isinstance(value, int | float):
        controls.slider(name, params, step=0.05 if isinstance(value, float) else 1, scope=scope)
    else:
        controls.line(name, params, scope=scope)


def _masks(record: MaskRun) -> list[str]:
    """The masks to choose from, as their parameter says them: the one that is shown among them."""
    every = [spec_for(kind, record) for kind in record.kinds if kind not in ("painted", "padding")]
    own = record.params.mask
    return every if own in every else [own, *every]


def _mask_called(said: str) -> str:
    """What a choice of a mask is called."""
    kind, _colon, size = said.partition(":")
    words = _(KINDS[kind]) if kind in KINDS else _("the model's own")
    return f"{words} {size}".strip() if kind in SIZES else words


def _how_many(name: str, trace: Any) -> int:
    """The layers of the deepest stack, or the heads of a layer."""
    if name == "head":
        return int(trace.config.n_heads)
    return int(max(stack.n_layers for stack in trace.blueprint.stacks))


def prepare(lesson: Lesson, following: int) -> None:
    """Have what comes next worked out while this is read: all learners of the lesson share it.

    Args:
        lesson: that is open.
        following: which of its steps comes next; what takes seconds is begun at once, wherever.
    """
    try:
        soon = [
            one for step in lesson.steps[following : following + 1] for one in requests_of(step)
        ]
        slow = [one for step in lesson.steps for one in requests_of(step) if type(one) in TRAINS]
    except CoreError:
        return  # the step says it
    ahead().prepare(soon + slow, device())


def text(
    markdown: str, names: Mapping[str, Any], explain: Callable[[str, str], str] | None = None
) -> None:
    """A text of a lesson: its holes filled, its terms explained, its checks marked.

    Args:
        markdown: of the text.
        names: numbers and words by name.
        explain: makes a number say where it comes from.
    """
    if not markdown:
        return
    mark = f" <span class='glass-checked' title='{html.escape(_(CHECKED))}'>✓</span>"
    filled = as_html(markdown, lambda words: fill(words, names, plain, mark, explain))
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
