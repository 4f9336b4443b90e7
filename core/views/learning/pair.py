"""Two small translators, one trained with smoothed targets: recorded, as it takes minutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Panel, Rule
from core.figures.text import Mark, Role, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.optimised import Floats
from core.locale import grouped
from core.measured import CALIBRATION, measured
from core.models.needs import NO_MODEL
from core.views.params import param
from core.views.view import View

NAMES = {"translator": N_("target 1"), "smoothed": N_("smoothed target")}
ROLES: Mapping[str, Role] = {"translator": "key", "smoothed": "accent"}
LAST, EVERY = 1500, 125  # steps of their training


@dataclass(frozen=True, slots=True)
class OfPair:
    """At which step both are compared.

    Attributes:
        stop_at: as if their training had been stopped there.
    """

    stop_at: int = param(LAST, low=EVERY, high=LAST, label=N_("Stop the training at step"))


@dataclass(frozen=True, eq=False)
class Pair:
    """What was measured of both, and the moment that is looked at."""

    params: OfPair
    found: Mapping[str, Any]

    def line(self, model: str, field: str) -> Floats:
        """A number over the steps ``(n,)``, or over steps and bins ``(n, bins)``."""
        return np.array(self.found["models"][model][field], np.float64)

    @property
    def steps(self) -> Floats:
        return self.line("translator", "steps")

    @property
    def at(self) -> int:
        """The measurement that is nearest."""
        return int(np.abs(self.steps - self.params.stop_at).argmin())

    @property
    def step(self) -> int:
        return int(self.steps[self.at])

    def now(self, model: str, field: str) -> float:
        """A number at that moment."""
        return float(self.line(model, field)[self.at])

    def best(self, model: str) -> int:
        """The measurement with the lowest perplexity."""
        return int(self.line(model, "perplexity").argmin())

    def error(self, model: str) -> Floats:
        """Expected calibration error at each step (Guo et al. 2017, equation 3).

        How far share of right guesses and certainty are apart, the mean over all guesses.
        """
        counts = self.line(model, "counts")
        apart = np.abs(self.line(model, "sure_in_bin") - self.line(model, "right_in_bin"))
        found: Floats = np.nansum(counts * apart, axis=1) / counts.sum(axis=1)
        return found


def _called(what: str, which: str) -> str:
    """A number of one of the two."""
    return _("{what}, {which}").format(what=what, which=_(which))


class OfTwo(View[OfPair, Pair]):
    """What both figures have in common."""

    Params, needs = OfPair, NO_MODEL

    def compute(self, runs: Sequence[object], params: OfPair) -> Pair:
        return Pair(params, measured(CALIBRATION))


class Calibration(OfTwo):
    """How often a guess is right, over how sure it is."""

    name = "learning.calibration"

    def values(self, record: Pair) -> Mapping[str, Values]:
        n = len(record.line("translator", "counts")[0])
        edges = [f"{100 * at // n}-{100 * (at + 1) // n} %" for at in range(n)]
        along = (Along("certainty", _("how sure"), edges),)
        found = {}
        for model, name in NAMES.items():
            for field, said in (("right", _("share of right guesses")), ("sure", _("how sure"))):
                numbers = record.line(model, f"{field}_in_bin")[record.at]
                found[f"{model}_{field}"] = Values(_called(said, name), numbers, along)
            error = np.array(record.error(model)[record.at])
            found[f"{model}_error"] = Values(_called(_("calibration error"), name), error)
            sure = np.array(record.now(model, "sure"))
            found[f"{model}_mean"] = Values(_called(_("mean certainty"), name), sure)
        return found

    def describe(self, record: Pair) -> Sentence:
        said = {
            "translator": _("With a target of 1 the guesses are {sure} sure on average after "
                            "{step} steps, and {right} of them are right."),
            "smoothed": _("With a smoothed target they are {sure} sure, and {right} are right."),
        }  # fmt: skip
        return join([
            sentence(
                template, step=grouped(record.step),
                sure=Mark(percent(record.now(model, "sure")), ROLES[model]),
                right=Mark(percent(record.now(model, "right")), ROLES[model]),
            )
            for model, template in said.items()
        ])  # fmt: skip

    def draw(self, record: Pair) -> Plot:
        series: list[Curve | Points] = [
            Curve(x=[0, 1], y=[0, 1], role="muted", dash="dot", name=_("as sure as right"))
        ]
        for model, name in NAMES.items():
            series.append(
                Curve(
                    x=record.line(model, "sure_in_bin")[record.at],
                    y=record.line(model, "right_in_bin")[record.at],
                    role=ROLES[model], markers=7, name=_(name),
                    hover=_("{name}: right {y:.2f} of those that are {x:.2f} sure"),
                )
            )  # fmt: skip
        return Plot(
            title=_("How often a guess is right, over how sure it is, after {n} steps").format(
                n=grouped(record.step)
            ),
            x=PlotAxis(title=_("probability of the guess"), range=(0, 1)),
            y=PlotAxis(title=_("share of right guesses"), range=(0, 1)),
            series=series,
            height=440,
        )


class Compared(OfTwo):
    """Perplexity and right guesses over the steps."""

    name = "learning.compared"

    def values(self, record: Pair) -> Mapping[str, Values]:
        along = (Along("step", _("step"), [str(int(one)) for one in record.steps]),)
        place, found = (record.at,), {}
        for model, name in NAMES.items():
            lines = {
                "perplexity": (_("perplexity"), record.line(model, "perplexity")),
                "right": (_("share of right guesses"), record.line(model, "right")),
                "error": (_("calibration error"), record.error(model)),
                "train": (_("loss in training"), record.line(model, "train")),
            }
            for field, (said, line) in lines.items():
                label = _called(said, name)
                found[f"{model}_{field}"] = Values(label, line, along, selected=place)
        return found

    def describe(self, record: Pair) -> Sentence:
        plain, smooth = (
            (number(float(record.line(model, "perplexity")[record.best(model)])),
             percent(float(record.line(model, "right")[record.best(model)])))
            for model in NAMES
        )  # fmt: skip
        here = sentence(
            _("After {step} steps the perplexity on unseen sentences is {plain} with a target of "
              "1, and {smooth} with a smoothed one."),
            step=grouped(record.step),
            plain=Mark(number(record.now("translator", "perplexity")), "key"),
            smooth=Mark(number(record.now("smoothed", "perplexity")), "accent"),
        )  # fmt: skip
        best = sentence(
            _("Each at its lowest: {plain} with {right1} right guesses, and {smooth} with "
              "{right2}."),
            plain=plain[0], right1=plain[1], smooth=smooth[0], right2=smooth[1],
        )  # fmt: skip
        return join([here, best])

    def draw(self, record: Pair) -> Plot:
        def curves(field: str, says: str, *, legend: bool) -> list[Curve]:
            return [
                Curve(x=record.steps[2:], y=record.line(model, field)[2:], role=ROLES[model],
                      markers=5, name=_(name), hover=says, legend=legend)
                for model, name in NAMES.items()
            ]  # fmt: skip

        return Plot(
            title=_("Two translators on unseen sentences"),
            x=PlotAxis(title=_("training step")),
            y=PlotAxis(title=_("perplexity")),
            series=curves("perplexity", "{name}: {y:.2f}", legend=True),
            rules=[Rule(x=record.step, role="accent", dash="dot")],
            below=[
                Panel(
                    y=PlotAxis(title=_("right guesses")),
                    series=curves("right", "{name}: {y:.3f}", legend=False),
                    share=0.45,
                )
            ],
            unified=True,
            height=440,
        )
