"""A picture that a model has seen: its patches, its answer, and the patches in another order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from core import inputs
from core.analysis.distributions import softmax
from core.data.examples import LOOKER
from core.data.samples import PictureSample, label_called, samples
from core.encoders import Encoders
from core.figures.components import Bars, PictureFigure, Tile, Tiles
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.inputs import Picture as GivenPicture
from core.language import N_, _, name_of
from core.locale import in_quotes
from core.models.needs import NO_MODEL, Needs
from core.models.parts import Head
from core.models.picture_parts import PatchStem
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.tracing.edits import Edit
from core.tracing.trace import Trace
from core.views.controls import Control
from core.views.given import first_picture, picture_of, picture_param
from core.views.labels import LABELS, label_bars, label_title, label_values
from core.views.params import MAX_SEED, declared, model_param, param
from core.views.view import Note, View

# --- a picture that a model has seen: what the views of pictures are computed from ----


@dataclass(frozen=True, slots=True)
class OnPicture:
    """What views of pictures need: a picture and the model that looks at it.

    Attributes:
        picture: as links have it (``core.inputs.Picture``), or the name of a sample
            (``core.data.samples``); empty for the first one that the model can read.
        model: id on the shelf.
    """

    picture: str = picture_param()
    model: str = model_param(LOOKER)

    def opened(self, encoders: Encoders) -> Self:
        """See ``core.views.given``: a sample, or an empty sheet where none has the size."""
        if self.picture or encoders.pictures is None:
            return self
        return replace(self, picture=first_picture(encoders))

    @property
    def given(self) -> GivenPicture:
        """What the model looks at.

        Raises:
            ParameterError: it stands for no picture.
        """
        return picture_of(self.picture)


@dataclass(frozen=True)
class Seen:
    """A picture and what a model made of it.

    Attributes:
        pixels: ``(height, width)`` bytes, or ``(height, width, 3)``.
        trace: of the run.
        model: its id.
    """

    pixels: NDArray[np.uint8]
    trace: Trace
    model: str

    @property
    def is_empty(self) -> bool:
        """Whether all its pixels are the same: nothing is drawn."""
        return bool((self.pixels == self.pixels[0, 0]).all())

    @property
    def head(self) -> Head:
        """The model's head for labels."""
        return self.trace.blueprint.classifier

    @property
    def labels(self) -> Sequence[str]:
        """What the picture may show."""
        return [label_called(label) for label in self.head.labels]

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The probability of each label."""
        return softmax(self.trace[self.head.site])

    @property
    def best(self) -> int:
        """The most likely label, by its number."""
        return int(self.shares.argmax())

    @property
    def patches(self) -> PatchStem | None:
        """How the model cuts pictures; None for one that does not."""
        return next(iter(self.trace.blueprint.patches), None)

    @cached_property
    def names(self) -> list[str]:
        """What stands at the positions of the model's stream, as sentences say it."""
        return [unit.spoken for unit in self.trace.units]

    @property
    def along_labels(self) -> Along:
        """The labels, for the numbers."""
        return Along("label", _("label"), list(self.labels))


def pixels_of(picture: GivenPicture) -> NDArray[np.uint8]:
    """The bytes of a picture as rows and columns."""
    flat = np.frombuffer(picture.pixels, np.uint8)
    sides = (picture.height, picture.width)
    return flat.reshape(sides if picture.channels == 1 else (*sides, picture.channels))


def look(runs: Sequence[Run], params: OnPicture) -> Seen:
    """What the model made of the picture."""
    return Seen(pixels_of(params.given), runs[0].trace, params.model)


P = TypeVar("P", bound=OnPicture)
R = TypeVar("R")


class PictureView(View[P, R]):
    """A picture that a model looks at, with the logits of its labels.

    Attributes:
        sites: what else is read of the run.
    """

    needs = Needs("classify_image")
    sites: ClassVar[tuple[str, ...]] = ()

    def requests(self, params: P) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.given, sites=(LABELS, *self.sites)),)


class OneModelView(PictureView[OnPicture, Seen]):
    """What one model made of a picture."""

    Params = OnPicture

    def compute(self, runs: Sequence[Run], params: OnPicture) -> Seen:
        return look(runs, params)


# --- the picture as the model is given it: pixels, and the patches that they are cut into


class VisionPictureView(OneModelView):
    """Pixels with the borders of the patches over them."""

    name = "vision.picture"

    def values(self, record: Seen) -> Mapping[str, Values]:
        height, width = record.pixels.shape[:2]
        axes = [
            Along("row", _("row"), [str(n) for n in range(height)]),
            Along("column", _("column"), [str(n) for n in range(width)]),
        ]
        shares = record.pixels.astype(np.float32) / 255
        if shares.ndim == 3:
            axes.append(Along("channel", _("channel"), [_("red"), _("green"), _("blue")]))
        return {"pixels": Values(_("brightness of the pixel"), shares, tuple(axes))}

    def describe(self, record: Seen) -> Sentence:
        height, width = record.pixels.shape[:2]
        whole = sentence(
            _("The picture has {height} × {width} pixels."), height=str(height), width=str(width)
        )
        cut = record.patches
        if cut is None:
            return join([whole, sentence(_("The model reads all of them at once."))])
        return join(
            [
                whole,
                sentence(
                    _("It is cut into {rows} × {columns} patches. Each patch of {size} × {size} "
                      "pixels is a row of {n} numbers."),
                    rows=str(cut.rows), columns=str(cut.columns), size=str(cut.size),
                    n=Mark(str(cut.n_numbers), "accent"),
                ),
            ]
        )  # fmt: skip

    def notes(self, record: Seen) -> Sequence[Note]:
        """The patch of the paper, whose numbers a lecture counts wrongly."""
        if record.patches is None:
            return ()
        side, channels, printed = 16, 3, 786
        return (
            Note(
                "erratum",
                sentence(
                    _("A patch of {side} × {side} pixels in {channels} colours has {right} "
                      "numbers. Some lecture notes say {printed}."),
                    side=str(side), channels=str(channels), right=str(side * side * channels),
                    printed=str(printed),
                ),
            ),
        )  # fmt: skip

    def acts(self, record: Seen) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """What is drawn on it."""
        return {"picture": {"*": {"picture": "{}"}}}

    def draw(self, record: Seen) -> PictureFigure:
        return PictureFigure(
            title=_("The picture in pixels"),
            pixels=record.pixels,
            patch=None if record.patches is None else record.patches.size,
        )


def share_of(record: Seen, label: int) -> Mark:
    """The probability of a label as sentences have it."""
    return Mark(percent(float(record.shares[label])), "accent")


# --- what the model says the picture shows: a probability for each label --------------


_CLOSE = 0.05  # from which a second label is worth a word


class VisionAnswerView(OneModelView):
    """A bar for each label, in the order of the labels."""

    name = "vision.answer"

    def values(self, record: Seen) -> Mapping[str, Values]:
        site = record.head.site
        return label_values(record.labels, record.shares, record.trace[site], site)

    def describe(self, record: Seen) -> Sentence:
        best, *others = (int(n) for n in (-record.shares).argsort(kind="stable"))
        if record.is_empty:
            return sentence(
                _("The picture is empty. {model} must name a label all the same: {label} gets "
                  "{share}."),
                model=name_of(record.model),
                label=Mark(in_quotes(record.labels[best]), "strong"),
                share=share_of(record, best),
            )  # fmt: skip
        summary = sentence(
            _("{model} sees {label}, with {share}."),
            model=name_of(record.model),
            label=Mark(in_quotes(record.labels[best]), "strong"),
            share=share_of(record, best),
        )
        if not others or record.shares[others[0]] < _CLOSE:
            return summary
        also = sentence(
            _("{label} gets {share}."),
            label=in_quotes(record.labels[others[0]]),
            share=share_of(record, others[0]),
        )
        return join([summary, also])

    def facts(self, record: Seen) -> Sequence[str]:
        cut, ms = record.patches, f"{record.trace.seconds * 1e3:.0f}"
        return (
            name_of(record.model),
            "" if cut is None else _("{n} patches").format(n=cut.rows * cut.columns),
            _("ran in {ms} ms").format(ms=ms),
            _("every number is from this run"),
        )

    def site(self, record: Seen) -> str:
        return record.head.site

    def draw(self, record: Seen) -> Bars:
        return label_bars(label_title(record.model), record.labels, record.shares)


# --- pictures to begin with, as tiles: our own drawings, and those of public collections


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
class PictureChoice:
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


class VisionSamplesView(View[PictureChoice, tuple[PictureSample, ...]]):
    """Tiles that a page lets be taken up."""

    name, Params, needs = "vision.samples", PictureChoice, NO_MODEL

    def compute(self, _runs: Sequence[object], params: PictureChoice) -> tuple[PictureSample, ...]:
        return chosen(params)

    def values(self, record: tuple[PictureSample, ...]) -> Mapping[str, Values]:
        axes = (Along("sample", _("sample"), [str(n) for n in range(len(record))]),)
        labels = np.array([label_called(sample.label) for sample in record])
        sources = np.array([sample.source for sample in record])
        return {
            "label": Values(_("label"), labels, axes),
            "source": Values(_("source"), sources, axes),
        }

    def describe(self, record: tuple[PictureSample, ...]) -> Sentence:
        return sentence(_(_SAID[_offer_of(record[0])]))

    def controls(self, record: tuple[PictureSample, ...]) -> Sequence[Control]:
        """Of those alone that have the size, so that their model can look at them."""
        called = declared(PictureChoice, "samples_of").choices or {}
        offered = [(name, _(called[name])) for name in offers(record[0].picture.size)]
        return [Control("samples_of", _offer_of(record[0]), options=offered)]

    def acts(
        self, record: tuple[PictureSample, ...]
    ) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """A click takes one up."""
        return {"pick": {str(n): {"picture": sample.id} for n, sample in enumerate(record)}}

    def draw(self, record: tuple[PictureSample, ...]) -> Tiles:
        return Tiles(
            title=_("Samples"),
            tiles=[Tile(label_called(sample.label)) for sample in record],
            pictures=np.stack([pixels_of(sample.picture) for sample in record]),
            columns=len(record),
            note=str(self.describe(record)),
        )


def chosen(params: PictureChoice) -> tuple[PictureSample, ...]:
    """The samples that are offered; of those that fit, where none of whom is asked for does."""
    offered = offers(params.samples_size) or list(SOURCES)
    of = params.samples_of if params.samples_of in offered else offered[0]
    return tuple(sample for sample in samples() if _offer_of(sample) == of)


def offers(size: str) -> list[str]:
    """What ``samples_of`` may be for a model that reads pictures of a size, such as 28x28.

    Args:
        size: empty for any.
    """
    return list(
        dict.fromkeys(
            _offer_of(sample) for sample in samples() if size in ("", sample.picture.size)
        )
    )


def _offer_of(sample: PictureSample) -> str:
    """By what a link asks for it."""
    return next(offer for offer, sources in SOURCES.items() if sample.source in sources)


# --- the same patches in another order, with and without positions --------------------


NO_POSITIONS = (Edit("*embed.positions"),)


@dataclass(frozen=True, slots=True)
class PatchOrder(OnPicture):
    """A picture and the draw of another order.

    Attributes:
        shuffle_seed: draws the order.
    """

    shuffle_seed: int = param(1, low=0, high=MAX_SEED, label=N_("Shuffle"))


@dataclass(frozen=True)
class FourTimes:
    """The picture as it is and shuffled, with positions and without.

    Attributes:
        runs: in that order.
    """

    runs: Sequence[Seen]

    @property
    def whole(self) -> Seen:
        """The picture as it is, with positions."""
        return self.runs[0]

    @property
    def shares(self) -> NDArray[np.float64]:
        """``(positions or not, order, labels)``."""
        shares: NDArray[np.float64] = np.array([run.shares for run in self.runs])
        return shares.reshape(2, 2, -1)


class VisionShuffledView(View[PatchOrder, FourTimes]):
    """Four small pictures, each with what the model says of it."""

    name, Params = "vision.shuffled", PatchOrder
    needs = Needs("classify_image", ("patches", "positions"))

    def requests(self, params: PatchOrder) -> tuple[Request, ...]:
        return tuple(
            TraceRequest(params.model, picture, sites=(LABELS,), edits=edits)
            for edits in ((), NO_POSITIONS)
            for picture in (params.given, inputs.Shuffled(params.given, params.shuffle_seed))
        )

    def compute(self, runs: Sequence[Run], params: PatchOrder) -> FourTimes:
        pixels = pixels_of(params.given)
        cut = runs[0].trace.blueprint.patches[0]
        order = runs[1].trace.main.order
        moved = reordered(
            pixels, cut.size, [position - cut.first for position in order[cut.first :]]
        )
        shown = (pixels, moved, pixels, moved)
        return FourTimes(
            [
                Seen(picture, run.trace, params.model)
                for picture, run in zip(shown, runs, strict=True)
            ]
        )

    def values(self, record: FourTimes) -> Mapping[str, Values]:
        axes = (
            Along("positions", _("positions"), [_("with"), _("without")]),
            Along("order", _("order"), [_("as it is"), _("shuffled")]),
            record.whole.along_labels,
        )
        place = (0, 1, record.whole.best)
        return {"probability": Values(_("probability"), record.shares, axes, selected=place)}

    def describe(self, record: FourTimes) -> Sentence:
        best, shares = record.whole.best, record.shares
        summary = sentence(
            _("With positions, shuffling takes the probability of {label} from {before} to "
              "{after}."),
            label=Mark(record.whole.labels[best], "strong"),
            before=percent(float(shares[0, 0, best])),
            after=Mark(percent(float(shares[0, 1, best])), "position"),
        )  # fmt: skip
        without = sentence(
            _("Without positions it is {before} before and {after} after: the order makes no "
              "difference."),
            before=percent(float(shares[1, 0, best])),
            after=Mark(percent(float(shares[1, 1, best])), "position"),
        )  # fmt: skip
        return join([summary, without])

    def draw(self, record: FourTimes) -> Tiles:
        model = name_of(record.whole.model)
        captions = [
            f"{run.labels[run.best]} · {percent(float(run.shares[run.best]))}"
            for run in record.runs
        ]
        titles = (
            _("as it is, with positions"),
            _("shuffled, with positions"),
            _("as it is, without positions"),
            _("shuffled, without positions"),
        )
        return Tiles(
            title=_("{model}: the best guess for the same patches in two orders").format(
                model=model
            ),
            tiles=[Tile(*pair) for pair in zip(titles, captions, strict=True)],
            pictures=np.stack([run.pixels for run in record.runs]),
            columns=2,
            side=132,
            heads=[_("as it is"), _("shuffled")],
            sides=[_("with positions"), _("without")],
        )


def reordered(pixels: NDArray[np.uint8], size: int, order: Sequence[int]) -> NDArray[np.uint8]:
    """A picture whose patches stand in another order: at each place the one that is named."""
    height, width = pixels.shape[:2]
    columns, moved = width // size, np.empty_like(pixels)
    for place, patch in enumerate(order):
        to, of = (
            (slice(n // columns * size, (n // columns + 1) * size),
             slice(n % columns * size, (n % columns + 1) * size))
            for n in (place, patch)
        )  # fmt: skip
        moved[to] = pixels[of]
    return moved[:height, :width]
