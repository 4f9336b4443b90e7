"""A convolutional network beside a Vision Transformer: what it finds, how far each looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.analysis.patches import attention_distance, distance_within
from core.errors import ParameterError
from core.figures.components import BarFrame, BarRow, Bars, Tile, Tiles
from core.figures.components.bars import Series
from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.payload import as_bytes
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.locale import in_quotes
from core.models.needs import Needs
from core.models.picture_parts import ConvolutionalStem
from core.runs.kinds.trace import ATTENTION, Run, TraceRequest
from core.runs.request import Request
from core.tracing.trace import Array
from core.views.controls import Control
from core.views.labels import LABELS
from core.views.nearest import nearest
from core.views.params import model_param, param
from core.views.vision.attention import NEEDS, AtPatch, PatchAttention
from core.views.vision.seen import OnPicture, PictureView, Seen, look, share_of

# --- the feature maps of a convolutional network: what each kernel finds at each place


@dataclass(frozen=True, slots=True)
class OfMaps(OnPicture):
    """The maps of one convolution.

    Attributes:
        convolution: counted from 0.
        kernel: the map that is selected.
    """

    convolution: int = param(0, low=0, high=255, label=N_("Convolution"))
    kernel: int = param(0, low=0, high=100_000, lives="browser", label=N_("Kernel"))


@dataclass(frozen=True)
class Maps:
    """The maps of one convolution, in a run.

    Attributes:
        seen: the run.
        params: what was asked for.
    """

    seen: Seen
    params: OfMaps

    @property
    def part(self) -> ConvolutionalStem:
        return self.seen.trace.blueprint.convolutions[0]

    @property
    def layer(self) -> int:
        return nearest("convolution", self.params.convolution, self.part.n_layers - 1)

    @property
    def array(self) -> Array:
        """``(kernels, rows, columns)``."""
        return self.seen.trace[self.part.maps(self.layer)]

    @property
    def kernel(self) -> int:
        return nearest("kernel", self.params.kernel, len(self.array) - 1)


class VisionMapsView(PictureView[OfMaps, Maps]):
    """A tile for each kernel."""

    name, Params = "vision.maps", OfMaps
    needs, sites = Needs("classify_image", ("convolution",)), ("*.maps",)

    def compute(self, runs: Sequence[Run], params: OfMaps) -> Maps:
        return Maps(look(runs, params), params)

    def values(self, record: Maps) -> Mapping[str, Values]:
        n_kernels, height, width = record.array.shape
        axes = (
            Along("kernel", _("kernel"), [str(n) for n in range(n_kernels)]),
            Along("row", _("row"), [str(n) for n in range(height)]),
            Along("column", _("column"), [str(n) for n in range(width)]),
        )
        of_kernel = record.array[record.kernel]
        row, column = np.unravel_index(int(of_kernel.argmax()), of_kernel.shape)
        return {
            "maps": Values(
                _("feature map"), record.array, axes, site=self.site(record),
                selected=(record.kernel, int(row), int(column)),
            )
        }  # fmt: skip

    def describe(self, record: Maps) -> Sentence:
        seen_by_one = record.part.reach(record.layer)
        n_kernels, height, width = record.array.shape
        maps = sentence(
            _("Convolution {layer} has {n} kernels, and each gives a map of {height} × {width} "
              "numbers."),
            layer=str(record.layer), n=Mark(str(n_kernels), "accent"),
            height=str(height), width=str(width),
        )  # fmt: skip
        reach = sentence(
            _("One of these numbers depends on {n} × {n} pixels of the picture. The largest is "
              "{most}."),
            n=Mark(str(seen_by_one), "accent"), most=number(float(record.array.max())),
        )  # fmt: skip
        return join([maps, reach])

    def site(self, record: Maps) -> str:
        return record.part.maps(record.layer)

    def controls(self, record: Maps) -> Sequence[Control]:
        """As many convolutions as the model has."""
        last = record.part.n_layers - 1
        return [Control("convolution", str(record.layer), "range", low=0, high=last)]

    def draw(self, record: Maps) -> Tiles:
        most = float(record.array.max()) or 1.0
        n_kernels = len(record.array)
        return Tiles(
            title=_("Feature maps of convolution {n}").format(n=record.layer),
            selection={"kernel": record.kernel},
            tiles=[
                Tile(
                    _("kernel {n}: at most {value}").format(n=n, value=number(float(values.max())))
                )
                for n, values in enumerate(record.array)
            ],
            pictures=as_bytes(record.array, 0.0, most),
            columns=16,
            fields=("kernel",),
            shape=(n_kernels,),
            note=_("White is the largest number of all these maps, black is 0."),
        )


# --- how far each head of a Vision Transformer looks, beside what a convolution can reach


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

    looks: PatchAttention
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


R = TypeVar("R")


class TwoModelsView(PictureView[Reaching, R]):
    """A picture that a convolutional network sees as well, if one is named."""

    Params = Reaching

    def requests(self, params: Reaching) -> tuple[Request, ...]:
        requests = super().requests(params)
        if not params.convolutional:
            return requests
        return (*requests, TraceRequest(params.convolutional, params.given, sites=(LABELS,)))


class VisionDistanceView(TwoModelsView[Distances]):
    """A point for each head, a line through their means, and how far kernels see."""

    name, needs, sites = "vision.distance", NEEDS, (ATTENTION,)

    def compute(self, runs: Sequence[Run], params: Reaching) -> Distances:
        looks = PatchAttention(look(runs, params), AtPatch(params.picture, params.model))
        reach: list[int] = []
        for run in runs[1:]:
            for part in run.trace.blueprint.convolutions:
                reach += [part.reach(layer) for layer in range(part.n_layers)]
        return Distances(looks, reach, params.convolutional)

    def values(self, record: Distances) -> Mapping[str, Values]:
        layers, heads, _queries = record.looks.along
        values = {"distance": Values(_("mean attention distance"), record.pixels, (layers, heads))}
        if record.reach:
            axis = Along(
                "convolution", _("convolution"), [str(n) for n in range(len(record.reach))]
            )
            values["reach"] = Values(_("receptive field"), np.array(record.reach), (axis,))
        return values

    def describe(self, record: Distances) -> Sentence:
        nearest, farthest = float(record.pixels[0].min()), float(record.pixels[0].max())
        sentences = [
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
            sentences.append(
                sentence(
                    _("A number of the first convolution of {model} depends on {first} × {first} "
                      "pixels, one of the last on {last} × {last}."),
                    model=name_of(record.beside), first=Mark(str(record.reach[0]), "accent"),
                    last=Mark(str(record.reach[-1]), "accent"),
                )
            )  # fmt: skip
        return join(sentences)

    def draw(self, record: Distances) -> Plot:
        n_layers, n_heads = record.pixels.shape
        layers, model = np.repeat(np.arange(n_layers), n_heads), name_of(record.looks.params.model)
        series: list[Curve | Points] = [
            Curve(
                x=np.arange(n_layers), y=record.pixels.mean(axis=1), role="weight",
                name=_("mean of the heads of {model}").format(model=model),
                hover=_("layer {x}: {y:.2f} pixels"),
            ),
            Points(
                x=layers, y=record.pixels.ravel(), role="weight", size=7, opacity=0.7,
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


# --- what two models say that one picture shows: two bars for each label --------------


ROLES = ("weight", "accent")  # of the first and of the second


@dataclass(frozen=True)
class Both:
    """What each model makes of the picture.

    Attributes:
        seen: one for each model, with the same labels.
    """

    seen: Sequence[Seen]

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The probability of each label ``(models, labels)``."""
        return np.stack([answer.shares for answer in self.seen])

    @property
    def labels(self) -> Sequence[str]:
        """What the picture may show."""
        return self.seen[0].labels


class VisionBesideView(TwoModelsView[Both]):
    """A pair of bars for each label, in the order of the labels."""

    name = "vision.beside"

    def compute(self, runs: Sequence[Run], params: Reaching) -> Both:
        first = look(runs, params)
        others = [Seen(first.pixels, run.trace, params.convolutional) for run in runs[1:]]
        if any(answer.head.labels != first.head.labels for answer in others):
            raise ParameterError(
                "convolutional",
                params.convolutional,
                N_("a model that chooses among the same labels"),
            )
        return Both([first, *others])

    def values(self, record: Both) -> Mapping[str, Values]:
        models = Along("model", _("model"), [name_of(answer.model) for answer in record.seen])
        axes, best = (models, record.seen[0].along_labels), (0, record.seen[0].best)
        return {"probability": Values(_("probability"), record.shares, axes, selected=best)}

    def describe(self, record: Both) -> Sentence:
        return join(
            [
                sentence(
                    _("{model} sees {label}, with {share}."),
                    model=name_of(answer.model),
                    label=Mark(in_quotes(answer.labels[answer.best]), "strong"),
                    share=share_of(answer, answer.best),
                )
                for answer in record.seen
            ]
        )

    def draw(self, record: Both) -> Bars:
        models = [name_of(answer.model) for answer in record.seen]
        rows = [BarRow(str(n), label) for n, label in enumerate(record.labels)]
        return Bars(
            title=_("Probability of each label"),
            frames=[BarFrame(rows)],
            values=record.shares[None],
            series=[Series(*pair) for pair in zip(models, ROLES, strict=False)],
            given=True,
        )
