"""Streamlit still works as the hooks in ``pages/parts/hooks.py`` take it to."""

from __future__ import annotations

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from pages.parts import hooks

pytestmark = pytest.mark.usefixtures("_hooked")
ENDED = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
EARLY = ForwardMsg.FINISHED_EARLY_FOR_RERUN


@pytest.fixture
def _hooked():
    hooks.hook_in()


@pytest.mark.parametrize(
    ("next_run", "expected"),
    [(["another"], ENDED), (None, EARLY)],
    ids=["parts", "the whole page"],
)
def test_the_end_of_a_run_of_parts_reaches_the_browser(next_run, expected):
    queue, end = ForwardMsgQueue(), ForwardMsg()
    end.script_finished = ENDED
    queue.enqueue(end)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=next_run)
    assert [one.script_finished for one in queue.flush()] == [expected]
