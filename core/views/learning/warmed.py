"""A small Transformer with several warm-ups: recorded, as each takes a quarter of a minute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash, Panel
from core.figures.text import Mark, Role, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.optimised import Floats
from core.locale import grouped
from core.measured import WARM_UP, measured
from core.models.needs import NO_MODEL
from core.views.params import param
from core.views.view import View

LONGEST = 300
WITHOUT = 1  # a warm-up of one step is none
LINES = {
    "loss": N_("loss in training"),
    "ratio": N_("mean step of a weight, in learning rates"),
    "move": N_("mean step of a weight"),
}


@dataclass(frozen=True, slots=True)
class OfWarmUp:
    """Whose training is compared with one without a warm-up.

    Attributes:
        warmed: how many steps its warm-up has.
    """

    warmed: int = param(100, low=WITHOUT, high=LONGEST, label=N_("Warm-up steps"))


@dataclass(frozen=True, eq=False)
class Warmed:
    """What was recorded, and whose training was asked for."""

    params: OfWarmUp
    found: Mapping[str, Any]

    @property
    def warm_up(self) -> int:
        """The recorded length that is nearest."""
        known = [one["warm_up"] for one in self.found["trainings"]]
        nearest: int = min(known, key=lambda one: abs(one - self.params.warmed))
        return nearest

    @property
    def waits(self) -> int:
        """Steps in which one training only fills its averages."""
        longest: int = max(one["waits"] for one in self.found["trainings"])
        return longest

    def training(self, name: str) -> Mapping[str, Any]:
        """``own``, ``none`` or ``waited``."""
        warm_up = self.warm_up if name == "own" else WITHOUT
        waits = self.waits if name == "waited" else 0
        return next(
            one for one in self.found["trainings"]
            if (one["warm_up"], one["waits"]) == (warm_up, waits)
        )  # fmt: skip

    def line(self, name: str, field: str) -> Floats:
        """A number of a training over the steps ``(n,)``."""
        one = self.training(name)
        if field == "move":
            return np.array(one["rate"], np.float64) * np.array(one["ratio"], np.float64)
        return np.array(one[field], np.float64)

    def called(self, name: str) -> str:
        """A training in words."""
        if name == "own" and self.warm_up == WITHOUT:
            return self.called("none")
        said = {
            "own": _("warm-up of {n} steps").format(n=grouped(self.warm_up)),
            "none": _("no warm-up"),
            "waited": _("only waits {n} steps").format(n=grouped(self.waits)),
        }
        return said[name]


LOOKS: Mapping[str, tuple[Role, Dash]] = {
    "own": ("accent", "solid"), "none": ("warning", "solid"), "waited": ("muted", "dash"),
}  # fmt: skip


class WarmedUp(View[OfWarmUp, Warmed]):
    """The loss over the steps, and below it how far a weight moves in each."""

    name, Params, needs = "learning.warmed", OfWarmUp, NO_MODEL

    def compute(self, runs: Sequence[object], params: OfWarmUp) -> Warmed:
        return Warmed(params, measured(WARM_UP))

    def values(self, record: Warmed) -> Mapping[str, Values]:
        along = (Along("step", _("step"), list(map(str, record.found["steps"]))),)
        found = {
            "warm_up": Values(_("Warm-up steps"), np.array(record.warm_up)),
            "rate": Values(_("Largest learning rate"), np.array(record.found["rate"])),
        }
        for name in LOOKS:
            before, which = "" if name == "own" else f"{name}_", record.called(name)
            for field, label in LINES.items():
                said = _("{what}, {which}").format(what=_(label), which=which)
                found[before + field] = Values(said, record.line(name, field), along)
            right = np.array(record.training(name)["whole"])
            said = _("{what}, {which}").format(what=_("whole sequences right"), which=which)
            found[f"{before}whole"] = Values(said, right)
        return found

    def describe(self, record: Warmed) -> Sentence:
        def told(name: str, template: str, role: Role) -> Sentence:
            return sentence(
                template, n=grouped(record.warm_up),
                whole=Mark(percent(record.training(name)["whole"]), role),
                move=Mark(number(float(record.line(name, "move")[0])), role),
            )  # fmt: skip

        without = told(
            "none",
            _("Without a warm-up the model writes {whole} of the held-out sequences without a "
              "mistake. In step 1 a weight moved by {move} on average."),
            "warning",
        )  # fmt: skip
        if record.warm_up == WITHOUT:
            return without
        own = told(
            "own",
            _("With a warm-up of {n} steps it writes {whole} without a mistake. In step 1 a weight "
              "moved by {move} on average."),
            "accent",
        )  # fmt: skip
        return join([without, own])

    def draw(self, record: Warmed) -> Plot:
        def curves(field: str, says: str, *, legend: bool = False) -> list[Curve]:
            return [
                Curve(x=np.array(record.found["steps"]), y=record.line(name, field), role=role,
                      dash=dash, name=record.called(name), hover=says, legend=legend)
                for name, (role, dash) in LOOKS.items()
            ]  # fmt: skip

        last = record.found["steps"][-1]
        return Plot(
            title=_("Learning to reverse, with a warm-up and without"),
            x=PlotAxis(title=_("training step"), log=True, range=(1, last)),
            y=PlotAxis(title=_("loss in nats"), from_zero=True),
            series=curves("loss", "{name}: {y:.3f}", legend=True),
            below=[
                Panel(
                    y=PlotAxis(title=_("step of a weight"), from_zero=True),
                    series=curves("move", "{name}: {y:.4f}"),
                    share=0.42,
                )
            ],
            unified=True,
            height=460,
        )
