"""All files of a book, written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from babel import Locale

from core.glossary import Term
from core.language import SOURCE_LANGUAGE, use_language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.book.asked import SEEDS
from core.lessons.book.last_test import pool
from core.lessons.book.pace import Pace
from core.lessons.book.pages import (
    RESULT,
    TEST,
    WORDS,
    Shelf,
    door,
    folders_of,
    glossary_page,
    lesson_page,
    list_page,
    page_of,
    paper_of,
    test_page,
)
from core.lessons.book.probes import of_probe
from core.lessons.book.screens import Screen, of_step
from core.lessons.book.scripts import DOOR, SCRIPT, START, opens, script
from core.lessons.printed import handout
from core.lessons.world import Answer

Say = Callable[[str], None]


def write(
    out: Path,
    answer: Answer,
    languages: Sequence[str] = (SOURCE_LANGUAGE,),
    idents: Sequence[str] = (),
    *,
    seeds: int = SEEDS,
    say: Say = lambda _line: None,
    key: Path | None = None,
) -> None:
    """Write the book.

    Args:
        out: a folder.
        answer: carries a request out.
        languages: that it is written in.
        idents: of its lessons; all when empty.
        seeds: on which each question is posed that draws its places.
        say: told of each file, and how far it is.
        key: a folder for the teacher's answers to the handouts; without one none are written.

    Raises:
        CoreError: a lesson cannot be run.
    """
    called = {code: str(Locale(code).get_display_name(code)).capitalize() for code in languages}
    volumes = {code: [_lesson(one, code) for one in idents or lesson_ids()] for code in languages}
    of = sum(_screens(one) for found in volumes.values() for one in found)
    made = Making(answer, Shelf(called), seeds, Pace(of, say), key)
    out.mkdir(parents=True, exist_ok=True)
    made.put(out / START, door(called))
    made.put(out / DOOR, opens(called))
    try:
        for code, found in volumes.items():
            use_language(code)
            made.volume(out / code, found)
    finally:
        use_language(SOURCE_LANGUAGE)
    made.put(out / SCRIPT, script(made.folders))


def _screens(found: Lesson) -> int:
    """How many screens a lesson has: its steps, what comes after them, what may come before."""
    return len(found.steps) + 1 + bool(found.probe)


@dataclass(frozen=True)
class Making:
    """A book that is being written.

    Attributes:
        answer: carries a request out.
        shelf: what the pages have in common.
        seeds: on which each question is posed that draws its places.
        pace: how far it is.
        key: a folder for the answers to the handouts.
        folders: of the components that its pages have.
    """

    answer: Answer
    shelf: Shelf
    seeds: int
    pace: Pace
    key: Path | None
    folders: set[str] = field(default_factory=lambda: {RESULT})

    def volume(self, out: Path, lessons: Sequence[Lesson]) -> None:
        """The book in one language."""
        out.mkdir(exist_ok=True)
        self.put(out / START, list_page(lessons, self.shelf))
        for one in lessons:
            screens = self.screens(one)
            self.folders.update(folders_of(screens))
            self.put(out / page_of(one), lesson_page(one, screens, self.shelf))
            self.put(out / paper_of(one), handout(one, self.answer))
            if self.key is not None:
                own = self.key / out.name / f"{one.id}-answers.html"
                own.parent.mkdir(parents=True, exist_ok=True)
                self.put(own, handout(one, self.answer, answers=True))
        drawn = pool(self.answer, [one.id for one in lessons])
        self.folders.update(folders_of(drawn.screens.values()))
        self.put(out / TEST, test_page(drawn, self.shelf))
        self.put(out / WORDS, glossary_page(self.shelf))

    def screens(self, found: Lesson) -> list[Screen]:
        """The screens of a lesson, in their order.

        Raises:
            CoreError: a step cannot be run.
        """
        terms: dict[str, Term] = {}
        first, made = int(bool(found.probe)), []
        if first:
            made.append(of_probe(found, "before", self.answer, terms))
            self.pace.done(found.title)
        for at, one in enumerate(found.steps, first):
            made.append(of_step(at, one, self.answer, terms, self.seeds))
            self.pace.done(found.title)
        made.append(of_probe(found, "after", self.answer, terms))
        self.pace.done(found.title)
        return made

    def put(self, path: Path, text: str) -> None:
        """Write a file, and say so."""
        path.write_text(text, encoding="utf-8")
        self.pace.say(f"{path}: {round(path.stat().st_size / 1000)} kB")


def _lesson(ident: str, code: str) -> Lesson:
    found = lesson(ident, code)
    if isinstance(found, Lesson):
        return found
    raise found
