"""In which layer the senses of a word part."""

from __future__ import annotations

from collections.abc import Mapping

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Values
from core.language import _, name_of
from core.locale import in_quotes
from core.views.contexts.occurrences import Occurrences, OfOccurrences, layer_names


class Layers(OfOccurrences):
    """The share of sentences whose nearest other one is of the same group."""

    name = "contexts.layers"

    def values(self, record: Occurrences) -> Mapping[str, Values]:
        same = record.by_layer[:, 2]
        return {"same": Values(_("nearest is of the same group"), same, (record.along_layers,))}

    def compared(self, record: Occurrences) -> Sentence:
        if not record.several:
            return sentence(
                _("Leave an empty line between sentences in which {word} has different senses: "
                  "then the layers can be asked whether they tell them apart."),
                word=in_quotes(record.params.sought),
            )  # fmt: skip
        found, names = record.by_layer, layer_names(len(record.vectors))
        # Before the first layer nothing has been read: what parts there are the positions.
        before = record.params.layers_before
        best = before + int(found[before:, 2].argmax())
        own = sentence(
            _("Without context, {static} of the nearest neighbours of {word} in {model} are of the "
              "same group: that is chance. After layer {layer} it is {best}."),
            static=percent(float(found[0, 2])), word=in_quotes(record.params.sought),
            model=name_of(record.params.model), layer=Mark(names[best], "accent"),
            best=Mark(percent(float(found[best, 2])), "accent"),
        )  # fmt: skip
        at_input = found[before - 1, 2]
        if not at_input > found[0, 2]:
            return own
        return join([own, sentence(
            _("At the input it is {share} already, but no other word has been read there: the "
              "positions of the word differ between the groups."),
            share=percent(float(at_input)),
        )])  # fmt: skip

    def draw(self, record: Occurrences) -> Plot:
        found, names = record.by_layer, layer_names(len(record.vectors))
        return Plot(
            title=_("{model}: the nearest sentence is of the same group").format(
                model=name_of(record.params.model)
            ),
            x=PlotAxis(title=_("layer"), categories=names),
            y=PlotAxis(title=_("share of the sentences"), range=(0, 1.05)),
            series=[
                Curve(y=found[:, 2], role="position", markers=6, hover="{name}: {y:.3f}",
                      name=_("share whose nearest is of the same group"))
            ],
            height=360,
        )  # fmt: skip
