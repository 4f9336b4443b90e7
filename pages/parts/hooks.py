"""What the server's side relies on inside Streamlit, beyond its documented interface.

Tried on Streamlit 1.67. Where a version behaves otherwise tests/browser/test_moving.py fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import RerunException, get_script_run_ctx


def went_back() -> bool:
    """Whether the browser asked for this run by its history: its buttons, or a click on a link."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def whole() -> bool:
    """Whether this run is one of the whole page, not of parts of it."""
    context = get_script_run_ctx()
    return context is not None and not context.fragment_ids_this_run


def script() -> str:
    """The page that the browser had open when it asked for this run."""
    context = get_script_run_ctx()
    return "" if context is None else context.page_script_hash


def open_whole(page: str) -> NoReturn:
    """Run a whole page again, whichever the browser had open."""
    try:
        st.rerun()
    except RerunException as asked:
        raise RerunException(replace(asked.rerun_data, page_script_hash=page)) from None


def run_instead(parts: Sequence[str]) -> None:
    """Let this run, whose callbacks are at work, go on as the run of these parts of the page.

    ``st.rerun(parts)`` ends the run before it has begun, and begins another: two of everything
    that a run costs the server and the browser (pages/server/beginnings.py).
    """
    context = get_script_run_ctx()
    assert context is not None
    assert context.fragment_ids_this_run
    fragments = context.fragment_storage
    now = fragments.order_fragment_ids(fragments.resolve_target(parts))
    context.fragment_ids_this_run[:] = now  # it is this list that Streamlit goes through next


def stop_if_left() -> None:
    """End the run of a session whose browser is not there any more."""
    context = get_script_run_ctx()
    if context is not None and not get_instance().is_active_session(context.session_id):
        st.stop()
