"""Messages that cross each other: the browser sends one while a run of the page is on its way.

Every message holds the values of all controls, as the browser knew them. What the page has put into
a control meanwhile would be taken back by one that no control sent: a selection that has settled,
a part that has come near. Such a message says up to which run the browser had heard.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts.reruns import LINK
from pages.parts.session import own_session

KEPT = 8  # values of a control; a message is seldom more than one run late


def begin_run() -> int:
    """Give this run of the page its number, before anything of it is drawn."""
    session = own_session()
    session.run += 1
    session.sent = _selection().get("n", 0)
    return session.run


def put(key: str, value: Any, *, by_learner: bool = False) -> None:
    """Note what a control shows.

    Args:
        key: of the control.
        value: in it.
        by_learner: the browser knew it first.
    """
    session = own_session()
    shown = session.shown.setdefault(key, [])
    if by_learner:
        session.shown[key] = [(0, value)]
    elif not shown or shown[-1][1] != value:
        session.shown[key] = [*shown[1 - KEPT :], (session.run, value)]


def crossed(key: str) -> bool:
    """Whether a control has just what the page showed in it before, and nobody operated it."""
    heard = _last_run_heard()
    if heard is None:
        return False
    known = [value for run, value in own_session().shown.get(key, []) if run <= heard]
    return bool(known) and known[-1] == st.session_state[key]


def _selection() -> dict[str, Any]:
    said = st.session_state.get(LINK, {}).get("selection")
    return said if isinstance(said, dict) else {}


def _last_run_heard() -> int | None:
    """The last run that the browser had heard of; None where a control sent the message."""
    near, selection = st.session_state.get(LINK, {}).get("near"), _selection()
    fresh = [near] if near else []
    if selection.get("n", 0) != own_session().sent:
        fresh.append(selection.get("value"))
    runs = [
        one["heard"] for one in fresh if isinstance(one, dict) and type(one.get("heard")) is int
    ]
    return min(runs, default=None)
