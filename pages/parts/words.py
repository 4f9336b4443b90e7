"""The words of the glossary, and the pages that use each."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from core.data.glossary import glossary, marked
from core.figures.payload import Payload
from core.language import SOURCE_LANGUAGE, _, language, ngettext
from pages.parts.prefix import page_at
from pages.parts.table import PageRow, offered

PAGES = Path(__file__).resolve().parent.parent
GLOSSARY = "glossary.py"


def _explained(row: PageRow) -> Iterator[str]:
    """The ids of the terms that a page marks in its sentences, or names in its row."""
    yield from row.terms
    yield from marked(row.claim)
    for node in ast.walk(ast.parse((PAGES / row.file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from marked(node.value)


@cache
def used_on() -> Mapping[str, tuple[PageRow, ...]]:
    """The pages besides the glossary that use each term, by its id, in the order of the menu."""
    rows_of: dict[str, tuple[PageRow, ...]] = {}
    for row in offered():
        if row.file == GLOSSARY:
            continue
        for name in sorted(set(_explained(row))):
            rows_of[name] = (*rows_of.get(name, ()), row)
    return rows_of


def listing() -> Payload:
    """All terms in the learner's language, for the page of the glossary."""
    terms, english, used = glossary(language()), glossary(), used_on()
    rows = offered()
    is_translated = language() != SOURCE_LANGUAGE
    entries = [
        {
            "id": term.id,
            "term": term.term,
            "forms": term.also,
            "english": english[term.id].term
            if is_translated and term.term != english[term.id].term
            else "",
            "text": term.text,
            "pages": [rows.index(row) for row in used.get(term.id, ())],
        }
        for term in terms.values()
    ]
    labels = {
        "field": _("Search the terms"),
        "all": ngettext("{n} term", "{n} terms", len(entries)).format(n=len(entries)),
        "found": _("{n} of {all} terms"),
        "none": _("No term contains “{query}”. Try a shorter word."),
        "within": _("Mentioned in the meaning of"),
        "signs": _("Signs and numbers"),
        "pages": _("Used on:"),
        "english": _("English: {term}"),
    }
    pages = [(page_at(row.address), _(row.title)) for row in rows]
    return Payload({"terms": entries, "pages": pages, "labels": labels})
