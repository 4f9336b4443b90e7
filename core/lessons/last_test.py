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
from core.lessons.again import Again, asks, lesson_of
from core.lessons.answered import Answered, Key
from core.lessons.schema import Question, Step
from core.lessons.study import Study

NAME = "last-test"  # where the keys of other answers have their lesson
MOST = 30  # questions of a test
TEACHING = ("choice", "order", "tokens", "cells")  # clear without figures, or with the step's own
SEED = 404  # other data than in lessons, in their probes and where a question came back
_PLACE = re.compile(r"t([1-9]\d?)-(\d\d)")  # in the key of an answer: which test, which question


@dataclass(frozen=True, slots=True)
class Put:
    """A question of the test.

    Attributes:
        owner: the lesson that it is from.
        back: its step, and the key of its answers.
    """

    owner: Lesson
    back: Again

    @property
    def question(self) -> Question:
        """What is asked."""
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
    missed: tuple[Step, ...]


def last_test(study: Study, language: str) -> list[Put]:
    """The questions of the test that is under way, in their order; one begins where none is.

    Args:
        study: what she has answered.
        language: of the learner.
    """
    return _whole(study, _number(study), language)


def begin(study: Study, language: str) -> list[Put]:
    """Draw another test; the answers to the one before count as what was missed."""
    return _whole(study, min(99, _number(study) + 1), language)


def is_answered(put: Put, study: Study) -> bool:
    """There is one try."""
    answered = study.answers.get(put.back.key)
    return answered is not None and bool(answered.tries or answered.given_up)


def scores(puts: Sequence[Put], study: Study) -> list[Score]:
    """By lesson, in the order of all lessons, how many were right."""
    found = []
    for ident in lesson_ids():
        own = [put for put in puts if put.owner.id == ident]
        if own:
            tried = [put for put in own if is_answered(put, study)]
            missed = tuple(put.back.step for put in tried if not study.answers[put.back.key].right)
            found.append(Score(own[0].owner, len(tried) - len(missed), len(own), missed))
    return found


def _whole(study: Study, n: int, language: str) -> list[Put]:
    """A test: what is known of it, and new questions in the places that are free."""
    found, draw = _kept(study, n, language), random.Random(f"{study.seed} {n}")
    taken = {_which(put.owner, put.back.step) for put in found.values()}
    fresh = [one for one in _drawn(study, language, draw) if _which(*one) not in taken]
    free = [at for at in range(MOST) if at not in found]
    fresh = fresh[: len(free)]
    draw.shuffle(fresh)
    for at, (owner, step) in zip(free, fresh, strict=False):
        question, ident = _which(owner, step)
        key = NAME, f"{question}/{ident}/t{n}-{at:02}"
        before = sum(asks(one, ident, step) for one in study.answers)
        study.hold(key, Answered(seed=study.seed + SEED + before))
        found[at] = Put(owner, Again(step, key))
    return [found[at] for at in sorted(found)]


def _number(study: Study) -> int:
    """Which test is under way, from 1."""
    return max((place[0] for key in study.answers if (place := _place(key))), default=1)


def _place(key: Key) -> tuple[int, int] | None:
    """The test and the place that a key names; None for a key of something else."""
    found = _PLACE.fullmatch(key[1].rpartition("/")[2]) if key[0] == NAME else None
    return None if found is None else (int(found[1]), int(found[2]))


def _kept(study: Study, n: int, language: str) -> dict[int, Put]:
    """Questions of a test by their places; what is no longer there is left out.

    A file that was loaded may bring a question or a place twice: one that was answered counts.
    """
    found: dict[int, Put] = {}
    answers = sorted(study.answers.items(), key=lambda one: not (one[1].tries or one[1].given_up))
    for key, _answered in answers:
        place, put = _place(key), _put(key, language)
        if place is None or put is None or place[0] != n or place[1] >= MOST:
            continue
        if all(place[1] != at and key[1].split("/")[:2] != one.back.key[1].split("/")[:2]
               for at, one in found.items()):  # fmt: skip
            found[place[1]] = put
    return found


def _put(key: Key, language: str) -> Put | None:
    """The question that a key names, while its lesson has it."""
    question, owner, *_rest = *key[1].split("/"), ""
    found = lesson_of(owner, language)
    for step in found.steps if found is not None else ():
        if found is not None and _may_ask(step) and _which(found, step)[0] == question:
            return Put(found, Again(step, key))
    return None


def _drawn(study: Study, language: str, draw: random.Random) -> list[tuple[Lesson, Step]]:
    """What may be asked: what was missed, then from each lesson in turn, not numbers alone."""
    ranked = []
    for owner, steps in candidates(language, draw):
        turns: Counter[bool] = Counter()
        for step in steps:
            missed = _missed(study, owner, step)
            if missed or is_for_all(owner, step):
                ranked.append(((not missed, turns[missed], draw.random()), owner, step))
                turns[missed] += 1
    ranked.sort(key=lambda one: one[0])
    return [(owner, step) for _rank, owner, step in ranked]


def candidates(language: str, draw: random.Random) -> Iterator[tuple[Lesson, list[Step]]]:
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
        yield owner, _by_turns([one for one in steps if _may_ask(one)])


def is_for_all(owner: Lesson, step: Step) -> bool:
    """Whether a question is asked of those, too, who have not missed it."""
    return _kind(step) in TEACHING or _which(owner, step)[0] in owner.probe


def _by_turns(steps: Sequence[Step]) -> list[Step]:
    """Steps in their order, but one that asks for no number and one that does by turns."""
    turns: Counter[bool] = Counter()
    ranked = []
    for step in steps:
        is_number = _kind(step) == "number"
        ranked.append((turns[is_number], is_number, step))
        turns[is_number] += 1
    return [step for _turn, _is, step in sorted(ranked, key=lambda one: one[:2])]


def _missed(study: Study, owner: Lesson, step: Step) -> bool:
    """She was not right at once, somewhere, or still has an idea that the question catches."""
    assert step.question is not None
    own = [one for key, one in study.answers.items() if asks(key, owner.id, step)
           or (key[0] == owner.id and key[1].split("/")[0] == step.question.id)]  # fmt: skip
    met = any(one.tries or one.given_up for one in own)
    slips = any(one.given_up or one.tries > 1 or (one.tries and not one.right) for one in own)
    return slips or (met and any(idea in study.ideas for idea in step.question.wrong))


def _may_ask(step: Step) -> bool:
    """A goal on a figure has no other data."""
    return step.question is not None and step.question.kind != "do"


def _kind(step: Step) -> str:
    """How the question of a step is answered."""
    return step.question.kind if step.question is not None else ""


def _repeats(step: Step) -> bool:
    """False first: what can be asked on other data."""
    return step.question is None or not step.question.draw


def _which(owner: Lesson, step: Step) -> tuple[str, str]:
    """Question and lesson, as a key has them."""
    assert step.question is not None
    return step.question.id, owner.id
