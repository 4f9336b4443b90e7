"""A page whose state is the browser's: what the server says of it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection
from functools import cache
from typing import Any

from core import views
from core.views.params import to_query
from pages.parts import state, table
from pages.parts.address import LESSONS
from pages.parts.names import (
    Learning,
    Machine,
    Own,
    Touring,
    declares,
    in_words,
    says_where,
    selectable,
)
from pages.parts.sections import decks
from pages.parts.sentence import HERS, TEXT
from pages.parts.session import own_session
from pages.parts.table import Row

# A page, besides the section that is projected.
MADE_OF = ("model", "language", "device", "view")
OF_A_CLICK = re.compile(r"tour\d+\.")  # what was clicked in the picture of one


def live(row: Row) -> dict[str, Any]:
    """The state of a page as the server knows it, for the browser, whose it is from now on."""
    for view in row.views:  # what is wrong in the link is said, and stands in it no longer
        state.read(views.get(view).Params)
    names = table.names(row) | to_query(Machine(), whole=True).keys() | {TEXT, HERS, "experiment"}
    names |= {state.in_scope(name, scope) for scope in row.scopes for name in table.names(row)}
    names |= _of_the_player(row)
    turns = [one for deck in decks() for one in deck.__dataclass_fields__]
    # Which section is projected, as far as the link of this page says it.
    names |= (own_session().found | state.shown_names()) & set(turns)
    values, opened = _in_address(names)
    return {
        "values": values,
        "opened": opened,
        "selects": sorted(name for name in names if _local(name) in selectable()),
        "restarts": [
            *MADE_OF,
            *turns,
            *(state.in_scope("model", scope) for scope in row.scopes),
        ],
        "modes": ["tour"],
        "looks": sorted(name for name in names if says_where(_local(name))),
        "scoped": _scoped() if row.address in ("", LESSONS) else {"selects": [], "looks": []},
        "called": {name: in_words(_local(name)) for name in sorted(names)},
    }


def _of_the_player(row: Row) -> set[str]:
    """What says which screen of lessons is open, and what its figures show, each in its scope."""
    screens = {"": Touring, LESSONS: Learning}.get(row.address)
    if screens is None:
        return set()
    state.read(screens)
    scoped = {one for one in own_session().values if "." in one and declares(one)}
    if screens is Touring:
        scoped = set(filter(OF_A_CLICK.match, scoped))
    state.in_link(scoped)
    return scoped | {field.name for cls in (screens, Own) for field in dataclasses.fields(cls)}


@cache
def _scoped() -> dict[str, list[str]]:
    """What is selected in figures, and what says where somebody looks, whatever their scope."""
    return {"selects": sorted(selectable()), "looks": sorted(filter(says_where, selectable()))}


def _local(name: str) -> str:
    """A name without the scope that it stands in."""
    return name.rpartition(".")[2]


def _in_address(names: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Of these names what an address says, and what the page opens on, which none need say."""
    session = own_session()
    known = {name: value for name, value in session.values.items() if name in names}
    opened = {name: one for name, one in known.items() if session.opened.get(name) == one}
    if session.example and known.get("text") == session.example:
        opened["text"] = session.example
    return {name: one for name, one in known.items() if name not in opened}, opened
