"""One learner's state between two runs of the script."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.language import use_language
from core.views.params import Problem

_STATE = "glassformer"
ASIDE = "aside"  # in place of a part, while none is drawn
Link = tuple[str, tuple[tuple[str, str], ...]]  # a page's address and its query


@dataclass(frozen=True, slots=True)
class Moment:
    """What a link stood for when it was written.

    Attributes:
        values: the state.
        undo: the states before it: a step back in the browser undoes nothing that came after.
    """

    values: dict[str, str]
    undo: tuple[dict[str, str], ...]


@dataclass
class Part:
    """A part of a page that is run again by itself.

    Attributes:
        placed: it is on the page, since the last run of the whole.
        reads: names whose change it shows.
        lazy: it is drawn when the browser says that it is near.
        near: it was.
        due: it must be run again, and has not been yet.
        wanted: how often what it reads has changed; ``drawn`` how much of that it shows.
    """

    placed: bool = False
    reads: set[str] = dataclasses.field(default_factory=set)
    lazy: bool = False
    near: bool = False
    due: bool = False
    wanted: int = 0
    drawn: int = 0


@dataclass
class Session:
    """One learner's state between script runs.

    Attributes:
        values: the state.
        written: the link's query as it was last written or taken over.
        page: the page that was shown last.
        known: for each page the names that it read in its last whole run.
        reading: those it has read so far in this run.
        touched: something was done since the last run, so a strange link is a late one.
        late: the browser asked for this run before it had the link of the last one.
        language: that the page is written in; empty before its first run.
        seen: what the links that were written stood for, the newest last.
        undo: earlier states, the newest last.
        last_change: names of the last change; typing on is one change.
        found: names that the link of this run brought, if it was a new one.
        problems: what was wrong in the link.
        parts: of the page at hand, by name; what is read outside of them stands under "".
        drawing: the part that is being run; "" outside of all.
        changed: names whose values changed since the last run.
        whole: the script is run from its start, not just parts of the page.
        noted: something was said above the page in its last run.
        elsewhere: the text was changed by something else than typing it.
        example: the text that the page opens on; its link need not say it.
        opened: further values that the page opens on, likewise.
        run: how often the browser was told what is selected.
        sent: the number of the last selection that it sent.
        all_near: all parts of the new page are drawn at once, as one of them is looked for.
        greeted: the first run of this visit has begun.
        shown: by key of a control, what the page put into it last, each with the run that did.
    """

    values: dict[str, str]
    written: dict[str, str]
    greeted: bool = False
    page: str = ""
    known: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    reading: set[str] = dataclasses.field(default_factory=set)
    touched: bool = False
    late: bool = False
    language: str = ""
    seen: OrderedDict[Link, Moment] = dataclasses.field(default_factory=OrderedDict)
    undo: list[dict[str, str]] = dataclasses.field(default_factory=list)
    last_change: tuple[str, ...] = ()
    found: set[str] = dataclasses.field(default_factory=set)
    problems: list[Problem] = dataclasses.field(default_factory=list)
    parts: dict[str, Part] = dataclasses.field(default_factory=dict)
    drawing: str = ""
    changed: set[str] = dataclasses.field(default_factory=set)
    whole: bool = True
    noted: bool = False
    elsewhere: bool = True
    example: str = ""
    opened: dict[str, str] = dataclasses.field(default_factory=dict)
    run: int = 0
    sent: int = 0
    all_near: bool = False
    shown: dict[str, list[tuple[int, Any]]] = dataclasses.field(default_factory=dict)


# A thread runs the scripts of one learner alone; Streamlit takes 40 us to look a session up.
_OWN: ContextVar[Session] = ContextVar("own_session")


def own_session() -> Session:
    """The session of the learner whose run this is."""
    found: Session | None = _OWN.get(None)
    if found is None:
        if _STATE not in st.session_state:
            st.session_state[_STATE] = Session({}, {})
        found = st.session_state[_STATE]
        _OWN.set(found)
        if found.language:  # a click may run parts of a page in a thread of their own
            use_language(found.language)
    return found
