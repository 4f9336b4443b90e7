"""What the server's side relies on inside Streamlit, beyond its documented interface.

Tried on Streamlit 1.67. Where a version behaves otherwise tests/browser/test_moving.py fails.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

import streamlit as st
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
