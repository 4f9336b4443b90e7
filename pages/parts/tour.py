"""Ten clicks on the home map: one token's way from the text to the next word, guess before reveal.

The clicks are the steps of a lesson; each of its figures is the map with the way so far.
"""

from __future__ import annotations

import html
from functools import partial

import streamlit as st

from core.errors import CoreError
from core.language import _, language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.cover import before_answer
from core.lessons.player import finished
from core.lessons.posing import pose
from core.lessons.world import World, world_of
from pages.parts import asking, controls, state
from pages.parts.figure import put, result_of
from pages.parts.lesson import text
from pages.parts.messages import show_error, small_print
from pages.parts.names import Touring
from pages.parts.study import STUDY, follow, own_study, progress

LESSON = "first"

# The strip names every part of the model: it comes when the map is open. A phone has no room for
# more than a question and the map.
ALONE = """
.st-key-strip { display: none; }
@media (max-width: 640px) { .st-key-runbar { display: none; } }
"""


def begin() -> None:
    """The ten clicks from the first one, each asked anew."""
    found = _lesson()
    if found is None:
        return
    for one in found.steps:
        if one.question is not None:
            own_study().again(own_study().of(found.id, one.question.id))
    state.touch(STUDY)
    state.update({"tour": 1})


def offer() -> None:
    """The way into the ten clicks, at any time."""
    controls.button(_("Ten clicks through the model"), "tour-begin", begin,
                    icon=":material/conversion_path:")  # fmt: skip


def touring() -> bool:
    """Whether the home page shows the ten clicks; the part that asks shows a change of it."""
    return state.read(Touring).tour > 0


def screen() -> None:
    """The click that the learner is at, on the map as far as she has come."""
    found, at = _lesson(), state.read(Touring).tour
    if found is None:
        return
    st.html(f"<style>{ALONE}</style>")
    try:
        _click(found, at) if at <= len(found.steps) else _end(found)
    except CoreError as problem:
        show_error(problem)
    progress(tools=False)


def _lesson() -> Lesson | None:
    found = lesson(LESSON, language()) if LESSON in lesson_ids() else None
    return found if isinstance(found, Lesson) else None


def _click(found: Lesson, at: int) -> None:
    now = found.steps[at - 1]
    assert now.question is not None
    world, answered = world_of(now, result_of), follow().of(found.id, now.question.id)
    posed = pose(now.question, world.names, answered.seed)
    is_open = finished(posed.question, answered)
    _head(now.title, at, len(found.steps))
    with st.container(key="tour"):
        asked, said = st.columns([6, 5], gap="large")
        with asked:
            text(now.before, world.names)
            asking.question(found.id, now.question.id, posed, key="tour-question")
        with said:
            if is_open:
                text(now.after, world.names)
            else:
                small_print(_("Pick an answer to go on."))
            _ways(at, len(found.steps), is_open=is_open)
        _map(world, at, is_open=is_open)


def _title(said: str, title: str, at: int, of: int) -> None:
    """How far she is, and what it is about."""
    dots = "<i class='done'></i>" * at + "<i></i>" * (of - at)
    st.html(
        f"<p class='glass-what glass-clicks'>{html.escape(said)}"
        f"<span aria-hidden='true'>{dots}</span></p>"
        f"<h1 class='glass-title' data-about='{at}'>{html.escape(title)}</h1>"
    )


def _head(title: str, at: int, of: int) -> None:
    """What the click is about, how many there are, and the way out."""
    with st.container(key="tour-head", horizontal=True, vertical_alignment="bottom"):
        count = _("Ten clicks through the model: {n} of {of}").format(n=at, of=of)
        _title(count, title, at, of)
        controls.button(_("Skip, just look around"), "tour-skip", _leave)


def _ways(at: int, of: int, *, is_open: bool) -> None:
    """Back, and on once she has guessed."""
    with st.container(key="tour-ways", horizontal=True):
        controls.button(_("Back"), "tour-back", partial(_go, at - 1), about=at, disabled=at == 1)
        on = _("Next") if at < of else _("The whole way")
        controls.button(on, "tour-next", partial(_go, at + 1), about=at, type="primary",
                        disabled=not is_open, width="stretch")  # fmt: skip


def _map(world: World, at: int, *, is_open: bool) -> None:
    """The map, with the way that she has seen."""
    (shown,) = world.shown
    component = shown.component(world.names) if is_open else before_answer(shown, world.names)
    assert component is not None, "each click of the tour opens a part of the map"

    def walk(by: object) -> None:
        if by == 1 and is_open:
            _go(at + 1)
        elif by == -1 and at > 1:
            _go(at - 1)

    put(shown.view, component, shown.params, "tour-map", on={"walk": walk}, about=at, save=False,
        more={"walks": True})  # fmt: skip


def _end(found: Lesson) -> None:
    """The whole way, what it was in a few sentences, and where to go from here."""
    last, n = found.steps[-1], len(found.steps)
    _title(_("Ten clicks through the model"), _("From a text to the next word"), n, n)
    with st.container(key="tour"):
        said, ways = st.columns([6, 5], gap="large")
        with said:
            st.markdown("".join(f"1. {one}\n" for one in found.sums_up))
        with ways:
            controls.button(_("Look around on the open map"), "tour-leave", _leave, type="primary",
                            width="stretch")  # fmt: skip
            order = lesson_ids()
            following = order[order.index(found.id) + 1]
            next_one = lesson(following, language())
            if isinstance(next_one, Lesson):
                st.page_link(
                    "learn/lessons.py",
                    label=_("First lesson: {title}").format(title=next_one.title),
                    icon=":material/school:", query_params={"lesson": following},
                )  # fmt: skip
            controls.button(_("Once more"), "tour-again", begin, type="tertiary",
                            icon=":material/replay:")  # fmt: skip
        _map(world_of(last, result_of), n + 1, is_open=True)


def _go(at: int) -> None:
    state.update({"tour": at})


def _leave() -> None:
    state.update({"tour": None})
