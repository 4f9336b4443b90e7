"""All that a book has of one lesson, in each of its languages: what one process makes.

The languages are made one after the other, so that a model runs once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.data.glossary import GlossaryTerm
from core.language import SOURCE_LANGUAGE, language, use_language
from core.lessons import Lesson, lesson
from core.lessons.book.last_test import askable, how_many
from core.lessons.book.pack import PACKS, Pack
from core.lessons.book.pages import BookPages, folders_of, lesson_page, page_of, paper_of
from core.lessons.book.probes import of_probe
from core.lessons.book.screens import Screen, of_step
from core.lessons.printed import handout
from core.lessons.world import Answer

Done = Callable[[str], None]


@dataclass(frozen=True)
class BookJob:
    """A lesson of a book.

    Attributes:
        ident: of the lesson.
        shelf: that its pages stand on.
        idents: of all lessons of the book.
        seeds: on which each question is posed that draws its places.
        key: the answers to its handouts are wanted, too.
    """

    ident: str
    shelf: BookPages
    idents: tuple[str, ...]
    seeds: int
    key: bool

    @property
    def n_screens(self) -> int:
        """How many screens are to be made, those of the last test among them.

        Raises:
            LessonError: the lesson cannot be read.
        """
        return sum(
            _n_steps(read_lesson(self.ident, code)) + how_many(self.ident, self.idents, code)
            for code in self.shelf.languages
        )


@dataclass(frozen=True)
class Bound:
    """What was made of a lesson.

    Attributes:
        ident: of the lesson.
        files: what is in them, by their places in the book.
        keys: the answers to the handouts, by their places in a folder of their own.
        folders: of the components that the lesson's pages have.
        tested: of those that its questions in the last test have.
        abouts: by language, what the last test is told of these questions.
    """

    ident: str
    files: dict[str, str | bytes] = field(default_factory=dict)
    keys: dict[str, str | bytes] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    tested: set[str] = field(default_factory=set)
    abouts: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)


Bind = Callable[[Sequence[BookJob], Done], Iterator[Bound]]  # carries jobs out, in any order


def read_lesson(ident: str, code: str) -> Lesson:
    """A lesson in a language.

    Raises:
        LessonError: it cannot be read.
    """
    result = lesson(ident, code)
    if isinstance(result, Lesson):
        return result
    raise result


def in_turn(answer: Answer) -> Bind:
    """Jobs are carried out here, one after the other.

    Args:
        answer: carries a request out.
    """

    def bind(jobs: Sequence[BookJob], done: Done) -> Iterator[Bound]:
        return (bound(job, answer, done) for job in jobs)

    return bind


def bound(job: BookJob, answer: Answer, done: Done) -> Bound:
    """Make a lesson.

    Args:
        job: it.
        answer: carries a request out.
        done: told the lesson's title after each screen.

    Raises:
        CoreError: it cannot be run.
    """
    book, pack = Bound(job.ident), Pack()
    try:
        for code in job.shelf.languages:
            use_language(code)
            _add(book, pack, job, read_lesson(job.ident, code), answer, done)
    finally:
        use_language(SOURCE_LANGUAGE)
    book.files[f"{PACKS}/{job.ident}.js"] = pack.script(job.ident)
    return book


def _add(book: Bound, pack: Pack, job: BookJob, lesson: Lesson, answer: Answer, done: Done) -> None:
    """Make it in the language at hand."""
    code, screens = language(), []
    for index, screen in enumerate(_screens(lesson, answer, job.seeds)):
        _pack_screen(pack, str(index), screen)
        screens.append(screen)
        done(lesson.title)
    book.abouts[code] = []
    for candidate in askable(job.ident, job.idents, answer):
        if candidate is not None:
            _pack_screen(pack, candidate.about["name"], candidate.screen)
            book.abouts[code].append(candidate.about)
            book.tested.update(candidate.screen.folders)
        done(lesson.title)
    book.folders.update(folders_of(screens))
    book.files[f"{code}/{page_of(lesson)}"] = lesson_page(lesson, screens, job.shelf)
    book.files[f"{code}/{paper_of(lesson)}"] = handout(lesson, answer)
    if job.key:
        book.keys[f"{code}/{job.ident}-answers.html"] = handout(lesson, answer, answers=True)


def _pack_screen(pack: Pack, name: str, screen: Screen) -> None:
    """Have a pack hold a screen in the language at hand: what is open, and what is closed."""
    for kind, payload in (("opened", screen.opened), ("closed", screen.closed)):
        if payload is not None:
            pack.add(f"{language()}/{kind}-{name}", payload)


def _n_steps(lesson: Lesson) -> int:
    """How many screens a lesson has: its steps, what comes after them, what may come before."""
    return len(lesson.steps) + 1 + lesson.first


def _screens(lesson: Lesson, answer: Answer, seeds: int) -> Iterator[Screen]:
    """The screens of a lesson, in their order."""
    terms: dict[str, GlossaryTerm] = {}
    first = lesson.first
    if first:
        yield of_probe(lesson, "before", answer, terms)
    for index, step in enumerate(lesson.steps, first):
        yield of_step(index, step, answer, terms, seeds)
    yield of_probe(lesson, "after", answer, terms)
