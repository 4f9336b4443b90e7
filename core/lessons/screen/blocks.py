"""What stands on a screen, one below the other, as the browser is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.figures.text import harmless
from core.lessons.book.words import words

Block = dict[str, Any]
Body = dict[str, Any]  # of a screen: how it is laid out, what it says, by column what it shows
Explain = Callable[[str], str]


def below(said: Sequence[Block]) -> Body:
    """A screen without figures beside its texts."""
    return {"layout": "below", "said": list(said), "shown": []}


def text(
    markdown: str, names: Mapping[str, Any] | None = None, explain: Explain | None = None
) -> list[Block]:
    """A text in Markdown: its holes filled, its terms explained; nothing for none.

    Args:
        markdown: of the lesson, or of the app's own.
        names: numbers and words by name.
        explain: gives what a number says of itself, empty for nothing.
    """
    found = words(markdown, names or {}, {}, explain)
    return [{"kind": "words", "words": found}] if found else []


def small(said: str) -> Block:
    """What is said small, beside."""
    return {"kind": "small", "say": said}


def note(kind: str, said: str) -> Block:
    """Something to know: "info", "warning" or "error"."""
    return {"kind": "note", "note": kind, "say": said}


def button(
    key: str, say: str, sets: Mapping[str, str | None], *, weight: str = "", deed: str = ""
) -> Block:
    """A way to another screen.

    Args:
        key: tells it from others.
        say: what it says.
        sets: what becomes of the state.
        weight: "primary" for what comes next, "tertiary" for what is by the way.
        deed: what else is done with it.
    """
    return {"kind": "button", "key": key, "say": say, "sets": dict(sets), "weight": weight,
            "deed": deed}  # fmt: skip


def fold(key: str, title: str, blocks: Sequence[Block], *, asks: bool = False) -> Block:
    """What is folded away.

    Args:
        key: tells it from others.
        title: above it.
        blocks: within.
        asks: it is worked out when it is opened.
    """
    return {"kind": "fold", "key": key, "title": title, "blocks": list(blocks), "asks": asks}


def component(key: str, folder: str, header: Mapping[str, Any]) -> Block:
    """A component that draws no arrays.

    Args:
        key: tells it from others.
        folder: of the component.
        header: what it is given.
    """
    part = {"folder": folder, "header": dict(header), "arrays": {}}
    return {"kind": "figure", "key": key, "parts": [part]}


def bullets(said: Sequence[str]) -> str:
    """A list in Markdown, of words that are nobody's markup."""
    return "\n".join(f"- {harmless(one)}" for one in said)
