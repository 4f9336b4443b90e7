"""Which parts of a page a change runs again: those that read what was changed.

The link comes first, so that the browser hears of a change before the figures that show it, and
the address bar last, when all parts have said what they read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NoReturn

from pages.parts import address, hooks, state
from pages.parts.session import own_session

LINK, BAR, ADDRESS, NOTICES = "link", "bar", "address", "notices"


def acting(act: Callable[..., None]) -> Callable[..., None]:
    """What a control of Streamlit's does, and then the parts again that show it.

    The control's own part is one of them even below the fold, as that is where the learner is.
    """
    origin = own_session().drawing

    def act_and_run(*values: Any) -> None:
        with state.aside():
            act(*values)
        run_again({origin})

    return act_and_run


def run_again(origins: Collection[str]) -> None:
    """Run again what shows the changes that were made, and what a run that was cut short left.

    Args:
        origins: the parts whose controls made them.
    """
    session = own_session()
    # What was wrong in a link is said until the learner does something; to scroll is nothing.
    said = bool(session.problems) and bool(session.changed or set(origins) - {LINK})
    if said:
        session.problems = []
    if hooks.whole():  # with this message
        return
    changed, session.changed = session.changed, set()
    outside = session.parts[""]
    # The last run of the whole did not come to its end, or the browser has dropped what it showed
    # of this page for another one, which it has left meanwhile.
    if outside.due or changed & outside.reads or hooks.script() != session.script:
        run_whole()
    for name, own in session.parts.items():
        if changed & own.reads:
            own.wanted += 1
            own.due |= not own.lazy or name in origins
    if said or address.left_out():
        session.parts[NOTICES].due = True
    due = [name for name, own in session.parts.items() if own.due]
    hooks.run_instead([LINK, *(name for name in due if name not in (LINK, ADDRESS)), ADDRESS])


def run_whole() -> NoReturn:
    """Run the whole page again; a message that comes before it has begun must not replace it."""
    session = own_session()
    session.parts[""].due = True
    hooks.open_whole(session.script)
