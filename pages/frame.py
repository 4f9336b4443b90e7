"""What runs for every rerun: navigation, the frame around the page, the page, the link."""

import streamlit as st

from core.language import _
from pages.parts import frame, state
from pages.parts.names import Common
from pages.parts.runs import model_for, sizes
from pages.parts.table import example, offered, places

st.set_page_config(page_title="Glassformer", page_icon="assets/icon.png", layout="wide")

pages = {
    row: st.Page(
        row.file, title=_(row.title), url_path=row.address or None, default=not row.address
    )
    for row in offered()
}
menu: dict[str, list[st.Page]] = {}
for row, entry in pages.items():
    menu.setdefault(_(row.section) if row.section else "", []).append(entry)
page = st.navigation(menu, position="top")
here = next(row for row, entry in pages.items() if entry == page)

state.begin(here.address)
shown = model_for(state.read(Common).model, here.needs)
state.open_with(*example(here, shown))
common = state.read(Common)
frame.styles(common)
state.within(sizes(shown))
frame.run_bar(common, shown)
frame.strip(shown, here.parts, places(shown))
notices = st.container()
page.run()
state.finish()
with notices:  # the page has read its own part of the link by now
    frame.notices(common, shown)
