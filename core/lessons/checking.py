"""What must be true of a lesson before it ships, found on the models that ship."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.data.glossary import marked
from core.errors import CoreError, NoQuestionError
from core.lessons import lesson_ids, misconceptions
from core.lessons.cover import before_answer
from core.lessons.filling import checks, fill
from core.lessons.goals import of_a_goal
from core.lessons.length import MOST
from core.lessons.marking import mark
from core.lessons.near import is_on_the_edge, is_whole
from core.lessons.picking import shape_in
from core.lessons.posing import Posed, pose, unclear
from core.lessons.schema import Lesson, LessonStep, Question, StepFigure
from core.lessons.world import Answer, World, params_of, world_of
from core.views.params import declared

SEEDS = 50  # on which each question is posed
ENOUGH = 20  # seeds, to meet all places that there are if they are few
ABOUT = re.compile(r"\b(about|roughly) how|à peu près", re.IGNORECASE)
ROUGHLY = 0.05  # least tolerance of such an answer
PROBED = 3  # ways to ask a question of the probe: before, in the lesson, after


@dataclass(frozen=True, slots=True)
class LessonFault:
    """Something that is amiss.

    Attributes:
        file: of the lesson.
        line: of the step.
        reason: in words.
    """

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}"


def faults(lesson: Lesson, answer: Answer, seeds: int = SEEDS) -> Iterator[LessonFault]:
    """Everything that is amiss with a lesson.

    Args:
        lesson: as it was read.
        answer: carries a request out.
        seeds: on how many each question is posed.
    """
    file = f"{lesson.language}/{lesson.id}.md"
    if lesson.minutes > MOST:
        yield LessonFault(
            file, 1, f"it takes {lesson.minutes} minutes, and may take {MOST} (length.py)"
        )
    for step in lesson.steps:
        problems: list[str] = []
        try:
            world = world_of(step, answer)
            problems += _of_step(lesson, step, world, seeds)
            problems += of_a_goal(step, world, answer)
        except CoreError as problem:
            problems.append(str(problem))
        for reason in dict.fromkeys(problems):  # a check may fail on every seed
            yield LessonFault(file, step.line, reason)
    for earlier in lesson.after:
        if earlier not in lesson_ids():
            yield LessonFault(file, 1, f"after: no lesson is called {earlier!r}")
    taught = {item for step in lesson.steps for item in step.items}
    items_asked = {
        item for step in lesson.steps if step.question is not None for item in step.items
    }
    live = {item for step in lesson.steps if step.figures for item in step.items}
    for what, items in (("taught", taught), ("asked", items_asked), ("shown live", live)):
        for item in lesson.items:
            if item not in items:
                yield LessonFault(file, 1, f"{item} is {what} in no step")


def _why_none(question: Question, world: World) -> str:
    """Why a question cannot be posed."""
    if question.kind == "do":
        return "its goal is reached before anything is changed"
    return unclear(question, world.names)


def _of_step(lesson: Lesson, step: LessonStep, world: World, seeds: int) -> Iterator[str]:
    yield from _of_text(step.before, world.names)
    for figure in step.figures:
        yield from _of_offers(figure)
    question = step.question
    if question is None:
        yield from _of_text(step.after, world.names)
        _draw(world, world.names)
        return
    sentences = misconceptions(lesson.language)
    for idea, wrong in question.wrong.items():
        if wrong.says is None and idea not in sentences:
            yield f"question {question.id}: nothing is said to the misconception {idea!r}"
    abouts, rights = set(), []
    if question.kind == "do":
        seeds = 1  # nothing of it is drawn
    for seed in range(seeds):
        try:
            posed = pose(question, world.names, seed)
        except NoQuestionError:
            yield f"question {question.id}: {_why_none(question, world)}"
            return
        abouts.add(posed.about)
        rights.append(posed.right)
        yield from _of_question(posed)
        yield from _of_text(step.after, posed.names)  # which may name what was drawn
        if seed == 0:
            _draw(world, posed.names)
        for shown in world.shown if seed == 0 else ():
            component = before_answer(shown, posed.names, question)
            if (
                question.figure == shown.figure.name
                and shape_in(component, len(posed.options), posed.grid) is None
            ):
                yield f"question {question.id}: {shown.figure.view} has no such places to be picked"
    yield from _of_its_numbers(question, rights)
    least = PROBED if question.id in lesson.probe else 2
    if question.draw and seeds >= ENOUGH and len(abouts) < least:
        places = f"only {len(abouts)} places to ask it at, {least} are needed"
        yield f"question {question.id}: {places}; {unclear(question, world.names)}"


def _of_its_numbers(question: Question, rights: Sequence[Any]) -> Iterator[str]:
    """Where answers are not the kind of number that the question says."""
    if question.kind != "number":
        return
    are_whole = [is_whole(right) for right in rights]
    if question.number == "whole" and not all(are_whole):
        yield f"question {question.id}: its answer {rights[are_whole.index(False)]} is not whole"
    if question.number == "" and all(are_whole):
        yield (f"question {question.id}: its answers are whole numbers; say number: whole, or "
               "number: measured where they may be a little off")  # fmt: skip
    if question.number == "share" and (over := [right for right in rights if abs(right) > 1]):
        yield f"question {question.id}: its answer {over[0]} is no share of a whole"
    if ABOUT.search(question.ask) and question.tolerance < ROUGHLY:
        yield f"question {question.id}: it asks about how much, so {ROUGHLY:.0%} off is right, too"
    if edge := [right for right in rights if is_on_the_edge(question, right)]:
        yield (f"question {question.id}: with two decimals its answer {edge[0]} is just as far off "
               "as the tolerance allows, so chance decides")  # fmt: skip


def _draw(world: World, names: Mapping[str, Any]) -> None:
    """Draw the figures of a step, with what is selected in them.

    Raises:
        CoreError: something that is selected is not there.
    """
    for shown in world.shown:
        shown.component(names)


def _of_offers(figure: StepFigure) -> Iterator[str]:
    """Parameters that a learner may change, and for which there is no control."""
    params = params_of(figure, {})
    for name in figure.offers:
        if not hasattr(params, name):
            yield f"{figure.view} has no parameter {name!r} to offer"
            continue
        value, declaration = getattr(params, name), declared(params, name)
        listed = declaration.choices is not None or declaration.part is not None
        plain = name in ("layer", "head") or isinstance(value, bool) or listed
        if plain or not isinstance(value, int | float):
            continue
        if {type(declaration.low), type(declaration.high)} != {type(value)}:
            yield f"{figure.view}: {name!r} has no range that a slider could offer"


def _of_text(text: str, names: Mapping[str, Any]) -> Iterator[str]:
    fill(text, names)
    for check in checks(text, names):
        if not check.holds:
            yield f"not so on the shipped weights: {check.that}"
    yield from _terms(text)


def _terms(text: str) -> Iterator[str]:
    """What the glossary does not have of the terms that a text marks."""
    try:
        marked(text)
    except KeyError as problem:
        yield str(problem.args[0])


def _of_question(posed: Posed) -> Iterator[str]:
    question, seed = posed.question, posed.seed
    for text in texts(question):
        posed.say(text)
    for text in (*texts(question), *of_attempts(question)):
        yield from _terms(text)
    if question.one and len(posed.right) != 1:
        yield f"question {question.id}, seed {seed}: its answer is not one place"
    if question.kind == "do":
        return
    marked = mark(posed, as_given(posed, posed.right))
    if marked is None or not marked.right:
        yield f"question {question.id}, seed {seed}: its right answer is not right"
    for idea, value in posed.wrong.items():
        result = mark(posed, as_given(posed, value))
        if result is None or result.right or result.idea != idea:
            yield f"question {question.id}, seed {seed}: {idea} is not recognised"


def texts(question: Question) -> Sequence[str]:
    """Everything that a question says besides its options, and besides what it says of attempts."""
    says = [wrong.says for wrong in question.wrong.values() if wrong.says is not None]
    texts_ = [question.ask, *question.hints, question.solution]
    return texts_ if question.kind == "do" else [*texts_, *says]


def of_attempts(question: Question) -> Sequence[str]:
    """What a goal says of an attempt, in numbers of its own (``goals.py``)."""
    if question.kind != "do":
        return []
    sentences = [question.near, *(wrong.says for wrong in question.wrong.values())]
    return [sentence for sentence in sentences if sentence is not None]


def as_given(posed: Posed, value: object) -> object:
    """An answer as the browser sends it."""
    if posed.question.kind == "bet":
        return [100.0 if n == value else 0.0 for n in range(len(posed.options))]
    if posed.question.one and isinstance(value, frozenset) and len(value) > 1:
        others = [answer for answer in (posed.right, *posed.wrong.values()) if answer != value]
        return sorted(value.difference(*others))[:1]
    return (
        sorted(value)
        if isinstance(value, frozenset)
        else list(value)
        if isinstance(value, tuple)
        else value
    )


def differences(source: Lesson, other: Lesson) -> Iterator[LessonFault]:
    """Where a translation says something else than its source does.

    Args:
        source: the translation.
        other: the lesson in English.
    """
    file = f"{source.language}/{source.id}.md"
    for name in ("items", "after", "probe", "moved"):
        if getattr(source, name) != getattr(other, name):
            yield LessonFault(file, 2, f"{name} differs from the English file")
    if [step.id for step in source.steps] != [step.id for step in other.steps]:
        yield LessonFault(file, 2, "its steps are not those of the English file")
        return
    for step_, theirs in zip(source.steps, other.steps, strict=True):
        if step_.figures != theirs.figures or step_.items != theirs.items:
            yield LessonFault(file, step_.line, "its figures or items differ from the English file")
        if _data(step_.question) != _data(theirs.question):
            yield LessonFault(file, step_.line, "its question computes something else")


def _data(question: Question | None) -> object:
    """What of a question is no text."""
    if question is None:
        return None
    spoken = question.kind in ("choice", "order", "bet")
    return (
        question.id, question.kind, question.draw, question.let, question.where, question.over,
        question.tolerance, question.number, question.figure, question.row, question.one,
        question.goal, question.done,
        [(name, hand.values) for name, hand in question.hands.items()],
        [(name, wrong.values) for name, wrong in question.offered.items()],
        [(name, wrong.attempt) for name, wrong in question.wrong.items()],
        None if spoken else (question.answer, [wrong.answer for wrong in question.wrong.values()]),
    )  # fmt: skip
