"""The same patches in another order, with and without positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core import inputs
from core.figures.components import Tile, Tiles
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.tracing.edits import Edit
from core.views.labels import LABELS
from core.views.params import MAX_SEED, param
from core.views.view import View
from core.views.vision.seen import OnPicture, Seen, pixels_of

NO_POSITIONS = (Edit("*embed.positions"),)


@dataclass(frozen=True, slots=True)
class Shuffling(OnPicture):
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


class ShuffledPatches(View[Shuffling, FourTimes]):
    """Four small pictures, each with what the model says of it."""

    name, Params = "vision.shuffled", Shuffling
    needs = Needs("classify_image", ("patches", "positions"))

    def requests(self, params: Shuffling) -> tuple[Request, ...]:
        return tuple(
            TraceRequest(params.model, given, sites=(LABELS,), edits=edits)
            for edits in ((), NO_POSITIONS)
            for given in (params.given, inputs.Shuffled(params.given, params.shuffle_seed))
        )

    def compute(self, runs: Sequence[Run], params: Shuffling) -> FourTimes:
        pixels = pixels_of(params.given)
        cut = runs[0].trace.blueprint.patches[0]
        order = runs[1].trace.main.order
        moved = reordered(pixels, cut.size, [at - cut.first for at in order[cut.first :]])
        shown = (pixels, moved, pixels, moved)
        return FourTimes(
            [Seen(one, run.trace, params.model) for one, run in zip(shown, runs, strict=True)]
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
        label = Mark(record.whole.labels[best], "strong")
        own = sentence(
            _("With positions, shuffling takes the probability of {label} from {before} to "
              "{after}."),
            label=label,
            before=percent(float(shares[0, 0, best])),
            after=Mark(percent(float(shares[0, 1, best])), "position"),
        )  # fmt: skip
        without = sentence(
            _("Without positions it is {before} before and {after} after: the order makes no "
              "difference."),
            before=percent(float(shares[1, 0, best])),
            after=Mark(percent(float(shares[1, 1, best])), "position"),
        )  # fmt: skip
        return join([own, without])

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
        pictures = np.stack([run.pixels for run in record.runs])
        return Tiles(
            title=_("{model}: the best guess for the same patches in two orders").format(
                model=model
            ),
            tiles=[Tile(*pair) for pair in zip(titles, captions, strict=True)],
            pictures=pictures,
            columns=2,
            side=132,
            heads=[_("as it is"), _("shuffled")],
            sides=[_("with positions"), _("without")],
        )


def reordered(pixels: NDArray[np.uint8], size: int, order: Sequence[int]) -> NDArray[np.uint8]:
    """A picture whose patches stand in another order: at each place the one that is named."""
    height, width = pixels.shape[:2]
    columns, found = width // size, np.empty_like(pixels)
    for place, patch in enumerate(order):
        to, of = (
            (slice(n // columns * size, (n // columns + 1) * size),
             slice(n % columns * size, (n % columns + 1) * size))
            for n in (place, patch)
        )  # fmt: skip
        found[to] = pixels[of]
    return found[:height, :width]
