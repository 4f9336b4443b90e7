"""French lessons: the blanks before high signs and inside « » are those of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from core.lessons import Lesson, lesson, lesson_ids, misconceptions
from tests.data.test_glossary import BLANKS

NO_PROSE = re.compile(r"\{\{.*?\}\}|\$.*?\$|`.*?`", re.S)
FORMULAS = {"draw", "where", "over", "rows", "select", "params", "view", "goal", "done", "attempt"}


def said(part: Any) -> Iterator[str]:
    """Everything in it that a learner reads, without its holes and formulas."""
    if isinstance(part, str):
        yield NO_PROSE.sub("x", part)
    elif isinstance(part, dict):
        formula = {"answer"} if part.get("kind") in ("number", "tokens", "do") else set()
        for name, one in part.items():
            if name == "wrong" and formula:
                yield from (text for each in one.values() for text in said(each["says"]))
            elif name not in FORMULAS | formula:
                yield from said(one)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from said(one)


def wrong(text: str) -> list[str]:
    """The places where a blank is missing, or another one stands."""
    found = []
    for at, sign in enumerate(text):
        before = text[at - 1 : at]
        expected = BLANKS.get(sign)
        if expected is None or before in ("", expected, "!", "?"):
            continue
        if before.isspace() or sign in ";?!»":
            found.append(text[max(0, at - 25) : at + 1])
    return found + re.findall(r"«[^\u00a0].{,20}|[“”].{,20}", text)


@pytest.mark.parametrize("ident", lesson_ids())
def test_blanks_of_a_lesson(ident):
    found = lesson(ident, "fr")
    assert isinstance(found, Lesson)
    assert [one for text in said(found.model_dump()) for one in wrong(text)] == []


def test_blanks_of_what_is_said_to_an_idea():
    assert [one for text in misconceptions("fr").values() for one in wrong(text)] == []
