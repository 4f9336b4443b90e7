"""Questions that come back: an idea that a learner has shown is asked about again, on new data.

That happens once, at the end of a lesson. The idea is gone once she was right twice at the first
try, in whatever question would have caught it (``Study.take`` counts).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.schema import Step
from core.lessons.study import Answered, Key, Study

SEED = 303  # other data than in the lessons and in their probes
PLACE = "again-end"  # in the key of its answers


@dataclass(frozen=True, slots=True)
class Again:
    """A question that comes back.

    Attributes:
        step: that asks it, with its figures.
        key: under which its answers are kept.
    """

    step: Step
    key: Key

    def asked(self, study: Study) -> set[str]:
        """What else the question was asked on, here and in its lesson."""
        owner = self.key[1].split("/")[1]
        return {
            one.about
            for key, one in study.answers.items()
            if key != self.key and (asks(key, owner, self.step) or _is(key, owner, self.step))
        }


def again(study: Study, here: Lesson, language: str) -> Again | None:
    """The question that comes back at the end of a lesson.

    Args:
        study: what she has answered.
        here: the lesson that is open.
        language: of the learner.

    Returns:
        The one that came back here already, or one that she has met and that catches an idea she
        still holds; None where there is none.
    """
    if (kept := _kept(study, here, language)) is not None:
        return kept
    for idea in study.ideas:
        found = min(_met(study, idea, language), key=_preferred, default=None)
        if found is not None:
            owner, step = found
            key = here.id, f"{_id(step)}/{owner.id}/{PLACE}"
            asked = sum(1 for one in study.answers if asks(one, owner.id, step))
            study.answers[key] = Answered(seed=study.seed + SEED + asked)
            return Again(step, key)
    return None


def _kept(study: Study, here: Lesson, language: str) -> Again | None:
    """What came back here before now; it stays there, answered or not."""
    for key in study.answers:
        question, owner, place = ([*key[1].split("/"), "", ""])[:3]
        if key[0] != here.id or place != PLACE:
            continue
        found = lesson_of(owner, language)
        for step in found.steps if found is not None else ():
            if _id(step) == question:
                return Again(step, key)
    return None


def _met(study: Study, idea: str, language: str) -> Iterator[tuple[Lesson, Step]]:
    """Every question she has met that catches an idea and can be asked on other data."""
    for ident in lesson_ids():
        found = lesson_of(ident, language)
        for step in found.steps if found is not None else ():
            if step.question is None or idea not in step.question.wrong:
                continue
            if step.question.kind == "do":  # it has no other data
                continue
            met = study.answers.get((ident, step.question.id))
            if found is not None and met is not None and met.tries:
                yield found, step


def _preferred(met: tuple[Lesson, Step]) -> bool:
    """False first: those that can be posed on other data."""
    question = met[1].question
    return question is None or not question.draw


def lesson_of(ident: str, language: str) -> Lesson | None:
    """A lesson that can be asked from; None for one that is broken or no longer there."""
    try:
        found = lesson(ident, language)
    except KeyError:  # a file of saved progress names what is no longer there
        return None
    return found if isinstance(found, Lesson) else None


def _id(step: Step) -> str:
    return step.question.id if step.question is not None else ""


def asks(key: Key, owner: str, step: Step) -> bool:
    """Whether this is an answer to a lesson's question when it came back, or in a last test."""
    return key[1].startswith(f"{_id(step)}/{owner}/")


def _is(key: Key, owner: str, step: Step) -> bool:
    """Whether this is an answer to it in its lesson, or in the lesson's probe."""
    return key[0] == owner and key[1].split("/")[0] == _id(step)
