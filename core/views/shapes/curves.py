"""Recorded curves: what small models of each shape, whole or broken, have learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core import recorded
from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash, Series
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.locale import in_quotes, listed
from core.models.needs import NO_MODEL
from core.recorded import Recorded
from core.views.params import param
from core.views.shapes.lines import Line, room, told_apart
from core.views.shapes.shaping import NAMES as OF_SHAPES
from core.views.shapes.shaping import ROLES, SHORT, Floats, Shape
from core.views.view import View

GROUPS = {
    "shapes": N_("the eight shapes"),
    "depth": N_("twelve layers"),
    "broken": N_("one part broken"),
    "translators": N_("translators"),
}
LINES = {
    "held": N_("loss, held out"),
    "train": N_("loss in training"),
    "right": N_("right guesses, held out"),
}
AXES = {
    "held": N_("loss in nats a token"),
    "train": N_("loss in nats a token"),
    "right": N_("share of right guesses"),
}
NAMES = {
    **OF_SHAPES,
    "deep": N_("A, 12 layers"),
    "deep_post": N_("post-norm, 12 layers"),
    "no_residual": N_("no residual sums"),
    "unscaled": N_("scores not scaled"),
    "no_positions": N_("no positions"),
    "leak": N_("no causal mask"),
    "wrong_axis": N_("softmax over queries"),
    "translator": N_("translator"),
    "smoothed": N_("label smoothing 0.1"),
    "no_padding_mask": N_("no padding mask"),
}
# The first of a group is what the others are compared with.
MEMBERS = {
    "shapes": tuple(OF_SHAPES),
    "depth": ("deep", "deep_post"),
    "broken": ("a", "no_residual", "unscaled", "no_positions", "leak", "wrong_axis"),
    "translators": ("translator", "smoothed", "no_padding_mask"),
}
_LOOKS: tuple[tuple[str, Dash], ...] = (
    ("accent", "solid"), ("key", "solid"), ("value", "solid"), ("weight", "solid"),
    ("warning", "dash"), ("query", "dash"),
)  # fmt: skip
LAST = 5  # measurements at the end of a curve, whose ups and downs are compared with a lead


@dataclass(frozen=True, slots=True)
class OfCurves(Shape):
    """Which curves are drawn.

    Attributes:
        curve_group: of models that differ in one thing.
        curve_line: what of each.
    """

    curve_group: str = param("shapes", choices=GROUPS, label=N_("Small models"))
    curve_line: str = param("held", choices=LINES, label=N_("Line"))


@dataclass(frozen=True, eq=False)
class Learned:
    """The curves of a group that have been recorded, and what was asked for."""

    params: OfCurves
    curves: Mapping[str, Recorded]

    def line(self, name: str) -> tuple[float, ...]:
        """What is drawn of one."""
        found: tuple[float, ...] = getattr(self.curves[name], self.params.curve_line)
        return found

    @property
    def order(self) -> list[tuple[str, float]]:
        """Every curve with its end, the best first."""
        ends = [(name, self.line(name)[-1]) for name in self.curves]
        return sorted(ends, key=lambda one: one[1], reverse=self.params.curve_line == "right")

    @property
    def compared(self) -> str:
        """The one the others are compared with: the chosen shape, or the first of the group."""
        of_shapes = self.params.curve_group == "shapes"
        return self.params.shape if of_shapes else next(iter(self.curves), "")

    @property
    def wobble(self) -> float:
        """By how much a curve moves up and down at its end: the median over the curves."""
        return float(np.median([np.ptp(self.line(name)[-LAST:]) for name in self.curves]))


def any_recorded() -> bool:
    """Whether there is a curve to be shown."""
    return bool(recorded.curves(recorded.FOLDER))


class ShapesCurves(View[OfCurves, Learned]):
    """A line for each model over the steps of its training."""

    name, Params, needs = "shapes.curves", OfCurves, NO_MODEL

    def compute(self, runs: Sequence[object], params: OfCurves) -> Learned:
        every = recorded.curves(recorded.FOLDER)
        members = MEMBERS[params.curve_group]
        return Learned(params, {name: every[name] for name in members if name in every})

    def values(self, record: Learned) -> Mapping[str, Values]:
        return {
            name: Values(
                _(NAMES[name]),
                np.array(record.line(name), np.float64),
                (Along("step", _("step"), [str(step) for step in one.steps]),),
            )
            for name, one in record.curves.items()
        }

    def describe(self, record: Learned) -> Sentence:
        if not record.curves:
            return sentence(_("No curve of these models has been recorded."))
        (best, least), (worst, most) = record.order[0], record.order[-1]
        said = percent if record.params.curve_line == "right" else number
        n = max(one.steps[-1] for one in record.curves.values())
        ends = sentence(
            _("After {n} steps “{best}” is at {least} and “{worst}” at {most}.")
            if record.params.curve_line != "train"
            else _("In training, after {n} steps “{best}” is at {least} and “{worst}” at {most}. "
                   "A loss in training may be low because the answer can be seen."),
            n=str(n),
            best=Mark(_(NAMES[best]), "strong"),
            least=Mark(said(least), "accent"),
            worst=Mark(_(NAMES[worst]), "strong"),
            most=Mark(said(most), "warning"),
        )  # fmt: skip
        return join([ends, *_lead(record)])

    def draw(self, record: Learned) -> Plot:
        line = record.params.curve_line
        return Plot(
            title=_("Small models, {group}: {line}").format(
                line=_(LINES[line]), group=_(GROUPS[record.params.curve_group])
            ),
            x=PlotAxis(title=_("training step"), range=_reach(record)),
            y=PlotAxis(title=_(AXES[line])),
            series=_series(record) or [Curve(x=[0], y=[np.nan], role="muted")],
            height=480,
        )


def _steps(record: Learned) -> Floats:
    """All are of the same budget, so they were asked at the same steps."""
    return np.array(next(iter(record.curves.values())).steps, np.float64)


def _series(record: Learned) -> list[Series]:
    if not record.curves:
        return []
    return list(told_apart(_steps(record), _lines(record), hover="{name}: {y:.3f}"))


def _reach(record: Learned) -> tuple[float, float] | None:
    """With room for the labels of shapes."""
    if not record.curves or record.params.curve_group != "shapes":
        return None
    return 0.0, room(_steps(record))


def _lines(record: Learned) -> list[Line]:
    """Of shapes the chosen one is thick, of others the one they are compared with."""
    of_shapes = record.params.curve_group == "shapes"
    return [
        Line(
            _(NAMES[name]),
            np.array(record.line(name)),
            ROLES[name] if of_shapes else _LOOKS[at % len(_LOOKS)],
            SHORT[name] if of_shapes else "",
            name == record.compared,
        )
        for at, name in enumerate(record.curves)
    ]


def _lead(record: Learned) -> list[Sentence]:
    """How far the best is ahead, and how many are level with what they are compared with."""
    order = record.order
    if len(order) < 2:
        return []
    (best, at), (second, after) = order[:2]
    said = percent if record.params.curve_line == "right" else number
    wobble = record.wobble
    gap = abs(after - at)
    ahead = (
        _("“{best}” ends {gap} ahead of “{second}”. That is more than a curve moves up and down in "
          "its last {n} measurements: {wobble}.")
        if gap > wobble
        else _("“{best}” ends {gap} ahead of “{second}”. A curve moves up and down by {wobble} in "
               "its last {n} measurements, so this lead may be chance.")
    )  # fmt: skip
    sentences = [
        sentence(
            ahead, best=Mark(_(NAMES[best]), "strong"), second=Mark(_(NAMES[second]), "strong"),
            gap=Mark(said(gap), "accent"), wobble=said(wobble), n=str(LAST),
        )
    ]  # fmt: skip
    own = dict(order).get(record.compared)
    if own is None or len(order) < 4:
        return sentences
    level = [name for name, end in order if name != record.compared and abs(end - own) <= wobble]
    if level:
        template = ngettext(
            "{n} other ends so near to “{own}” that one run cannot tell them apart: {names}.",
            "{n} others end so near to “{own}” that one run cannot tell them apart: {names}.",
            len(level),
        )
        sentences.append(
            sentence(
                template, n=str(len(level)), own=Mark(_(NAMES[record.compared]), "strong"),
                names=listed(in_quotes(_(NAMES[name])) for name in level),
            )
        )  # fmt: skip
    return sentences
