"""All files of a book, written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from babel import Locale

from core.glossary import Term
from core.language import SOURCE_LANGUAGE, use_language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.book.asked import SEEDS
from core.lessons.book.last_test import pool
from core.lessons.book.pages import (
    START,
    TEST,
    WORDS,
    Shelf,
    cards,
    door,
    glossary_page,
    lesson_page,
    paper_of,
    test_page,
)
from core.lessons.book.probes import of_probe
from core.lessons.book.screens import Screen, of_step
from core.lessons.printed import handout
from core.lessons.world import Answer

Say = Callable[[str], None]


def write(
    out: Path,
    answer: Answer,
    languages: Sequence[str] = (SOURCE_LANGUAGE,),
    idents: Sequence[str] = (),
    seeds: int = SEEDS,
    say: Say = lambda _line: None,
) -> None:
    """Write the book.

    Args:
        out: a folder.
        answer: carries a request out.
        languages: that it is written in.
        idents: of its lessons; all when empty.
        seeds: on which each question is posed that draws its places.
        say: told of each file.

    Raises:
        CoreError: a lesson cannot be run.
    """
    out.mkdir(parents=True, exist_ok=True)
    called = {code: str(Locale(code).get_display_name(code)).capitalize() for code in languages}
    _put(out / START, door(called), say)
    try:
        for code in languages:
            use_language(code)
            _volume(out / code, answer, Shelf(called), idents or lesson_ids(), seeds, say)
    finally:
        use_language(SOURCE_LANGUAGE)


def _volume(
    out: Path, answer: Answer, shelf: Shelf, idents: Sequence[str], seeds: int, say: Say
) -> None:
    """The book in one language."""
    out.mkdir(exist_ok=True)
    found = [_lesson(ident, out.name) for ident in idents]
    tour = next((one for one in found if not one.probe), found[0])
    for one in found:
        name, further = f"{one.id}.html", ""
        if one is tour:
            name, further = START, cards([other for other in found if other is not tour])
        screens = screens_of(one, answer, seeds)
        _put(out / name, lesson_page(one, screens, shelf, name, further), say)
        _put(out / paper_of(one), handout(one, answer), say)
    if any(one is not tour for one in found):
        _put(out / TEST, test_page(pool(answer, idents), shelf), say)
    _put(out / WORDS, glossary_page(shelf), say)


def _lesson(ident: str, code: str) -> Lesson:
    found = lesson(ident, code)
    if isinstance(found, Lesson):
        return found
    raise found


def screens_of(found: Lesson, answer: Answer, seeds: int) -> list[Screen]:
    """The screens of a lesson, in their order.

    Raises:
        CoreError: a step cannot be run.
    """
    terms: dict[str, Term] = {}
    first = int(bool(found.probe))
    steps = [of_step(at, one, answer, terms, seeds) for at, one in enumerate(found.steps, first)]
    before = [of_probe(found, "before", answer, terms)] if first else []
    return [*before, *steps, of_probe(found, "after", answer, terms)]


def _put(path: Path, text: str, say: Say) -> None:
    path.write_text(text, encoding="utf-8")
    say(f"{path}: {round(path.stat().st_size / 1000)} kB")
