"""The last test in a book: all that it may ask, on other data, and orders to draw it by.

What is asked follows from what the browser knows she has missed; all else is as in
``core.lessons.last_test``.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.data.glossary import GlossaryTerm
from core.errors import CoreError
from core.figures.payload import Payload
from core.language import _, language
from core.lessons.asking_again import pose_another
from core.lessons.book.asked import chain
from core.lessons.book.screens import Screen, Staged
from core.lessons.last_test import SEED, candidates, is_for_all
from core.lessons.naming import Facts
from core.lessons.posing import Posed
from core.lessons.schema import Lesson, LessonStep, Question
from core.lessons.screen.blocks import Parts, sentences
from core.lessons.world import Answer, World, world_of

VARIANTS = 2  # of a question: who takes another test is asked on other numbers
ORDERS = 12  # by which a test may be drawn: neighbours are asked other questions


@dataclass(frozen=True)
class CandidateQuestion:
    """A question that a test may ask.

    Attributes:
        about: what decides whether it is asked, and what is said of it in the result.
        screen: it, as it is asked.
    """

    about: dict[str, Any]
    screen: Screen


def how_many(ident: str, idents: Collection[str], code: str) -> int:
    """How many questions of a lesson a test may ask, if all can be run."""
    return sum(len(steps) for owner, steps in _candidates(0, idents, code) if owner.id == ident)


def askable(
    ident: str, idents: Collection[str], answer: Answer
) -> Iterator[CandidateQuestion | None]:
    """What a test may ask of a lesson, in the language at hand; None for what cannot be run.

    Args:
        ident: of the lesson.
        idents: of the lessons that the book has.
        answer: carries a request out.
    """
    terms: dict[str, GlossaryTerm] = {}
    for owner, steps in _candidates(0, idents, language()):
        for step in steps if owner.id == ident else ():
            assert step.question is not None
            name = f"{ident}-{step.question.id}"
            try:
                screen = _screen(name, owner, step, answer, terms)
            except CoreError:
                yield None  # as in the app there is no such question then
                continue
            yield CandidateQuestion(_about(name, owner, step, screen), screen)


def drawing(questions: Sequence[Mapping[str, Any]], idents: Collection[str]) -> Payload:
    """What a test is drawn by: the questions, the lessons, and orders of the questions.

    Args:
        questions: what is said of each question, in the order of the lessons.
        idents: of the lessons that the book has.
    """
    names = [question["name"] for question in questions]
    orders = [_order(seed, idents, names) for seed in range(ORDERS)]
    lessons = [{"id": owner.id, "title": owner.title}
               for owner, _steps in _candidates(0, idents, language())]  # fmt: skip
    return Payload({"asked": questions, "lessons": lessons, "orders": orders})


def _candidates(
    seed: int, idents: Collection[str], code: str
) -> list[tuple[Lesson, list[LessonStep]]]:
    draw = random.Random(seed)
    return [candidate for candidate in candidates(code, draw) if candidate[0].id in idents]


def _about(name: str, owner: Lesson, step: LessonStep, screen: Screen) -> dict[str, Any]:
    """What decides whether a question is asked, and what is said of it in the result."""
    assert step.question is not None
    return {
        "name": name,
        "lesson": owner.id,
        "id": step.question.id,
        "layout": screen.layout,
        "abouts": [variant["about"] for variant in screen.opened.header["variants"]],
        "title": step.title,
        "ideas": sorted(step.question.wrong),
        "all": is_for_all(owner, step),
    }


def _order(seed: int, idents: Collection[str], names: list[str]) -> dict[str, list[int]]:
    """An order of the questions, those of a lesson as they are taken from it, and one of places."""
    candidates_, draw = _candidates(seed, idents, language()), random.Random(seed)
    draw.shuffle(candidates_)
    order = [
        names.index(name)
        for owner, steps in candidates_
        for step in steps
        if step.question is not None and (name := f"{owner.id}-{step.question.id}") in names
    ]
    return {"order": order, "places": draw.sample(range(len(names)), len(names))}


def _screen(
    name: str, owner: Lesson, step: LessonStep, answer: Answer, terms: dict[str, GlossaryTerm]
) -> Screen:
    """A question beside its figures; without them where its lesson's probe asks it so, too."""
    asks, world = step.question, world_of(step, answer)
    assert asks is not None
    every = list(_elsewhere(asks, world.names))
    bare = step.model_copy(update={"title": "", "after": ""})
    if asks.id in owner.probe:
        world = World(())
        bare = bare.model_copy(update={"figures": (), "before": ""})
    notes = [_("From the lesson “{title}”").format(title=owner.title), *sentences(step)]
    staged = Staged(name, bare, world, answer, Parts(), Parts(), terms, "after")
    return staged.screen(every, {"notes": notes})


def _elsewhere(question: Question, names: Facts) -> Iterator[Posed]:
    """A question on data that its lesson does not ask it on, where there are others."""
    abouts = {posed.about for posed in chain(question, names)}
    seed = SEED
    for _n in range(VARIANTS if question.draw else 1):
        posed = pose_another(question, names, seed, abouts)
        yield posed
        abouts.add(posed.about)
        seed = posed.seed + 1
