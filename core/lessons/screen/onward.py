"""What belongs to a figure of a lesson: the way to its page, and the inside of a place."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any

from core.answers.app import AppPage
from core.answers.link import pack
from core.answers.names import Came, selectable
from core.errors import CoreError
from core.language import _
from core.lessons.screen.blocks import Block, Parts, component
from core.lessons.screen.learner import Learner
from core.lessons.world import ShownFigure
from core.models import places
from core.views import get
from core.views.map.inside import InsideParams
from core.views.map.story import FlowParams
from core.views.params import declared, to_query


def onward(
    learner: Learner,
    shown: ShownFigure,
    came: Came,
    scope: str,
    scopes: Collection[str],
    selected: Any,
) -> list[Block]:
    """A link under a figure to the page that shows it, with all that is chosen in it.

    Args:
        learner: who asks for the screen.
        shown: the figure.
        came: what the way back leads to.
        scope: of the figure.
        scopes: of all figures of the step, whose state is wanted again on the way back.
        selected: the parameters with what the lesson selects.
    """
    try:
        row = learner.app.page_of(shown.figure.view, getattr(shown.params, "model", ""))
    except KeyError:
        return []  # no page shows it
    came = dataclasses.replace(came, back_from=shown.figure.view)
    every = to_query(selected, whole=True)
    values = {name: value for name, value in every.items() if value or name in learner.values}
    # What the browser may still change must not be packed away.
    fixed = {name: value for name, value in values.items() if name not in selectable()}
    fixed, left_out = pack(fixed | to_query(came))
    if left_out:
        return []  # it would show something else there
    kept_names = {
        name: value for name, value in learner.values.items()
        if name.rpartition(".")[0] in scopes
    }  # fmt: skip
    query = fixed | {name: values[name] for name in values.keys() & selectable()} | kept_names
    names = [name for name in values if declared(shown.params, name).lives == "browser"]
    header = {"say": _named(row), "page": learner.app.at(row.address), "query": query,
              "names": names, "scope": scope}  # fmt: skip
    return [component(f"way-{scope}-{shown.figure.name}", "way", header)]


def _named(row: AppPage) -> str:
    """Where the link leads."""
    if not row.address:
        return _("Open on the map of the model")
    if row.section:
        sentence = _("Open on the page “{section}: {page}”")
        return sentence.format(section=_(row.section), page=_(row.title))
    return _("Open on the page “{page}”").format(page=_(row.title))


def inside(shown: ShownFigure, scope: str, learner: Learner, parts: Parts) -> list[Block]:
    """The inside of the place that a run is told at, drawn by the map; nothing without one."""
    params = shown.params
    if not isinstance(params, FlowParams) or places.read(params.place) is None:
        return []
    inside_params = InsideParams(text=params.text, model=params.model, place=params.place,
                                 off=params.off, reached=params.reached)  # fmt: skip
    view = get("map.inside")
    try:
        record = view.compute(
            [learner.answer(request) for request in view.requests(inside_params)], inside_params
        )
    except CoreError:
        return []  # the map says it
    part = parts.add(view.show(record), scope=scope, hosted=True, told=True)
    return [{"kind": "figure", "key": f"inside-{scope}", "parts": [part]}]
