"""A run of a page that comes soon after another one takes nothing away from it."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
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
HOOKED = ("_create_scriptrunner", "_clear_queue")
WHOLE = ForwardMsg.ScriptFinishedStatus.FINISHED_FRAGMENT_RUN_SUCCESSFULLY


@pytest.fixture
def page(tmp_path, monkeypatch) -> Path:
    """The page, and Streamlit's session as it is without us."""
    path: Path = tmp_path / "page.py"
    path.write_text(PAGE)
    monkeypatch.setattr(Runtime, "_instance", MagicMock())
    for name in HOOKED:
        own = getattr(AppSession, name)
        monkeypatch.setattr(AppSession, name, getattr(own, "__wrapped__", own))
    return path


def sent(page: Path, *, heard: bool) -> list[ForwardMsg]:
    """What a browser is sent when the part is asked for twice, the second time too soon.

    Args:
        page: with the part.
        heard: the first run has been heard to its end, but not been sent on.
    """
    with ThreadPoolExecutor(1) as thread:  # a test with a browser has left its loop in this one
        return thread.submit(asyncio.run, _sent(str(page), heard)).result()


async def _sent(page: str, heard: bool) -> list[ForwardMsg]:
    session = AppSession(
        script_data=ScriptData(page), uploaded_file_manager=MagicMock(),
        script_cache=ScriptCache(), message_enqueued_callback=None, user_info={},
    )  # fmt: skip
    session.request_rerun(ClientState())
    await _ended(session)
    [part] = session._fragment_storage._fragments
    session.flush_browser_queue()
    session.request_rerun(ClientState(fragment_id=part))
    if heard:
        await _ended(session)
    else:
        session._scriptrunner._script_thread.join()  # the loop hears nothing meanwhile
    session.request_rerun(ClientState(fragment_id=part))
    await _ended(session)
    assert session.session_state["n"] == 3
    messages = session.flush_browser_queue()
    session.shutdown()
    return messages


async def _ended(session: AppSession) -> None:
    async with asyncio.timeout(20):
        await asyncio.sleep(0.1)
        while session._scriptrunner is not None:
            await asyncio.sleep(0.01)


def links(messages: list[ForwardMsg]) -> list[str]:
    every = [one.page_info_changed for one in messages if one.HasField("page_info_changed")]
    return [one.query_string for one in every]


def ends(messages: list[ForwardMsg]) -> list[bool]:
    """Of each run that ended, whether the browser hears that its parts were drawn whole."""
    return [one.script_finished == WHOLE for one in messages if one.HasField("script_finished")]


def test_what_a_run_sent_last_is_heard(page):
    # As Streamlit has it: when this fails, that much of pages/server/endings.py can go.
    assert links(sent(page, heard=False)) == []
    hear_runs_out()
    hear_runs_out()  # a second time changes nothing
    assert links(sent(page, heard=False)) == ["drawn=2"]


def test_a_run_that_was_whole_stays_whole_until_it_is_sent(page):
    assert ends(sent(page, heard=True)) == [False, True]  # as above
    hear_runs_out()
    messages = sent(page, heard=True)
    assert ends(messages) == [True, True]
    drawn = [one.delta.new_element.text.body for one in messages if one.HasField("delta")]
    assert [one for one in drawn if one] == ["drawn 2", "drawn 3"]
