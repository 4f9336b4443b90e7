"""How alike a word's vectors are in each layer, within a sense and across."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Values
from core.language import _, name_of
from core.locale import in_quotes
from core.views.contexts.occurrences import Occurrences, OfOccurrences, layer_names


class Cosines(OfOccurrences):
    """Two lines: mean cosines within a group, and across."""

    name = "contexts.cosines"

    def values(self, record: Occurrences) -> Mapping[str, Values]:
        found, axes = record.by_layer, (record.along_layers,)
        return {
            "within": Values(_("mean cosine within a group"), found[:, 0], axes),
            "across": Values(_("mean cosine across groups"), found[:, 1], axes),
        }

    def compared(self, record: Occurrences) -> Sentence:
        apart = record.by_layer[:, 0] - record.by_layer[:, 1]
        if np.isnan(apart).all():
            return sentence(
                _("To compare cosines within a group and across, write two groups of sentences "
                  "with {word}, at least two of them in one group."),
                word=in_quotes(record.params.sought),
            )  # fmt: skip
        best = int(np.nanargmax(apart))
        within, across = (float(one) for one in record.by_layer[best, :2])
        return sentence(
            _("The two are furthest apart in layer {layer}: {within} within a group, {across} "
              "across groups."),
            layer=Mark(layer_names(len(record.vectors))[best], "accent"),
            within=Mark(number(within), "accent"), across=number(across),
        )  # fmt: skip

    def draw(self, record: Occurrences) -> Plot:
        lines: tuple[tuple[int, str, str, Dash], ...] = (
            (0, "accent", _("cosine within a group"), "solid"),
            (1, "muted", _("cosine across groups"), "dash"),
        )
        return Plot(
            title=_("{model}: mean cosines").format(model=name_of(record.params.model)),
            x=PlotAxis(title=_("layer"), categories=layer_names(len(record.vectors))),
            y=PlotAxis(title=_("cosine"), from_zero=True),
            series=[
                Curve(y=record.by_layer[:, n], role=role, name=name, dash=dash, markers=6,
                      hover="{name}: {y:.3f}")
                for n, role, name, dash in lines
            ],
            unified=True,
            height=360,
        )  # fmt: skip
