"""What runs for every new page: navigation, the frame around the page, the page."""

from functools import partial

import streamlit as st

from core.answers.names import PageNames
from core.language import _
from core.shelf.abilities import cannot_read, model_for, sizes, translates
from pages.parts import finding, frame, onward, sentence, speaking, state
from pages.parts.first_runs import alone_at_first
from pages.parts.table import PageRow, asked_for, example, offered, opens, places
from pages.parts.visiting import in_place
from pages.shell.live import live, mended

st.set_page_config(page_title="Glassformer", page_icon="assets/icon.png", layout="wide")


def navigate() -> tuple[st.Page, PageRow]:
    """The menu, and which of its pages is open."""
    pages = {
        row: st.Page(row.file, title=_(row.title), url_path=row.address or None,
                     default=not row.address)
        for row in offered()
    }  # fmt: skip
    menu: dict[str, list[st.Page]] = {}
    for row, entry in pages.items():
        menu.setdefault(_(row.section) if row.section else "", []).append(entry)
    page = st.navigation(menu, position="top")
    return page, next(row for row, entry in pages.items() if entry == page)


with in_place():
    speaking.greet()
    page, row = navigate()
    state.open_at(row.address, st.query_params.to_dict())
    onward.arrive()
    machine = state.read(PageNames)
    if speaking.speak(machine.language):
        page, row = navigate()
    shown = model_for(machine.model, row.needs)
    sentence.opens_on(
        example(row, shown), cannot=partial(cannot_read, shown), translates=translates(shown),
        more=opens(row, shown),
    )  # fmt: skip
    shown = model_for(state.read(PageNames).model, row.needs)  # the page may open on another one
    frame.styles(machine)
    state.within(sizes(shown, *asked_for(row)))
    page_state = live(row, shown)
    frame.link(page_state)
    frame.run_bar(shown, row)
    if row.strip:
        frame.strip(shown, row, places(shown))
    onward.way_back()
    above = st.container(key="notices-place")
    with alone_at_first(row.address):
        page.run()
    with above:  # the page has read its own part of the link by now
        frame.notices(shown)
    if right := mended(page_state["values"]):
        frame.mend(right)
    finding.search()
