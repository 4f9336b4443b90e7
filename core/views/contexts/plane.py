"""A word's vectors in several sentences as points of a plane, in one layer."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import Plot, PlotAxis, Points
from core.figures.components.plot.parts import Side
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _, name_of
from core.views.contexts.occurrences import Occurrences, OfOccurrences

ROLES = ("query", "key", "value", "accent", "position", "weight")  # of the senses


class Plane(OfOccurrences):
    """A point for each sentence, in the colour of its group."""

    name = "contexts.plane"

    def values(self, record: Occurrences) -> Mapping[str, Values]:
        places, _left = record.plane
        axes = (
            record.along("sentence", _("sentence")),
            Along("direction", _("direction"), ["1", "2"]),
        )
        return {"place": Values(_("place in the plane"), places, axes)}

    def compared(self, record: Occurrences) -> Sentence:
        _places, left = record.plane
        said = sentence(
            _("{share} of how the {n} vectors differ is in this plane."),
            share=percent(left), n=str(record.n),
        )  # fmt: skip
        if not record.several:
            return said
        near = float(record.by_layer[record.layer, 2])
        nearest = sentence(
            _("The nearest other sentence is of the same group in {share} of them."),
            share=Mark(percent(near), "accent"),
        )
        return join([nearest, said])

    def draw(self, record: Occurrences) -> Plot:
        places, _left = record.plane
        sides, series = away(places), []
        for n, sense in enumerate(dict.fromkeys(record.senses)):
            own = [at for at, one in enumerate(record.senses) if one == sense]
            series.append(
                Points(
                    x=places[own, 0], y=places[own, 1], role=ROLES[n % len(ROLES)], size=11,
                    name=_("group {n}").format(n=n + 1),
                    labels=[str(record.numbers[at]) for at in own],
                    sides=[sides[at] for at in own],
                    text=[record.sentences[at] for at in own],
                    hover="{text}",
                )
            )  # fmt: skip
        wide = float(np.abs(places).max(initial=0.0)) * 1.25 or 1.0
        return Plot(
            title=_("{model}, layer {layer}: the vectors of the word in a plane").format(
                model=name_of(record.params.model), layer=record.layer_name
            ),
            x=PlotAxis(title=_("first direction"), range=(-wide, wide)),
            y=PlotAxis(title=_("second direction"), range=(-wide, wide)),
            series=series,
            height=380,
        )


def away(places: NDArray[np.float64]) -> list[Side]:
    """For each of some points ``(N, 2)``, the side on which its nearest neighbour is not."""
    if len(places) < 2:
        return ["right"] * len(places)
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    np.fill_diagonal(apart, np.inf)
    nearest = apart.argmin(axis=1)
    x, first = places[:, 0], np.arange(len(places)) < nearest  # first: of two in one place
    right = (x[nearest] > x) | ((x[nearest] == x) & first)
    return ["left" if one else "right" for one in right]
