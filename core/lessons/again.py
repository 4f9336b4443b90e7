"""Questions that come back: what a learner has missed is asked about again, on new data.

That happens once, at the end of a lesson: first with what she missed in it, then with an idea that
she has shown in another one. The idea is gone once she was right twice at the first
try, in whatever question would have caught it (``Study.take`` counts).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.answered import Key, QuestionRecord
from core.lessons.schema import LessonStep
from core.lessons.study import Study

SEED = 303  # other data than in the lessons and in their probes
PLACE = "again-end"  # in the key of its answers


@dataclass(frozen=True, slots=True)
class Repetition:
    """A question that comes back.

    Attributes:
        step: that asks it, with its figures.
        key: under which its answers are kept.
    """

    step: LessonStep
    key: Key

    @property
    def owner(self) -> str:
        """The lesson that the question is from."""
        return self.key[1].split("/")[1]

    def abouts(self, study: Study) -> set[str]:
        """What else the question was asked on, here and in its lesson."""
        owner = self.owner
        return {
            answer.about
            for key, answer in study.answers.items()
            if key != self.key and (asks(key, owner, self.step) or _is(key, owner, self.step))
        }

    def missed(self, study: Study) -> bool:
        """Whether she missed it in its lesson, and not only the idea that it catches, elsewhere."""
        return _missed(study, self.owner, self.step)


def again(study: Study, lesson: Lesson, language: str) -> Repetition | None:
    """The question that comes back at the end of a lesson.

    Args:
        study: what she has answered.
        lesson: the lesson that is open.
        language: of the learner.

    Returns:
        The one that came back here already; or one that she missed in this lesson, at best by an
        idea that she still holds; or one that she has met elsewhere and that catches such an idea.
        None where there is none.
    """
    if (again_ := _find_returned(study, lesson, language)) is not None:
        return again_
    candidates = [
        (lesson, step_)
        for step_ in lesson.steps
        if _missed(study, lesson.id, step_) and can_return(step_)
    ]
    for idea in study.ideas:
        candidates += sorted(_find_met_questions(study, idea, language), key=_preferred)
    if not candidates:
        return None
    owner, step = min(candidates, key=lambda candidate: _rank(study, lesson, *candidate))
    key = lesson.id, f"{_id(step)}/{owner.id}/{PLACE}"
    n_answers = sum(1 for key_ in study.answers if asks(key_, owner.id, step))
    study.hold(key, QuestionRecord(seed=study.seed + SEED + n_answers))
    return Repetition(step, key)


def _rank(study: Study, lesson: Lesson, owner: Lesson, step: LessonStep) -> tuple[bool, ...]:
    """What comes back sooner is smaller; of equals the first one."""
    missed = _missed(study, owner.id, step)
    if owner.id != lesson.id or not missed:
        return True, not missed
    wrong = step.question.wrong if step.question is not None else {}
    ends = _id(step) in lesson.probe  # asked on this page already, among the questions at the end
    return False, not study.ideas.keys() & wrong.keys(), _preferred((owner, step)), ends


def _missed(study: Study, owner: str, step: LessonStep) -> bool:
    """Whether she was not right at once at a question, in its lesson."""
    answer = study.answers.get((owner, _id(step)))
    return answer is not None and (
        answer.tries > 1 or answer.given_up or (answer.tries > 0 and not answer.right)
    )


def can_return(step: LessonStep) -> bool:
    """Whether a step asks something that can be asked again; a goal has no other data."""
    return step.question is not None and step.question.kind != "do"


def _find_returned(study: Study, lesson: Lesson, language: str) -> Repetition | None:
    """What came back here before now; it stays there, answered or not."""
    for key in study.answers:
        question, owner, place = ([*key[1].split("/"), "", ""])[:3]
        if key[0] != lesson.id or place != PLACE:
            continue
        lesson_ = lesson_of(owner, language)
        for step in lesson_.steps if lesson_ is not None else ():
            if _id(step) == question:
                return Repetition(step, key)
    return None


def _find_met_questions(
    study: Study, idea: str, language: str
) -> Iterator[tuple[Lesson, LessonStep]]:
    """Every question she has met that catches an idea and can be asked on other data."""
    for ident in lesson_ids():
        lesson_ = lesson_of(ident, language)
        for step in lesson_.steps if lesson_ is not None else ():
            if step.question is None or idea not in step.question.wrong or not can_return(step):
                continue
            answer = study.answers.get((ident, step.question.id))
            if lesson_ is not None and answer is not None and answer.tries:
                yield lesson_, step


def _preferred(candidate: tuple[Lesson, LessonStep]) -> bool:
    """False first: those that can be posed on other data."""
    question = candidate[1].question
    return question is None or not question.draw


def lesson_of(ident: str, language: str) -> Lesson | None:
    """A lesson that can be asked from; None for one that is broken or no longer there."""
    try:
        result = lesson(ident, language)
    except KeyError:  # a file of saved progress names what is no longer there
        return None
    return result if isinstance(result, Lesson) else None


def _id(step: LessonStep) -> str:
    return step.question.id if step.question is not None else ""


def asks(key: Key, owner: str, step: LessonStep) -> bool:
    """Whether this is an answer to a lesson's question when it came back, or in a last test."""
    return key[1].startswith(f"{_id(step)}/{owner}/")


def _is(key: Key, owner: str, step: LessonStep) -> bool:
    """Whether this is an answer to it in its lesson, or in the lesson's probe."""
    return key[0] == owner and key[1].split("/")[0] == _id(step)
