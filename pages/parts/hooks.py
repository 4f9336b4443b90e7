"""What the server relies on inside Streamlit, beyond its documented interface.

Tried on Streamlit 1.67; ``tests/app/test_hooks.py`` fails where a version behaves otherwise. The
browser's counterpart is ``assets/components/shared/streamlit.js``.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

_clear_as_streamlit_does = ForwardMsgQueue.clear


def hook_in() -> None:
    """Take over what is said here, for the whole process."""
    ForwardMsgQueue.clear = _clear  # type: ignore[method-assign]


def _clear(
    self: ForwardMsgQueue,
    retain_lifecycle_msgs: bool = False,
    fragment_ids_this_run: list[str] | None = None,
) -> None:
    """Let a run of parts that came to its end say so, even if the next one starts right after.

    Streamlit calls such an end early while it is still unsent. The browser then keeps what a part
    no longer has (a style, a notice) until the same part is drawn again, which may be never. Parts
    that the next run draws too are left to its end: what was drawn in them is unsent as well, and
    an end without it would take from the page what is there.
    """
    ended = [message for message in self._queue if _is_the_end_of_parts(message)]
    _clear_as_streamlit_does(self, retain_lifecycle_msgs, fragment_ids_this_run)
    if fragment_ids_this_run is not None:
        for message in ended:
            _end_of_others(message, fragment_ids_this_run)


def _is_the_end_of_parts(message: ForwardMsg) -> bool:
    return (
        message.WhichOneof("type") == "script_finished"
        and message.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
    )


def _end_of_others(message: ForwardMsg, next_parts: Sequence[str]) -> None:
    ids = message.metadata.run.fragment_ids
    others = [one for one in ids if one not in next_parts]
    if others:
        message.script_finished = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
        ids[:] = others
