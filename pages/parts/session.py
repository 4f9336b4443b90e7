"""One learner's state between two runs of the script."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

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
        size: characters of the state.
    """

    values: dict[str, str]
    undo: tuple[dict[str, str], ...]
    size: int


@dataclass(frozen=True, slots=True)
class Listener:
    """What hears the messages of one control.

    Attributes:
        acts: by what is said, what to do with its value.
        about: what the control was drawn for; a message that names something else is too late.
    """

    acts: Mapping[str, Callable[[Any], None]]
    about: str | int | None = None


@dataclass
class Part:
    """A part of a page that is run again by itself.

    Attributes:
        placed: it is on the page, since the last run of the whole.
        names: that it reads, and the link says.
        reads: those of them whose change it shows.
        hears: its controls, by key.
        lazy: it is drawn when the browser says that it is near.
        near: it was.
        due: it must be run again, and has not been yet.
        wanted: how often what it reads has changed; ``drawn`` how much of that it shows.
    """

    placed: bool = False
    names: set[str] = dataclasses.field(default_factory=set)
    reads: set[str] = dataclasses.field(default_factory=set)
    hears: dict[str, Listener] = dataclasses.field(default_factory=dict)
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
        undo: earlier states, the newest last.
        last_change: names of the last change; typing on is one change.
        changed: names whose values changed since the last run.
        page: the page that was shown last.
        script: by which Streamlit knows that page.
        written: the link's query as it was last written or taken over.
        seen: what the links that were written stood for, the newest last.
        found: names that the link of this run brought, if it was a new one.
        returned: the link of this run is one that was written before.
        problems: what was wrong in the link.
        example: the text that the page opens on; its link need not say it.
        reads: the page, and what its model can read as an example, that it was last opened for.
        opens: further values that the page opens on.
        opened: those of them that she had not chosen; its link need not say them.
        tried: the page of the experiment that was carried out last, and for each name that it
            changed the value before and after.
        language: that the page is written in; empty before its first run.
        parts: of the page at hand, by name; what stands outside of them is "", and due until a
            run of the whole page has come to its end.
        drawing: the part that is being run; "" outside of all.
        ident: of this session, for a browser whose socket may come back to another.
        run: how often the browser was told what is selected.
        taken: the number of the last message that was heard.
        shown: by key of a Streamlit control, the value that the browser has in it, and how often
            the page has put another one there by itself.
    """

    values: dict[str, str] = dataclasses.field(default_factory=dict)
    undo: list[dict[str, str]] = dataclasses.field(default_factory=list)
    last_change: tuple[str, ...] = ()
    changed: set[str] = dataclasses.field(default_factory=set)
    page: str = ""
    script: str = ""
    written: dict[str, str] = dataclasses.field(default_factory=dict)
    seen: OrderedDict[Link, Moment] = dataclasses.field(default_factory=OrderedDict)
    found: set[str] = dataclasses.field(default_factory=set)
    returned: bool = False
    problems: list[Problem] = dataclasses.field(default_factory=list)
    example: str = ""
    reads: tuple[str, str] = ("", "")
    opens: dict[str, str] = dataclasses.field(default_factory=dict)
    opened: dict[str, str] = dataclasses.field(default_factory=dict)
    tried: tuple[str, dict[str, tuple[str | None, str | None]]] = ("", {})
    language: str = ""
    parts: dict[str, Part] = dataclasses.field(default_factory=lambda: {"": Part(due=True)})
    drawing: str = ""
    ident: str = dataclasses.field(default_factory=lambda: uuid4().hex[:8])
    run: int = 0
    taken: int = 0
    shown: dict[str, tuple[Any, int]] = dataclasses.field(default_factory=dict)


# A thread runs the scripts of one learner alone; Streamlit takes 40 us to look a session up.
_OWN: ContextVar[Session] = ContextVar("own_session")


def own_session() -> Session:
    """The session of the learner whose run this is."""
    found: Session | None = _OWN.get(None)
    if found is None:
        if _STATE not in st.session_state:
            st.session_state[_STATE] = Session()
        found = st.session_state[_STATE]
        _OWN.set(found)
        if found.language:  # a click may run parts of a page in a thread of their own
            use_language(found.language)
    return found
