"""Streamlit still works as the hooks in ``pages/parts/hooks.py`` take it to."""

from __future__ import annotations

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from pages.parts import hooks

ENDED = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
EARLY = ForwardMsg.FINISHED_EARLY_FOR_RERUN


@pytest.mark.parametrize(
    ("next_run", "expected"),
    [
        (["another"], (ENDED, ["link", "stage"])),
        (["link", "another"], (ENDED, ["stage"])),
        (["link", "stage"], (EARLY, ["link", "stage"])),
        (None, (EARLY, ["link", "stage"])),
    ],
    ids=["others", "some of them", "the same", "the whole page"],
)
def test_the_end_of_what_is_not_drawn_again_reaches_the_browser(next_run, expected):
    hooks.hook_in()
    queue, end = ForwardMsgQueue(), ForwardMsg()
    end.script_finished = ENDED
    end.metadata.run.fragment_ids.extend(["link", "stage"])
    queue.enqueue(end)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=next_run)
    [left] = queue.flush()
    assert (left.script_finished, list(left.metadata.run.fragment_ids)) == expected
