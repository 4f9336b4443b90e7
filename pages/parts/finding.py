"""What can be found by its name from everywhere: the pages, the lessons, the words."""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Any

from core.figures.payload import Payload
from core.glossary import glossary
from core.language import _, language
from core.lessons import entry, lesson_ids, steps
from pages.parts.components import mount
from pages.parts.prefix import page_at
from pages.parts.table import TABLE, offered

Place = dict[str, Any]
_FINDING = threading.Lock()
WORD = re.compile(r"[^\W\d_]{3,}")


def search() -> None:
    """The search of the whole app; it is seen when it is asked for."""
    labels = {
        "field": _("Search for a page, a lesson or a word"),
        "none": _("Nothing here is called “{query}”. Try another word for it."),
    }
    mount("search", Payload({"labels": labels, "places": _places()}), key="search")


def _places() -> list[Place]:
    with _FINDING:  # a class that comes at once waits for one list
        return places(language(), tuple(row.address for row in offered()))


@lru_cache(maxsize=8)
def places(speaks: str, offers: tuple[str, ...]) -> list[Place]:
    """All of them in a language: title, further names, what kind it is, and where it is.

    Args:
        speaks: the learner's language.
        offers: addresses of the pages that some model of the shelf can show.
    """
    pages = [
        _place(_(row.title), [row.title, row.address.replace("-", " "),
                              *(_(row.also).split(", ") if row.also else ())],
               _(row.section) if row.section else _("Start"), page_at(row.address), listed=True)
        for row in TABLE if row.address in offers
    ]  # fmt: skip
    lessons = [
        _place(
            found[0],
            [],
            _("Lesson"),
            "/lessons",
            words=_words(found[0], ident, speaks),
            lesson=ident,
            lesson_at=found[1],
        )
        for ident in lesson_ids()
        if (found := entry(ident, speaks))
    ]
    english = glossary()
    words = [
        _place(one.term, [*one.also, english[ident].term], _("Word"), "/glossary", term=ident)
        for ident, one in glossary(speaks).items()
    ]
    return [*pages, *lessons, *words]


def _words(called: str, ident: str, speaks: str) -> str:
    """The words of a lesson's steps, each once: of the search's bytes they are what is new."""
    said = " ".join([ident.replace("-", " "), *steps(ident, speaks)]).lower()
    known = set(WORD.findall(called.lower()))
    return " ".join(dict.fromkeys(one for one in WORD.findall(said) if one not in known))


def _place(
    title: str,
    names: list[str],
    group: str,
    page: str,
    *,
    listed: bool = False,
    words: str = "",
    **shows: Any,
) -> Place:
    """One of them; what it has not is left out."""
    others = [name for name in dict.fromkeys(names) if name and name != title]
    said = {"names": others, "words": words, "shows": shows, "listed": listed}
    return {"title": title, "group": group, "page": page} | {k: v for k, v in said.items() if v}
