"""How long attention takes by length: measured on this machine, with the fitted exponent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash
from core.figures.text import Mark, Sentence, decimal, join, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.locale import grouped
from core.models.needs import NO_MODEL
from core.runs.costed import Times
from core.runs.requests import Request, TimesRequest
from core.views.params import param
from core.views.view import Note, View

LINES: Mapping[str, tuple[str, str, Dash]] = {
    "alone": (N_("attention to itself"), "key", "solid"),
    "masked": (N_("the same, causal mask"), "query", "dash"),
    "cross": (N_("cross-attention, fixed source"), "value", "solid"),
    "layer": (N_("a whole layer"), "accent", "solid"),
}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Timing:
    """What is measured.

    Attributes:
        cost_source: positions that cross-attention reads, whatever the length.
    """

    cost_source: int = param(256, low=16, high=1024, label=N_("Source (positions)"))


@dataclass(frozen=True)
class Measured:
    """The times, and what was asked for."""

    params: Timing
    times: Times

    @property
    def lengths(self) -> Floats:
        """Of what is read."""
        return np.array(self.times.lengths, np.float64)

    def seconds(self, line: str) -> Floats:
        """Those of a line."""
        return np.array(getattr(self.times, line), np.float64)

    def work(self, line: str) -> Floats:
        """Multiplications by formula; a mask forbids, but saves none of them."""
        n, machine = self.lengths, self.times.machine
        if line == "layer":
            works = [replace(machine, n_ctx=length, writes=False).work
                     for length in self.times.lengths]  # fmt: skip
            return np.array(works, np.float64)
        return 2 * n * (self.times.n_source if line == "cross" else n) * machine.inner

    def exponent(self, amounts: Floats) -> float:
        """The power of the length that fits best: the slope between logarithms."""
        return float(np.polyfit(np.log(self.lengths), np.log(amounts), 1)[0])


class TimesByLength(View[Timing, Measured]):
    """A curve for each kind, on axes of equal factors: its slope is the exponent."""

    name, Params, needs = "cost.times", Timing, NO_MODEL

    def requests(self, params: Timing) -> tuple[Request, ...]:
        return (TimesRequest(params.cost_source),)

    def compute(self, runs: Sequence[Times], params: Timing) -> Measured:
        return Measured(params, runs[0])

    def values(self, record: Measured) -> Mapping[str, Values]:
        kinds = Along("kind", _("kind"), [_(name) for name, _role, _dash in LINES.values()])
        lengths = Along("length", _("length"), [str(n) for n in record.times.lengths])
        seconds = np.array([record.seconds(line) for line in LINES])
        work = np.array([record.work(line) for line in LINES])
        return {
            "milliseconds": Values(_("time"), 1000 * seconds, (kinds, lengths), _("ms")),
            "work": Values(_("multiplications by the formula"), work, (kinds, lengths)),
            "measured": Values(
                _("exponent, measured"), np.array([*map(record.exponent, seconds)]), (kinds,)
            ),
            "formula": Values(
                _("exponent, by the formula"), np.array([*map(record.exponent, work)]), (kinds,)
            ),
            "n_source": Values(_("positions of the source"), np.array(record.times.n_source)),
        }

    def describe(self, record: Measured) -> Sentence:
        def said(line: str) -> Mark:
            _name, role, _dash = LINES[line]
            return Mark(decimal(record.exponent(record.seconds(line)), 2),
                        "accent" if role == "accent" else "key")  # fmt: skip

        return join([
            sentence(
                _("Measured just now, the time grows with the length to the power {alone} for "
                  "attention to itself, {masked} under a causal mask, {cross} for queries on a "
                  "source of {n} positions, and {layer} for a whole layer."),
                alone=said("alone"), masked=said("masked"), cross=said("cross"),
                layer=said("layer"), n=grouped(record.times.n_source),
            ),
            sentence(
                _("The formula says {alone}, {masked}, {cross} and {layer}."),
                **{line: decimal(record.exponent(record.work(line)), 2) for line in LINES},
            ),
        ])  # fmt: skip

    def draw(self, record: Measured) -> Plot:
        lengths = record.times.lengths
        return Plot(
            title=_("How long attention takes, by length"),
            x=PlotAxis(title=_("length (positions)"), log=True, ticks=lengths,
                       labels=[grouped(n) for n in lengths]),
            y=PlotAxis(title=_("time (ms)"), log=True),
            series=[
                Curve(x=lengths, y=1000 * record.seconds(line), role=role, name=_(name), dash=dash,
                      markers=6, hover=_("{name}, {x} positions: {y:.3g} ms"))
                for line, (name, role, dash) in LINES.items()
            ],
            height=400,
        )  # fmt: skip

    def notes(self, record: Measured) -> Sequence[Note]:
        said = sentence(
            _("Width {d}, {heads} heads, the shortest of several runs. Other programs on this "
              "computer make times longer, so the exponents are never exact. A mask forbids half "
              "of the scores. A program may skip them: that halves the time of long texts, and "
              "the exponent stays near 2."),
            d=str(record.times.machine.d_model), heads=str(record.times.machine.n_heads),
        )  # fmt: skip
        return (Note("more", said),)
