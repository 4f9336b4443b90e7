"""All that a book has of one lesson, in each of its languages: what one process makes.

The languages are made one after the other, so that a model runs once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.data.glossary import Term
from core.language import SOURCE_LANGUAGE, language, use_language
from core.lessons import Lesson, lesson
from core.lessons.book.last_test import askable, how_many
from core.lessons.book.pack import PACKS, Pack
from core.lessons.book.pages import Shelf, folders_of, lesson_page, page_of, paper_of
from core.lessons.book.probes import of_probe
from core.lessons.book.screens import Screen, of_step
from core.lessons.printed import handout
from core.lessons.world import Answer

Done = Callable[[str], None]


@dataclass(frozen=True)
class Job:
    """A lesson of a book.

    Attributes:
        ident: of the lesson.
        shelf: that its pages stand on.
        idents: of all lessons of the book.
        seeds: on which each question is posed that draws its places.
        key: the answers to its handouts are wanted, too.
    """

    ident: str
    shelf: Shelf
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
            _n_steps(whole(self.ident, code)) + how_many(self.ident, self.idents, code)
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
        asked: by language, what the last test is told of these questions.
    """

    ident: str
    files: dict[str, str | bytes] = field(default_factory=dict)
    keys: dict[str, str | bytes] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    tested: set[str] = field(default_factory=set)
    asked: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)


Bind = Callable[[Sequence[Job], Done], Iterator[Bound]]  # carries jobs out, in any order


def whole(ident: str, code: str) -> Lesson:
    """A lesson in a language.

    Raises:
        LessonError: it cannot be read.
    """
    found = lesson(ident, code)
    if isinstance(found, Lesson):
        return found
    raise found


def in_turn(answer: Answer) -> Bind:
    """Jobs are carried out here, one after the other.

    Args:
        answer: carries a request out.
    """

    def bind(jobs: Sequence[Job], done: Done) -> Iterator[Bound]:
        return (bound(job, answer, done) for job in jobs)

    return bind


def bound(job: Job, answer: Answer, done: Done) -> Bound:
    """Make a lesson.

    Args:
        job: it.
        answer: carries a request out.
        done: told the lesson's title after each screen.

    Raises:
        CoreError: it cannot be run.
    """
    made, pack = Bound(job.ident), Pack()
    try:
        for code in job.shelf.languages:
            use_language(code)
            _add(made, pack, job, whole(job.ident, code), answer, done)
    finally:
        use_language(SOURCE_LANGUAGE)
    made.files[f"{PACKS}/{job.ident}.js"] = pack.script(job.ident)
    return made


def _add(made: Bound, pack: Pack, job: Job, found: Lesson, answer: Answer, done: Done) -> None:
    """Make it in the language at hand."""
    code, screens = language(), []
    for at, one in enumerate(_screens(found, answer, job.seeds)):
        _put(pack, str(at), one)
        screens.append(one)
        done(found.title)
    made.asked[code] = []
    for candidate in askable(job.ident, job.idents, answer):
        if candidate is not None:
            _put(pack, candidate.about["name"], candidate.screen)
            made.asked[code].append(candidate.about)
            made.tested.update(candidate.screen.folders)
        done(found.title)
    made.folders.update(folders_of(screens))
    made.files[f"{code}/{page_of(found)}"] = lesson_page(found, screens, job.shelf)
    made.files[f"{code}/{paper_of(found)}"] = handout(found, answer)
    if job.key:
        made.keys[f"{code}/{job.ident}-answers.html"] = handout(found, answer, answers=True)


def _put(pack: Pack, name: str, one: Screen) -> None:
    """Have a pack hold a screen in the language at hand: what is open, and what is closed."""
    for kind, payload in (("opened", one.opened), ("closed", one.closed)):
        if payload is not None:
            pack.put(f"{language()}/{kind}-{name}", payload)


def _n_steps(found: Lesson) -> int:
    """How many screens a lesson has: its steps, what comes after them, what may come before."""
    return len(found.steps) + 1 + found.first


def _screens(found: Lesson, answer: Answer, seeds: int) -> Iterator[Screen]:
    """The screens of a lesson, in their order."""
    terms: dict[str, Term] = {}
    first = found.first
    if first:
        yield of_probe(found, "before", answer, terms)
    for at, one in enumerate(found.steps, first):
        yield of_step(at, one, answer, terms, seeds)
    yield of_probe(found, "after", answer, terms)
