"""Sections of a page: one under the other, or in lecture view one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from core.answers.names import Sections
from core.figures.components import Stepper
from core.language import _
from pages.parts import state
from pages.parts.components import mount
from pages.parts.page import row_here
from pages.shell.offers import experiments


@dataclass(frozen=True, slots=True)
class Section:
    """What fills the screen of a lecture.

    Attributes:
        title: in the learner's language.
        name: of the part of the page that it is.
        show: draws it.
        headed: the page says the title above it; else it goes on with what stands above.
        tries: topics of the experiments that can be tried with it, which no lecture shows.
    """

    title: str
    name: str
    show: Callable[[], None]
    headed: bool = True
    tries: Sequence[str] = ()


def sections(
    parts: Sequence[Section],
    *,
    folded: bool = False,
    names: Callable[[], None] | None = None,
) -> None:
    """Show all sections of a page, or in lecture view the one that the link names.

    Args:
        parts: the sections from top to bottom.
        folded: all but the first are folded away, each with those that go on with it.
        names: draws what the names on the page mean, at its end; no lecture shows it.
    """
    if state.lecture():
        _one_of(parts)
        return
    _every(parts, folded=folded)
    if names is not None:
        names()


def _every(parts: Sequence[Section], *, folded: bool) -> None:
    """All sections, one under the other."""
    first, *others = parts
    _show(first)
    if folded:
        _folded(others)
        return
    for section in others:
        if section.headed:
            st.markdown(f"## {section.title}")
        _show(section)


def _show(section: Section) -> None:
    """A section, and what can be tried with it."""
    section.show()
    if section.tries:
        with st.container(key="below-stage"):
            experiments(*section.tries)


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


def _one_of(parts: Sequence[Section]) -> None:
    """The section that the link names, and a way to the others."""
    name = row_here().deck
    # A shelf without some model has fewer of them than a link may name.
    index = min(getattr(state.read(Sections), name), len(parts) - 1)
    titles = [section.title for section in parts]
    deck = Stepper(
        title=_("Sections"), alt=titles[index], n=len(parts), first=index, field=name,
        titles=titles, keys=False, deck=True, selection={name: index},
    )  # fmt: skip
    mount(deck.folder, deck.payload(), key="sections")
    parts[index].show()
