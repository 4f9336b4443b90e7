"""Texts as trees that a browser makes elements of: nothing is ever read as markup there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from xml.etree import ElementTree

from core.data.glossary import GlossaryTerm
from core.lessons.printed.prose import prose

_NAMESPACES = {"{http://www.w3.org/1998/Math/MathML}": "math:"}
_ENTITIES = '<!DOCTYPE x [<!ENTITY nbsp "&#160;">]>'

Tree = list[Any]  # a name, attributes, and what stands in it: words and trees


def words(
    text: str,
    names: Mapping[str, Any],
    terms: dict[str, GlossaryTerm],
    explain: Callable[[str], str] | None = None,
) -> list[Tree | str]:
    """A text of a lesson, each of its terms with its explanation.

    Args:
        text: as the lesson has it.
        names: what its holes may say.
        terms: of the glossary by id; those of the text are added.
        explain: given a hole, where what fills it comes from; empty for nothing.
    """
    return tree(prose(text, names, terms, opens=True, explain=explain)) if text else []


def tree(html: str) -> list[Tree | str]:
    """HTML of our own as what stands in it."""
    return _inside(ElementTree.fromstring(f"{_ENTITIES}<x>{html}</x>"))


def _inside(element: ElementTree.Element) -> list[Tree | str]:
    parts: list[Tree | str] = [element.text] if element.text else []
    for child in element:
        parts.append([_name(child.tag), dict(child.attrib), *_inside(child)])
        parts += [child.tail] if child.tail else []
    return parts


def _name(tag: str) -> str:
    for address, prefix in _NAMESPACES.items():
        tag = tag.replace(address, prefix)
    return tag
