"""At the end of a lesson, a question on an idea that the learner has shown."""

from __future__ import annotations

import streamlit as st

from core.errors import CoreError
from core.figures.text import harmless
from core.language import _, language
from core.lessons.again import again
from core.lessons.asking_again import pose_another
from core.lessons.player import finished
from core.lessons.schema import Lesson
from core.lessons.world import world_of
from pages.parts import asking
from pages.parts.figure import result_of
from pages.parts.lesson import sentences
from pages.parts.messages import show_error
from pages.parts.names import screen_of
from pages.parts.stage import drawn_of, picks, places, stand
from pages.parts.study import follow


def once_more(lesson: Lesson, at: int) -> None:
    """At the end of a lesson, a question on an idea that the learner has shown.

    Args:
        lesson: that is open.
        at: the screen's number.
    """
    study = follow()
    back = again(study, lesson, language())
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
    names, open_ = posed.names, finished(posed.question, answered)
    here = screen_of(lesson.id, at, again=True)
    drawn = drawn_of(world, names, posed, is_open=open_)
    with st.container(border=True, key="lesson-once-more"):
        st.markdown(_("Let us try the one you missed again, on other numbers: “{step}”").format(
            step=harmless(back.step.title)))  # fmt: skip
        sentences(world)
        said, each = places(back.step)
        with said:
            asking.question(*back.key, posed, key="question-again",
                            picks=picks(posed, drawn, here))  # fmt: skip
        for one, place in zip(world.shown, each, strict=True):
            with place:
                stand(one, here, drawn[one.figure.name], names, is_open=open_)
