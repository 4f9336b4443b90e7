"""What a handout and the file of a step have in common: what words mean, and where it is said."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from core.data.glossary import GlossaryTerm
from core.language import _
from core.lessons.courses import called
from core.lessons.inline import Parts
from core.lessons.schema import Lesson


def line(words: str, kind: str = "", tag: str = "p") -> str:
    """Plain words as an element.

    Args:
        words: nothing in them is HTML.
        kind: its class.
        tag: its name.
    """
    named = f" class='{kind}'" if kind else ""
    return f"<{tag}{named}>{escape(words)}</{tag}>"


def styled(words: Parts, kind: str = "", tag: str = "p") -> str:
    """Words with their styles as an element; the arguments are those of ``line``."""
    named = f" class='{kind}'" if kind else ""
    inner = "".join(_in_styles(escape(text), styles.split()) for text, styles in words)
    return f"<{tag}{named}>{inner}</{tag}>"


def _in_styles(text: str, styles: list[str]) -> str:
    for style in reversed(styles):
        text = f"<{style}>{text}</{style}>"
    return text


def definitions(terms: Mapping[str, GlossaryTerm]) -> str:
    """What the words mean that a text marks, by the alphabet."""
    ordered = sorted(terms.values(), key=lambda term: term.term.casefold())
    rows = "".join(f"<dt>{escape(term.term)}</dt><dd>{escape(term.text)}</dd>" for term in ordered)
    return f"<dl>{rows}</dl>"


def sources(lesson: Lesson) -> str:
    """Where courses say it."""
    if not lesson.sources:
        return ""
    items = "".join(line(f"{called(source.document)}: {source.section}", tag="li")
                    for source in lesson.sources)  # fmt: skip
    title = line(_("Where courses say it"))
    return f"<div class='source'>{title}<ul>{items}</ul></div>"
