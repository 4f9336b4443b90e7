"""What of a stranger's names and values is kept: what is declared somewhere, and not too much."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import TypeVar

from core.language import language
from core.lessons import Lesson, lesson, lesson_ids
from core.names import declares
from core.views.params import MAX_TEXT

V = TypeVar("V")

LOOKED_AT = 1000  # names of one link
MOST_NAMES, MOST_CHARACTERS = 300, 200_000  # of a state
_OF_PAGE = re.compile(r"[a-z]{0,2}|tour\d{1,2}")
_OF_LESSON = re.compile(r"([a-z][a-z0-9-]{1,40})\.\d{1,2}(?:-again)?([a-z]\w{0,40})")


def declared_only(values: Mapping[str, V]) -> dict[str, V]:
    """The values whose name a page or a lesson declares, by the scope that it stands in."""
    ids = frozenset(lesson_ids())
    return {
        name: value for name, value in islice(values.items(), LOOKED_AT) if _is_declared(name, ids)
    }


def _is_declared(name: str, ids: frozenset[str]) -> bool:
    scope, _dot, local = name[:200].rpartition(".")
    if not declares(local):
        return False
    found = _OF_LESSON.fullmatch(scope)
    if found is None:
        return _OF_PAGE.fullmatch(scope) is not None
    return found[1] in ids and found[2] in _figures(found[1])


def _figures(ident: str) -> set[str]:
    """What the figures of a lesson are called."""
    found = lesson(ident, language())
    steps = found.steps if isinstance(found, Lesson) else ()
    return {one.follows or one.name for step in steps for one in step.figures}


def bounded(values: Mapping[str, str]) -> dict[str, str]:
    """A state that is not too large: what was put into a lesson or a further figure first goes."""
    found = {name: value[: MAX_TEXT + 1] for name, value in values.items()}
    oldest = iter(sorted(found, key=lambda name: "." not in name))  # it keeps their order
    while len(found) > MOST_NAMES or size(found) > MOST_CHARACTERS:
        del found[next(oldest)]
    return found


def size(values: Mapping[str, str]) -> int:
    """How many characters a state holds."""
    return sum(map(len, values.values())) + sum(map(len, values))
