"""A question on a screen: posed on the run at hand, and marked here, not in the browser."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

from core.lessons.answered import Key, QuestionRecord, is_plain
from core.lessons.asking_again import pose_another
from core.lessons.doing import AttemptStanding
from core.lessons.marking import mark
from core.lessons.naming import Facts
from core.lessons.player import Asked, asks, finished, header
from core.lessons.posing import Posed, pose
from core.lessons.question import Question
from core.lessons.screen.blocks import Block
from core.lessons.screen.learner import Learner

MOST_HINTS = 3


@dataclass(frozen=True)
class Open:
    """A question that is on the screen.

    Attributes:
        key: under which its answers are kept.
        posed: on the run at hand.
        answered: what she has answered.
        when: in a probe there is one try and no hint, and before the lesson no answer either.
        did: what she did at it now; empty for nothing.
    """

    key: Key
    posed: Posed
    answered: QuestionRecord
    when: Asked = "lesson"
    did: str = ""

    @property
    def is_over(self) -> bool:
        """Nothing of it is covered any more."""
        once = self.when != "lesson" and self.answered.tries > 0
        return once or finished(self.posed.question, self.answered)

    @property
    def asks(self) -> str:
        """What an answer names."""
        return asks(self.key[1], self.answered)


def opened(
    learner: Learner,
    key: Key,
    question: Question,
    names: Facts,
    *,
    when: Asked = "lesson",
    anew: Set[str] | None = None,
) -> Open:
    """A question with what she does at it now.

    Args:
        learner: who asks for the screen.
        key: under which its answers are kept.
        question: as the lesson has it.
        names: what it may say of the run.
        when: it is asked.
        anew: what it was asked on before, where it comes back on other data.

    Raises:
        CoreError: it cannot be posed on this run.
    """
    answered = learner.study.of(*key)
    if anew is None:
        posed = pose(question, names, answered.seed)
    else:
        posed = pose_another(question, names, answered.seed, anew)
        answered.seed = posed.seed
    return heard(learner, Open(key, posed, answered, when))


def heard(learner: Learner, task: Open) -> Open:
    """The question after what she does at it, if it is this one."""
    study, answered = learner.study, task.answered
    study.posed(answered, task.posed.about)
    _recall(task)
    deed = learner.deed
    if deed.asks != task.asks:
        return task
    if deed.what == "hint":
        answered.hints = min(MOST_HINTS, answered.hints + 1)
    if deed.what == "give":
        answered.given_up = True
    if deed.what == "answer" and not task.is_over:
        marked = mark(task.posed, deed.value, in_percent=deed.percent)
        if marked is not None:
            value = deed.value if is_plain(deed.value) else None  # else none of it would be kept
            study.take(answered, marked, value, task.posed.question.wrong)
    if deed.what == "again":
        task = _again(learner, task)
    return replace(task, did=deed.what)


def _again(learner: Learner, task: Open) -> Open:
    """The same on other data; a goal from the start."""
    study, posed, answered = learner.study, task.posed, task.answered
    (study.once_more if posed.question.kind == "do" else study.again)(answered)
    fresh = pose_another(posed.question, posed.names, answered.seed, {posed.about})
    answered.seed = fresh.seed
    study.posed(answered, fresh.about)
    return Open(task.key, fresh, answered, task.when)


def _recall(task: Open) -> None:
    """What became of the last answer, of which her browser keeps the answer alone."""
    answered = task.answered
    if answered.tries and task.posed.question.kind != "do":
        marked = mark(task.posed, answered.given)
        if marked is not None:
            answered.idea, answered.bits = "" if answered.right else marked.idea, marked.bits


def question_block(
    learner: Learner,
    task: Open,
    name: str,
    picks: Mapping[str, Any] | None = None,
    stands: AttemptStanding | None = None,
) -> Block:
    """The question as its component is given it.

    Args:
        learner: who asks for the screen.
        task: the question.
        name: tells it from others on the screen.
        picks: the figure in which tokens or cells are picked; without one they are picked here.
        stands: of a goal, where her attempt stands.
    """
    header_ = header(task.key[1], task.posed, task.answered, task.when, picks, stands)
    if learner.lecture:
        header_["lecture"] = True  # a key shows the answer, and nobody types
    return {"kind": "question", "key": name, "header": header_}
