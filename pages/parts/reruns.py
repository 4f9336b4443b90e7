"""Which parts of a page a change runs again: those that read what was changed.

The link comes first, so that the browser hears of a change before the figures that show it, and
the address bar last, when all parts have said what they read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import streamlit as st

from pages.parts import address, state
from pages.parts.session import own_session

LINK, BAR, ADDRESS, NOTICES = "link", "bar", "address", "notices"


def acting(act: Callable[..., None]) -> Callable[..., NoReturn]:
    """What a control does, and then the parts again that show it.

    The control's own part is one of them even below the fold, as that is where the learner is.
    """
    origin = own_session().drawing

    def act_and_run(*values: Any) -> NoReturn:
        with state.aside():
            act(*values)
        run_again(origin)

    return act_and_run


def run_again(origin: str) -> NoReturn:
    """Run again what shows the changes that were made.

    Args:
        origin: the part whose control made them.
    """
    session = own_session()
    changed, session.changed, session.problems = session.changed, set(), []
    outside = session.parts[""]
    if session.whole or changed & outside.reads:  # or the last run did not come to its end
        run_whole()
    for name, own in session.parts.items():
        # The field shows what is typed in it by itself.
        if not changed & own.reads or (name == BAR and not session.elsewhere):
            continue
        own.wanted += 1
        own.due |= not own.lazy or name == origin
    if session.noted or address.left_out():
        session.parts[NOTICES].due = True
    _run()


def draw_now(names: Sequence[str]) -> NoReturn:
    """Run parts that the browser has come near.

    Args:
        names: of them, as the browser says.
    """
    session = own_session()
    for name in names:
        if name in session.parts and session.parts[name].lazy:
            session.parts[name].near = session.parts[name].due = True
    if session.whole:  # the last run did not come to its end
        run_whole()
    _run()


def run_whole() -> NoReturn:
    """Run the whole page again; a message that comes before it has begun must not replace it."""
    own_session().whole = True
    st.rerun()


def _run() -> NoReturn:
    """Run what is due; a run that was cut short left some of it."""
    due = [name for name, own in own_session().parts.items() if own.due]
    st.rerun([LINK, *(name for name in due if name not in (LINK, ADDRESS)), ADDRESS])
