"""The last test: questions over all lessons, first those that a learner has missed.

They are posed on other data and marked as everywhere. What is answered is kept as all her answers
are (``Study``), under the test's own name, so a reload or a file of progress brings it back.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.lessons import Lesson, lesson_ids
from core.lessons.again import Repetition, asks, lesson_of
from core.lessons.answered import Key, QuestionRecord
from core.lessons.schema import LessonStep, Question
from core.lessons.study import Study

NAME = "last-test"  # where the keys of other answers have their lesson
MOST = 30  # questions of a test
TEACHING = ("choice", "order", "tokens", "cells")  # clear without figures, or with the step's own
SEED = 404  # other data than in lessons, in their probes and where a question came back
_PLACE = re.compile(r"t([1-9]\d?)-(\d\d)")  # in the key of an answer: which test, which question


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question of the test.

    Attributes:
        owner: the lesson that it is from.
        back: its step, and the key of its answers.
    """

    owner: Lesson
    back: Repetition

    @property
    def question(self) -> Question:
        """The question that this place of the test asks."""
        assert self.back.step.question is not None
        return self.back.step.question

    @property
    def alone(self) -> bool:
        """It needs no figure: its lesson asks it before and after, too."""
        return self.question.id in self.owner.probe


@dataclass(frozen=True, slots=True)
class Score:
    """What she knew of one lesson.

    Attributes:
        owner: the lesson.
        right: answers.
        n: questions.
        missed: the steps whose questions were answered, and not rightly.
    """

    owner: Lesson
    right: int
    n: int
    missed: tuple[LessonStep, ...]


def last_test(study: Study, language: str) -> list[AskedQuestion]:
    """The questions of the test that is under way, in their order; one begins where none is.

    Args:
        study: what she has answered.
        language: of the learner.
    """
    return _make_test(study, _number(study), language)


def begin(study: Study, language: str) -> list[AskedQuestion]:
    """Draw another test; the answers to the one before count as what was missed."""
    return _make_test(study, min(99, _number(study) + 1), language)


def is_answered(put: AskedQuestion, study: Study) -> bool:
    """Whether a question of the test has its answer; there is one try."""
    answered = study.answers.get(put.back.key)
    return answered is not None and bool(answered.tries or answered.given_up)


def scores(puts: Sequence[AskedQuestion], study: Study) -> list[Score]:
    """By lesson, in the order of all lessons, how many were right."""
    scores_ = []
    for ident in lesson_ids():
        puts_ = [put for put in puts if put.owner.id == ident]
        if puts_:
            tried = [put for put in puts_ if is_answered(put, study)]
            missed = tuple(put.back.step for put in tried if not study.answers[put.back.key].right)
            scores_.append(Score(puts_[0].owner, len(tried) - len(missed), len(puts_), missed))
    return scores_


def _make_test(study: Study, n: int, language: str) -> list[AskedQuestion]:
    """A test: what is known of it, and new questions in the places that are free."""
    places, draw = _find_kept(study, n, language), random.Random(f"{study.seed} {n}")
    used = {_which(place.owner, place.back.step) for place in places.values()}
    fresh = [
        candidate
        for candidate in _draw_candidates(study, language, draw)
        if _which(*candidate) not in used
    ]
    free = [index for index in range(MOST) if index not in places]
    fresh = fresh[: len(free)]
    draw.shuffle(fresh)
    for index, (owner, step) in zip(free, fresh, strict=False):
        question, ident = _which(owner, step)
        key = NAME, f"{question}/{ident}/t{n}-{index:02}"
        before = sum(asks(key, ident, step) for key in study.answers)
        study.hold(key, QuestionRecord(seed=study.seed + SEED + before))
        places[index] = AskedQuestion(owner, Repetition(step, key))
    return [places[index] for index in sorted(places)]


def _number(study: Study) -> int:
    """Which test is under way, from 1."""
    return max((place[0] for key in study.answers if (place := _place(key))), default=1)


def _place(key: Key) -> tuple[int, int] | None:
    """The test and the place that a key names; None for a key of something else."""
    match = _PLACE.fullmatch(key[1].rpartition("/")[2]) if key[0] == NAME else None
    return None if match is None else (int(match[1]), int(match[2]))


def _find_kept(study: Study, n: int, language: str) -> dict[int, AskedQuestion]:
    """Questions of a test by their places; what is no longer there is left out.

    A file that was loaded may bring a question or a place twice: one that was answered counts.
    """
    puts: dict[int, AskedQuestion] = {}
    answers = sorted(
        study.answers.items(), key=lambda entry: not (entry[1].tries or entry[1].given_up)
    )
    for key, _answered in answers:
        place, put = _place(key), _find_question(key, language)
        if place is None or put is None or place[0] != n or place[1] >= MOST:
            continue
        if all(place[1] != index and key[1].split("/")[:2] != put_.back.key[1].split("/")[:2]
               for index, put_ in puts.items()):  # fmt: skip
            puts[place[1]] = put
    return puts


def _find_question(key: Key, language: str) -> AskedQuestion | None:
    """The question that a key names, while its lesson has it."""
    question, owner, *_rest = *key[1].split("/"), ""
    lesson = lesson_of(owner, language)
    for step in lesson.steps if lesson is not None else ():
        if lesson is not None and _may_ask(step) and _which(lesson, step)[0] == question:
            return AskedQuestion(lesson, Repetition(step, key))
    return None


def _draw_candidates(
    study: Study, language: str, draw: random.Random
) -> list[tuple[Lesson, LessonStep]]:
    """What may be asked: what was missed, then from each lesson in turn, not numbers alone."""
    ranked = []
    for owner, steps in candidates(language, draw):
        turns: Counter[bool] = Counter()
        for step in steps:
            missed = _missed(study, owner, step)
            if missed or is_for_all(owner, step):
                ranked.append(((not missed, turns[missed], draw.random()), owner, step))
                turns[missed] += 1
    ranked.sort(key=lambda entry: entry[0])
    return [(owner, step) for _rank, owner, step in ranked]


def candidates(language: str, draw: random.Random) -> Iterator[tuple[Lesson, list[LessonStep]]]:
    """Each lesson, and in an order that is drawn the steps whose questions can be asked again.

    Args:
        language: of the learner.
        draw: them.
    """
    for ident in lesson_ids():
        owner = lesson_of(ident, language)
        if owner is None or not owner.probe:  # a tour asks for clicks
            continue
        steps = sorted(draw.sample(owner.steps, len(owner.steps)), key=_repeats)
        yield owner, _by_turns([step for step in steps if _may_ask(step)])


def is_for_all(owner: Lesson, step: LessonStep) -> bool:
    """Whether a question is asked of those, too, who have not missed it."""
    return _kind(step) in TEACHING or _which(owner, step)[0] in owner.probe


def _by_turns(steps: Sequence[LessonStep]) -> list[LessonStep]:
    """Steps in their order, but one that asks for no number and one that does by turns."""
    turns: Counter[bool] = Counter()
    ranked = []
    for step in steps:
        is_number = _kind(step) == "number"
        ranked.append((turns[is_number], is_number, step))
        turns[is_number] += 1
    return [step for _turn, _is, step in sorted(ranked, key=lambda entry: entry[:2])]


def _missed(study: Study, owner: Lesson, step: LessonStep) -> bool:
    """She was not right at once, somewhere, or still has an idea that the question catches."""
    assert step.question is not None
    answers = [answer for key, answer in study.answers.items() if asks(key, owner.id, step)
               or (key[0] == owner.id and key[1].split("/")[0] == step.question.id)]  # fmt: skip
    is_met = any(answer.tries or answer.given_up for answer in answers)
    slips = any(
        answer.given_up or answer.tries > 1 or (answer.tries and not answer.right)
        for answer in answers
    )
    return slips or (is_met and any(idea in study.ideas for idea in step.question.wrong))


def _may_ask(step: LessonStep) -> bool:
    """A goal on a figure has no other data."""
    return step.question is not None and step.question.kind != "do"


def _kind(step: LessonStep) -> str:
    """How the question of a step is answered."""
    return step.question.kind if step.question is not None else ""


def _repeats(step: LessonStep) -> bool:
    """False first: what can be asked on other data."""
    return step.question is None or not step.question.draw


def _which(owner: Lesson, step: LessonStep) -> tuple[str, str]:
    """Question and lesson, as a key has them."""
    assert step.question is not None
    return step.question.id, owner.id
