"""The screens before a lesson and after it: a few questions, and the one that comes back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.data.glossary import GlossaryTerm
from core.errors import CoreError
from core.figures.payload import Payload
from core.language import _
from core.lessons.asking_again import probe
from core.lessons.book.asked import answered, unanswered
from core.lessons.book.screens import Screen
from core.lessons.player import Asked
from core.lessons.schema import Lesson
from core.lessons.screen.blocks import sentences
from core.lessons.words import words
from core.lessons.world import Answer, world_of


def of_probe(lesson: Lesson, when: Asked, answer: Answer, terms: dict[str, GlossaryTerm]) -> Screen:
    """The screen before a lesson or after it: a few questions, and what she can do then.

    Args:
        lesson: the lesson.
        when: "before" or "after".
        answer: carries a request out.
        terms: of the glossary by id; those of the texts are added.
    """
    every = list(_probed(lesson, when, answer))
    opened: dict[str, Any] = {
        "able": list(lesson.able),
        "probe": [header for header, _more in every],
    }
    if when == "after":
        opened["sums"] = [words(markdown, {}, terms) for markdown in lesson.sums_up]
    closed: dict[str, Any] = {"probe": [more for _one, more in every]}
    if when == "after":
        closed["again"] = list(_coming_back(lesson))
    title = _("What do you know already?") if when == "before" else _("What you know now")
    return Screen(title, "below", Payload(opened), Payload(closed) if every else None)


def promise(lesson: Lesson) -> str:
    """What a lesson promises first, in a line; the rest is said where the probe asks."""
    able = lesson.able[0].rstrip(" ;.\u00a0\u202f")
    return _("When you are through, you can {able}.").format(able=able)


def _probed(
    lesson: Lesson, when: Asked, answer: Answer
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for ident in lesson.probe:
        step = lesson.asking(ident)
        assert step.question is not None
        try:
            posed = probe(step.question, world_of(step, answer).names, when)
        except CoreError:
            continue  # as in the app there is no such question then
        name = f"{ident}/{when}"
        yield (
            {"seed": 0, "about": posed.about, "notes": sentences(step),
             "question": unanswered(name, posed, when)},
            {"question": answered(posed, when)},
        )  # fmt: skip


def _coming_back(lesson: Lesson) -> Iterator[dict[str, Any]]:
    """The questions that may come back at the end, and what shows that one should.

    In the app it may be one of any lesson (``core.lessons.again``); here it is one of this page.
    """
    for index, step in enumerate(lesson.steps, lesson.first):
        asks = step.question
        if asks is not None and asks.kind != "do":  # a goal has no other data
            yield {"at": index, "id": asks.id, "title": step.title, "ideas": sorted(asks.wrong),
                   "draws": bool(asks.draw)}  # fmt: skip
