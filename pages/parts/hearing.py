"""What the browser says, in the order in which it was done, and each thing once.

Everything that our own controls say goes through the link component, which keeps it until it has
heard that it was taken (assets/components/shared/outbox.js). CONTRIBUTING.md has a drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pages.parts import state
from pages.parts.reruns import run_again
from pages.parts.session import Listener, own_session

Acts = Mapping[str, Callable[[Any], None]]

MOST = 200  # things done that one run takes over


def listen(key: str, acts: Acts, about: str | int | None = None) -> None:
    """Hear a control that the part draws which is run.

    Args:
        key: of the control.
        acts: by what is said, what to do with its value.
        about: what the control is drawn for, where one for something else may have its place: the
            question that is asked, the step that is left. What is said of another comes too late.
    """
    session = own_session()
    session.parts[session.drawing].hears[key] = Listener(acts, about)


def hear(said: Any) -> None:
    """Do what was done in the browser and was not heard before, and run again what shows it."""
    session, origins, acted = own_session(), set(), 0
    with state.aside():
        for message in said if isinstance(said, list) else []:
            n = message.get("n") if isinstance(message, dict) else None
            if type(n) is int and n > session.taken:
                if (acted := acted + 1) > MOST:  # the browser tells the rest again
                    break
                # A run of the whole page that was cut short may not have drawn what this is
                # about: it is told again.
                if session.parts[""].due and not _heard_by(message):
                    break
                session.taken = n
                origins |= _act(message)
    run_again(origins)


def _act(message: Mapping[str, Any]) -> set[str]:
    """Do it; the part whose control it was."""
    what, about = str(message.get("what")), str(message.get("about"))
    for name, control in _heard_by(message).items():
        if control.about is None or str(control.about) == about:
            control.acts[what](message.get("value"))
            return {name}
    return set()


def _heard_by(message: Mapping[str, Any]) -> dict[str, Listener]:
    """By part, the controls that hear it, whatever they were drawn for."""
    key, what = str(message.get("key")), str(message.get("what"))
    found = {name: part.hears.get(key) for name, part in own_session().parts.items()}
    return {name: one for name, one in found.items() if one is not None and what in one.acts}
