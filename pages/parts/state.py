"""The learner's state, and its one home: the link.

The state is a flat set of names and short texts. The link shows those that the
page at hand reads; the others are kept for the pages that do. A link opened by
somebody else, the browser's back button and a page of the app all come in here.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

from core.figures.params import OnText, Problem, between, param, parse, to_query
from core.language import N_, _

P = TypeVar("P")

LONG_LINK = 2000  # characters from which the link is packed
LONGEST_LINK = 8000  # beyond which the text stays out of it
PACKED = "z"
VISIT = "visit"  # in the link of a click inside the app: what the browser had not yet said
UNDO_STEPS = 50
LINKS_KEPT = 200  # for the back button
# What a selection may name.
SELECTABLE = frozenset(
    {"token", "key", "layer", "head", "heads", "every", "score", "row", "col", "unit", "site",
     "scaling", "word", "step", "norm_step", "made", "cut", "stage", "merge", "join", "sheet",
     "table", "sentence", "mask", "text_part", "position_part"}
)  # fmt: skip
# What may be too long for a link, as learners know it.
IN_WORDS = {
    "text": N_("the text"),
    "model": N_("the model"),
    "partner": N_("the second model"),
    "mask": N_("the painted mask"),
    "batch": N_("the other sentences"),
    "corpus": N_("the training text"),
    "first": N_("the first sentence"),
    "second": N_("the second sentence"),
    "hide": N_("the hidden words"),
    "heads": N_("the chosen heads"),
    "ids": N_("the generated tokens"),
    "vector": N_("the vector x"),
    "gain": N_("the gain a"),
    "shift": N_("the shift b"),
    "eps": N_("the number ε"),
}
_STATE = "glassformer"


@dataclass(frozen=True, slots=True)
class Common(OnText):
    """What every page shares, besides the text and the model.

    Attributes:
        device: where the model runs.
        view: "lecture" makes everything larger and shows one stage.
    """

    device: str = param("auto", choices=("auto", "cuda", "mps", "cpu"))
    view: str = param("page", choices=("page", "lecture"))


@dataclass(frozen=True, slots=True)
class Layered:
    """The block that is looked at, the same on every page.

    Attributes:
        layer: counted from 0.
    """

    layer: int = param(2, low=0, high=255)


_Link = tuple[str, tuple[tuple[str, str], ...]]  # a page's address and its query


@dataclass(frozen=True, slots=True)
class _Moment:
    """What a link stood for when it was written.

    Attributes:
        values: the state.
        undo: the states before it: a step back in the browser undoes nothing that came after.
    """

    values: dict[str, str]
    undo: tuple[dict[str, str], ...]


@dataclass
class _Session:
    """One learner's state between script runs.

    Attributes:
        values: the state.
        written: the link's query as it was last written or taken over.
        page: the page that was shown last.
        known: for each page the names that it read in its last whole run.
        reading: those it has read so far in this run.
        touched: something was done since the last run, so a strange link is a late one.
        late: the browser asked for this run before it had the link of the last one.
        seen: what the links that were written stood for, the newest last.
        undo: earlier states, the newest last.
        last_change: names of the last change; typing on is one change.
        found: names that the link of this run brought, if it was a new one.
        problems: what was wrong in the link.
        elsewhere: the text was changed by something else than typing it.
        example: the text that the page opens on; its link need not say it.
    """

    values: dict[str, str]
    written: dict[str, str]
    page: str = ""
    known: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    reading: set[str] = dataclasses.field(default_factory=set)
    touched: bool = False
    late: bool = False
    seen: OrderedDict[_Link, _Moment] = dataclasses.field(default_factory=OrderedDict)
    undo: list[dict[str, str]] = dataclasses.field(default_factory=list)
    last_change: tuple[str, ...] = ()
    found: set[str] = dataclasses.field(default_factory=set)
    problems: list[Problem] = dataclasses.field(default_factory=list)
    elsewhere: bool = True
    example: str = ""


def _session() -> _Session:
    if _STATE not in st.session_state:
        st.session_state[_STATE] = _Session({}, {})
    session: _Session = st.session_state[_STATE]
    return session


def unpack(query: Mapping[str, str]) -> tuple[dict[str, str], list[Problem]]:
    """The values of a link's query, unpacked if they were packed, and what was wrong with it."""
    values = {name: _clean(value) for name, value in query.items() if name != PACKED}
    if PACKED not in query:
        return values, []
    packed = query[PACKED]
    try:
        data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        inflated = zlib.decompressobj().decompress(data, 100_000)  # bounded: it is a stranger's
        found = json.loads(inflated)
    except (ValueError, zlib.error, RecursionError):
        found = None
    if len(packed) > LONGEST_LINK or not isinstance(found, dict):
        return values, [Problem(PACKED, packed, _("copied whole"))]
    for name, value in found.items():
        if isinstance(value, str):
            values[_clean(name)] = _clean(value)
    return values, []


def _clean(text: str) -> str:
    """Halves of characters, which no text can be written with, become question marks."""
    return text.encode(errors="replace").decode()


def pack(values: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The query of a link for these values, and which of them stay out of it, the longest first."""
    kept = dict(values)
    out: tuple[str, ...] = ()
    while True:
        if len(urlencode(kept)) <= LONG_LINK:
            return kept, out
        data = zlib.compress(json.dumps(kept, ensure_ascii=False).encode(), 9)
        packed = base64.urlsafe_b64encode(data).decode().rstrip("=")
        if len(packed) <= LONGEST_LINK:
            return {PACKED: packed}, out
        longest = max(kept, key=lambda name: len(kept[name].encode()))
        del kept[longest]
        out = (*out, longest)


def begin(page: str) -> None:
    """Take over what the link says, at the start of a script run.

    On a new page the link adds to the state; on the same page a link that we
    did not write (an edited address) replaces what it shows. A link that we
    wrote once (the back button) brings back the state it stood for, with what
    could be undone then. After a click the state is newer than any link: the
    browser may have asked for this run before the last link had reached it. A
    click that leads to another page (``visit`` in shared.js) comes with a link
    that says so, and keeps the state.
    """
    session = _session()
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
        if name in SELECTABLE and (value is None or type(value) in (int, str))
    }


def _link(page: str, query: Mapping[str, str]) -> _Link:
    return page, tuple(sorted(query.items()))


def open_with(text: str) -> None:
    """Give a learner who has no text yet the one that this page opens on."""
    session = _session()
    session.example = text
    if text and "text" not in session.values:
        session.values["text"] = text
        session.elsewhere = True


def within(most: Mapping[str, int]) -> None:
    """Set right what a new link says beyond the size of the model that is shown.

    What the learner chose in a larger model is kept for it; the pages show the nearest there is.

    Args:
        most: names and the largest values the model has.
    """
    session = _session()
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
    session = _session()
    session.known[session.page] = session.reading
    query, _left_out = pack(_shown(session))
    if query != (session.written if session.late else st.query_params.to_dict()):
        st.query_params.from_dict(query)
    session.written = query
    link = _link(session.page, query)
    session.seen[link] = _Moment(dict(session.values), tuple(session.undo))
    session.seen.move_to_end(link)
    while len(session.seen) > LINKS_KEPT:
        session.seen.popitem(last=False)
    session.elsewhere = False


def _shown(session: _Session) -> dict[str, str]:
    """What the page's link says; not the page's own example, so that a bare address stays bare."""
    names = session.known.get(session.page, set()) | session.reading
    shown = {name: value for name, value in session.values.items() if name in names}
    if session.example and shown.get("text") == session.example:
        del shown["text"]
    return shown


def read(cls: type[P]) -> P:
    """The state as the parameters of a page or view; wrong values become defaults and are noted."""
    session = _session()
    params, problems = parse(cls, session.values)
    session.reading |= {field.name for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for problem in problems:
        if problem not in session.problems:
            session.problems.append(problem)
    # What was wrong must not stand in the link any longer.
    if problems:
        said = to_query(params)
        for problem in problems:
            session.values.pop(problem.name, None)
            if problem.name in said:
                session.values[problem.name] = said[problem.name]
    return params


def update(changes: Mapping[str, Any], *, typed: bool = False) -> None:
    """Change values by name; None takes a value back to its default.

    Args:
        changes: names and new values.
        typed: the learner is typing, so the text field already shows it.
    """
    session = _session()
    session.touched = True
    texts = {name: None if value is None else _as_text(value) for name, value in changes.items()}
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
    return f"{value:g}" if isinstance(value, float) else _clean(str(value))


def chosen(name: str) -> bool:
    """Whether a value was chosen, by the learner or by a link, or is just the default."""
    return name in _session().values


def undo() -> None:
    """Take back the last change."""
    session = _session()
    session.touched = True
    if session.undo:
        session.values = session.undo.pop()
        session.last_change, session.elsewhere = (), True


def reset() -> None:
    """Back to the first example of this page, everything as it was at the start."""
    session = _session()
    session.touched = True
    session.undo = [*session.undo[-UNDO_STEPS:], dict(session.values)]
    read_here = session.known.get(session.page, set())
    session.values = {
        name: value for name, value in session.values.items() if name not in read_here
    }
    session.last_change, session.elsewhere = (), True


def changed_elsewhere() -> bool:
    """Whether the text field must take over the state's text even while it is being typed in."""
    return _session().elsewhere


def can_undo() -> bool:
    """Whether there is a change to take back."""
    return bool(_session().undo)


def problems() -> list[Problem]:
    """What was wrong in the link, found so far in this run."""
    return _session().problems


def left_out() -> str:
    """What is too long for a link to this page, in words; empty when all of it fits."""
    _query, names = pack(_shown(_session()))
    words = (_(IN_WORDS[name]) if name in IN_WORDS else _("a setting") for name in names)
    return ", ".join(words)
