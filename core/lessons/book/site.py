"""All files of a book, written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from babel import Locale

from core.figures.payload import Payload
from core.language import SOURCE_LANGUAGE, use_language
from core.lessons import lesson_ids
from core.lessons.book.asked import SEEDS
from core.lessons.book.job import Bind, Bound, Job, whole
from core.lessons.book.last_test import drawing
from core.lessons.book.outcomes import surprises
from core.lessons.book.pace import Pace
from core.lessons.book.pack import PACKS, Pack
from core.lessons.book.pages import (
    RESULT,
    TEST,
    WORDS,
    Shelf,
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
    shelf, every = Shelf(called), tuple(idents or lesson_ids())
    jobs = [Job(one, shelf, every, seeds, key is not None) for one in every]
    # The longest first, or one process would be at it while the others have nothing left to do.
    ordered = sorted(jobs, key=lambda one: -one.n_screens)
    pace = Pace(sum(one.n_screens for one in jobs), say)
    made = {}
    for bound in bind(ordered, pace.done):
        made[bound.ident] = bound
        _put(out, bound.files, say)
        if key is not None:
            _put(key, bound.keys, say)
    _put(out, _around([made[one] for one in every], shelf), say)


def _around(made: Sequence[Bound], shelf: Shelf) -> dict[str, str | bytes]:
    """What stands around the lessons, which are in their order."""
    pack, found = Pack(), {}
    folders = {RESULT}.union(*(one.folders | one.tested for one in made))
    tested = set().union(*(one.tested for one in made))
    try:
        for code in shelf.languages:
            use_language(code)
            asked = [about for one in made for about in one.asked[code]]
            pack.put(f"{code}/drawing", drawing(asked, [one.ident for one in made]))
            pack.put(f"{code}/surprises", Payload({"surprises": surprises()}))
            lessons = [whole(one.ident, code) for one in made]
            found[f"{code}/{START}"] = list_page(lessons, shelf)
            found[f"{code}/{TEST}"] = test_page(tested, shelf)
            found[f"{code}/{WORDS}"] = glossary_page(shelf)
    finally:
        use_language(SOURCE_LANGUAGE)
    every = {START: door(shelf.languages), DOOR: opens(shelf.languages), SCRIPT: script(folders),
             STYLE: style()}  # fmt: skip
    return {**found, f"{PACKS}/{COMMON}.js": pack.script(COMMON), **every}


def _put(folder: Path, files: Mapping[str, str | bytes], say: Say) -> None:
    """Write files by their places in a folder, and say so."""
    for place, held in files.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(held if isinstance(held, bytes) else held.encode())
        say(f"{path}: {round(path.stat().st_size / 1000)} kB")
