"""What runs for every new page: navigation, the frame around the page, the page, the link."""

from functools import partial
from typing import Any

import streamlit as st

from core.language import _
from pages.parts import address, finding, frame, onward, speaking, state
from pages.parts.first_runs import alone_at_first
from pages.parts.fragments import part
from pages.parts.names import Machine
from pages.parts.reruns import ADDRESS, BAR, LINK, NOTICES
from pages.parts.runs import model_for, sizes
from pages.parts.table import (
    BEFORE,
    Row,
    asks,
    cannot_read,
    example,
    names,
    offered,
    opens,
    places,
    translates,
)
from pages.parts.visiting import in_place
from pages.shell.live import live

st.set_page_config(page_title="Glassformer", page_icon="assets/icon.png", layout="wide")


def navigate() -> tuple[st.Page, Row]:
    """The menu, and which of its pages is open."""
    pages = {
        row: st.Page(
            row.file, title=_(row.title), url_path=row.address or None, default=not row.address,
            visibility="hidden" if row in BEFORE else "visible",
        )
        for row in (*offered(), *BEFORE)
    }  # fmt: skip
    menu: dict[str, list[st.Page]] = {}
    for row, entry in pages.items():
        menu.setdefault(_(row.section) if row.section else "", []).append(entry)
    page = st.navigation(menu, position="top")
    return page, next(row for row, entry in pages.items() if entry == page)


def of_browser(here: Row) -> dict[str, Any] | None:
    """The state of a page whose figures ask for themselves."""
    return live(here) if here.live else None


with in_place():
    speaking.greet()
    page, here = navigate()
    address.begin(here.address, names(here))
    onward.arrive(here.address)
    machine = state.read(Machine)
    if speaking.speak(machine.language):
        page, here = navigate()
    shown = model_for(machine.model, here.needs)
    address.open_with(
        example(here, shown), cannot=partial(cannot_read, shown), translates=translates(shown),
        more=opens(here, shown),
    )  # fmt: skip
    shown = model_for(state.read(Machine).model, here.needs)  # the page may open on another one
    frame.styles(machine)
    address.within(sizes(shown))
    part(LINK, lambda: frame.link(asks(here), of_browser(here)))
    part(BAR, lambda: frame.run_bar(shown, here))
    if here.strip:
        part("strip", lambda: frame.strip(shown, here, places(shown)))
    onward.way_back()
    above = st.container(key="notices-place")
    with alone_at_first(here.address):
        page.run()
    with above:  # the page has read its own part of the link by now
        part(NOTICES, lambda: frame.notices(shown))
    finding.search()
    part(ADDRESS, address.finish)
