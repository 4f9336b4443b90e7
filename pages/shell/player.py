"""The player of lessons on a page: the list, a lesson, or the ten clicks of the home page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from core.answers.app import LESSON_FILES
from core.answers.names import Touring, says_where, selectable
from core.figures.payload import Payload
from core.language import _, language
from core.lessons.player import labels_of_progress
from core.lessons.study import LONGEST
from pages.parts import state
from pages.parts.components import mount
from pages.parts.prefix import prefix


def player(*, anew: bool = False) -> None:
    """Mount it; what it shows is said by the state of the page.

    Args:
        anew: whoever begins with the first click is asked anew.
    """
    _mount("lesson", anew=anew)


def question(page: str, names: Mapping[str, int] = MappingProxyType({})) -> None:
    """Mount a question of a page, which needs no figure (``core.lessons.on_pages``).

    Args:
        page: under which its answers are kept.
        names: what it knows of the run on the page.
    """
    _mount(f"question-{page}", asks={"_page": page, "_names": json.dumps(dict(names))})


def _mount(key: str, *, anew: bool = False, asks: Mapping[str, str] = MappingProxyType({})) -> None:
    header = {
        "path": f"{prefix()}{LESSON_FILES}/screen",
        "speaks": language(),
        "looks": sorted(filter(says_where, selectable())),
        "labels": {"lost": _("No answer. What is shown stays, and it is asked again.")},
        "progress": {"longest": LONGEST, "labels": labels_of_progress()},
        "anew": anew,
        "asks": dict(asks),
    }
    mount("lesson", Payload(header), key=key)


def touring() -> bool:
    """Whether the home page shows the ten clicks."""
    return state.read(Touring).tour > 0
