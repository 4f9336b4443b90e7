"""Ten clicks through the run that flows: each tells one part more, and some ask for a guess.

The clicks are the steps of a lesson; each of its figures is the run as far as it has been told. A
screen shows what the click before it has told, and asks for the next one.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from core.errors import CoreError
from core.language import _, language, name_of
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.cover import before_answer
from core.lessons.naming import Facts
from core.lessons.player import feedback, finished
from core.lessons.posing import Posed, pose
from core.lessons.schema import MAX_STEPS, Step
from core.lessons.world import Shown, world_of
from core.locale import spelt
from core.text.marks import MASK
from pages.parts import asking, controls, state
from pages.parts.figure import put, result_of
from pages.parts.lesson import text
from pages.parts.messages import show_error, small_print
from pages.parts.names import Machine, Touring
from pages.parts.page import go_to
from pages.parts.runs import device, shared_runs
from pages.parts.sentence import typed
from pages.parts.study import ask_anew, follow, own_study, progress
from pages.parts.told import tell_inside

LESSON, SCOPE = "first", "tour"
SCOPES = {f"{SCOPE}{at}" for at in range(MAX_STEPS + 2)}  # of the screens
# The ten clicks are about the model as it is, and lead back to the whole of it.
AT_REST: dict[str, str | None] = dict.fromkeys(("place", "off", "swap"))
TOURING = "touring"  # of the session: the home page has shown the clicks, or the whole run

HEAD, PICTURE = "tour-head", "flow"  # the keys of a screen's title and of the home page's picture


@dataclass(frozen=True, eq=False)
class Click:
    """A click of the tour on the run at hand.

    Attributes:
        step: of the lesson.
        shown: the run, as far as it has told.
        names: what its texts may say.
        posed: its question; None for one that asks nothing.
        why: it runs on the lesson's sentence and not on hers, in a sentence; empty as a rule.
    """

    step: Step
    shown: Shown
    names: Facts
    posed: Posed | None
    why: str = ""


def begin() -> None:
    """The ten clicks from the first one, each asked anew."""
    _ask_anew()
    _go(1, **AT_REST)


def _ask_anew() -> None:
    if (found := _lesson()) is not None:
        ask_anew(found.id, [one.question.id for one in found.steps if one.question is not None])


def arrive() -> None:
    """Whoever has come to the clicks from the whole run is asked anew, and is led to the title."""
    before, now = st.session_state.get(TOURING), touring()
    st.session_state[TOURING] = now
    if now and before is False:
        if state.read(Touring).tour == 1:
            _ask_anew()
        go_to(HEAD, far=True, turns=True)


def touring() -> bool:
    """Whether the home page shows the ten clicks; the part that asks shows a change of it."""
    return state.read(Touring).tour > 0


def screen() -> None:
    """What the learner has been told so far, and the next click."""
    found, at = _lesson(), state.read(Touring).tour
    if found is None:
        return
    try:
        _screen(found, min(at, len(found.steps) + 1))
    except CoreError as problem:
        show_error(problem)
    progress(tools=False)


def _lesson() -> Lesson | None:
    found = lesson(LESSON, language()) if LESSON in lesson_ids() else None
    return found if isinstance(found, Lesson) else None


def _click(found: Lesson, at: int) -> Click:
    """A click on her own sentence, or on the lesson's where hers cannot show the point."""
    step, own = found.steps[at - 1], typed()
    if not own:
        return _on(found, step, {})
    if MASK in own:
        return _on(found, step, {}, _("GPT cannot read [MASK]."))
    try:
        return _on(found, step, {"text": own})
    except CoreError as problem:
        return _on(found, step, {}, problem.sentence())


def sentence_shown() -> str:
    """The sentence of the screen: hers, or the tour's where hers cannot show the point."""
    found, at = _lesson(), state.read(Touring).tour
    if found is None:
        return ""
    if not typed():
        return str(found.steps[0].figures[0].params["text"])
    try:
        return str(_click(found, min(max(at - 1, 1), len(found.steps))).shown.params.text)
    except CoreError:
        return ""  # the screen says it


def _on(found: Lesson, step: Step, given: dict[str, Any], why: str = "") -> Click:
    """A click on a sentence.

    Raises:
        CoreError: it cannot show the point.
    """
    world = world_of(step, result_of, {one.name: given for one in step.figures})
    if step.question is None:
        return Click(step, world.shown[0], world.names, None, why)
    posed = pose(step.question, world.names, follow().of(found.id, step.question.id).seed)
    (shown,) = (one.at(posed.names) for one in world.shown)
    return Click(step, shown, posed.names | {"answer": posed.right}, posed, why)


def _screen(found: Lesson, at: int) -> None:
    n = len(found.steps)
    seen = _click(found, at - 1) if at > 1 else None
    following = _click(found, at) if at <= n else None
    _head(found, at, seen, following)
    with st.container(key="tour"):
        _picture(seen, following, at)
        said, asked = st.columns([1, 1], gap="large")
        if seen is None:  # nothing is told yet: the first click stands below the text
            said, asked = asked, said
        with said:
            if seen is not None:
                _told(found, seen)
            if following is None:
                st.markdown("".join(f"1. {one}\n" for one in found.sums_up))
        with asked:
            if following is None:
                _further(found)
            else:
                _next(found, following, at)


def _head(found: Lesson, at: int, seen: Click | None, following: Click | None) -> None:
    """How far she is, on whose sentence, what the picture shows, and the way out."""
    n = len(found.steps)
    title = _("From a text to the next word")
    if following is not None:  # of what the picture shows; before the first click of what comes
        title = (seen or following).step.title
    count = _("Ten clicks through the model: {n} of {of}").format(n=min(at, n), of=n)
    shown = seen or following
    if typed() and shown is not None:
        own = shown.shown.params.text == typed()
        count += " · " + (_("your own sentence") if own else _("the sentence of the tour"))
    done = min(at - 1, n)
    place = "" if following is None else " glass-ahead"
    dots = "<i class='done'></i>" * done + "<i></i>" * (n - done)
    with st.container(key=HEAD, horizontal=True, vertical_alignment="bottom"):
        st.html(
            f"<p class='glass-what glass-clicks'>{html.escape(count)}"
            f"<span aria-hidden='true'>{dots}</span></p>"
            f"<h1 class='glass-title{place}' data-about='{at}'>{html.escape(title)}</h1>"
        )
        if at > 1:
            controls.button(_("Back"), "tour-back", partial(_go, at - 1), about=at)
        if following is not None:
            controls.button(_("Skip, just look around"), "tour-skip", _leave)


def _picture(seen: Click | None, following: Click | None, at: int) -> None:
    """The run as far as she has come; before the first click it is the text alone."""
    click = seen or following
    assert click is not None
    shown = click.shown
    component = shown.component(click.names)
    if seen is None:
        component = before_answer(shown, click.names) or component
    params = shown.selected(click.names)

    def walk(by: object) -> None:
        if by == -1 and at > 1:
            _go(at - 1)
        elif by == "on" and following is None:
            _leave()
        elif by in (1, "on") and following is not None and _open(following):
            _go(at + 1)

    put(shown.view, component, params, "tour-flow", scope=f"{SCOPE}{at}", on={"walk": walk},
        about=at, save=False, more={"walks": True})  # fmt: skip
    if seen is not None:
        tell_inside(params, f"{SCOPE}{at}")


def _open(click: Click) -> bool:
    """Whether the way on is open: it asks nothing, or what it asks was answered before."""
    if click.posed is None:
        return True
    return finished(click.posed.question, own_study().of(LESSON, click.posed.question.id))


def _told(found: Lesson, seen: Click) -> None:
    """What has come of the click before."""
    if seen.posed is not None:
        answered = follow().of(found.id, seen.posed.question.id)
        said = "".join(words for words, _style in feedback(seen.posed, answered, hints=False))
        if not answered.right and answered.idea:  # what is said to an idea need not say it
            said = _("That is not it. {why}").format(why=said)
        if answered.tries:
            st.html(f"<p class='glass-told'>{html.escape(said)}</p>")
        text(seen.posed.question.solution, seen.names)
    text(seen.step.after, seen.names)


def _next(found: Lesson, click: Click, at: int) -> None:
    """The next click under its title; the first one's stands above all, but on a phone."""
    alone = "glass-here" if at == 1 else "glass-next"
    st.html(f"<h1 class='glass-title {alone}'>{html.escape(click.step.title)}</h1>")
    if click.why:
        small_print(_("{why} So this click takes the sentence “{text}”.").format(
            why=click.why, text=click.shown.params.text))  # fmt: skip
    if at == 1 and state.read(Machine).model != (model := click.shown.params.model):
        small_print(_("These clicks are about {m}. Your choice is kept.").format(m=name_of(model)))
    text(click.step.before, click.names)
    if click.posed is not None:
        asking.question(found.id, click.posed.question.id, click.posed, key="tour-question",
                        then=partial(_go, at + 1))  # fmt: skip
    on = click.step.click if click.posed is None else _("Next") if _open(click) else None
    if on:
        controls.button(on, "tour-next", partial(_go, at + 1), about=at, type="primary",
                        width="stretch")  # fmt: skip


def _further(found: Lesson) -> None:
    """Who learned all this and how, and where to go from here."""
    model = found.steps[0].figures[0].params["model"]
    learned = _(
        "Nobody wrote these {n} million numbers: the model learned them, by predicting the next "
        "token of many texts and correcting itself a little each time."
    )
    n = shared_runs().model(str(model), device()).n_parameters
    st.markdown(learned.format(n=spelt(f"{n / 1e6:.1f}")))
    st.page_link("shelf.py", label=_("What it read, and for how long"),
                 icon=":material/menu_book:",
                 query_params={"model": str(model)})  # fmt: skip
    controls.button(_("Look around in the open model"), "tour-leave", _leave, type="primary",
                    width="stretch")  # fmt: skip
    order = lesson_ids()
    next_one = lesson(order[order.index(found.id) + 1], language())
    if isinstance(next_one, Lesson):
        st.page_link(
            "learn/lessons.py", label=_("First lesson: {title}").format(title=next_one.title),
            icon=":material/school:", query_params={"lesson": next_one.id},
        )  # fmt: skip
    controls.button(_("Once more"), "tour-again", begin, type="tertiary",
                    icon=":material/replay:")  # fmt: skip


def _go(at: int, **more: Any) -> None:
    _turn(at, **more)
    go_to(HEAD, far=True, turns=True)


def _leave() -> None:
    _turn(None)
    go_to(PICTURE, far=True, turns=True)


def _turn(at: int | None, **more: Any) -> None:
    """Another screen, whatever was clicked in the picture of one before: each shows its own."""
    clicked = [name for name in state.in_browser() if name.partition(".")[0] in SCOPES]
    state.update({**dict.fromkeys(clicked), **more, "tour": at})
