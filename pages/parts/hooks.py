"""What the server's side relies on inside Streamlit, beyond its documented interface.

Tried on Streamlit 1.67. Where a version behaves otherwise tests/app/test_visiting.py fails.
"""

from __future__ import annotations

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx


def connection() -> str:
    """By which Streamlit knows the connection that the script runs for."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def stop_if_left() -> None:
    """End the run of a session whose browser is not there any more."""
    context = get_script_run_ctx()
    if context is not None and not get_instance().is_active_session(context.session_id):
        st.stop()
