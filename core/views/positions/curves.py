"""Two components of the sinusoidal table along the positions: one pair of sine and cosine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis.positions import wavelength
from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Values
from core.language import _
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.runs.results import PositionTable
from core.views.controls import Control
from core.views.positions.positional import Sinusoidal, along_positions
from core.views.positions.sines import Sines, sine_requests, sines
from core.views.view import Note, View


class Curves(View[Sinusoidal, Sines]):
    """A sine and a cosine of one wavelength."""

    name, Params, needs = "positions.curves", Sinusoidal, NO_MODEL

    def requests(self, params: Sinusoidal) -> tuple[Request, ...]:
        return sine_requests(params)

    def compute(self, runs: Sequence[PositionTable], params: Sinusoidal) -> Sines:
        return sines(runs, params)

    def values(self, record: Sines) -> Mapping[str, Values]:
        axes = (along_positions(len(record.table)),)
        return {
            name: Values(_("component {i}").format(i=at), record.table[:, at], axes)
            for name, at in zip(("sine", "cosine"), record.components, strict=True)
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
        said = sentence(
            _("For position {pos} and pair {i} of d_model = {d} they are {sine} and {cosine}."),
            pos=str(record.last), i=str(record.params.shown_pair), d=str(record.params.width),
            sine=Mark(sine, "position"), cosine=Mark(cosine, "position"),
        )  # fmt: skip
        return (Note("more", said),)

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
