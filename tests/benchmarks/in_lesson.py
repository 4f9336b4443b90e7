"""A learner of a class in a lesson: goes on, answers wrong and right, asks for other numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from core.errors import NoQuestionError
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.marking import mark
from core.lessons.posing import Posed, pose
from core.lessons.world import world_of
from core.runs.store import Runs
from tests.benchmarks.learner import Answer, Learner
from tests.benchmarks.pupil import Course, Pupil

SEEDS = 3  # of a question that are known; then the learner goes on
KINDS, SHARES = ("next", "answer", "again", "text"), (4, 4, 1, 1)


class Known(NamedTuple):
    """What a learner can send to a question, and whether it takes her own sentence."""

    right: Any
    wrong: Any
    own: bool


class LessonPupil(Pupil):
    """One of the lessons, again and again.

    Args:
        number: her own, which stands in each of her sentences.
        learner: who clicks for her.
    """

    kinds, shares = KINDS, SHARES

    def __init__(self, number: int, learner: Learner) -> None:
        super().__init__(number, learner)
        ids = lesson_ids()
        self.place = ids[number % len(ids)]
        self._typed, self._wrong = False, False

    async def sit_down(self) -> None:
        """Open the lesson; a browser that has kept nothing says so."""
        await self._learner.open("lessons", {"lesson": self.place, "lesson_at": "1"})
        await self._learner.play()

    async def _click(self, kind: str, course: Course) -> Answer:
        header, learner = self._header(), self._learner
        if kind == "text":
            self._typed = True
            text = self._sentence()
            answer = await learner.play({"text": text})
            self._expect({"text": text}, course)
        elif kind == "again" and header.get("done") and header.get("may_repeat"):
            answer = await learner.play(deed={"what": "again", "value": header["asks"]})
        elif kind == "answer" and header and not header["done"]:
            answer = await self._answer(header, course)
        else:
            answer = await self._go_on()
        self._look(answer, course)
        return answer

    def _header(self) -> dict[str, Any]:
        """Of the question on the screen; empty where there is none."""
        blocks = self._learner.screen["said"]
        return next((one["header"] for one in blocks if one["kind"] == "question"), {})

    async def _go_on(self) -> Answer:
        """To the next screen; from the last to the first step."""
        found = lesson(self.place)
        assert isinstance(found, Lesson)
        at = int(self._learner.query.get("lesson_at", "0"))
        self._wrong = False
        last = at >= len(found.steps) + bool(found.probe)
        return await self._learner.play({"lesson_at": "1" if last else str(at + 1)})

    async def _answer(self, header: dict[str, Any], course: Course) -> Answer:
        """Wrong first, then right; what is said to it must fit."""
        known = answers(self.place).get((header["id"], self._seed(header)))
        if known is None or (known.own and self._typed):
            return await self._learner.play(deed={"what": "give", "value": header["asks"]})
        right = self._wrong
        value = known.right if right else known.wrong
        said = {"id": header["asks"], "value": value}
        answer = await self._learner.play(deed={"what": "answer", "value": said})
        self._wrong = not right
        marked = self._header().get("marked")
        if marked is None or marked["right"] is not right:
            course.wrong.append(f"{self.place}, {header['id']}: answered {said}, told {marked}")
        return answer

    @staticmethod
    def _seed(header: dict[str, Any]) -> int:
        """On which a question was posed: it names that when it is answered."""
        return int(header["asks"].split()[-2])


@cache
def _runs() -> Runs:
    return Runs()


@cache
def answers(ident: str) -> dict[tuple[str, int], Known]:
    """By question and seed, a right and a wrong answer, as a browser sends them."""
    return dict(_known(ident))


def _known(ident: str) -> Iterator[tuple[tuple[str, int], Known]]:
    found = lesson(ident)
    assert isinstance(found, Lesson)
    for step in found.steps:
        question = step.question
        if question is None or question.kind == "do":  # it is reached by other controls
            continue
        names = world_of(step, _runs().get).names
        own = any(figure.own for figure in step.figures)
        for seed in range(SEEDS):
            try:
                posed = pose(question, names, seed)
            except NoQuestionError:
                break
            right, wrong = (as_sent(posed, one) for one in (posed.right, *posed.wrong.values())[:2])
            marks = mark(posed, right), mark(posed, wrong)
            assert marks[0] is not None
            assert marks[1] is not None
            assert (marks[0].right, marks[1].right) == (True, False)
            yield (question.id, seed), Known(right, wrong, own)


def as_sent(posed: Posed, value: Any) -> Any:
    """An answer as the browser says it."""
    if posed.question.kind == "bet":
        return [100 if n == value else 0 for n in range(len(posed.options))]
    if posed.question.kind in ("tokens", "cells"):
        return sorted(value)
    return list(value) if posed.question.kind == "order" else value
