"""What can be searched for from everywhere: pages and their headings, lessons and steps, words."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from core.answers.names import LESSONS
from core.data.glossary import MARKED, alike, glossary, search_terms
from core.figures.payload import Payload
from core.language import SOURCE_LANGUAGE, _, language
from core.lessons import entry, lesson_ids, steps
from pages.parts.components import mount
from pages.parts.headings import words_of
from pages.parts.prefix import page_at, prefix
from pages.parts.table import PageRow, offered

Place = dict[str, Any]
INDEX = "/search"  # the address of all places, which a browser asks for when somebody searches
HOLE = re.compile(r"\{[^{}]*\}")  # the inner braces of a hole; the outer are signs
SIGNS = re.compile(r"[$\\*`{}]+")
_FINDING = threading.Lock()


def search() -> None:
    """The search of the whole app; it is seen, and its index fetched, when it is asked for."""
    labels = {
        "field": _("Search for a page, a lesson or a word"),
        "close": _("Close"),
        "none": _("Nothing here is about “{query}”. Try another word for it."),
        "lost": _("The search needs the server, and that does not answer. It is asked again."),
    }
    index = f"{prefix()}{INDEX}?_language={language()}"
    mount("search", Payload({"labels": labels, "index": index}), key="search")


def index() -> dict[str, Any]:
    """All places in the learner's language, and which words mean the same in a search."""
    with _FINDING:  # a class that searches at once waits for one list
        offers = tuple(row.address for row in offered())
        return {"places": places(language(), offers), "alike": alike()}


@lru_cache(maxsize=8)
def places(speaks: str, offers: tuple[str, ...]) -> list[Place]:
    """All of them in a language: title, further names, what is said there, and where it is.

    Args:
        speaks: the learner's language.
        offers: addresses of the pages that some model of the shelf can show.
    """
    rows = [row for row in offered() if row.address in offers]
    pages = [_page(row) for row in rows]
    sections = [place for row in rows for place in _sections(row)]
    lessons = [place for ident in lesson_ids() for place in _lesson(ident, speaks)]
    english = glossary()
    words = [
        _place(term.term, _("Word"), page_at("glossary"), names=[*term.also, english[ident].term],
               text=term.text, shows={"term": ident})
        for ident, term in glossary(speaks).items()
    ]  # fmt: skip
    return [*pages, *sections, *lessons, *words]


def _page(row: PageRow) -> Place:
    """A page, with its question and what it says."""
    names = [row.title, row.address.replace("-", " ")]
    also = _(row.also).split(", ") if row.also else []
    group = _(row.section) if row.section else _("Start")
    texts = filter(None, (row.claim, *words_of(row.file).sentences))
    text = " ".join(_(sentence) for sentence in texts)
    head = _(row.question) if row.question else ""
    return _place(_(row.title), group, page_at(row.address), names=names, asked=also, head=head,
                  text=text, listed=True)  # fmt: skip


def _sections(row: PageRow) -> Iterator[Place]:
    """The headings of a page that no run fills in."""
    for title in words_of(row.file).headings:
        if "{" in title:
            continue
        section = _plain(_(title))
        names = search_terms().get(title, [])
        yield _place(section, _(row.title), page_at(row.address), asked=names, section=section)


def _lesson(ident: str, speaks: str) -> Iterator[Place]:
    """A lesson, and its steps with what they ask."""
    entry_ = entry(ident, speaks)
    if entry_ is None:
        return
    title, first = entry_
    page, named = page_at(LESSONS), [ident.replace("-", " ")]
    yield _place(title, _("Lesson"), page, names=named, shows={"lesson": ident, "lesson_at": first})
    english = [called for called, _asks in steps(ident, SOURCE_LANGUAGE)]
    for index, (called, asks) in enumerate(steps(ident, speaks)):
        names = search_terms().get(english[index], []) if index < len(english) else []
        shows = {"lesson": ident, "lesson_at": first + index}
        yield _place(called, title, page, text=asks, asked=names, shows=shows)


def _plain(text: str) -> str:
    """A text without holes, marks of terms and signs of Markdown and LaTeX."""
    unmarked = MARKED.sub(lambda place: place[2] or place[1], text)
    return " ".join(SIGNS.sub(" ", HOLE.sub(" ", unmarked)).split())


def _place(title: str, group: str, page: str, **about: Any) -> Place:
    """One of them; what it has not is left out."""
    names = [name for name in dict.fromkeys(about.pop("names", ())) if name and name != title]
    entry = {"names": names, "text": _plain(about.pop("text", "")), **about}
    return {"title": title, "group": group, "page": page} | {k: v for k, v in entry.items() if v}
