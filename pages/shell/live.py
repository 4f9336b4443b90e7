"""A page whose state is the browser's: what the server says of it."""

from __future__ import annotations

import dataclasses
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


def live(row: Row) -> dict[str, Any]:
    """The state of a page as the server knows it, for the browser, whose it is from now on."""
    for view in row.views:  # what is wrong in the link is said, and stands in it no longer
        state.read(views.get(view).Params)
    names = table.names(row) | to_query(Machine(), whole=True).keys() | {TEXT, HERS, "experiment"}
    names |= {state.in_scope(name, scope) for scope in row.scopes for name in table.names(row)}
    if not row.address:
        names |= {field.name for cls in (Touring, Own) for field in dataclasses.fields(cls)}
        names |= {one for one in own_session().values if one.startswith("tour")}
    if row.address == LESSONS:  # whose figures have scopes of their own, by lesson and step
        state.read(Learning)  # so that what a link says wrong is said
        names |= {field.name for cls in (Learning, Own) for field in dataclasses.fields(cls)}
        names |= {one for one in own_session().values if "." in one and declares(one)}
    values, opened = _in_address(names)
    return {
        "values": values,
        "opened": opened,
        "selects": sorted(name for name in names if _local(name) in selectable()),
        "restarts": [*MADE_OF, *(one for deck in decks() for one in deck.__dataclass_fields__)],
        "modes": ["tour"],
        "looks": sorted(name for name in names if says_where(_local(name))),
        "scoped": _scoped() if row.address in ("", LESSONS) else {"selects": [], "looks": []},
        "called": {name: in_words(_local(name)) for name in sorted(names)},
    }


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
