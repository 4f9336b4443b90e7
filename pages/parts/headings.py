"""What the script of a page says: its headings, its sentences."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

PAGES = Path(__file__).resolve().parent.parent
TRANSLATED = ("_", "N_")
BEFORE_HEADING = "## "
ENDS = (".", "?", "!")  # of a sentence; a label has none


@dataclass(frozen=True, slots=True)
class PageWords:
    """The words of a page, as its script has them (translate with ``_``).

    Attributes:
        headings: of its sections, also of those that are folded away.
        sentences: all others.
    """

    headings: tuple[str, ...]
    sentences: tuple[str, ...]


@lru_cache(maxsize=64)
def words_of(file: str) -> PageWords:
    """The words of a page.

    Args:
        file: its script, from ``pages/``.
    """
    nodes = tuple(ast.walk(ast.parse((PAGES / file).read_text(encoding="utf-8"))))
    headings = dict.fromkeys(text for node in nodes for text in _headings(node))
    others = dict.fromkeys(text for node in nodes for text in _strings(node))
    sentences = (text for text in others if text not in headings and text.endswith(ENDS))
    return PageWords(tuple(headings), tuple(sentences))


def _headings(node: ast.AST) -> Iterator[str]:
    """The headings that a node of a script makes."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("Section", "expander")):
        yield from (text for arg in node.args[:1] for text in _below(arg))
    if isinstance(node, ast.BinOp) and ast.unparse(node.left) == repr(BEFORE_HEADING):
        yield from _below(node.right)
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "title":
        yield from _below(node.value)


def _below(node: ast.AST) -> Iterator[str]:
    yield from (text for child in ast.walk(node) for text in _strings(child))


def _strings(node: ast.AST) -> Iterator[str]:
    """The text that a node marks for translation."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in TRANSLATED:
        yield from (str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))
