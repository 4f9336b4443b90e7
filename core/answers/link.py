"""A link's query: names and short texts; what is long is packed, what is too long stays out.

It is a stranger's: of what it says is kept what is declared somewhere, and not too much.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping
from itertools import islice
from typing import TypeVar
from urllib.parse import urlencode

from core.answers.names import declares, screen_of
from core.language import _, language
from core.lessons import Lesson, lesson, lesson_ids
from core.views.params import MAX_TEXT, Problem

V = TypeVar("V")
LONG_LINK = 2000  # characters from which the link is packed
LONGEST_LINK = 8000  # beyond which values stay out of it
PACKED = "z"
LOOKED_AT = 1000  # names of one link
MOST_NAMES, MOST_CHARACTERS = 300, 200_000  # of a state
_OF_PAGE = re.compile(r"[a-z]{0,2}|tour\d{1,2}")
_OF_LESSON = re.compile(r"([a-z][a-z0-9-]{1,40})\.\d{1,2}(?:-again)?([a-z]\w{0,40})")
# The figures of all lessons shared their names: the screen and the figure, or "again" below a step.
_OF_A_FIGURE = re.compile(r"(\d{1,2}|again)([a-z]\w*)\.(\w+)")


def read_link(query: Mapping[str, str]) -> tuple[dict[str, str], list[Problem]]:
    """The state that a link says, by the names of today, and what was wrong with the link."""
    values, problems = unpack(query)
    return bounded(declared_only(renamed(values))), problems


def unpack(query: Mapping[str, str]) -> tuple[dict[str, str], list[Problem]]:
    """The values of a link's query, unpacked if they were packed, and what was wrong with it."""
    values = {name: clean(value) for name, value in query.items() if name != PACKED}
    if PACKED not in query:
        return values, []
    packed = query[PACKED]
    try:
        data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        inflated = zlib.decompressobj().decompress(data, 100_000)  # bounded: it is a stranger's
        values_ = json.loads(inflated)
    except (ValueError, zlib.error, RecursionError):
        values_ = None
    if len(packed) > LONGEST_LINK or not isinstance(values_, dict):
        return values, [Problem(PACKED, packed, _("copied whole"))]
    for name, value in values_.items():
        if isinstance(value, str):
            values[clean(name)] = clean(value)
    return values, []


def clean(text: str) -> str:
    """A stranger's text: no more of it than a field takes, and one, so that it is said to be cut.

    Halves of characters, which no text can be written with, become question marks.
    """
    return text[: MAX_TEXT + 1].encode(errors="replace").decode()


def pack(values: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The query of a link for these values, and which of them stay out of it, the longest first."""
    query = dict(values)
    out: tuple[str, ...] = ()
    while True:
        if len(urlencode(query)) <= LONG_LINK:
            return query, out
        data = zlib.compress(json.dumps(query, ensure_ascii=False).encode(), 9)
        packed = base64.urlsafe_b64encode(data).decode().rstrip("=")
        if len(packed) <= LONGEST_LINK:
            return {PACKED: packed}, out
        longest = max(query, key=lambda name: len(query[name].encode()))
        del query[longest]
        out = (*out, longest)


def renamed(values: Mapping[str, str]) -> dict[str, str]:
    """The values of a link by the names that they have now.

    Args:
        values: of the link, by the names that it has for them.
    """
    lesson = values.get("lesson") or values.get("back_to", "")
    index = values.get("lesson_at") or values.get("back_at", "0")
    names: dict[str, str] = {}
    for name, value in values.items():
        old = _OF_A_FIGURE.fullmatch(name)
        if old is not None and lesson:
            again = old[1] == "again"
            screen = screen_of(lesson, index if again else old[1], again=again)
            names.setdefault(f"{screen}{old[2]}.{old[3]}", value)
        else:
            names[name] = value
    return names


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
    match = _OF_LESSON.fullmatch(scope)
    if match is None:
        return _OF_PAGE.fullmatch(scope) is not None
    return match[1] in ids and match[2] in _figures(match[1])


def _figures(ident: str) -> set[str]:
    """What the figures of a lesson are called."""
    lesson_ = lesson(ident, language())
    steps = lesson_.steps if isinstance(lesson_, Lesson) else ()
    return {figure.follows or figure.name for step in steps for figure in step.figures}


def bounded(values: Mapping[str, str]) -> dict[str, str]:
    """A state that is not too large: what was put into a lesson or a further figure first goes."""
    values_ = {name: value[: MAX_TEXT + 1] for name, value in values.items()}
    oldest = iter(sorted(values_, key=lambda name: "." not in name))  # it keeps their order
    while len(values_) > MOST_NAMES or size(values_) > MOST_CHARACTERS:
        del values_[next(oldest)]
    return values_


def size(values: Mapping[str, str]) -> int:
    """How many characters a state holds."""
    return sum(map(len, values.values())) + sum(map(len, values))


def number(text: str, most: int) -> int | None:
    """A whole number that a stranger wrote, at most so large; None for what is none."""
    return min(int(text), most) if text.isdecimal() and len(text) <= 9 else None
