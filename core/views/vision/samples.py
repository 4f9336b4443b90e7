"""Pictures to begin with, as tiles: our own drawings, and digits of a public collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components import Tile, Tiles
from core.figures.text import Sentence, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import NO_MODEL
from core.samples import Sample, samples
from core.views.params import param
from core.views.view import View, register
from core.views.vision.seen import pixels_of

OURS, MNIST = "Glassformer", "MNIST"  # as the samples name their source


@dataclass(frozen=True, slots=True)
class Choosing:
    """Whose pictures are shown.

    Attributes:
        samples_of: of whom.
    """

    samples_of: str = param(
        "ours", choices={"ours": N_("our drawings"), "mnist": "MNIST"}, label=N_("Samples")
    )


@register
class SamplePictures(View[Choosing, tuple[Sample, ...]]):
    """Tiles that a page lets be taken up."""

    name, Params, needs = "vision.samples", Choosing, NO_MODEL

    def compute(self, _runs: Sequence[object], params: Choosing) -> tuple[Sample, ...]:
        return chosen(params)

    def values(self, record: tuple[Sample, ...]) -> Mapping[str, Values]:
        axes = (Along("sample", _("sample"), [str(n) for n in range(len(record))]),)
        labels = np.array([one.label for one in record])
        sources = np.array([one.source for one in record])
        return {
            "label": Values(_("label"), labels, axes),
            "source": Values(_("source"), sources, axes),
        }

    def describe(self, record: tuple[Sample, ...]) -> Sentence:
        if record[0].source == OURS:
            return sentence(_("Digits that we drew. Choose one to begin with."))
        return sentence(
            _("Digits of the MNIST test set (Yann LeCun and Corinna Cortes, CC BY-SA 3.0). No "
              "model here was trained on them.")
        )  # fmt: skip

    def show(self, record: tuple[Sample, ...]) -> Tiles:
        return Tiles(
            title=_("Samples"),
            alt=str(self.describe(record)),
            tiles=[Tile(one.label) for one in record],
            pictures=np.stack([pixels_of(one.picture) for one in record]),
            columns=len(record),
            note=str(self.describe(record)),
        )


def chosen(params: Choosing) -> tuple[Sample, ...]:
    """The samples that are offered."""
    source = OURS if params.samples_of == "ours" else MNIST
    return tuple(one for one in samples() if one.source == source)
