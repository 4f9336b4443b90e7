"""Pictures to begin with, as tiles: our own drawings, and those of public collections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components import Tile, Tiles
from core.figures.text import Sentence, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import NO_MODEL
from core.samples import Sample, label_called, samples
from core.views.controls import Control
from core.views.params import declared, param
from core.views.view import View
from core.views.vision.seen import pixels_of

# As the samples name their source, by what a link says.
SOURCES: Mapping[str, tuple[str, ...]] = {
    "ours": ("Glassformer",),
    "mnist": ("MNIST",),
    "things": ("Openclipart", "Stéfan van der Walt"),
}


_SAID: Mapping[str, str] = {
    "ours": N_("Digits that we drew. Choose one to begin with."),
    "mnist": N_("Digits of the MNIST test set (Yann LeCun and Corinna Cortes, CC BY-SA 3.0). No "
                "model here was trained on them."),
    "things": N_("Drawings from Openclipart (public domain), and a photograph of a cat by Stéfan "
                 "van der Walt (CC0). No model here was trained on them, and what was learned from "
                 "photographs may fail on a drawing."),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choosing:
    """Whose pictures are shown.

    Attributes:
        samples_of: of whom.
        samples_size: those of this size alone, such as 28x28; empty for any.
    """

    samples_of: str = param(
        "ours",
        choices={
            "ours": N_("our drawings"),
            "mnist": "MNIST",
            "things": N_("animals and vehicles"),
        },
        label=N_("Samples"),
    )
    samples_size: str = param("", pattern=r"(\d{1,4}(x\d{1,4}){1,2})?", high=14,
                              form=N_("a size such as 28x28"), label=N_("Size"))  # fmt: skip


class SamplePictures(View[Choosing, tuple[Sample, ...]]):
    """Tiles that a page lets be taken up."""

    name, Params, needs = "vision.samples", Choosing, NO_MODEL

    def compute(self, _runs: Sequence[object], params: Choosing) -> tuple[Sample, ...]:
        return chosen(params)

    def values(self, record: tuple[Sample, ...]) -> Mapping[str, Values]:
        axes = (Along("sample", _("sample"), [str(n) for n in range(len(record))]),)
        labels = np.array([label_called(one.label) for one in record])
        sources = np.array([one.source for one in record])
        return {
            "label": Values(_("label"), labels, axes),
            "source": Values(_("source"), sources, axes),
        }

    def describe(self, record: tuple[Sample, ...]) -> Sentence:
        return sentence(_(_SAID[_offer_of(record[0])]))

    def controls(self, record: tuple[Sample, ...]) -> Sequence[Control]:
        """Of those alone that have the size, so that their model can look at them."""
        called = declared(Choosing, "samples_of").choices or {}
        offered = [(one, _(called[one])) for one in offers(record[0].picture.size)]
        return [Control("samples_of", _offer_of(record[0]), options=offered)]

    def acts(self, record: tuple[Sample, ...]) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """A click takes one up."""
        return {"pick": {str(n): {"picture": one.id} for n, one in enumerate(record)}}

    def draw(self, record: tuple[Sample, ...]) -> Tiles:
        return Tiles(
            title=_("Samples"),
            tiles=[Tile(label_called(one.label)) for one in record],
            pictures=np.stack([pixels_of(one.picture) for one in record]),
            columns=len(record),
            note=str(self.describe(record)),
        )


def chosen(params: Choosing) -> tuple[Sample, ...]:
    """The samples that are offered; of those that fit, where none of whom is asked for does."""
    offered = offers(params.samples_size) or list(SOURCES)
    of = params.samples_of if params.samples_of in offered else offered[0]
    return tuple(one for one in samples() if _offer_of(one) == of)


def offers(size: str) -> list[str]:
    """What ``samples_of`` may be for a model that reads pictures of a size, such as 28x28.

    Args:
        size: empty for any.
    """
    return list(
        dict.fromkeys(_offer_of(one) for one in samples() if size in ("", one.picture.size))
    )


def _offer_of(sample: Sample) -> str:
    """By what a link asks for it."""
    return next(offer for offer, sources in SOURCES.items() if sample.source in sources)
