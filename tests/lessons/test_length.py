"""How long a lesson takes is reckoned from what is in it."""

from __future__ import annotations

import pytest

from core.lessons.length import ANSWERS, LOOK, PACE, TAP, answering, reading
from core.lessons.question import Question
from core.lessons.schema import Lesson, LessonStep

WORD = 60 / PACE  # seconds


def _choice(**more) -> Question:
    return Question(
        id="one", kind="choice", ask="How much is it?", answer="one",
        wrong={"much": "two", "many": "three"}, hints=["a", "b", "c"],
        solution="It is one.", **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Three more words", 3),
        ("It falls to {{p[0, 1] | %}} here. {{? p[0, 1] < 0.5}}", 5),
        (r"Here $\sqrt{d} + x$ is meant", 5),
        ("an [[attention weight]], see [the page](/attention?layer=2)", 6),
        ("d’attention, l’entropie, aujourd’hui", 3),
    ],
)
def test_words_are_counted_as_they_are_read(said, words):
    assert reading([said]) == pytest.approx(words * WORD)


def test_a_question_takes_its_words_and_the_time_of_its_answer():
    assert answering(_choice()) == pytest.approx(7 * WORD + ANSWERS["choice"])
    assert answering(_choice(at_once=True)) == pytest.approx(7 * WORD + TAP)


def test_a_lesson_takes_its_steps_and_the_questions_at_its_end():
    step = LessonStep(id="s0", title="A step", line=1, before="two words", after="one", figures=[])
    assert step.seconds == pytest.approx(5 * WORD)
    shown = step.model_copy(update={"figures": ({"view": "x"}, {"view": "y"})})
    assert shown.seconds == pytest.approx(5 * WORD + 2 * LOOK)
    asked = step.model_copy(update={"question": _choice()})
    assert asked.seconds == pytest.approx(step.seconds + answering(_choice()) + 3 * WORD)


def test_its_minutes_are_whole_and_hold_the_last_questions():
    asks = [_choice().model_copy(update={"id": ident}) for ident in ("one", "two", "three", "four")]
    steps = tuple(
        LessonStep(id=f"s{n}", title="A step", line=1, question=ask) for n, ask in enumerate(asks)
    )

    def made(probe):
        return Lesson(
            id="it", language="en", title="It", able=["do it"], items=[], sources=[], steps=steps,
            probe=probe,
        )  # fmt: skip

    lesson = made(())
    seconds = sum(step.seconds for step in steps)
    assert 60 * (lesson.minutes - 1) < seconds <= 60 * lesson.minutes
    probed = made(("one", "two", "three"))
    more = seconds + 3 * answering(_choice())
    assert 60 * (probed.minutes - 1) < more <= 60 * probed.minutes
