"""Sections of a page: one under the other, or in lecture view one at a time."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.figures.components import Stepper
from core.language import N_, _
from core.views.params import param
from pages.parts import state
from pages.parts.components import mount


@dataclass(frozen=True, slots=True)
class TextPart:
    """The section of the tokenization page that fills the screen in lecture view."""

    text_part: int = param(0, low=0, high=3, picked=True, label=N_("Section"))


@dataclass(frozen=True, slots=True)
class PositionPart:
    """The section of the page on positions that fills the screen in lecture view."""

    position_part: int = param(0, low=0, high=6, picked=True, label=N_("Section"))


@dataclass(frozen=True, slots=True)
class ContextPart:
    """The section of the page on words in context that fills the screen in lecture view."""

    context_part: int = param(0, low=0, high=1, picked=True, label=N_("Section"))


@dataclass(frozen=True, slots=True)
class PicturePart:
    """The section of the page about pictures that fills the screen in lecture view."""

    picture_part: int = param(0, low=0, high=5, picked=True, label=N_("Section"))


@dataclass(frozen=True, slots=True)
class TunePart:
    """The section of the page on fine-tuning that fills the screen in lecture view."""

    tune_part: int = param(0, low=0, high=3, picked=True, label=N_("Section"))


@dataclass(frozen=True, slots=True)
class LabPart:
    """The section of the training lab that fills the screen in lecture view."""

    lab_part: int = param(0, low=0, high=5, picked=True, label=N_("Section"))


@dataclass(frozen=True, slots=True)
class BeyondPart:
    """The section of the page about what came after that fills the screen in lecture view."""

    beyond_part: int = param(0, low=0, high=4, picked=True, label=N_("Section"))


# By the address of the page; a lecture turns its sections by it.
DECKS: dict[str, type[Any]] = {
    "tokenization": TextPart,
    "positions": PositionPart,
    "words-in-context": ContextPart,
    "vision": PicturePart,
    "fine-tune": TunePart,
    "training": LabPart,
    "beyond": BeyondPart,
}


@dataclass(frozen=True, slots=True)
class Section:
    """What fills the screen of a lecture.

    Attributes:
        title: in the learner's language.
        name: of the part of the page that it is.
        show: draws it.
        headed: the page says the title above it; else it goes on with what stands above.
        tries: draws what can be tried with it, which no lecture shows.
    """

    title: str
    name: str
    show: Callable[[], None]
    headed: bool = True
    tries: Callable[[], None] | None = None


def sections(
    where: type[Any],
    parts: Sequence[Section],
    *,
    folded: bool = False,
    names: Callable[[], None] | None = None,
) -> None:
    """Show all sections of a page, or in lecture view the one that the link names.

    Args:
        where: parameters with one field, the number of the section.
        parts: the sections from top to bottom.
        folded: all but the first are folded away, each with those that go on with it.
        names: draws what the names on the page mean, at its end; no lecture shows it.
    """
    if state.lecture():
        _one_of(where, parts)
        return
    _every(parts, folded=folded)
    if names is not None:
        names()


def _every(parts: Sequence[Section], *, folded: bool) -> None:
    """All sections, one under the other."""
    first, *others = parts
    _shown(first)
    if folded:
        _folded(others)
        return
    for section in others:
        if section.headed:
            st.markdown(f"## {section.title}")
        _shown(section)


def _shown(section: Section) -> None:
    """A section, and what can be tried with it."""
    section.show()
    if section.tries is not None:
        with st.container(key="below-stage"):
            section.tries()


def _folded(parts: Sequence[Section]) -> None:
    """Sections that are folded away, whose figures ask for themselves once they are opened."""
    groups: list[list[Section]] = []
    for section in parts:
        if section.headed:
            groups.append([])
        groups[-1].append(section)
    for group in groups:
        key = f"fold-{group[0].name}"
        with st.expander(group[0].title, key=key, expanded=state.chosen("back_to")):
            for section in group:
                section.show()


def _one_of(where: type[Any], parts: Sequence[Section]) -> None:
    """The section that the link names, and a way to the others."""
    (field,) = dataclasses.fields(where)
    # A shelf without some model has fewer of them than a link may name.
    at = min(getattr(state.read(where), field.name), len(parts) - 1)
    titles = [section.title for section in parts]
    deck = Stepper(
        title=_("Sections"), alt=titles[at], n=len(parts), first=at, field=field.name,
        titles=titles, keys=False, deck=True, selection={field.name: at},
    )  # fmt: skip
    mount(deck.folder, deck.payload(), key="sections")
    parts[at].show()
