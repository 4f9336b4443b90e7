"""What the browser is told when a run of a page begins: of a run of some parts, what it uses.

Streamlit names all pages and the whole theme at the start of every run (1.67), 1.9 kB of the 2.4;
of a run of parts its page looks at neither (``handleNewSession`` in its front end). A click takes
two such runs.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession


def tell_little_of_parts() -> None:
    """Leave out what the browser does not use; once in a process."""
    tell = AppSession._create_new_session_message
    if hasattr(tell, "__wrapped__"):
        return

    @wraps(tell)
    def told(session: AppSession, page: str, run: Any, pages: Any = None) -> ForwardMsg:
        message = tell(session, page, run, pages)
        if run.fragment_ids:
            message.new_session.ClearField("app_pages")
            message.new_session.ClearField("custom_theme")
        return message

    AppSession._create_new_session_message = told  # type: ignore[assignment]
