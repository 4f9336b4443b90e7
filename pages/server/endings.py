"""What a run of a page has sent reaches the browser, also where the next is asked for meanwhile.

Streamlit runs a page in a thread, which hands what it sends to the server's event loop. Asked for
a further run between the thread's end and its last message, it begins one in a new thread and
hears the old one no more (1.67; a comment in its ``AppSession.request_rerun`` says so): a figure,
or the page's link, stays as it was, though the page's state says that it was shown. The busier
the server, the longer that moment is. Here the further run waits until all has been sent.
"""

from __future__ import annotations

from collections import deque
from functools import wraps

from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import RerunData

LOOKED = 0.002  # seconds until it is looked again whether all has been sent
_WAITING = "_glassformer_waiting"  # the runs that a session was asked for meanwhile, in their order


def hear_runs_out() -> None:
    """Let a run begin when all that the one before it has sent is heard; once in a process."""
    begin = AppSession._create_scriptrunner
    if hasattr(begin, "__wrapped__"):
        return

    @wraps(begin)
    def begin_when_heard(session: AppSession, asked: RerunData) -> None:
        session.__dict__.setdefault(_WAITING, deque()).append(asked)
        look(session)

    def look(session: AppSession) -> None:
        waiting: deque[RerunData] = session.__dict__[_WAITING]
        if session._state == AppSessionState.SHUTDOWN_REQUESTED:
            waiting.clear()
        while waiting:
            asked, runner = waiting.popleft(), session._scriptrunner
            if runner is None:
                begin(session, asked)
            elif not runner.request_rerun(asked):  # it has ended, and is still heard
                waiting.appendleft(asked)
                session._event_loop.call_later(LOOKED, look, session)
                return

    AppSession._create_scriptrunner = begin_when_heard  # type: ignore[assignment]
