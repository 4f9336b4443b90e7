"""What the place says that somebody has gone into, below the picture of the run, and what if.

The inside of the place is drawn in the picture; it comes from here when the place is opened.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.figures.payload import Payload
from core.language import _
from core.models import places
from core.views.map.flowing import FlowParams
from core.views.map.inside import InsideParams
from core.views.map.within.made import About
from core.views.params import selectable, to_query
from pages.parts import tour
from pages.parts.components import mount
from pages.parts.figure import reading, record_of, show
from pages.parts.link import pack
from pages.parts.page import params_of
from pages.parts.prefix import page_at
from pages.parts.runs import can
from pages.parts.session import own_session
from pages.parts.table import page_of
from pages.parts.what_if import show_panel

SELECTED = selectable([FlowParams])
PLACE = "place"  # the part of the page that this is
NEAR = "near-place"  # where the pointer rested last


def show_place() -> None:
    """What a part's numbers say, and what if it were off; nothing where nobody has gone."""
    if tour.touring():
        return
    params = params_of(FlowParams, follow=("place",))
    here = places.read(params.place)
    if here is not None or params.every or st.session_state.get(NEAR):
        params = params_of(FlowParams, follow=SELECTED)  # it is that of the rows looked at
    record = record_of("map.flow", params, selected=True)
    _inside(params)
    show_panel(record, here)


def _inside(params: FlowParams) -> None:
    """Its inside for the picture, which draws it where the place is, and what its numbers say."""
    asked, here = _asked(params, params.place), {"hosted": "here"}
    record = record_of("map.inside", asked, selected=True)
    if record.layer_says:  # its parts are in the picture
        reading("map.inside", record)
    if record.opened is None:  # it only hears where the pointer rests
        mount("inside", Payload({**here, "place": ""}), key="inside", on={"near": _near})
    else:
        reading("map.inside", record)
        _more(params, record.opened.about)
        show("map.inside", asked, record=record, key="inside", more=here, on={"near": _near})
    near = st.session_state.get(NEAR, params.place)
    if near != params.place:
        show("map.inside", _asked(params, near), key="inside-near", more={"hosted": "ahead"},
             save=False)  # fmt: skip


def _asked(params: FlowParams, place: str) -> InsideParams:
    return InsideParams(
        text=params.text, model=params.model, target=params.target, picture=params.picture,
        place=place, off=params.off, swap=params.swap, token=params.token,
        source_token=params.source_token,
    )  # fmt: skip


def _near(said: Any) -> None:
    """A pointer rests on a place: its inside is sent before anybody opens it."""
    if isinstance(said, str) and places.read(said) is not None:
        st.session_state[NEAR] = said
        own_session().parts[PLACE].due = True


def _more(params: FlowParams, about: About | None) -> None:
    """A link to the page that shows more of the place, with the same chosen there."""
    if about is None:
        return
    row = page_of(about[0], params.model)
    query, left_out = pack(
        {"text": params.text, **to_query(params)}  # another page may open on an example of its own
        | {name: str(one) for name, one in about[1].items()}
    )
    if left_out or not can(params.model, row.needs):
        return
    say = _("More about this: {page}").format(page=_(row.title))
    mount("way", Payload({"say": say, "page": page_at(row.address), "query": query, "names": []}),
          key="place-more")  # fmt: skip
