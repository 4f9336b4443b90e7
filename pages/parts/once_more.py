"""A question asked anew, on other data: at the end of a lesson, and in the last test."""

from __future__ import annotations

import streamlit as st

from core.errors import CoreError
from core.figures.text import harmless
from core.language import _, language
from core.lessons.again import Again, again, lesson_of
from core.lessons.asking_again import pose_another
from core.lessons.player import Asked, finished
from core.lessons.posing import Posed
from core.lessons.schema import Lesson
from core.lessons.world import World, world_of
from pages.parts import asking
from pages.parts.figure import result_of
from pages.parts.lesson import sentences, text
from pages.parts.messages import show_error
from pages.parts.names import Screen, screen_of
from pages.parts.stage import drawn_of, picks, places, stand
from pages.parts.study import follow


def once_more(lesson: Lesson, at: int) -> None:
    """At the end of a lesson, a question that the learner has missed, or on an idea that she has.

    Args:
        lesson: that is open.
        at: the screen's number.
    """
    back = again(follow(), lesson, language())
    found = None if back is None else posed_anew(back)
    if back is None or found is None:
        return
    with st.container(border=True, key="lesson-once-more"):
        st.markdown(_said(lesson, back, anew=found[1].about not in back.asked(follow())))
        with_figures(back, *found, screen_of(lesson.id, at, again=True), key="question-again")


def _said(here: Lesson, back: Again, *, anew: bool) -> str:
    """What comes back, and why: she missed it here, or its idea is one that she missed before."""
    owner = lesson_of(back.owner, language())
    said = _("Let us try the one you missed once more: “{step}”")
    if back.owner != here.id or not back.missed(follow()):
        said = _("You have missed this idea before. It comes back in a question of the lesson "
                 "“{lesson}”: “{step}”")  # fmt: skip
    elif anew:
        said = _("Let us try the one you missed again, on other numbers: “{step}”")
    return said.format(
        step=harmless(back.step.title), lesson=harmless(owner.title if owner is not None else "")
    )


def posed_anew(back: Again) -> tuple[World, Posed] | None:
    """A question on data that it was not asked on before; where there are none, that is said.

    Args:
        back: the question.
    """
    study = follow()
    answered = study.of(*back.key)
    assert back.step.question is not None
    try:
        world = world_of(back.step, result_of)
        posed = pose_another(back.step.question, world.names, answered.seed, back.asked(study))
    except CoreError as problem:
        show_error(problem)
        return None
    answered.seed = posed.seed
    return world, posed


def with_figures(
    back: Again, world: World, posed: Posed, here: Screen, *, key: str, when: Asked = "lesson"
) -> None:
    """Ask beside the figures of the question's step.

    Args:
        back: the question.
        world: of its step.
        posed: on other data.
        here: keeps the figures mounted.
        key: keeps the question mounted.
        when: after the lessons there is one try, and the step's text comes with the question.
    """
    answered = follow().of(*back.key)
    once = when != "lesson" and answered.tries > 0
    names, open_ = posed.names, once or finished(posed.question, answered)
    drawn = drawn_of(world, names, posed, is_open=open_)
    said, each = places(back.step)
    with said:
        if when != "lesson":
            text(back.step.before, world.names)
        sentences(world)
        asking.question(*back.key, posed, key=key, when=when, picks=picks(posed, drawn, here))
    for one, place in zip(world.shown, each, strict=True):
        with place:
            stand(one, here, drawn[one.figure.name], names, is_open=open_)
