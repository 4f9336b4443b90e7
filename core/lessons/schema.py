"""What a lesson file says, as data: the reader makes it from Markdown.

Every text may hold ``{{weights[query, key] | %}}``, which the run at hand fills in, and glossary
terms as ``[[term]]``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.lessons.length import LOOK, answering, reading
from core.lessons.question import Formula, Ident, Name, Question, QuestionPart, Text, Value, Wrong

MIN_STEPS, MAX_STEPS, MIN_PROBE = 4, 16, 3


class LectureSource(QuestionPart):
    """Where a lecture says it.

    Attributes:
        document: the id of a course, or what the document is called.
        section: in words.
    """

    document: str
    section: str


class StepFigure(QuestionPart):
    """A live view of a step.

    Attributes:
        view: its name.
        name: under which expressions have its values; only needed beside a second one.
        params: what it shows, as a link would say it.
        select: parameters that are selected in it, each an expression, or a text with holes; it may
            name drawn places.
        own: it shows the learner's own text, where there is one.
        cover: nothing of it reaches the browser before the answer but its labels; "rows" covers
            the rows of a matrix that ``rows`` names, "place" the labels and the title, too, "ahead"
            of a run that is told in parts (``reached``) what the last of them opens.
        rows: an expression, the covered rows.
        offers: parameters that the learner may change after the answer.
        reading: the sentence of the figure is shown, too.
        wide: it stands below the text, as wide as the page.
        beside: it stands beside the other one, to be compared with it, both below the text.
        follows: another figure of the step, whose selection it shares: what is clicked in one is
            marked in the other. What that one selects is selected here, too.
        play: above it stands the player of its steps, if it has any.
    """

    view: str
    name: Name = "a"
    params: dict[str, Value] = Field(default_factory=dict)
    select: dict[str, Formula] = Field(default_factory=dict)
    own: bool = False
    cover: Literal["", "all", "rows", "place", "ahead"] = ""
    rows: Formula | None = None
    offers: tuple[str, ...] = ()
    reading: bool = False
    wide: bool = False
    beside: bool = False
    follows: Name | None = None
    play: bool = True

    @model_validator(mode="after")
    def _rows_are_named(self) -> StepFigure:
        if (self.cover == "rows") != (self.rows is not None):
            raise ValueError("rows: say which rows are covered, with cover: rows")
        return self


class Button(QuestionPart):
    """A button that goes on.

    Attributes:
        label: what stands on it.
    """

    label: Annotated[str, Field(min_length=1, max_length=60)]


class LessonStep(QuestionPart):
    """One screen.

    Attributes:
        id: in the lesson, and in the link.
        title: a question as a rule.
        line: of the file, where it begins.
        before: Markdown, above the question.
        figures: at most two.
        question: what she commits to before she sees.
        click: what she does in place of an answer, on its button.
        after: Markdown, once she has answered.
        items: of the curriculum that it teaches.
    """

    id: Ident
    title: Text
    line: int
    before: str = ""
    figures: tuple[StepFigure, ...] = ()
    question: Question | None = None
    click: Text | None = None
    after: str = ""
    items: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _figures_have_names(self) -> LessonStep:
        names = [figure.name for figure in self.figures]
        if len(names) > 2 or len(set(names)) < len(names):
            raise ValueError("figures: at most two, with different names")
        for n, figure in enumerate(self.figures):
            if figure.follows is not None and figure.follows not in names[:n]:
                raise ValueError(f"follows: no figure before it is called {figure.follows}")
        if self.question is not None and self.question.figure not in (None, *names):
            raise ValueError(f"figure: no figure is called {self.question.figure}")
        return self

    @model_validator(mode="after")
    def _can_be_done(self) -> LessonStep:
        if self.question is None or self.question.kind != "do":
            return self
        if not self.figures:
            raise ValueError("kind do: it needs a figure, whose parameters she changes")
        if any(figure.cover for figure in self.figures):
            raise ValueError("cover: of a goal nothing is covered, she sees what she does")
        if self.question.hands.keys() & {name for figure in self.figures for name in figure.offers}:
            raise ValueError("offers: what is in her hands is offered already")
        return self

    @property
    def seconds(self) -> float:
        """That it takes to read it, to look at its figures and to answer at the first try."""
        seconds = reading((self.title, self.before, self.after)) + LOOK * len(self.figures)
        if self.question is None:
            return seconds
        return seconds + answering(self.question) + reading([self.question.solution])

    @property
    def in_hand(self) -> StepFigure | None:
        """The figure whose parameters are changed to reach a goal; None where none is to be."""
        if self.question is None or self.question.kind != "do":
            return None
        name = self.question.figure
        return next(figure for figure in self.figures if name in (None, figure.name))


class Lesson(QuestionPart):
    """A lesson.

    Attributes:
        id: in the link; the file's name.
        language: of the file.
        title: in the list.
        able: what a learner can do afterwards, each an ending of "you can".
        items: of the curriculum, that it teaches: C1 to C29.
        sources: where the lectures say it.
        after: ids of the lessons that it builds on.
        probe: ids of the questions that are asked before and after, on other data; none for a tour.
        sums_up: what is said at the end, a sentence each.
        moved: by the id of a step of an earlier version, the step that took its place.
        steps: in order.
    """

    id: Ident
    language: str
    title: Text
    able: tuple[Text, ...] = Field(min_length=1, max_length=6)
    items: tuple[Annotated[str, Field(pattern=r"^C([1-9]|1\d|2\d)$")], ...]
    sources: tuple[LectureSource, ...]
    after: tuple[Ident, ...] = ()
    probe: tuple[Ident, ...] = Field((), max_length=5)
    sums_up: tuple[Text, ...] = Field((), max_length=4)
    moved: dict[Ident, Ident] = Field(default_factory=dict)
    steps: tuple[LessonStep, ...] = Field(min_length=MIN_STEPS, max_length=MAX_STEPS)

    @cached_property
    def minutes(self) -> int:
        """That it takes, the questions at its end included."""
        end = [self.asking(question).question for question in self.probe]
        asking_ = sum(answering(question) for question in end if question is not None)
        seconds = sum(step.seconds for step in self.steps) + asking_ + reading(self.sums_up)
        return math.ceil(seconds / 60)

    @property
    def question_ids(self) -> tuple[str, ...]:
        """The ids of its questions, in order."""
        return tuple(step.question.id for step in self.steps if step.question is not None)

    def asking(self, question: str) -> LessonStep:
        """The step that asks a question.

        Raises:
            KeyError: none does.
        """
        for step in self.steps:
            if step.question is not None and step.question.id == question:
                return step
        raise KeyError(question)

    @property
    def first(self) -> int:
        """The screen of its first step: the one before it asks the probe, where there is one."""
        return int(bool(self.probe))

    def screen(self, index: int) -> int:
        """The screen that a link opens.

        Args:
            index: that it names, from 0; a negative one for none, and beyond the last the last.
        """
        return self.first if index < 0 else min(index, self.first + len(self.steps))

    def on_screen(self, index: int) -> LessonStep | None:
        """The step of a screen; None for the questions before them and after.

        Args:
            index: the screen, as a link names it.
        """
        n = self.screen(index) - self.first
        return self.steps[n] if 0 <= n < len(self.steps) else None

    def step(self, ident: str) -> LessonStep | None:
        """The step that a link asks for, or the one that took its place; None for neither."""
        current = self.moved.get(ident, ident)
        return next((step for step in self.steps if step.id == current), None)

    @model_validator(mode="after")
    def _what_moved_is_found(self) -> Lesson:
        ids = {step.id for step in self.steps}
        for old, new in self.moved.items():
            if old in ids or new not in ids:
                raise ValueError(f"moved: {old} is a step that is gone, {new} one that is there")
        return self

    @model_validator(mode="after")
    def _ids_are_different(self) -> Lesson:
        questions = self.question_ids
        for name, ids in (("step", [step.id for step in self.steps]), ("question", questions)):
            if len(set(ids)) < len(ids):
                raise ValueError(f"two {name}s have the same id")
        if 0 < len(self.probe) < MIN_PROBE:
            raise ValueError(f"probe: {MIN_PROBE} questions at least, or none for a tour")
        unknown = _missing(self.probe, questions)
        if unknown:
            raise ValueError(f"probe: no question is called {unknown[0]}")
        asks = [self.asking(question).question for question in self.probe]
        if any(
            question is not None and question.kind == "cells" and question.row is None
            for question in asks
        ):
            raise ValueError("probe: it shows no figure, so it can ask about cells of one row only")
        if any(question is not None and question.kind == "do" for question in asks):
            raise ValueError("probe: it shows no figure, so nothing can be done in it")
        return self


def _missing(ids: Sequence[str], names: Sequence[str]) -> list[str]:
    return [ident for ident in ids if ident not in names]


__all__ = [
    "StepFigure",
    "Lesson",
    "QuestionPart",
    "Question",
    "LectureSource",
    "LessonStep",
    "Wrong",
]
