"""The whole run as one picture that flows, each layer of it open to whoever goes in."""

from dataclasses import replace

import streamlit as st

from core.experiments import HOME
from core.language import _, name_of
from core.locale import in_short
from core.views.map.flowing import FlowParams
from core.views.map.run import MapParams
from core.views.params import selectable
from pages.parts import place, state, tour
from pages.parts.figure import reading, record_of, show
from pages.parts.fragments import later, part
from pages.parts.machines import has_layers, working
from pages.parts.messages import cut_notice, small_print
from pages.parts.page import (
    facts,
    heading,
    milliseconds,
    open_page,
    params_of,
    try_this,
)
from pages.parts.pictures import choose, lead_to_drawing, say_which_picture
from pages.parts.runs import device, shared_runs
from pages.parts.table import places
from pages.parts.what_if import drag

SELECTED = selectable([FlowParams, MapParams])


def stage() -> None:
    """The whole run, or the ten clicks through it."""
    if tour.touring():
        tour.screen()
        return
    params = open_page(FlowParams)
    if params.picture:
        say_which_picture(state.read(FlowParams).picture)
    model = shared_runs().model(params.model, device())
    record = record_of("map.flow", params)
    state.note(replace(record, params=params).lacking())  # a place, too
    told = working(model.blueprint)
    of_text = () if params.picture else ("space-dot", "start")
    heading(
        _(record.whole.question),
        claim=_(told.claim),
        terms=(*told.terms, "logit", "counting", *of_text, "colours"),
        reads=None if params.picture else params,
    )
    cut_notice(record.whole.cut)
    with st.container(key="flow-said"):
        part("flow-reading", flow_said)
    more = {"tells": True}
    show("map.flow", params, record=record, key=tour.PICTURE, on={"drag": drag}, more=more)
    if params.picture:
        other_pictures()
        return
    # In one row where there is room, so that what if is in sight below the picture.
    with st.container(horizontal=True, vertical_alignment="center"):
        small_print(_("Type your own sentence above, or click a part of the picture to go into "
                      "it. In its strips red is above zero, blue below, and pale "
                      "near it."))  # fmt: skip
        tour.offer()


def other_pictures() -> None:
    """What else a model that looks at pictures can be given, and where one is drawn."""
    small_print(_("Choose another picture below, or click a part of the figure to go into it. In "
                  "its strips red is above zero, blue below, and pale near it."))  # fmt: skip
    choose()
    lead_to_drawing()


def flow_said() -> None:
    """What the row that is looked at says, or what switching off has changed."""
    params = params_of(FlowParams, follow=SELECTED)
    reading("map.flow", record_of("map.flow", params, selected=True))


def parts() -> None:
    """Every part of the run as a picture of its own numbers, and a way to its page."""
    if tour.touring():
        return
    flowing = params_of(FlowParams)
    params = replace(params_of(MapParams), text=flowing.read_text)  # of the tokens of the picture
    name = params.model
    model = shared_runs().model(name, device())
    record = record_of("map.run", params)
    st.markdown("## " + _("Every part in its own numbers"))
    more = _("Click a part to go to its page.")
    if has_layers(model.blueprint):
        more = _("Click a layer to open it, and a part to go to its page.")
    facts(
        name_of(name),
        _("{parameters} parameters").format(parameters=in_short(model.n_parameters)),
        _("on {device}").format(device=str(model.device).upper()),
        (_("{n} rows in {ms} ms") if params.picture else _("{n} tokens in {ms} ms")).format(
            n=" + ".join(str(len(one.units)) for one in record.trace.streams.values()),
            ms=milliseconds(record.trace.seconds),
        ),
        _("every part is a picture of its own numbers from this run"),
        more,
    )
    if flowing.off:
        small_print(
            _("These are the numbers of the picture as it stands, without what you changed under "
              "“What if”.")
            if params.picture
            else _("These are the numbers of the text as it stands in the picture, without what "
                   "you switched off or set under “What if”.")
        )  # fmt: skip
    part("reading", said)
    show("map.run", params, record=record, key="map", more={"places": places(name)})


def said() -> None:
    """What the run says, and the head and the row that are looked at."""
    params = params_of(MapParams, follow=SELECTED)
    params = replace(params, text=params_of(FlowParams).read_text)
    reading("map.run", record_of("map.run", params, selected=True))


def experiments() -> None:
    """Three clicks that show something."""
    if not tour.touring():
        try_this(HOME)


part("stage", stage)
part(place.PLACE, place.show_place)
with st.container(key="below-stage"):
    later("parts", parts)
    part("experiments", experiments)
