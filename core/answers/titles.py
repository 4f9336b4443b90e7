"""What stands above a page, as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from core.data.glossary import as_html, glossary, term_html
from core.figures.text import Sentence
from core.language import _, language

# French puts a pronoun behind its verb; at that hyphen no line ends.
INVERTED = re.compile(r"\b\w+-(?:t-)?(?:ils?|elles?|on|ce)\b")


def title_html(question: str, what: str, claim: str, terms: Sequence[str]) -> str:
    """A title and what it claims, and behind "Details" what is second.

    Args:
        question: the title.
        what: is selected.
        claim: marks the terms that it explains.
        terms: ids of further ones.
    """
    more = f"<p class='glass-what'>{html.escape(what)}</p>" if what else ""
    more += words(terms, _("Words on this page:"))
    summary = html.escape(_("Details"))
    title = INVERTED.sub(r"<span class='glass-whole'>\g<0></span>", html.escape(question))
    return (
        f"<div class='glass-heading'><h1 class='glass-title'>{title}</h1>"
        + (f"<p class='glass-claim'>{as_html(claim)}</p>" if claim else "")
        + (
            f"<details class='glass-details'><summary>{summary}</summary>{more}</details>"
            if more
            else ""
        )
        + "</div>"
    )


def words(terms: Sequence[str], before: str) -> str:
    """Further terms, each with its explanation, as HTML."""
    if not terms:
        return ""
    terms_ = glossary(language())
    listed = " · ".join(term_html(terms_[term], terms_[term].term, "claim") for term in terms)
    return f"<p class='glass-words'>{html.escape(before)} {listed}</p>"


def in_line(several: Sequence[str]) -> str:
    """Facts in one line; those that are empty are left out."""
    line = " · ".join(filter(None, several))
    return line[:1].upper() + line[1:]


def reading_html(reading: Sentence) -> str:
    """What a figure says as HTML, each marked word in its colour."""
    words = "".join(
        html.escape(part.text)
        if part.role == "plain"
        else f"<span class='role-{part.role}'>{html.escape(part.text)}</span>"
        for part in reading.parts
    )
    whole = words.replace(" %", "\u00a0%")  # unbroken
    return f"<p class='glass-reading'>{whole}</p>"
