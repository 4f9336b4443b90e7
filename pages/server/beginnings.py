"""What the browser is told when a run of a page begins.

Streamlit tells it before the callbacks have been called (1.67), which may choose other parts to be
run (``hooks.run_instead``): the browser would keep what these show no longer. Here it is told after
them. And it names all pages and the whole theme every time, 1.9 kB of the 2.4, and looks for both
and for much else anew: of a run of parts Streamlit's page looks at neither (``handleNewSession`` in
its front end), and the rest is as it was when the whole page was run.
"""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

_BEGUN = "_glassformer_begun"  # of a runner: a run of parts that the browser was not told of yet
_RUN = "_glassformer_run"  # and what the last such run was in the end
_TOLD = "_glassformer_told"  # of a session: what was told of its last run of a whole page


def begin_in_time() -> None:
    """Tell of a run of parts once it is known which, and what is used; once in a process."""
    if hasattr(AppSession._create_new_session_message, "__wrapped__"):
        return
    _tell_after_callbacks()
    _tell_little_of_parts()


def _tell_after_callbacks() -> None:
    tell = AppSession._on_scriptrunner_event

    @wraps(tell)
    def told(session: AppSession, sender: Any, event: ScriptRunnerEvent, **more: Any) -> None:
        runner: dict[str, Any] = vars(sender) if sender is not None else {}
        if event == ScriptRunnerEvent.SCRIPT_STARTED and more.get("fragment_ids_this_run"):
            runner[_BEGUN] = more
            return
        if begun := runner.pop(_BEGUN, None):
            parts = tuple(begun["fragment_ids_this_run"])
            begun["run_descriptor"] = replace(begun["run_descriptor"], fragment_ids=parts)
            runner[_RUN] = begun["run_descriptor"]
            tell(session, sender, ScriptRunnerEvent.SCRIPT_STARTED, **begun)
        run, known = more.get("run_descriptor"), runner.get(_RUN)
        if run and known and run.script_run_id == known.script_run_id:
            more["run_descriptor"] = known
        tell(session, sender, event, **more)

    AppSession._on_scriptrunner_event = told  # type: ignore[assignment]


def _tell_little_of_parts() -> None:
    tell = AppSession._create_new_session_message

    @wraps(tell)
    def told(session: AppSession, page: str, run: Any, pages: Any = None) -> ForwardMsg:
        known: ForwardMsg | None = vars(session).get(_TOLD) if run.fragment_ids else None
        if known is None:
            message = tell(session, page, run, pages)
            vars(session)[_TOLD] = known = ForwardMsg()
            known.CopyFrom(message)
            known.new_session.ClearField("app_pages")
            known.new_session.ClearField("custom_theme")
            if not run.fragment_ids:
                return message
        message = ForwardMsg()
        message.CopyFrom(known)
        message.new_session.page_script_hash = page
        message.metadata.run.script_run_id = run.script_run_id
        message.metadata.run.fragment_ids[:] = run.fragment_ids
        return message

    AppSession._create_new_session_message = told  # type: ignore[assignment]
