"""How far each head of a Vision Transformer looks, beside what a convolution can reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.patches import attention_distance, distance_within
from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.runs.requests import ATTENTION, Request, TraceRequest
from core.runs.results import Run
from core.tracing.trace import Array
from core.views.labels import LABELS
from core.views.params import model_param
from core.views.view import View
from core.views.vision.attention import NEEDS, Looks
from core.views.vision.attention import AtPatch as Looking
from core.views.vision.seen import OnPicture, picture_requests, seen


@dataclass(frozen=True, slots=True)
class Reaching(OnPicture):
    """A picture, the model that attends, and one whose kernels slide over it.

    Attributes:
        convolutional: the other model, by its id; empty for none.
    """

    convolutional: str = model_param("", N_("Beside it"))


@dataclass(frozen=True)
class Distances:
    """How far heads look and kernels reach.

    Attributes:
        looks: the run of the model that attends.
        reach: rows of pixels that a number of each convolution depends on; empty for none.
        beside: the name of the model whose kernels these are.
    """

    looks: Looks
    reach: Sequence[int]
    beside: str

    @cached_property
    def pixels(self) -> NDArray[np.float64]:
        """Of every layer and head ``(L, H)``."""
        cut, first = self.looks.seen.patches, self.looks.first
        assert cut is not None
        among: Array = self.looks.weights[:, :, first:, first:]
        return attention_distance(among, cut.columns, cut.size)

    @property
    def even(self) -> float:
        """Of a head that attends to all patches alike."""
        cut = self.looks.seen.patches
        assert cut is not None
        n = self.looks.weights.shape[-1] - self.looks.first
        return float(attention_distance(np.ones((1, 1, n, n)), cut.columns, cut.size)[0, 0])

    @property
    def within(self) -> list[float]:
        """The mean distance from the middle of each convolution's receptive field."""
        return [distance_within(side) for side in self.reach]


class Distance(View[Reaching, Distances]):
    """A point for each head, a line through their means, and how far kernels see."""

    name, Params, needs = "vision.distance", Reaching, NEEDS

    def requests(self, params: Reaching) -> tuple[Request, ...]:
        own = picture_requests(params, ATTENTION)
        if not params.convolutional:
            return own
        return (*own, TraceRequest(params.convolutional, params.given, sites=(LABELS,)))

    def compute(self, runs: Sequence[Run], params: Reaching) -> Distances:
        looks = Looks(seen(runs, params), Looking(params.picture, params.model))
        reach: list[int] = []
        for run in runs[1:]:
            for part in run.trace.blueprint.convolutions:
                reach += [part.reach(layer) for layer in range(part.n_layers)]
        return Distances(looks, reach, params.convolutional)

    def values(self, record: Distances) -> Mapping[str, Values]:
        layers, heads, _queries = record.looks.along
        found = {"distance": Values(_("mean attention distance"), record.pixels, (layers, heads))}
        if record.reach:
            axis = Along(
                "convolution", _("convolution"), [str(n) for n in range(len(record.reach))]
            )
            found["reach"] = Values(_("receptive field"), np.array(record.reach), (axis,))
        return found

    def describe(self, record: Distances) -> Sentence:
        nearest, farthest = float(record.pixels[0].min()), float(record.pixels[0].max())
        said = [
            sentence(
                _("In layer 0 the heads of {model} look {near} to {far} pixels far on average, in "
                  "the last layer {last_near} to {last_far}."),
                model=name_of(record.looks.params.model),
                near=Mark(number(nearest), "weight"), far=Mark(number(farthest), "weight"),
                last_near=number(float(record.pixels[-1].min())),
                last_far=number(float(record.pixels[-1].max())),
            ),
            sentence(_("A head that attends to all patches alike looks {even} pixels far."),
                     even=number(record.even)),
        ]  # fmt: skip
        if record.reach:
            said.append(
                sentence(
                    _("A number of the first convolution of {model} depends on {first} × {first} "
                      "pixels, one of the last on {last} × {last}."),
                    model=name_of(record.beside), first=Mark(str(record.reach[0]), "accent"),
                    last=Mark(str(record.reach[-1]), "accent"),
                )
            )  # fmt: skip
        return join(said)

    def draw(self, record: Distances) -> Plot:
        n_layers, n_heads = record.pixels.shape
        at, model = np.repeat(np.arange(n_layers), n_heads), name_of(record.looks.params.model)
        series: list[Curve | Points] = [
            Curve(
                x=np.arange(n_layers), y=record.pixels.mean(axis=1), role="weight",
                name=_("mean of the heads of {model}").format(model=model),
                hover=_("layer {x}: {y:.2f} pixels"),
            ),
            Points(
                x=at, y=record.pixels.ravel(), role="weight", size=7, opacity=0.7,
                name=_("each head of {model}").format(model=model),
                text=[_("layer {layer}, head {head}").format(layer=layer, head=head)
                      for layer in range(n_layers) for head in range(n_heads)],
                hover=_("{text}: {y:.2f} pixels"),
            ),
        ]  # fmt: skip
        if record.reach:
            series.append(
                Curve(
                    x=np.arange(len(record.reach)), y=np.array(record.within), role="accent",
                    dash="dash", markers=6,
                    name=_("receptive field of {model}, mean distance from its middle").format(
                        model=name_of(record.beside)
                    ),
                    hover=_("convolution {x}: {y:.2f} pixels"),
                )
            )  # fmt: skip
        deepest = max(n_layers, len(record.reach))
        series.append(_evenly(record, np.array([-0.4, deepest - 0.6])))
        return Plot(
            title=_("How far a layer sees"),
            x=PlotAxis(title=_("layer"), ticks=range(deepest), range=(-0.4, deepest - 0.6)),
            y=PlotAxis(title=_("pixels"), from_zero=True),
            series=series,
            height=360,
        )


def _evenly(record: Distances, ends: NDArray[np.float64]) -> Curve:
    """Where the heads would be if they attended to all patches alike."""
    return Curve(
        x=ends, y=np.full(2, record.even), role="muted", dash="dot",
        name=_("attention spread evenly"),
    )  # fmt: skip
