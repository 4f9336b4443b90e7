"""All files of a book, written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from babel import Locale

from core.figures.payload import Payload
from core.language import SOURCE_LANGUAGE, use_language
from core.lessons import lesson_ids
from core.lessons.book.asked import SEEDS
from core.lessons.book.job import Bind, BookJob, Bound, read_lesson
from core.lessons.book.last_test import drawing
from core.lessons.book.outcomes import surprises
from core.lessons.book.pace import BookProgress
from core.lessons.book.pack import PACKS, Pack
from core.lessons.book.pages import (
    RESULT,
    TEST,
    WORDS,
    BookPages,
    door,
    glossary_page,
    list_page,
    test_page,
)
from core.lessons.book.scripts import COMMON, DOOR, SCRIPT, START, STYLE, opens, script, style

Say = Callable[[str], None]


def write(
    out: Path,
    bind: Bind,
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
        bind: makes the lessons.
        languages: that it is written in.
        idents: of its lessons; all when empty.
        seeds: on which each question is posed that draws its places.
        say: told of each file, and how far it is.
        key: a folder for the teacher's answers to the handouts; without one none are written.

    Raises:
        CoreError: a lesson cannot be run.
    """
    called = {code: str(Locale(code).get_display_name(code)).capitalize() for code in languages}
    shelf, every = BookPages(called), tuple(idents or lesson_ids())
    jobs = [BookJob(ident, shelf, every, seeds, key is not None) for ident in every]
    # The longest first, or one process would be at it while the others have nothing left to do.
    ordered = sorted(jobs, key=lambda job: -job.n_screens)
    pace = BookProgress(sum(job.n_screens for job in jobs), say)
    books = {}
    for bound in bind(ordered, pace.done):
        books[bound.ident] = bound
        _write_files(out, bound.files, say)
        if key is not None:
            _write_files(key, bound.keys, say)
    _write_files(out, _around([books[ident] for ident in every], shelf), say)


def _around(books: Sequence[Bound], shelf: BookPages) -> dict[str, str | bytes]:
    """What stands around the lessons, which are in their order."""
    pack, files = Pack(), {}
    folders = {RESULT}.union(*(book.folders | book.tested for book in books))
    tested = set().union(*(book.tested for book in books))
    try:
        for code in shelf.languages:
            use_language(code)
            abouts = [about for book in books for about in book.abouts[code]]
            pack.add(f"{code}/drawing", drawing(abouts, [book.ident for book in books]))
            pack.add(f"{code}/surprises", Payload({"surprises": surprises()}))
            lessons = [read_lesson(book.ident, code) for book in books]
            files[f"{code}/{START}"] = list_page(lessons, shelf)
            files[f"{code}/{TEST}"] = test_page(tested, shelf)
            files[f"{code}/{WORDS}"] = glossary_page(shelf)
    finally:
        use_language(SOURCE_LANGUAGE)
    every = {START: door(shelf.languages), DOOR: opens(shelf.languages), SCRIPT: script(folders),
             STYLE: style()}  # fmt: skip
    return {**files, f"{PACKS}/{COMMON}.js": pack.script(COMMON), **every}


def _write_files(folder: Path, files: Mapping[str, str | bytes], say: Say) -> None:
    """Write files by their places in a folder, and say so."""
    for place, content in files.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        say(f"{path}: {round(path.stat().st_size / 1000)} kB")
