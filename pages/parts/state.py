"""The learner's state, and its one home: the link.

The state is a flat set of names and short texts. The link shows those that the
page at hand reads; the others are kept for the pages that do. A link opened by
somebody else, the browser's back button and a page of the app all come in here.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import streamlit as st

from core.views.params import (
    Problem,
    between,
    parse,
    to_query,
)
from pages.parts.link import clean, pack, unpack
from pages.parts.names import in_words, selectable
from pages.parts.session import Link, Moment, Session, own_session

P = TypeVar("P")

VISIT = "visit"  # in the link of a click inside the app: what the browser had not yet said
UNDO_STEPS = 50
LINKS_KEPT = 200  # for the back button


def begin(page: str) -> None:
    """Take over what the link says, at the start of a script run.

    On a new page the link adds to the state; on the same page a link that we
    did not write (an edited address) replaces what it shows. A link that we
    wrote once (the back button) brings back the state it stood for, with what
    could be undone then. After a click the state is newer than any link: the
    browser may have asked for this run before the last link had reached it. A
    click that leads to another page (``visit`` in visits.js) comes with a link
    that says so, and keeps the state.
    """
    session = own_session()
    query = st.query_params.to_dict()
    new_page = page != session.page
    session.late = session.touched and not new_page and query != session.written
    strange = new_page or (query != session.written and not session.late)
    if strange and VISIT in query:
        update(_said(query[VISIT]))
        session.written, session.elsewhere = query, True
    session.problems, session.found = [], set()
    session.reading, session.touched = set(), False
    if strange and VISIT not in query:
        before = session.seen.get(_link(page, query))
        if before is not None:
            session.values, session.undo = dict(before.values), list(before.undo)
            session.last_change = ()
        else:
            found, session.problems = unpack(query)
            shown = {} if new_page else unpack(session.written)[0]
            kept = {name: value for name, value in session.values.items() if name not in shown}
            session.values, session.found = kept | found, set(found)
        # Taken over from now on, even if the next request ends this run before it is written.
        session.written, session.elsewhere = query, True
    session.page = page


def _said(text: str) -> dict[str, int | str | None]:
    """What a click inside the app brings along; nothing if it cannot be read."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    return selection(said)


def selection(said: Any) -> dict[str, int | str | None]:
    """What of a browser's message names a selection; everything else it says is left out."""
    if not isinstance(said, dict):
        return {}
    return {
        name: value
        for name, value in said.items()
        if isinstance(name, str)
        and name.rpartition(".")[2] in selectable()
        and (value is None or type(value) in (int, str))
    }


def in_scope(name: str, scope: str) -> str:
    """A name as the state has it: a page's own plain, those of a further scope with a prefix."""
    return f"{scope}.{name}" if scope else name


def _link(page: str, query: Mapping[str, str]) -> Link:
    return page, tuple(sorted(query.items()))


def open_with(text: str, instead_of: Collection[str] = ()) -> None:
    """Give a learner who has no text yet the one that this page opens on.

    Args:
        text: the example; empty for the one that every page has.
        instead_of: examples in another language, which give way to it too, unless a link says them.
    """
    session = own_session()
    session.example = text
    had = session.values.get("text")
    if had in instead_of and "text" not in session.found:
        del session.values["text"]
        session.elsewhere, had = True, None
    if text and had is None:
        session.values["text"] = text
        session.elsewhere = True


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
    """Write the link, at the end of a script run: what this page reads and is not a default."""
    session = own_session()
    session.known[session.page] = session.reading
    query, _left_out = pack(_shown(session))
    if query != (session.written if session.late else st.query_params.to_dict()):
        st.query_params.from_dict(query)
    session.written = query
    link = _link(session.page, query)
    session.seen[link] = Moment(dict(session.values), tuple(session.undo))
    session.seen.move_to_end(link)
    while len(session.seen) > LINKS_KEPT:
        session.seen.popitem(last=False)
    session.elsewhere = False


def _shown(session: Session) -> dict[str, str]:
    """What the page's link says; not the page's own example, so that a bare address stays bare."""
    names = session.known.get(session.page, set()) | session.reading
    shown = {name: value for name, value in session.values.items() if name in names}
    if session.example and shown.get("text") == session.example:
        del shown["text"]
    return shown


def read(cls: type[P], scope: str = "") -> P:
    """The state as the parameters of a page or view; wrong values become defaults and are noted.

    Args:
        cls: the parameters.
        scope: of the figures; in a further scope text and model are the page's, if not its own.
    """
    session = own_session()
    names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
    full = {name: in_scope(name, scope) for name in names}
    values = {name: session.values[at] for name, at in full.items() if at in session.values}
    for name in ("text", "model"):
        if name in names and name not in values and name in session.values:
            values[name] = session.values[name]
    params, found = parse(cls, values)
    problems = [dataclasses.replace(one, name=full[one.name]) for one in found]
    session.reading |= set(full.values())
    for problem in problems:
        if problem not in session.problems:
            session.problems.append(problem)
    # What was wrong must not stand in the link any longer.
    if problems:
        said = to_query(params)
        for own, problem in zip(found, problems, strict=True):
            session.values.pop(problem.name, None)
            if own.name in said:
                session.values[problem.name] = said[own.name]
    return params


def update(changes: Mapping[str, Any], *, typed: bool = False, scope: str = "") -> None:
    """Change values by name; None takes a value back to its default.

    Args:
        changes: names and new values.
        scope: whose names they are.
        typed: the learner is typing, so the text field already shows it.
    """
    session = own_session()
    session.touched = True
    texts = {
        in_scope(name, scope): None if value is None else _as_text(value)
        for name, value in changes.items()
    }
    changed = tuple(sorted(n for n, text in texts.items() if session.values.get(n) != text))
    if not changed:
        return
    typing_on = changed == ("text",) == session.last_change
    if not typing_on:
        session.undo = [*session.undo[-UNDO_STEPS:], dict(session.values)]
    session.last_change = changed
    session.elsewhere |= not typed
    for name, text in texts.items():
        if text is None:
            session.values.pop(name, None)
        else:
            session.values[name] = text


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return f"{value:g}" if isinstance(value, float) else clean(str(value))


def chosen(name: str) -> bool:
    """Whether a value was chosen, by the learner or by a link, or is just the default."""
    return name in own_session().values


def undo() -> None:
    """Take back the last change."""
    session = own_session()
    session.touched = True
    if session.undo:
        session.values = session.undo.pop()
        session.last_change, session.elsewhere = (), True


def reset() -> None:
    """Back to the first example of this page, everything as it was at the start."""
    session = own_session()
    session.touched = True
    session.undo = [*session.undo[-UNDO_STEPS:], dict(session.values)]
    read_here = session.known.get(session.page, set())
    session.values = {
        name: value for name, value in session.values.items() if name not in read_here
    }
    session.last_change, session.elsewhere = (), True


def changed_elsewhere() -> bool:
    """Whether the text field must take over the state's text even while it is being typed in."""
    return own_session().elsewhere


def can_undo() -> bool:
    """Whether there is a change to take back."""
    return bool(own_session().undo)


def problems() -> list[Problem]:
    """What was wrong in the link, found so far in this run."""
    return own_session().problems


def left_out() -> str:
    """What is too long for a link to this page, in words; empty when all of it fits."""
    _query, names = pack(_shown(own_session()))
    return ", ".join(in_words(name.rpartition(".")[2]) for name in names)
