"""Of a run of parts the browser is told little, and in time; of one of the whole page, all."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor

from pages.server.beginnings import begin_in_time


@pytest.fixture
def heard(monkeypatch) -> list[tuple[ScriptRunnerEvent, Any]]:
    """What Streamlit is told, and of which run, once ours stands in between."""
    told: list[tuple[ScriptRunnerEvent, Any]] = []

    def tell(_session: object, page: str, run: Any, _pages: object = None) -> ForwardMsg:
        message = ForwardMsg()
        message.new_session.page_script_hash = page
        message.new_session.app_pages.add().page_name = "attention"
        message.new_session.custom_theme.primary_color = "#005fa8"
        message.new_session.initialize.session_id = "one"
        message.metadata.run.script_run_id = run.script_run_id
        message.metadata.run.fragment_ids.extend(run.fragment_ids)
        return message

    def event(_session: object, _sender: object, event: Any, **more: Any) -> None:
        told.append((event, more.get("run_descriptor")))

    monkeypatch.setattr(AppSession, "_create_new_session_message", tell)
    monkeypatch.setattr(AppSession, "_on_scriptrunner_event", event)
    begin_in_time()
    begin_in_time()  # a second time changes nothing
    return told


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("known", [False, True])
def test_of_a_run_of_parts_no_page_is_named(known):
    session, first, then = MagicMock(), RunDescriptor.create(), RunDescriptor.create(["link"])
    tell = AppSession._create_new_session_message
    if known:
        whole = tell(session, "there", first)
        assert [one.page_name for one in whole.new_session.app_pages] == ["attention"]
        assert whole.new_session.custom_theme.primary_color == "#005fa8"
    parts = tell(session, "here", then)
    assert parts.new_session.initialize.session_id == "one"
    assert parts.new_session.page_script_hash == "here"
    assert parts.metadata.run.script_run_id == then.script_run_id
    assert [*parts.metadata.run.fragment_ids] == ["link"]
    assert not parts.new_session.app_pages
    assert not parts.new_session.HasField("custom_theme")


def test_a_run_of_parts_is_told_when_it_is_known_which(heard):
    """A callback chooses them after Streamlit has said that the run begins."""
    session, runner, parts = MagicMock(), SimpleNamespace(), ["link"]
    run = RunDescriptor.create(parts)
    say = AppSession._on_scriptrunner_event
    say(session, runner, ScriptRunnerEvent.SCRIPT_STARTED,
        fragment_ids_this_run=parts, run_descriptor=run)  # fmt: skip
    assert heard == []
    parts[:] = ["link", "stage"]
    say(session, runner, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)
    say(session, runner, ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS, run_descriptor=run)
    begun, message, ended = heard
    assert begun[0] == ScriptRunnerEvent.SCRIPT_STARTED
    assert begun[1].fragment_ids == ended[1].fragment_ids == ("link", "stage")
    assert begun[1].script_run_id == ended[1].script_run_id == run.script_run_id
    assert message == (ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, None)


def test_a_run_of_the_whole_page_is_told_at_once(heard):
    run = RunDescriptor.create()
    AppSession._on_scriptrunner_event(
        MagicMock(), SimpleNamespace(), ScriptRunnerEvent.SCRIPT_STARTED,
        fragment_ids_this_run=None, run_descriptor=run,
    )  # fmt: skip
    assert heard == [(ScriptRunnerEvent.SCRIPT_STARTED, run)]
