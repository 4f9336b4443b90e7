"""Holes in a lesson's texts, which the run at hand fills: ``{{weights[3, 1] | %}}``.

A hole that begins with a question mark is a check: ``{{? weights[3, 1] > 0.5}}`` stands behind the
sentence that it makes true, shows nothing by itself, and fails the lesson's test if it is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import ExpressionError
from core.figures.text import HUGE, MINUS, decimal, number, percent
from core.language import N_, Phrase
from core.lessons.expressions import evaluate
from core.locale import grouped, in_quotes, listed, row
from core.spelling import visible

HOLE = re.compile(r"\{\{\s*(\?)?(.+?)\s*\}\}", re.S)
# A check with the blank before it, or where it begins a paragraph with the one behind it.
_CHECK = re.compile(r"(?<=\n\n)\{\{\s*\?.+?\}\}[ \t]*|(?<!\n)\s?\{\{\s*\?.+?\}\}", re.S)
MOST_NUMBERS = 64  # of one hole
AS_WORDS = ("word", "label", "code")  # ways to write what is no number
_SIGN = re.compile(
    r"[\d}²)\ue000-\uf8ff][ \u00a0]*[·×/+−-][ \u00a0]*$"
)  # of a calculation, before a number
_WAY = re.compile(r"^(.*\S)\s*\|\s*(%|word|label|code|whole|list|exact|\.\d)\s*$", re.S)


@dataclass(frozen=True, slots=True)
class StatementCheck:
    """A statement of a lesson, and whether it is so in this run.

    Attributes:
        that: the expression.
        holds: it is.
    """

    that: str
    holds: bool


def fill(
    text: str,
    names: Mapping[str, Any],
    escape: Callable[[str], str] = lambda number: number,
    explain: Callable[[str, str], str] | None = None,
) -> str:
    """A text with its holes filled.

    Args:
        text: as the lesson has it.
        names: numbers and words by name.
        escape: makes a word of the run harmless where the text goes.
        explain: given a hole and what fills it, harmless, what stands there in its place; it is
            not asked about holes in a formula or in code, where nothing else can stand.

    Raises:
        ExpressionError: a hole says something that is not there.
    """
    text = _CHECK.sub("", text)

    def filled(hole: re.Match[str]) -> str:
        number = escape(filling(hole[2], names))
        before = text[: hole.start()]
        number = after_a_sign(number, before)
        inside = before.count("$") % 2 or before.count("`") % 2
        return number if explain is None or inside else explain(hole[2], number)

    return HOLE.sub(filled, text)


def holes(text: str) -> Iterator[str]:
    """What the run fills in a text, in order, without the checks."""
    yield from (hole[2] for hole in HOLE.finditer(text) if not hole[1])


def after_a_sign(number: str, before: str) -> str:
    """A number as it stands in a calculation: in parentheses if negative, as in 0.5 × (−2).

    Args:
        number: the number, or anything else, which stays as it is.
        before: the text that it stands behind; characters for private use stand for other holes.
    """
    return f"({number})" if number.startswith(MINUS) and _SIGN.search(before) else number


def numbers_in(text: str, names: Mapping[str, Any]) -> Iterator[str]:
    """The numbers that fill the holes of a text, as they are written, each once.

    Raises:
        ExpressionError: a hole says something that is not there.
    """
    numbers: dict[str, None] = {}
    for hole in holes(text):
        expression, way = parts(hole)
        value = np.asarray(evaluate(expression, names))
        if way not in AS_WORDS and value.dtype.kind in "iuf":
            way_ = "" if way == "list" else way
            numbers |= dict.fromkeys(
                written(number, way_) for number in value.ravel()[:MOST_NUMBERS]
            )
    yield from numbers


def checks(text: str, names: Mapping[str, Any]) -> Iterator[StatementCheck]:
    """The checks of a text, carried out.

    Raises:
        ExpressionError: one says something that is not there.
    """
    for hole in HOLE.finditer(text):
        if hole[1]:
            yield StatementCheck(hole[2], bool(np.all(evaluate(hole[2], names))))


def parts(hole: str) -> tuple[str, str]:
    """The expression of a hole, and how its value is written."""
    match = _WAY.match(hole)
    return (match[1], match[2]) if match else (hole, "")


def filling(hole: str, names: Mapping[str, Any]) -> str:
    """What fills a hole.

    Raises:
        ExpressionError: it says something that is not there.
    """
    expression, way = parts(hole)
    return written(evaluate(expression, names), way, expression)


def written(value: Any, way: str = "", what: str = "") -> str:
    """A value as people read it.

    Args:
        value: of an expression.
        way: "%" as a share; "word" in quotes; "label" as it is; "code" with its spaces seen;
            "whole" as a whole number; "list"; "exact" with all digits it has; ".2" with two
            decimals; else three digits.
        what: the expression, for what is said of a mistake.

    Raises:
        ExpressionError: it cannot be written so.
    """
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        if way != "list":
            raise ExpressionError(what, N_("it is a list; write it with | list"))
        words = any(isinstance(item, str) for item in value)
        return (listed if words else row)([written(item) for item in value])
    if isinstance(value, str | np.str_):
        word = str(value)
        return {"word": in_quotes(word), "code": visible(word)}.get(way, word)
    try:
        plain = float(value)
    except (TypeError, ValueError, OverflowError) as problem:
        raise ExpressionError(
            what, Phrase(N_("{what} is no number"), what=type(value).__name__)
        ) from problem
    if way == "%":
        return percent(plain)
    if abs(plain) < HUGE and (way == "whole" or (not way and plain.is_integer())):
        return grouped(round(plain)).replace("-", MINUS)
    if way == "exact":
        mantissa = np.format_float_scientific(plain).partition("e")[0]
        return number(plain, max(3, sum(sign.isdigit() for sign in mantissa)))
    return decimal(plain, int(way[1:])) if way.startswith(".") else number(plain)
