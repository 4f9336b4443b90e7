"""What the server relies on inside Streamlit, beyond its documented interface.

Tried on Streamlit 1.67; ``tests/app/test_hooks.py`` fails where a version behaves otherwise. The
browser's counterpart is ``assets/components/shared/streamlit.js``.
"""

from __future__ import annotations

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import forward_msg_queue

_end_as_streamlit_says = forward_msg_queue._update_script_finished_message


def hook_in() -> None:
    """Take over what is said here, for the whole process."""
    forward_msg_queue._update_script_finished_message = _end_of_parts


def _end_of_parts(msg: ForwardMsg, is_fragment_run: bool) -> ForwardMsg:
    """Let a run of parts that came to its end say so, even if the next one starts right after.

    Streamlit calls such an end early while it is still unsent. The browser then keeps what a part
    no longer has (a style, a notice) until the same part is drawn again, which may be never.
    """
    ended = msg.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
    if is_fragment_run and ended:
        return msg
    return _end_as_streamlit_says(msg, is_fragment_run)
