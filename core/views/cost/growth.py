"""Where a machine leaves the law of the square: multiplications by length, by formula."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.costs import Machine
from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash, Rule
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.locale import grouped
from core.views.cost.planned import OfPlan, Plan, Planned
from core.views.params import param

LENGTHS = tuple(2**n for n in range(4, 18))
LINES: Mapping[str, tuple[str, str, Dash]] = {
    "linear": (N_("learned matrices"), "accent", "solid"),
    "squared": (N_("scores and mixing"), "key", "solid"),
    "both": (N_("all layers"), "muted", "dot"),
}


@dataclass(frozen=True, slots=True)
class Growing(Planned):
    """A shape and a length.

    Attributes:
        cost_length: positions of a pass.
    """

    cost_length: int = param(512, low=2, high=131_072, label=N_("Length (positions)"))


@dataclass(frozen=True, slots=True)
class Split:
    """Multiplications of all layers at one length.

    Attributes:
        squared: of scores and mixing, which grow with its square.
        linear: of the learned matrices, which grow with it.
    """

    squared: int
    linear: int

    @property
    def both(self) -> int:
        """Of the layers."""
        return self.squared + self.linear

    @property
    def share(self) -> float:
        """Of scores and mixing."""
        return self.squared / self.both

    @property
    def exponent(self) -> float:
        """The power of the length by which the sum grows there: between 1 and 2."""
        return 1 + self.share


def split(machine: Machine, length: int) -> Split:
    """The layers of a machine, without tables and heads, at a length of all its streams."""
    terms = dataclasses.replace(machine, n_ctx=length).terms
    layers = [term for term in terms if term.part in ("attention", "feed_forward")]
    squared = sum(term.work.n for term in layers if term.name.endswith("_scores"))
    return Split(squared, sum(term.work.n for term in layers) - squared)


def crossing(machine: Machine) -> float:
    """The length at which both are equal."""
    one = split(machine, 1)
    return one.linear / one.squared


class Growth(OfPlan):
    """Two lines that cross, and their sum."""

    name, Params = "cost.growth", Growing

    def counts(self, record: Plan) -> dict[str, Values]:
        along = (Along("length", _("length"), [str(n) for n in LENGTHS]),)
        params, machine = record.params, record.machine
        assert isinstance(params, Growing)
        at, doubled = (split(machine, n * params.cost_length) for n in (1, 2))
        return {
            **{name: Values(_(label), _line(machine, name), along)
               for name, (label, _role, _dash) in LINES.items()},
            "crossing": Values(_("length at which both are equal"), np.array(crossing(machine))),
            "length": Values(_("length that is looked at"), np.array(params.cost_length)),
            "squared_here": Values(_("scores and mixing, there"), np.array(at.squared)),
            "linear_here": Values(_("learned matrices, there"), np.array(at.linear)),
            "share": Values(_("share of scores and mixing, there"), np.array(at.share)),
            "exponent": Values(_("exponent, there"), np.array(at.exponent)),
            "doubling": Values(
                _("times as much for twice the length"), np.array(doubled.both / at.both)
            ),
        }  # fmt: skip

    def describe(self, record: Plan) -> Sentence:
        params, machine = record.params, record.machine
        assert isinstance(params, Growing)
        at = split(machine, params.cost_length)
        doubled = split(machine, 2 * params.cost_length)
        return join([
            sentence(
                _("At length {n} scores and mixing are {share} of the layers' work, and twice the "
                  "length costs {factor} times as much."),
                n=grouped(params.cost_length), share=Mark(percent(at.share), "key"),
                factor=Mark(number(doubled.both / at.both), "strong"),
            ),
            sentence(
                _("In {machine} both lines meet at length {crossing}."),
                machine=record.name, crossing=Mark(grouped(round(crossing(machine))), "accent"),
            ),
        ])  # fmt: skip

    def draw(self, record: Plan) -> Plot:
        params, machine = record.params, record.machine
        assert isinstance(params, Growing)
        return Plot(
            title=_("Multiplications of the layers of {machine}, by length").format(
                machine=record.name
            ),
            x=PlotAxis(title=_("length (positions)"), log=True, ticks=LENGTHS[::2],
                       labels=[grouped(n) for n in LENGTHS[::2]]),
            y=PlotAxis(title=_("multiplications"), log=True),
            series=[
                Curve(x=LENGTHS, y=_line(machine, name), role=role, name=_(label), dash=dash,
                      hover="{name}, {x}: {y:.3g}")
                for name, (label, role, dash) in LINES.items()
            ],
            rules=[Rule(x=float(params.cost_length), role="weight", dash="dash",
                        text=grouped(params.cost_length))],
            height=380,
        )  # fmt: skip


def _line(machine: Machine, name: str) -> NDArray[np.float64]:
    """One line over all lengths."""
    return np.array([getattr(split(machine, n), name) for n in LENGTHS], np.float64)
