"""A page whose state is the browser's: what the server says of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from core import views
from core.answers.names import (
    LESSONS,
    Came,
    Layered,
    Learning,
    LookedUpTerm,
    Own,
    PageNames,
    Touring,
    TriedExperiment,
    declares,
    in_words,
    says_where,
    selectable,
)
from core.experiments import BY_ID
from core.shelf.abilities import translates
from core.views.params import to_query
from pages.parts import state, table
from pages.parts.onward import chosen_there
from pages.parts.sentence import HERS, TEXT
from pages.parts.table import PageRow
from pages.shell.offers import written

# A page, besides the section that is projected.
MADE_OF = ("model", "language", "device", "view")
GLOSSARY = "glossary"  # the address of its page
OF_A_CLICK = re.compile(r"tour\d+\.")  # what was clicked in the picture of one


def live(row: PageRow, model: str) -> dict[str, Any]:
    """The state of a page as its address says it, for the browser, whose it is from now on.

    Args:
        row: the page.
        model: that it runs.
    """
    for view in row.views:  # what is wrong in the link is said, and stands in it no longer
        state.read(views.get(view).Params)
    page = state.current_page()
    names = _names(row)
    values = {name: value for name, value in page.values.items() if name in names}
    tried = BY_ID.get(values.get("experiment", ""))
    return {
        "address": row.address,
        "values": values,
        "opened": page.opened,
        "translates": translates(model),
        "tried": {} if tried is None else written(tried),
        "asks": sorted(table.asks(row)),
        "selects": sorted(name for name in names if _local(name) in selectable()),
        "restarts": [
            *MADE_OF,
            *_turns(row),
            *(state.in_scope("model", scope) for scope in row.scopes),
        ],
        "sections": _turns(row),
        "modes": ["tour"],
        "looks": sorted(name for name in names if says_where(_local(name))),
        "scoped": _scoped() if row.address in ("", LESSONS) else {"selects": [], "looks": []},
        "called": {name: in_words(_local(name)) for name in sorted(names)},
    }


def mended(before: Mapping[str, str]) -> dict[str, str | None]:
    """What the page has set right of its link since the browser was told of it.

    Args:
        before: the values that it was told.
    """
    now = state.current_page().values
    return {name: now.get(name) for name, value in before.items() if now.get(name) != value}


def _names(row: PageRow) -> set[str]:
    """What the address of a page may say."""
    names = table.names(row) | to_query(PageNames(), whole=True).keys()
    names |= {state.in_scope(name, scope) for scope in row.scopes for name in names}
    names |= {
        TEXT,
        HERS,
        *(field.name for cls in (Came, Layered, TriedExperiment) for field in fields(cls)),
    }
    if row.address == GLOSSARY:
        names |= {field.name for field in fields(LookedUpTerm)}
    names |= _of_the_player(row) | chosen_there().keys()
    return {*names, *_turns(row)}


def _turns(row: PageRow) -> list[str]:
    """What says which section of a page is projected; nothing while all of them are shown."""
    return [row.deck] if row.deck and state.lecture() else []


def _of_the_player(row: PageRow) -> set[str]:
    """What says which screen of lessons is open, and what its figures show, each in its scope."""
    screens = {"": Touring, LESSONS: Learning}.get(row.address)
    if screens is None:
        return set()
    state.read(screens)
    scoped = {name_ for name_ in state.current_page().values if "." in name_ and declares(name_)}
    if screens is Touring:
        scoped = set(filter(OF_A_CLICK.match, scoped))
    return scoped | {field.name for cls in (screens, Own) for field in fields(cls)}


@cache
def _scoped() -> dict[str, list[str]]:
    """What is selected in figures, and what says where somebody looks, whatever their scope."""
    return {"selects": sorted(selectable()), "looks": sorted(filter(says_where, selectable()))}


def _local(name: str) -> str:
    """A name without the scope that it stands in."""
    return name.rpartition(".")[2]
