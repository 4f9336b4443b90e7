"""The inside of the place at which a run is told, in the tour and in a lesson."""

from __future__ import annotations

from core.models import places
from core.views.map.flowing import FlowParams
from core.views.map.inside import InsideParams
from pages.parts.figure import record_of, show


def tell_inside(params: FlowParams, scope: str) -> None:
    """What is in the place that a run is told at; nothing where it is told as a whole.

    Args:
        params: of the picture.
        scope: whose selection it shares.
    """
    if places.read(params.place) is None:
        return
    asked = InsideParams(text=params.text, model=params.model, place=params.place,
                         off=params.off, reached=params.reached)  # fmt: skip
    show("map.inside", asked, record=record_of("map.inside", asked), key="told-inside",
         scope=scope, save=False, more={"hosted": True, "told": True})  # fmt: skip
