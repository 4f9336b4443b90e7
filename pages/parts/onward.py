"""From a lesson's figure to the page that shows the same, and back to the step she came from.

Both ways are links: they hold all that is shown, so that they survive a reload and can be copied.
"""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from core.figures.payload import Payload
from core.language import _, language
from core.lessons import Lesson, lesson, lesson_ids
from core.views.params import to_query
from pages.parts import sentence, state
from pages.parts.address import LESSONS
from pages.parts.components import mount
from pages.parts.fragments import part
from pages.parts.link import pack
from pages.parts.names import Came, screen_of
from pages.parts.page import go_to
from pages.parts.prefix import page_at
from pages.parts.session import own_session

BACK = "back"  # the part of a page that leads there


def arrive(address: str) -> None:
    """After the link was read: show what she came to see, or put the lesson as she left it.

    Args:
        address: of the page that is opened.
    """
    session, came = own_session(), _came()
    if not came.back_to:
        return
    if address == LESSONS:
        sentence.give_back()
        for name in to_query(came, whole=True):
            session.values.pop(name, None)
    elif "back_to" in session.found:
        # The sentence of the figure that she looks at is none of her own.
        session.values[sentence.HERS] = came.back_text
        if session.values.get(sentence.TEXT) == came.back_text:
            session.values.pop(sentence.HERS)
        go_to(re.sub(r"[^a-zA-Z0-9_-]", "-", came.back_from), far=True)


def way_back() -> None:
    """The line that leads back, as long as she came from a lesson."""
    if _came().back_to:
        with st.container(key="way-back-place"):
            part(BACK, _back)


def _came() -> Came:
    """Where she came from; who comes or leaves opens a page, or has the line's own part run."""
    with state.aside():
        return state.read(Came)


def _back() -> None:
    came = state.read(Came)
    found = lesson(came.back_to, language()) if came.back_to in lesson_ids() else None
    if not isinstance(found, Lesson):
        return
    own = rf"{re.escape(screen_of(came.back_to, came.back_at))}[a-z]\w*"
    kept = {
        n: v for n, v in own_session().values.items() if re.fullmatch(own, n.rpartition(".")[0])
    }
    state.in_link(kept)  # to be there after a reload
    query, _left_out = pack(
        {"lesson": came.back_to, "lesson_at": str(came.back_at), **kept}
        | ({"text": came.back_text} if came.back_text else {})
    )
    # Counted as above the lesson: the questions before it are no step.
    n = came.back_at + 1 - bool(found.probe)
    say = _("Back to the lesson: {title}, step {n}").format(title=found.title, n=n)
    payload = {"say": say, "page": page_at(LESSONS), "query": query, "names": [],
               "leave": _("Stay here and remove this line")}  # fmt: skip
    mount("way", Payload(payload), key="way-back", on={"leave": _leave})


def _leave(_sure: Any) -> None:
    state.update(dict.fromkeys(to_query(Came(), whole=True)))
