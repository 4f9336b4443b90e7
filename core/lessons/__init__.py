"""Lessons: read from ``assets/lessons/<language>``, asked on the live run, checked first.

``python -m core.lessons check`` reads every file and says line and reason of what is amiss.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from core.errors import LessonError
from core.language import SOURCE_LANGUAGE
from core.lessons.reader import read, read_entry, read_steps
from core.lessons.schema import Lesson
from core.yaml_files import read_yaml

FILES = Path(__file__).resolve().parent.parent.parent / "assets" / "lessons"
PATHS = "paths.yaml"
IDEAS = "misconceptions.yaml"
_READING = threading.Lock()


ALL = "all"  # the path through all lessons


def lesson_ids(path: str = ALL) -> tuple[str, ...]:
    """The lessons of a path, in its order; that through all of them ends with those of no path."""
    order = paths().get(path, ())
    idents = {file.stem for file in FILES.glob("*/*.md")}
    others = sorted(idents - set(order)) if path == ALL else []
    return (*(ident for ident in order if ident in idents), *others)


@lru_cache(1)
def paths() -> Mapping[str, tuple[str, ...]]:
    """The way through the lessons for each lecture; ``all`` is the way through all of them."""
    orders = read_yaml(FILES / PATHS)
    return {str(name): tuple(ids) for name, ids in orders.items()}


def lesson(ident: str, language: str = SOURCE_LANGUAGE) -> Lesson | LessonError:
    """A lesson, in English where there is none in that language; or what is wrong with its file.

    Args:
        ident: of the lesson.
        language: of the learner.

    Raises:
        KeyError: no file has that name.
    """
    path = _file(ident, language)
    changed = path.stat().st_mtime_ns
    with _READING:  # a class that opens it at once waits for one reading
        return _read(path, path.parent.name, changed)


def entry(ident: str, language: str = SOURCE_LANGUAGE) -> tuple[str, int] | None:
    """What a lesson is called, and the screen of its first step; None where its file is damaged.

    Both are known without reading all of it.

    Raises:
        KeyError: no file has that name.
    """
    try:
        title, asks_before = read_entry(_file(ident, language))
    except LessonError:
        return None
    return title, int(asks_before)


def steps(ident: str, language: str = SOURCE_LANGUAGE) -> tuple[tuple[str, str], ...]:
    """The title and the question of each step, without reading all of a lesson; none where damaged.

    Raises:
        KeyError: no file has that name.
    """
    try:
        return read_steps(_file(ident, language))
    except LessonError:
        return ()


def _file(ident: str, language: str) -> Path:
    for code in dict.fromkeys((language, SOURCE_LANGUAGE)):
        path = FILES / code / f"{ident}.md"
        if path.is_file():
            return path
    raise KeyError(ident)


@lru_cache(128)
def _read(path: Path, code: str, _changed: int) -> Lesson | LessonError:
    """A file as it was when it was changed last: who writes a lesson need not start anew."""
    try:
        return read(path, code)
    except LessonError as problem:
        return problem


def misconceptions(language: str = SOURCE_LANGUAGE) -> Mapping[str, str]:
    """What is said to somebody who holds an idea, by its id."""
    paths = [FILES / code / IDEAS for code in dict.fromkeys((SOURCE_LANGUAGE, language))]
    there = tuple((path, path.stat().st_mtime_ns) for path in paths if path.is_file())
    return _read_misconceptions(there)


@lru_cache(8)
def _read_misconceptions(files: tuple[tuple[Path, int], ...]) -> Mapping[str, str]:
    """What files of misconceptions say, as they were when each was changed last."""
    sentences: dict[str, str] = {}
    for path, _changed in files:
        entries = read_yaml(path)
        sentences |= {str(name): str(words) for name, words in entries.items()}
    return sentences


__all__ = [
    "ALL",
    "FILES",
    "Lesson",
    "entry",
    "lesson",
    "lesson_ids",
    "misconceptions",
    "paths",
    "steps",
]
