"""Recorded curves: what small models of each shape, whole or broken, have learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core import recorded
from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash
from core.figures.text import Mark, Sentence, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import NO_MODEL
from core.recorded import Recorded
from core.views.params import param
from core.views.shapes.shaping import NAMES as OF_SHAPES
from core.views.shapes.shaping import ROLES, Shape
from core.views.view import View, register

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


def any_recorded() -> bool:
    """Whether there is a curve to be shown."""
    return bool(recorded.curves(recorded.FOLDER))


@register
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
        right = record.params.curve_line == "right"
        last = {name: record.line(name)[-1] for name in record.curves}
        best, worst = (pick(last, key=last.__getitem__) for pick in (min, max))
        if right:
            best, worst = worst, best
        said = percent if right else number
        n = max(one.steps[-1] for one in record.curves.values())
        return sentence(
            _("After {n} steps “{best}” is at {least} and “{worst}” at {most}.")
            if record.params.curve_line != "train"
            else _("In training, after {n} steps “{best}” is at {least} and “{worst}” at {most}. "
                   "A loss in training may be low because the answer can be seen."),
            n=str(n),
            best=Mark(_(NAMES[best]), "strong"),
            least=Mark(said(last[best]), "accent"),
            worst=Mark(_(NAMES[worst]), "strong"),
            most=Mark(said(last[worst]), "warning"),
        )  # fmt: skip

    def show(self, record: Learned) -> Plot:
        line = record.params.curve_line
        return Plot(
            title=_("Small models, {group}: {line}").format(
                line=_(LINES[line]), group=_(GROUPS[record.params.curve_group])
            ),
            alt=str(self.describe(record)),
            x=PlotAxis(title=_("training step")),
            y=PlotAxis(title=_(AXES[line])),
            series=list(_curves(record)) or [Curve(x=[0], y=[np.nan], role="muted")],
            height=420,
        )


def _curves(record: Learned) -> Iterator[Curve]:
    """Of shapes the chosen one is thick, of others the one they are compared with."""
    of_shapes = record.params.curve_group == "shapes"
    members = list(record.curves)
    chosen = record.params.shape if of_shapes else members[0] if members else ""
    for name in sorted(members, key=lambda name: name == chosen):
        role, dash = ROLES[name] if of_shapes else _LOOKS[members.index(name) % len(_LOOKS)]
        mine = name == chosen
        yield Curve(
            x=np.array(record.curves[name].steps),
            y=np.array(record.line(name)),
            name=_(NAMES[name]),
            role="accent" if mine else role,
            dash="solid" if mine else dash,
            width=4 if mine else 1.6,
            hover="{name}: {y:.3f}",
        )
