"""The terms that pages and lessons use, explained once, in one file a language.

A sentence marks a term as ``[[logit]]``, or with other words as ``[[logit|raw scores]]``: by a form
of it in the sentence's own language, or by its id.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from core.language import SOURCE_LANGUAGE, language
from core.yaml_files import read_yaml

FILES = Path(__file__).resolve().parents[2] / "assets" / "glossary"
ALIKE, ASKED = (FILES.parent / "search" / name for name in ("alike.yaml", "asked.yaml"))
# Words may stand in brackets themselves, once: [[[CLS]]].
_WORDS = r"((?:\[[^\[\]|]+\]|[^\[\]|])+)"
MARKED = re.compile(rf"\[\[{_WORDS}(?:\|{_WORDS})?\]\]")


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A term and what it means.

    Attributes:
        id: stable.
        term: as a sentence has it.
        text: what it means.
        also: its other forms.
        items: of the curriculum that it belongs to.
        parameter: the setting whose label it is.
    """

    id: str
    term: str
    text: str
    also: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    parameter: str = ""

    @property
    def forms(self) -> tuple[str, ...]:
        """All words for it."""
        return (self.term, *self.also)


@lru_cache(8)
def glossary(code: str = SOURCE_LANGUAGE) -> Mapping[str, GlossaryTerm]:
    """Every term by its id, in a language; what that has not, in English.

    Which setting a term is the label of, and where it is taught, the English file says for all.

    Raises:
        ValueError: the file is not as it should be; says where.
    """
    terms = {} if code == SOURCE_LANGUAGE else dict(glossary())
    path = FILES / f"{code}.yaml"
    if path.is_file():
        entries = [_term(entry, path) for entry in read_yaml(path)]
        if len({term.id for term in entries}) < len(entries):
            raise ValueError(f"{path.name}: two terms have the same id")
        for term in entries:
            first = terms.get(term.id, term)
            terms[term.id] = replace(term, items=first.items, parameter=first.parameter)
    return terms


def _term(entry: object, path: Path) -> GlossaryTerm:
    if not isinstance(entry, dict) or not {"id", "term", "text"} <= entry.keys():
        raise ValueError(f"{path.name}: {entry!r} needs id, term and text")
    also, items = (tuple(map(str, entry.pop(name, ()))) for name in ("also", "items"))
    return GlossaryTerm(
        **{name: str(value) for name, value in entry.items()}, also=also, items=items
    )


@lru_cache(1)
def alike() -> list[list[str]]:
    """Words and signs that are searched for as one, in groups."""
    return [[str(word) for word in group] for group in read_yaml(ALIKE)]


@lru_cache(1)
def search_terms() -> dict[str, list[str]]:
    """By the English title of a place of the app, what else people ask for who want it."""
    names_by_title = read_yaml(ASKED)
    return {str(title): [str(name) for name in names] for title, names in names_by_title.items()}


def find(word: str) -> GlossaryTerm | None:
    """The term that a word marks, in the learner's language."""
    return _marks(language()).get(_plain(word))


def of_parameter(name: str) -> str:
    """What a setting means; empty when the glossary does not say."""
    terms = glossary(language()).values()
    return next((term.text for term in terms if term.parameter == name), "")


@lru_cache(8)
def _marks(code: str) -> Mapping[str, GlossaryTerm]:
    """Each term by what a sentence may mark it with.

    The English forms are among them in every language: a sentence that is not translated yet is
    shown in English.
    """
    terms = glossary(code)
    english = {form: terms[term.id] for term in glossary().values() for form in term.forms}
    forms = {form: term for term in terms.values() for form in term.forms}
    return {_plain(word): term for word, term in (english | dict(terms) | forms).items()}


def _plain(word: str) -> str:
    """A word without its capitals; a translator may type either apostrophe."""
    return word.casefold().replace("’", "'")


def marked(sentence: str) -> list[str]:
    """The ids of the terms that a sentence marks.

    Raises:
        KeyError: the glossary has no such term.
    """
    return [term_of(match.group(1)).id for match in MARKED.finditer(sentence)]


def term_of(word: str) -> GlossaryTerm:
    """The term that a text marks.

    Raises:
        KeyError: the glossary has no such term.
    """
    term = find(word)
    if term is None:
        raise KeyError(f"the glossary has no term {word!r}")
    return term


def as_html(sentence: str, between: Callable[[str], str] = html.escape) -> str:
    """A sentence as HTML, each marked term with its explanation, for pointer, finger and keyboard.

    Args:
        sentence: with its marks.
        between: makes HTML of what stands between the marks.

    Raises:
        KeyError: the glossary has no such term.
    """
    parts, end = [], 0
    for match in MARKED.finditer(sentence):
        parts.append(between(sentence[end : match.start()]))
        words = match.group(2) or match.group(1)
        place = hashlib.sha256(f"{match.start()} {sentence}".encode()).hexdigest()[:8]
        parts.append(term_html(term_of(match.group(1)), words, place))
        end = match.end()
    return "".join((*parts, between(sentence[end:])))


def term_html(term: GlossaryTerm, words: str, place: str) -> str:
    """One term with its explanation; the place tells it from others on the page."""
    ident = html.escape(f"{term.id}-{place}")
    return (
        f"<span class='glass-term' tabindex='0' data-term='{html.escape(term.id)}' "
        f"aria-describedby='{ident}'>{html.escape(words)}"
        f"<span class='explained' role='tooltip' id='{ident}'>"
        f"<b>{html.escape(term.term)}</b> {html.escape(term.text)}</span></span>"
    )
