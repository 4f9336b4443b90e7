"""Positions from sines and cosines, and the binary digits that they are like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.positions import by_distance, flips, wavelength
from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.components.plot import Curve, Heat, Plot, PlotAxis
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.locale import listed, spelt
from core.models.needs import NO_MODEL
from core.runs.kinds.positions import PositionsRequest, PositionTable
from core.runs.request import Request
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import MAX_SEED, OnText, model_param, param
from core.views.view import Note, View

# --- what the views of order are asked for, and the axes that their numbers share -----


Floats = NDArray[np.floating]
SPAN = 640  # positions that the ways of telling order apart are compared over: past GPT's 512
WAYS = {
    "learned": N_("Learned"),
    "sinusoidal": N_("Sinusoidal"),
    "rotary": N_("Rotary"),
    "relative": N_("T5's relative bias"),
}


@dataclass(frozen=True, slots=True)
class Wide:
    """Vectors of positions that a formula gives.

    Attributes:
        d_model: components; an odd number counts as the even one below it.
    """

    d_model: int = param(512, low=2, high=1024, label=N_("d_model"))

    @property
    def width(self) -> int:
        return self.d_model // 2 * 2


@dataclass(frozen=True, slots=True)
class Sinusoidal(Wide):
    """A sinusoidal table, and a pair of its components.

    Attributes:
        positions: rows of the table.
        pair: which sine and cosine are drawn, counted from 0.
        apart: draw all sines, then all cosines, in place of turn and turn about.
    """

    positions: int = param(50, low=2, high=SPAN, label=N_("Positions"))
    pair: int = param(16, low=0, high=511, label=N_("Pair i"))
    apart: bool = param(False, label=N_("Sines and cosines apart"))

    @property
    def shown_pair(self) -> int:
        return nearest("pair", self.pair, self.width // 2 - 1)


@dataclass(frozen=True, slots=True)
class Encoded(Wide):
    """A way of telling positions apart, beside what a model has learned.

    Attributes:
        model: id on the shelf.
        kind: the way.
    """

    model: str = model_param(OnText().model)
    kind: str = param("learned", choices=WAYS, label=N_("Way of encoding positions"))


@dataclass(frozen=True, slots=True)
class TokenOrder(OnText):
    """A text, and another order of its tokens.

    Attributes:
        shuffle_seed: of the shuffle.
    """

    shuffle_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Shuffle number"))


def along_positions(n: int) -> Along:
    """Positions 0 to n - 1."""
    return Along("position", _("position"), [str(position) for position in range(n)])


def along_components(ids: Iterable[int]) -> Along:
    """Components of a vector, by their numbers."""
    return Along("component", _("component"), [_("component {i}").format(i=i) for i in ids])


def along_distances(n: int) -> Along:
    """Distances 0 to n - 1."""
    return Along("distance", _("distance"), [str(distance) for distance in range(n)])


# --- the sinusoidal table that the page's controls ask for ----------------------------


@dataclass(frozen=True)
class Sines:
    """The table of Vaswani et al. 2017, section 3.5.

    Attributes:
        table: ``(positions, d_model)``, sines and cosines in turn.
        params: what was asked for.
    """

    table: Floats
    params: Sinusoidal

    @cached_property
    def inner_products(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean inner product of rows at each distance, and how much it differs over the table."""
        rows = self.table.astype(np.float64)
        return by_distance(rows @ rows.T)

    @property
    def last(self) -> int:
        """The last position of the table."""
        return len(self.table) - 1

    @property
    def components(self) -> tuple[int, int]:
        """The sine and the cosine of the shown pair."""
        return 2 * self.params.shown_pair, 2 * self.params.shown_pair + 1

    @property
    def pair_of_last(self) -> tuple[str, str]:
        """Sine and cosine of the shown pair at the last position."""
        sine, cosine = (number(float(self.table[-1, component])) for component in self.components)
        return sine, cosine


class SinesView(View[Sinusoidal, Sines]):
    """The sinusoidal table, which no model is needed for."""

    Params, needs = Sinusoidal, NO_MODEL

    def requests(self, params: Sinusoidal) -> tuple[Request, ...]:
        return (PositionsRequest("sinusoidal", params.positions, params.width),)

    def compute(self, runs: Sequence[PositionTable], params: Sinusoidal) -> Sines:
        return Sines(runs[0].values, params)


# --- the table of Vaswani et al. 2017: one row a position, sines and cosines in turn --


FEW = 16  # components, which are all named
NAMED = 9  # of more


class PositionsSinusoidalView(SinesView):
    """Rows are positions, columns components."""

    name = "positions.sinusoidal"

    def values(self, record: Sines) -> Mapping[str, Values]:
        n, width = record.table.shape
        axes = (along_positions(n), along_components(range(width)))
        return {"table": Values(_("value"), record.table, axes)}

    def describe(self, record: Sines) -> Sentence:
        n, width = record.table.shape
        pairs = width // 2
        if pairs == 1:
            return sentence(
                _("Every row is different. The only pair of sine and cosine makes one whole turn "
                  "in {longest} positions."),
                longest=Mark(number(wavelength(0, width)), "position"),
            )  # fmt: skip
        turning = sum(wavelength(pair, width) <= n for pair in range(pairs))
        how_many = (
            ngettext(
                "Every row is different. Of {pairs} pairs of sine and cosine, the first makes at "
                "least one whole turn within {n} positions; the last takes {longest}.",
                "Every row is different. Of {pairs} pairs of sine and cosine, the first {turning} "
                "make at least one whole turn within {n} positions; the last takes {longest}.",
                turning,
            )
            if turning
            else _("Every row is different. Of {pairs} pairs of sine and cosine, none makes a "
                   "whole turn within {n} positions; the last takes {longest}.")
        )  # fmt: skip
        return sentence(
            how_many,
            pairs=str(pairs),
            turning=Mark(str(turning), "position"),
            n=str(n),
            longest=Mark(spelt(f"{wavelength(pairs - 1, width):,.0f}"), "position"),
        )  # fmt: skip

    def line(self, record: Sines) -> tuple[str, str]:
        return "core/nn/positions.py", "angles = "

    def draw(self, record: Sines) -> Plot:
        n, width = record.table.shape
        apart = record.params.apart
        shown = np.arange(width)
        if apart:
            shown = np.concatenate([shown[::2], shown[1::2]])
        where = _("position {pos}, component {component}").format(
            pos="{y}", component="{custom}" if apart else "{x}"
        )
        heat = Heat(
            z=record.table[:, shown],
            limit=1.0,
            custom=np.broadcast_to(shown, record.table.shape) if apart else None,
            hover=where + "\n{z:.6f}",
        )
        title = _("component (sines, then cosines)") if apart else _("component")
        x = PlotAxis(title=title, grid=False)
        if apart or width <= FEW:
            # A column's name is its component: not its place, and no place between two columns.
            places = np.unique(np.linspace(0, width - 1, min(width, NAMED)).astype(int))
            labels = [str(shown[index]) for index in places]
            x = PlotAxis(title=title, grid=False, ticks=places.tolist(), labels=labels)
        return Plot(
            title=_("Sinusoidal: {n} positions × {d}").format(n=n, d=width),
            x=x,
            y=PlotAxis(title=_("position"), reversed=True, grid=False),
            series=[heat],
            height=420,
        )


# --- two components of the sinusoidal table along the positions: one pair of sine and cosine


class PositionsCurvesView(SinesView):
    """A sine and a cosine of one wavelength."""

    name = "positions.curves"

    def values(self, record: Sines) -> Mapping[str, Values]:
        axes = (along_positions(len(record.table)),)
        return {
            name: Values(_("component {i}").format(i=component), record.table[:, component], axes)
            for name, component in zip(("sine", "cosine"), record.components, strict=True)
        }

    def describe(self, record: Sines) -> Sentence:
        pair, width = record.params.shown_pair, record.table.shape[1]
        return sentence(
            _("Pair {i} turns once in {length} positions. The first pair turns once in "
              "{first}, the last in {last}."),
            i=Mark(str(pair), "strong"),
            length=Mark(number(wavelength(pair, width)), "position"),
            first=number(wavelength(0, width)),
            last=number(wavelength(width // 2 - 1, width)),
        )  # fmt: skip

    def notes(self, record: Sines) -> Sequence[Note]:
        sine, cosine = record.pair_of_last
        text = sentence(
            _("For position {pos} and pair {i} of d_model = {d} they are {sine} and {cosine}."),
            pos=str(record.last), i=str(record.params.shown_pair), d=str(record.params.width),
            sine=Mark(sine, "position"), cosine=Mark(cosine, "position"),
        )  # fmt: skip
        return (Note("more", text),)

    def controls(self, record: Sines) -> Sequence[Control]:
        shown, last = record.params.shown_pair, record.params.width // 2 - 1
        return (Control("pair", str(shown), "range", high=last),)

    def draw(self, record: Sines) -> Plot:
        sine, cosine = record.components
        hover = _("position {pos}").format(pos="{x}") + "\n{name}: {y:.6f}"
        return Plot(
            title=_("Components {a} and {b}, pair i = {i}").format(
                a=sine, b=cosine, i=record.params.shown_pair
            ),
            x=PlotAxis(title=_("position")),
            y=PlotAxis(title=_("value"), range=(-1.1, 1.1)),
            series=[
                Curve(
                    y=record.table[:, sine], name=_("sine, component {i}").format(i=sine),
                    role="position", markers=5, hover=hover,
                ),
                Curve(
                    y=record.table[:, cosine], name=_("cosine, component {i}").format(i=cosine),
                    role="position", dash="dot", markers=5, hover=hover,
                ),
            ],
            height=320,
        )  # fmt: skip


# --- the inner product of two rows depends on how far apart they are, and on nothing else


class PositionsSimilarityView(SinesView):
    """The mean over all pairs of rows at each distance."""

    name = "positions.similarity"

    def values(self, record: Sines) -> Mapping[str, Values]:
        means, spread = record.inner_products
        axes = (along_distances(len(means)),)
        return {
            "inner_product": Values(_("inner product"), means, axes),
            "spread": Values(_("largest difference over starting positions"), spread, axes),
        }

    def describe(self, record: Sines) -> Sentence:
        means, spread = record.inner_products
        return sentence(
            _("A position with itself: {own}. With its neighbour: {next}, wherever the two stand: "
              "over all starting positions no distance differs by more than {spread}."),
            own=Mark(number(float(means[0])), "position"),
            next=Mark(number(float(means[1])), "position"),
            spread=number(float(spread.max()) or 0.0, 2),
        )  # fmt: skip

    def draw(self, record: Sines) -> Plot:
        means, _spread = record.inner_products
        hover = _("distance {d}").format(d="{x}") + "\n{y:.6f}"
        return Plot(
            title=_("Inner product by distance"),
            x=PlotAxis(title=_("distance in positions")),
            y=PlotAxis(title=_("inner product")),
            series=[Curve(y=means, role="position", markers=5, hover=hover)],
            height=300,
        )


# --- counting in binary: the picture behind the sinusoids -----------------------------


N, BITS = 16, 4


@dataclass(frozen=True)
class Binary:
    """0 to 15 in four bits, the highest first.

    Attributes:
        table: ``(positions, bits)`` of 0 and 1.
    """

    table: Floats

    @property
    def worth(self) -> list[str]:
        """What the digits are worth."""
        return [str(2**bit) for bit in reversed(range(self.table.shape[1]))]


class PositionsBinaryView(View[Sinusoidal, Binary]):
    """Rows are positions, columns the digits of their numbers."""

    name, Params, needs = "positions.binary", Sinusoidal, NO_MODEL

    def requests(self, params: Sinusoidal) -> tuple[Request, ...]:
        return (PositionsRequest("binary", N, BITS),)

    def compute(self, runs: Sequence[PositionTable], params: Sinusoidal) -> Binary:
        return Binary(runs[0].values)

    def values(self, record: Binary) -> Mapping[str, Values]:
        digits = Along("digit", _("digit"), record.worth)
        axes = (along_positions(len(record.table)), digits)
        return {"bits": Values(_("bits"), record.table.astype(int), axes)}

    def describe(self, record: Binary) -> Sentence:
        *slower, last = flips(record.table)
        return sentence(
            _("The last digit changes {last} times, the digits before it {slower} times. Fast "
              "and slow digits together give every position its own pattern. Sines do the "
              "same without jumps."),
            last=Mark(str(last), "position"),
            slower=Mark(listed(str(n) for n in reversed(slower)), "position"),
        )  # fmt: skip

    def draw(self, record: Binary) -> Matrix:
        title = _("Counting in binary, 0 to {last}").format(last=len(record.table) - 1)
        rows = [str(position) for position in range(len(record.table))]
        sheet = Sheet(
            title=title,
            array="bits",
            rows=Axis(rows, "nth", "position"),
            cols=Axis(record.worth, "bit", "position"),
            scale=Scale("position", 1.6),
            texts=[[f"{bit:.0f}" for bit in row] for row in record.table],
            max_cell=40,
            row_height=21,
            axes=sentence(_("rows: positions · columns: what a digit is worth")),
            alt="",
        )
        bits = np.asarray(record.table, np.float32)
        return Matrix(sheets=[sheet], arrays={"bits": bits})
