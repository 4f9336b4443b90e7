"""A step of a lesson with its run: all that is put on paper, or into a file, of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import CoreError, NoQuestionError
from core.figures.components import Component
from core.language import name_of
from core.lessons.asking_again import pose_another
from core.lessons.cover import before_answer
from core.lessons.naming import Facts
from core.lessons.posing import Posed, pose
from core.lessons.schema import LessonStep, Question
from core.lessons.world import Answer, ShownFigure, world_of
from core.locale import in_quotes


@dataclass(frozen=True, eq=False)
class PrintedFigure:
    """A figure of a step.

    Attributes:
        shown: with its run.
        whole: what is drawn of it after the answer.
        before: what is drawn before it; None where that is its place alone.
        record: that is drawn, with what the lesson selects in it.
    """

    shown: ShownFigure
    whole: Component
    before: Component | None
    record: Any

    @property
    def is_covered(self) -> bool:
        """Some of it waits for the answer."""
        return self.before is not self.whole

    @property
    def on_paper(self) -> Component | None:
        """What is printed before the answer; a printed map has no way, so it is its place alone."""
        return None if self.shown.figure.cover == "ahead" else self.before

    @property
    def is_wide(self) -> bool:
        """It takes all the width that there is."""
        return self.shown.figure.wide

    @property
    def about(self) -> str:
        """The model and the text that it is of, if any."""
        if self.shown.view.needs.no_model:
            return ""
        model, text = (getattr(self.shown.params, name, "") for name in ("model", "text"))
        return " · ".join(part for part in (name_of(model), text and in_quotes(text)) if part)

    @property
    def reading(self) -> str:
        """What the numbers say, where the lesson wants it said."""
        is_wanted = self.shown.figure.reading
        return str(self.shown.view.describe(self.record)) if is_wanted else ""


@dataclass(frozen=True, eq=False)
class Ready:
    """A step, run.

    Attributes:
        step: of the lesson.
        names: what its texts may say.
        pictures: its figures.
        posed: its question; None for a step that asks nothing.
        problem: why there is no question, or nothing at all, in words; empty as a rule.
        is_run: there are numbers for its texts.
    """

    step: LessonStep
    names: Mapping[str, Any] = field(default_factory=dict)
    pictures: tuple[PrintedFigure, ...] = ()
    posed: Posed | None = None
    problem: str = ""
    is_run: bool = True


def ready(
    step: LessonStep, answer: Answer, text: str = "", seed: int = 0, than: int | None = None
) -> Ready:
    """Run a step and pose its question.

    Args:
        step: of a lesson.
        answer: carries a request out.
        text: the learner's own sentence, for the figures that take one; empty for the lesson's.
        seed: that the question's places are drawn by.
        than: another seed, than on which it asks something else, if it can.
    """
    inputs = {figure.name: {"text": text} for figure in step.figures if figure.own and text}
    try:
        world = world_of(step, answer, inputs)
    except CoreError as problem:
        return Ready(step, problem=problem.sentence(), is_run=False)
    try:
        posed = None if step.question is None else _posed(step.question, world.names, seed, than)
        names = world.names if posed is None else posed.names
        pictures = tuple(pictured(shown, names, step.question) for shown in world.shown)
    except NoQuestionError as problem:
        return Ready(step, world.names, problem=problem.sentence())
    except CoreError as problem:
        return Ready(step, problem=problem.sentence(), is_run=False)
    return Ready(step, names, pictures, posed)


def _posed(question: Question, names: Facts, seed: int, than: int | None) -> Posed:
    if than is None:
        return pose(question, names, seed)
    return pose_another(question, names, seed, {pose(question, names, than).about})


def pictured(
    shown: ShownFigure, names: Mapping[str, Any], question: Question | None
) -> PrintedFigure:
    """A figure as it is before the answer and after it.

    Args:
        shown: the figure with its run.
        names: of the question that was posed.
        question: of the step, if any.
    """
    component = shown.component(names).up_to_now()
    waits = question is not None and shown.figure.cover
    before = before_answer(shown, names, question) if waits else component
    return PrintedFigure(shown, component, before, shown.chosen(names))
