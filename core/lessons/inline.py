"""Inline Markdown of a question's texts: bold, italic, code and powers, of the lesson's words.

The holes are filled after the Markdown has been read, so that a text of the run never becomes
markup, whatever a learner has typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.lessons.filling import HOLE, after_a_sign

# An exponent: a number, a letter or a hole, or more of that in braces or parentheses.
_POWER = re.compile(r"\^(\{[^{}]+\}|\([^()]+\)|[−-]?(?:[\d.,]*\d|\w|[\ue000-\uf8ff]))")
Parts = list[
    list[str]
]  # pairs of a text and its styles: "strong", "em", "code", "sup", "strong em", ""
FIRST_MARK = 0xE000  # characters for private use stand for the holes meanwhile


def parts(text: str, fill: Callable[[str], str]) -> Parts:
    """A text in parts, each with its styles.

    Args:
        text: as the lesson has it.
        fill: fills the holes of a text.
    """
    holes: list[str] = []

    def keep(hole: str) -> str:
        holes.append(hole)
        return chr(FIRST_MARK + len(holes) - 1)

    marked = HOLE.sub(lambda match: keep(match[0]), text)
    numbers = {}
    for n, hole in enumerate(holes):
        mark = chr(FIRST_MARK + n)
        numbers[mark] = after_a_sign(fill(hole), marked[: marked.index(mark)])
    return [
        ["".join(numbers.get(word, word) for word in words), styles]
        for words, styles in _pieces(_reader().parseInline(marked)[0].children or [])
    ]


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("zero").enable(["emphasis", "backticks"])


def _pieces(tokens: list[Token]) -> Iterator[tuple[str, str]]:
    """The texts between the marks, with the styles that hold for each."""
    styles: list[str] = []
    for token in tokens:
        if token.nesting > 0:
            styles.append(token.tag)
        elif token.nesting < 0:
            styles.pop()
        elif token.tag == "code":
            yield token.content, " ".join([*styles, "code"])
        else:
            for words, raised in _powers(token.content):
                yield words, " ".join([*styles, *(["sup"] if raised else [])])


def _powers(text: str) -> Iterator[tuple[str, bool]]:
    """A text in pieces, and whether each is an exponent: what stands behind ``^``."""
    for n, words in enumerate(_POWER.split(text)):
        if words:
            yield words.strip("{}") if n % 2 else words, bool(n % 2)
