"""A run of a page that is asked for while the one before it is still heard takes nothing away."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import MagicMock

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

from pages.server.endings import hear_runs_out

# A page with one part, whose second run alone writes the link.
PAGE = """
import streamlit as st

@st.fragment
def part():
    n = st.session_state.n = st.session_state.get("n", 0) + 1
    if n == 2:
        st.query_params["drawn"] = n
    st.text(f"drawn {n}")

part()
"""


def links(script: Path) -> list[str]:
    """The links that a browser hears when its part is asked for twice, the second time too soon."""
    with ThreadPoolExecutor(1) as thread:  # a test with a browser has left its loop in this one
        return thread.submit(asyncio.run, _links(str(script))).result()


async def _links(script: str) -> list[str]:
    session = AppSession(
        script_data=ScriptData(script), uploaded_file_manager=MagicMock(),
        script_cache=ScriptCache(), message_enqueued_callback=None, user_info={},
    )  # fmt: skip
    session.request_rerun(ClientState())
    await _ended(session)
    [part] = session._fragment_storage._fragments
    session.flush_browser_queue()
    session.request_rerun(ClientState(fragment_id=part))
    session._scriptrunner._script_thread.join()  # the loop hears nothing meanwhile
    session.request_rerun(ClientState(fragment_id=part))
    await _ended(session)
    assert session.session_state["n"] == 3
    sent = session.flush_browser_queue()
    session.shutdown()
    return [one.page_info_changed.query_string for one in sent if one.HasField("page_info_changed")]


async def _ended(session: AppSession) -> None:
    async with asyncio.timeout(20):
        await asyncio.sleep(0.1)
        while session._scriptrunner is not None:
            await asyncio.sleep(0.01)


def test_what_a_run_sent_last_is_heard(tmp_path, monkeypatch):
    script = tmp_path / "page.py"
    script.write_text(PAGE)
    monkeypatch.setattr(Runtime, "_instance", MagicMock())
    monkeypatch.setattr(AppSession, "_create_scriptrunner", AppSession._create_scriptrunner)
    if not hasattr(AppSession._create_scriptrunner, "__wrapped__"):
        # As Streamlit has it: when this fails, pages/server/endings.py is needed no more.
        assert links(script) == []
    hear_runs_out()
    assert links(script) == ["drawn=2"]
