"""The page's link, which is the one home of the learner's state.

It shows what the page at hand reads; the rest is kept for the pages that do. A link opened by
somebody else, the browser's back button and a page of the app all come in here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

import streamlit as st

from core.experiments import BY_ID
from core.locale import listed
from core.views.params import Problem, between
from pages.parts import hooks, sentence
from pages.parts.limits import ECHOED, STATES_KEPT, bounded, declared_only, size
from pages.parts.link import pack, unpack
from pages.parts.names import BAR_MODEL, in_words
from pages.parts.older import renamed
from pages.parts.session import Link, Moment, Part, Session, own_session
from pages.parts.state import give_back_model, selection, shown_names, update

LESSONS = "lessons"  # the address of their page
VISIT = "visit"  # in the link of a click inside the app: what the browser had not yet said
LINKS_KEPT = 200  # for the back button
LONGEST_KEPT = 200  # characters of a value that the browser keeps for a server that has lost it


def begin(page: str, names: Collection[str] = ()) -> None:
    """Take over what the link says, at the start of a script run.

    It counts where the browser goes by it: to another page, or through its history. Else the state
    is newer, for the browser may have asked for this run before the last link had reached it.

    Args:
        page: its address.
        names: what its link may say, besides what its parts read: not all may be drawn yet.
    """
    session = own_session()
    query = st.query_params.to_dict()
    new_page = page != session.page or not session.script
    session.found, session.returned = set(), False
    if new_page or (hooks.went_back() and query != session.written):
        session.problems = []
        _take_over(_link(page, query), new_page)
        # From now on, even if the next request ends this run before it is written.
        session.written = query
    session.page, session.script = page, hooks.script()
    session.drawing, session.changed = "", set()
    # What was done on the page before may be heard only now.
    left = {key: one for part in session.parts.values() for key, one in part.hears.items()}
    session.parts = {} if new_page else session.parts
    for part in session.parts.values():
        part.placed = False
    hears = left if new_page else {}
    session.parts[""] = Part(placed=True, due=True, names=set(names), hears=hears)


def _take_over(link: Link, new_page: bool) -> None:
    """Bring the state to what a link says.

    On a new page the link adds to the state; on the same page it replaces what that shows. A link
    that we wrote once (the back button) brings back the state it stood for, with what could be
    undone then. A click inside the app (``visit`` in moving.js) comes with a link that says so, and
    keeps the state; only a server that does not know it takes it from there.
    """
    session = own_session()
    query, old = dict(link[1]), session.values
    inside, before = query.pop(VISIT, None), session.seen.get(link)
    if before is not None:
        session.values, session.undo = dict(before.values), list(before.undo)
        session.last_change, session.returned = (), True
    elif inside is None or not session.script:
        found, session.problems = _values(query)
        shown = {} if new_page else _values(session.written)[0]
        kept = {name: value for name, value in session.values.items() if name not in shown}
        session.values, session.found = bounded(kept | found), set(found)
        if "model" in found:
            session.values.pop(BAR_MODEL, None)
    stays = before is None and bool(session.script) and _stays(inside)
    if before is None and not stays and new_page and "model" not in session.found:
        _give_back_model_of_card()
    if before is None and not stays and (new_page or sentence.TEXT in session.found):
        sentence.goes_along(old, session.found, inside=bool(session.script))
    if inside is not None:
        said = _said(inside)
        update(said)
        if new_page and session.script and not link[0]:
            _whole(said)
        if link[0] == LESSONS and not query and "lesson" not in said:
            update({"lesson": None, "lesson_at": None})  # the list of all


def _give_back_model_of_card() -> None:
    """The model that an experiment put in the place of hers stays on its page."""
    values = own_session().values
    tried = BY_ID.get(values.get("experiment", ""))
    if tried is not None and tried.after.get("model", "") == values.get("model"):
        give_back_model()


def _whole(said: Mapping[str, int | str | None]) -> None:
    """Home shows the whole model at rest, and the one of the bar, unless a click asks for more."""
    for name in ("place", "tour"):
        if said.get(name) is None:
            own_session().values.pop(name, None)
    give_back_model()


def _values(query: Mapping[str, str]) -> tuple[dict[str, str], list[Problem]]:
    """What a link says that is declared, by the names of today, and what was wrong with it."""
    values, problems = unpack(query)
    return declared_only(renamed(values)), problems


def _said(text: str) -> dict[str, int | str | None]:
    """What a click inside the app brings along; nothing if it cannot be read."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    return selection(said)


def _stays(text: str | None) -> bool:
    """Whether a click was in a figure: its text is what is looked at on the next page, too."""
    try:
        said = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("stays") is True


def _link(page: str, query: Mapping[str, str]) -> Link:
    return page, tuple(sorted(query.items()))


def open_with(
    text: str,
    *,
    cannot: Callable[[str], bool] = lambda _text: False,
    translates: bool = False,
    more: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Give a learner who has chosen nothing yet what this page opens on.

    Args:
        text: the example; empty for the one that every page has.
        cannot: whether it cannot read a text. Then the example stands in the place of hers when
            she comes to it; whatever she or a link says there is run all the same.
        translates: its model does, and runs what she has typed for such models.
        more: further values by their names, until another page is opened.
    """
    session = own_session()
    for name, value in session.opened.items():
        if session.values.get(name) == value and name not in session.found:
            del session.values[name]
    # What she has chosen herself stays hers, also where the page would have opened on it.
    session.opens = dict(more)
    session.opened = {name: at for name, at in more.items() if name not in session.values}
    session.values = session.opened | session.values
    came, session.reads = session.reads != (session.page, text), (session.page, text)
    asked = session.returned or sentence.TEXT in session.found
    own = sentence.hers(session.values)
    sentence.opens_on(text, instead=bool(text) and came and not asked and cannot(own))
    sentence.opens_abroad(translates=translates, came=came, asked=asked, cannot=cannot)


def within(most: Mapping[str, int]) -> None:
    """Set right what a new link says beyond the size of the model that is shown.

    What the learner chose in a larger model is kept for it; the pages show the nearest there is.

    Args:
        most: names and the largest values the model has.
    """
    session = own_session()
    for name in sorted(session.found & most.keys()):
        try:
            value = int(session.values[name])
        except ValueError:
            continue  # said when it is read
        if value > most[name]:
            got, used = session.values[name], str(most[name])
            session.problems.append(Problem(name, got, between(0, most[name]), used))
            session.values[name] = used


def finish() -> None:
    """Write the link, at the end of a run: what this page reads and is not a default."""
    session = own_session()
    if session.parts[""].due:  # all of it was run
        session.parts = {name: one for name, one in session.parts.items() if one.placed}
    query, _left_out = pack(_shown(session))
    if query != session.written:
        st.query_params.from_dict(query)
    session.written = query
    link = _link(session.page, query)
    # What the page opens on it opens on again.
    own = {n: value for n, value in session.values.items() if session.opened.get(n) != value}
    session.seen[link] = Moment(own, tuple(session.undo), size(own))
    session.seen.move_to_end(link)
    while len(session.seen) > LINKS_KEPT or _size_of(session.seen.values()) > STATES_KEPT:
        session.seen.popitem(last=False)
    # Not before: of a run that is cut short the browser keeps what a part no longer has.
    for one in session.parts.values():
        one.due = False


def _size_of(moments: Collection[Moment]) -> int:
    return sum(one.size for one in moments)


def _shown(session: Session) -> dict[str, str]:
    """What the page's link says; not the page's own example, so that a bare address stays bare."""
    names = shown_names()
    shown = {name: value for name, value in session.values.items() if name in names}
    if not shown.get(sentence.HERS):
        shown.pop(sentence.HERS, None)
    if session.example and shown.get("text") == session.example:
        del shown["text"]
    return {name: one for name, one in shown.items() if session.opened.get(name) != one}


def unsaid() -> dict[str, str]:
    """What other pages show, and this one's link does not say; the browser keeps it meanwhile."""
    shown, room, found = shown_names(), ECHOED, {}
    for name, one in reversed(own_session().values.items()):
        if name in shown or len(one) > LONGEST_KEPT:
            continue
        room -= len(name) + len(one)
        if room < 0:
            break
        found[name] = one
    return found


def left_out() -> str:
    """What is too long for a link to this page, in words; empty when all of it fits."""
    _query, names = pack(_shown(own_session()))
    return listed(in_words(name) for name in names)
