"""What a run of a page has sent reaches the browser, also where the next is asked for meanwhile.

Streamlit runs a page in a thread, which hands what it sends to the server's event loop, and that
puts it into a queue for the browser. A further run that comes soon takes something away (1.67):

- Asked for between the thread's end and its last message, it begins in a new thread, and the old
  one is heard no more (a comment in ``AppSession.request_rerun`` says so): a figure, or the page's
  link, stays as it was, though the page's state says that it was shown.
- Begun before the queue has been sent, it calls the end of a run of parts an early one: the
  browser then leaves what those parts no longer show beside what they show now.

The busier the server, the longer these moments are. Here the further run waits until all has been
said, and of a run of parts nothing is taken back.
"""

from __future__ import annotations

from collections import deque
from functools import wraps

from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import RerunData

LOOKED = 0.002  # seconds until it is looked again whether all has been said
_WAITING = "_glassformer_waiting"  # the runs that a session was asked for meanwhile, in their order


def hear_runs_out() -> None:
    """Let nothing be lost of a run that the next one follows; once in a process."""
    if hasattr(AppSession._create_scriptrunner, "__wrapped__"):
        return
    _begin_when_heard()
    _take_nothing_back()


def _begin_when_heard() -> None:
    begin = AppSession._create_scriptrunner

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


def _take_nothing_back() -> None:
    clear = AppSession._clear_queue

    @wraps(clear)
    def keep_parts(session: AppSession, fragment_ids_this_run: list[str] | None = None) -> None:
        if not fragment_ids_this_run:
            clear(session, fragment_ids_this_run)
            return
        # What comes is put behind what waits, not in the place of what an older run has sent.
        session._browser_queue._delta_index_map = {}

    AppSession._clear_queue = keep_parts  # type: ignore[assignment]
