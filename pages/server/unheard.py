"""What a page says where it gets no connection: it stands in the document, and waits there."""

from __future__ import annotations

import html
import os
from urllib.parse import urlsplit

from core.figures.theme import PALETTES
from core.language import _, language
from pages.parts.looks import ASSETS
from pages.parts.prefix import prefix

CHECK = "/check"  # the page that looks at a network (pages/server/check.py)
BOOK = "book"  # the place on it that says how to read without a connection


def colours() -> str:
    """The page's colours as properties that follow what the browser prefers."""
    light, dark = PALETTES["light"], PALETTES["dark"]
    names = ("background", "surface", "border", "text", "muted", "accent", "value", "warning")
    rules = (
        f"--{name}: light-dark({getattr(light, name)}, {getattr(dark, name)});" for name in names
    )
    return "color-scheme: light dark; " + " ".join(rules)


def book() -> str:
    """Where the lessons stand that need no connection: what ``GLASSFORMER_BOOK`` says."""
    address = os.environ.get("GLASSFORMER_BOOK", "").strip()
    there = urlsplit(address).scheme in ("http", "https") or address.startswith("/")
    return address if there else f"{prefix()}{CHECK}?language={language()}#{BOOK}"


def unheard() -> str:
    """It as HTML, in the visitor's language."""
    text = html.escape(
        _("This page cannot reach its server. The network may be blocking WebSockets, which the "
          "app needs. {check}, or read {book}.")
    )  # fmt: skip
    check = f"{prefix()}{CHECK}?language={language()}"
    words = text.format(
        check=_link(check, _("Test this network")),
        book=_link(book(), _("the book of lessons, which needs no connection")),
    )
    css = (ASSETS / "unheard.css").read_text(encoding="utf-8")
    return (
        f"<style>#glass-unheard {{ {colours()} }}\n{css}</style>"
        f"<div id='glass-unheard' role='alert' lang='{language()}' hidden><p>{words}</p></div>"
    )


def _link(address: str, words: str) -> str:
    return f"<a href='{html.escape(address)}'>{html.escape(words)}</a>"
