"""Texts on which an expression may backtrack: parts of what it repeats, many times, then no match.

They are made of the expression itself: whatever it repeats, after the shortest text that leads
there, with characters of its own alphabet between, and behind them something that it does not want.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from time import thread_time
from typing import Any

LONG = 5000  # characters of a text
MOST = 0.010  # seconds of processor that an expression may take for it
SHORT, QUICK = 1000, 0.0004  # what takes no longer for so many characters is not quadratic
GROWING = (*range(8, 60, 4), *range(60, 130, 10), 300)  # found before it takes minutes
BEHIND = ("\x00", "!", "/", " ", "")  # last nothing: of too long a text alone no small one warns
OFTEN = "a1_ .\n'!é-/,(["  # one of them is in most classes
MOST_UNITS = 8


def slow_text(expression: re.Pattern[str], *, whole: bool = False) -> tuple[str, float] | None:
    """A text of at most 5,000 characters that takes too long, and how long; None if none does.

    Args:
        expression: that is tried.
        whole: only whole texts, or their beginnings, are matched; else matches are looked for.
    """
    for before, unit, behind in _pumped(expression):
        for n in GROWING:
            text = before + unit * n + behind
            if (took := _seconds(expression, text, whole)) > MOST:
                return text, took
        text = before + unit * (SHORT // len(unit)) + behind
        if (took := _seconds(expression, text, whole)) > MOST:
            return text, took
        if took > QUICK:
            text = before + unit * (LONG // len(unit)) + behind
            took = min(_seconds(expression, text, whole) for _try in range(3))
            if took > MOST:
                return text, took
    return None


def _seconds(expression: re.Pattern[str], text: str, whole: bool) -> float:
    """Of the processor, to match a text or to look for every match in it."""
    began = thread_time()
    if whole:
        expression.fullmatch(text)
    else:
        for _found in expression.finditer(text):
            pass
    return thread_time() - began


def _pumped(expression: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    """What stands before, what is repeated and what stands behind."""
    parsed = _parser.parse(expression.pattern, expression.flags)
    alphabet = list(dict.fromkeys(char for _before, body in _repeats(parsed, "") for char in body))
    alphabet += [one for one in dict.fromkeys(_literals(parsed)) if one not in alphabet]
    seen = set()
    for before, body in [("", ()), *_repeats(parsed, "")]:
        units = [*body[:MOST_UNITS], *alphabet[: 2 * MOST_UNITS]]
        pairs = [a + b for a, b in product(body[:4], alphabet[:MOST_UNITS]) if a != b]
        whole = [before + one for one in body[:4]]
        for unit, behind in product(filter(None, (*units, *pairs, *whole)), BEHIND):
            if (before, unit, behind) not in seen:
                seen.add((before, unit, behind))
                yield before, unit, behind


def _repeats(parsed: Any, before: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Of everything that is repeated, the shortest text that leads there, and what it repeats."""
    for code, said in parsed:
        for inner in _inner(code, said):
            yield from _repeats(inner, before)
        if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT) and said[1] > 1:
            yield before, tuple(dict.fromkeys(_variants(said[2])))
        before += _shortest([(code, said)])


def _inner(code: Any, said: Any) -> list[Any]:
    """The expressions inside a part of one."""
    if code is op.BRANCH:
        return list(said[1])
    if code is op.SUBPATTERN:
        return [said[3]]
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return [said[2]]
    if code in (op.ASSERT, op.ASSERT_NOT):
        return [said[1]]
    return [said] if code is op.ATOMIC_GROUP else []


def _shortest(parsed: Any) -> str:
    """A short text that it matches, look-arounds aside."""
    return next(iter(_variants(parsed)), "")


def _variants(parsed: Any) -> list[str]:
    """Short texts that it matches, which differ in one character or one branch from the first."""
    each = [_of_part(code, said) for code, said in parsed]
    first = "".join(one[0] for one in each)
    found = [first]
    for n, several in enumerate(each):
        head, tail = ("".join(one[0] for one in part) for part in (each[:n], each[n + 1 :]))
        found += [head + one + tail for one in several[1:]]
    return found[: 2 * MOST_UNITS]


def _of_part(code: Any, said: Any) -> list[str]:
    if code is op.LITERAL:
        return [chr(said)]
    if code in (op.IN, op.ANY, op.NOT_LITERAL):
        return _members(code, said)
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return [one * said[0] for one in _variants(said[2])] if said[0] else [""]
    if code is op.ASSERT:  # what stands before it is part of the way there
        return _variants(said[1]) if said[0] < 0 else [""]
    inner = [] if code is op.ASSERT_NOT else _inner(code, said)
    return [text for one in inner for text in _variants(one)] or [""]


def _members(code: Any, said: Any) -> list[str]:
    """Characters of a class."""
    one = re.compile(_written(code, said), re.DOTALL)
    own = [chr(at) for kind, at in said if kind is op.LITERAL] if code is op.IN else []
    own += [chr(at[0]) for kind, at in said if kind is op.RANGE] if code is op.IN else []
    return [char for char in dict.fromkeys([*own, *OFTEN, "~"]) if one.fullmatch(char)] or ["~"]


CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _written(code: Any, said: Any) -> str:
    """A class as an expression of its own."""
    if code is op.ANY:
        return "."
    if code is op.NOT_LITERAL:
        return f"[^{re.escape(chr(said))}]"
    parts = []
    for kind, at in said:
        if kind is op.NEGATE:
            parts.append("^")
        elif kind is op.LITERAL:
            parts.append(re.escape(chr(at)))
        elif kind is op.RANGE:
            parts.append(f"{re.escape(chr(at[0]))}-{re.escape(chr(at[1]))}")
        else:
            parts.append(CATEGORIES[at])
    return f"[{''.join(parts)}]"


def _literals(parsed: Any) -> Iterator[str]:
    for code, said in parsed:
        if code is op.LITERAL:
            yield chr(said)
        for inner in _inner(code, said):
            yield from _literals(inner)
