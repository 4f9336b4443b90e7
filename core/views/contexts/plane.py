"""A word's vectors in several sentences as points of a plane, in one layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.analysis.contexts import flattened, same_sense
from core.figures.components.plot import Plot, PlotAxis, Points
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _, name_of
from core.runs.requests import Request
from core.runs.results import Run
from core.views.contexts.occurrences import (
    NEEDS,
    Occurrences,
    Occurring,
    layer_names,
    occurrence_requests,
    occurrences,
    too_few,
)
from core.views.view import View, register

ROLES = ("query", "key", "value", "accent", "position", "weight")  # of the senses


@register
class Plane(View[Occurring, Occurrences]):
    """A point for each sentence, in the colour of its group."""

    name, Params, needs = "contexts.plane", Occurring, NEEDS

    def requests(self, params: Occurring) -> tuple[Request, ...]:
        return occurrence_requests(params)

    def compute(self, runs: Sequence[Run], params: Occurring) -> Occurrences:
        return occurrences(runs, params)

    def values(self, record: Occurrences) -> Mapping[str, Values]:
        places, _left = flattened(record.vectors[record.layer])
        axes = (
            record.along("sentence", _("sentence")),
            Along("direction", _("direction"), ["1", "2"]),
        )
        return {"place": Values(_("place in the plane"), places, axes)}

    def describe(self, record: Occurrences) -> Sentence:
        few = too_few(record)
        if few:
            return sentence("{few}", few=few)
        _places, left = flattened(record.vectors[record.layer])
        said = sentence(
            _("{share} of how the {n} vectors differ is in this plane."),
            share=percent(left), n=str(record.n),
        )  # fmt: skip
        if not record.several:
            return said
        near = same_sense(record.alike[record.layer], record.senses)
        nearest = sentence(
            _("The nearest other sentence is of the same group in {share} of them."),
            share=Mark(percent(near), "accent"),
        )
        return join([nearest, said])

    def show(self, record: Occurrences) -> Plot:
        places, _left = flattened(record.vectors[record.layer])
        series = []
        for n, sense in enumerate(dict.fromkeys(record.senses)):
            own = [at for at, one in enumerate(record.senses) if one == sense]
            series.append(
                Points(
                    x=places[own, 0], y=places[own, 1], role=ROLES[n % len(ROLES)], size=11,
                    name=_("group {n}").format(n=n + 1),
                    labels=[str(at + 1) for at in own],
                    text=[record.sentences[at] for at in own],
                    hover="{text}",
                )
            )  # fmt: skip
        layer = layer_names(len(record.vectors))[record.layer]
        wide = float(np.abs(places).max(initial=0.0)) * 1.25 or 1.0
        return Plot(
            title=_("{model}, layer {layer}: the vectors of the word in a plane").format(
                model=name_of(record.params.model), layer=layer
            ),
            alt=str(self.describe(record)),
            x=PlotAxis(title=_("first direction"), range=(-wide, wide)),
            y=PlotAxis(title=_("second direction"), range=(-wide, wide)),
            series=series,
            height=380,
        )
