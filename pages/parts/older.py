"""Links of earlier versions, in the words of today's."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.names import screen_of

# The figures of all lessons shared their names: the screen and the figure, or "again" below a step.
_OF_A_FIGURE = re.compile(r"(\d{1,2}|again)([a-z]\w*)\.(\w+)")


def renamed(values: Mapping[str, str]) -> dict[str, str]:
    """The values of a link by the names that they have now.

    Args:
        values: of the link, by the names that it has for them.
    """
    lesson = values.get("lesson") or values.get("back_to", "")
    at = values.get("lesson_at") or values.get("back_at", "0")
    found: dict[str, str] = {}
    for name, value in values.items():
        old = _OF_A_FIGURE.fullmatch(name)
        if old is not None and lesson:
            again = old[1] == "again"
            screen = screen_of(lesson, at if again else old[1], again=again)
            found.setdefault(f"{screen}{old[2]}.{old[3]}", value)
        else:
            found[name] = value
    return found
