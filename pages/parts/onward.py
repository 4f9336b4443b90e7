"""From a lesson's figure to the page that shows the same, and back to the step she came from.

Both ways are links: they hold all that is shown, so that they survive a reload and can be copied.
"""

from __future__ import annotations

import streamlit as st

from core.answers.names import LESSONS, Came, screen_of
from core.figures.payload import Payload
from core.language import _, language
from core.lessons import Lesson, lesson, lesson_ids
from core.views.params import to_query
from pages.parts import sentence, state
from pages.parts.components import mount
from pages.parts.prefix import page_at


def arrive() -> None:
    """After the link was read: the sentence of the figure that she looks at is none of her own."""
    came = state.read(Came)
    if came.back_to and state.current_page().address != LESSONS:
        sentence.of_a_lesson(came.back_text)


def chosen_there() -> dict[str, str]:
    """What she has chosen in the figures of the step that she came from."""
    came = state.read(Came)
    screen = screen_of(came.back_to, came.back_at)
    values = state.current_page().values.items()
    inputs = {name: value for name, value in values if came.back_to and name.startswith(screen)}
    # After the screen stands the name of a figure, and no further digit of another screen's.
    return {name: value for name, value in inputs.items() if name[len(screen) :][:1].isalpha()}


def way_back() -> None:
    """The line that leads back, as long as she came from a lesson."""
    came = state.read(Came)
    lesson_ = lesson(came.back_to, language()) if came.back_to in lesson_ids() else None
    if not isinstance(lesson_, Lesson):
        return
    # Counted as above the lesson: the questions before it are no step.
    n = came.back_at + 1 - lesson_.first
    query = {"lesson": came.back_to, "lesson_at": str(came.back_at), **chosen_there()}
    payload = {
        "say": _("Back to the lesson: {title}, step {n}").format(title=lesson_.title, n=n),
        "page": page_at(LESSONS),
        "query": query,
        "text": "back_text",  # what is typed meanwhile, the lesson runs, too
        "names": [],
        "leave": _("Stay here and remove this line"),
        "leaves": sorted(to_query(came, whole=True)),
    }
    with st.container(key="way-back-place"):
        mount("way", Payload(payload), key="way-back")
