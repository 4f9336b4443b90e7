"""The courses that the lessons go along with: their names, and notes for who teaches them.

``assets/lessons/courses.yaml`` has the names, ``paths.yaml`` the order of lessons for each, and
``<language>/notes.yaml`` what the slides of a course may say otherwise than a lesson.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from core.language import SOURCE_LANGUAGE
from core.lessons import FILES
from core.yaml_files import read_yaml

COURSES, NOTES = "courses.yaml", "notes.yaml"


@lru_cache(1)
def courses() -> Mapping[str, str]:
    """What each course is called, by the id that paths and sources have."""
    return {str(ident): str(name) for ident, name in _read_table(COURSES).items()}


def called(document: str) -> str:
    """What the document of a source is called: a course by its name, any other as it is."""
    return courses().get(document, document)


def teachers_notes(course: str, lesson: str, language: str = SOURCE_LANGUAGE) -> Sequence[str]:
    """What the slides of a course may say otherwise than a lesson, a note each.

    Args:
        course: its id.
        lesson: its id.
        language: of the teacher; English where it has none.
    """
    return _notes(language).get(course, {}).get(lesson, ()) if course else ()


@lru_cache(8)
def _notes(language: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    path = f"{language}/{NOTES}"
    courses = _read_table(path if (FILES / path).is_file() else f"{SOURCE_LANGUAGE}/{NOTES}")
    return {
        str(course): {str(lesson): tuple(map(str, notes)) for lesson, notes in of.items()}
        for course, of in courses.items()
    }


def _read_table(name: str) -> Mapping[Any, Any]:
    path = FILES / name
    return (read_yaml(path) or {}) if path.is_file() else {}
