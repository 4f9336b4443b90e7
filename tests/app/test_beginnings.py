"""When some parts of a page are run the browser is told little; of the whole page, all."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import MagicMock

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession

from pages.server.beginnings import begin_in_time


def test_of_a_run_of_parts_no_page_is_named(monkeypatch):
    said = ForwardMsg()
    said.new_session.app_pages.add().page_name = "attention"
    said.new_session.custom_theme.primary_color = "#005fa8"
    said.new_session.initialize.session_id = "one"

    def tell(_session: object, page: str, _run: object, _pages: object = None) -> ForwardMsg:
        message = ForwardMsg()
        message.CopyFrom(said)
        message.new_session.page_script_hash = page
        return message

    monkeypatch.setattr(AppSession, "_create_new_session_message", tell)
    begin_in_time()
    begin_in_time()  # a second time changes nothing
    whole = AppSession._create_new_session_message(MagicMock(), "here", _run())
    assert [one.page_name for one in whole.new_session.app_pages] == ["attention"]
    assert whole.new_session.custom_theme.primary_color == "#005fa8"
    parts = AppSession._create_new_session_message(MagicMock(), "here", _run("link"))
    assert parts.new_session.initialize.session_id == "one"
    assert parts.new_session.page_script_hash == "here"
    assert not parts.new_session.app_pages
    assert not parts.new_session.HasField("custom_theme")


def _run(*fragments: str) -> SimpleNamespace:
    return SimpleNamespace(fragment_ids=fragments)
