"""Parts of a page that are run again by themselves.

A part reads the learner's state and asks the cache; it is given no records, which would be kept
from run to run. What lies below the fold is drawn when the browser says that it is near.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.figures.payload import Payload
from pages.parts import hooks, state
from pages.parts.components import mount
from pages.parts.reruns import run_whole
from pages.parts.session import Part, own_session
from pages.parts.visiting import in_place


def part(name: str, draw: Callable[[], None]) -> None:
    """Draw a part of the page.

    Args:
        name: on this page.
        draw: what it shows; it reads the state itself.
    """
    _placed(name, lazy=False)
    _fragment(name, draw)


def _placed(name: str, *, lazy: bool) -> None:
    """Note that a part is on the page, and how it is drawn there: a lecture draws it at once."""
    session = own_session()
    own = session.parts.setdefault(name, Part())
    own.near |= state.looked_for()
    own.placed, own.lazy = True, lazy


def _fragment(name: str, draw: Callable[[], None]) -> None:
    @st.fragment(key=name)
    def run() -> None:
        # A message from another page than the server's: the browser has dropped what it showed.
        if not hooks.whole() and hooks.script() != own_session().script:
            run_whole()
        with in_place(), state.drawing(name) as own:
            own.drawn = own.wanted
            draw()

    # When this part is run right after the whole page, Streamlit drops what it had not sent of it
    # yet. The container keeps its place on the page, or what stands below would find no room.
    with st.container():
        run()


def later(name: str, draw: Callable[[], None]) -> None:
    """Draw a part of the page when the learner comes near, and a place for it until then.

    Args:
        name: on this page.
        draw: what it shows; it reads the state itself.
    """
    _placed(name, lazy=True)

    def when_near() -> None:
        session = own_session()
        own = session.parts[name]
        place = {"page": session.page, "part": name, "drawn": own.drawn if own.near else -1}
        mount("near", Payload(place), key=f"near-{name}")
        if own.near:
            draw()

    _fragment(name, when_near)
