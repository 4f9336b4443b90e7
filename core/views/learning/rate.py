"""The learning rate over the steps: Noam's formula, and what its two halves do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Rule
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.optimised import Floats
from core.locale import grouped
from core.models.needs import NO_MODEL
from core.schedules import WarmupStableCooldown, noam
from core.views.params import param
from core.views.view import View

POINTS = 400  # of a curve
FALL = 0.5  # of all steps, in which our own trainings let the rate fall


@dataclass(frozen=True, slots=True)
class OfRate:
    """Noam's formula; it opens on the values of Vaswani et al. 2017, section 5.3.

    Attributes:
        d_model: width of the model.
        warmup: steps of the rise.
        rate_steps: how many are drawn.
        rate_step: the one that is read off.
    """

    d_model: int = param(512, low=2, high=1024, label=N_("d_model"))
    warmup: int = param(4000, low=1, high=20_000, label=N_("Warm-up steps"))
    rate_steps: int = param(20_000, low=100, high=100_000, label=N_("Training steps"))
    rate_step: int = param(1000, low=1, high=100_000, label=N_("Step to read off"))


@dataclass(frozen=True, eq=False)
class Rates:
    """The rate at some steps; every array is ``(n,)``.

    Attributes:
        params: what was asked for.
        steps: at which.
        rates: by the formula.
        rising, falling: the two numbers of which the smaller one is taken, over √d_model.
        ours: of a warm-up, a level and a fall, with the same peak.
    """

    params: OfRate
    steps: Floats
    rates: Floats
    rising: Floats
    falling: Floats
    ours: Floats

    @property
    def at(self) -> int:
        """Which of the steps is read off."""
        return int(np.abs(self.steps - self.step).argmin())

    @property
    def step(self) -> int:
        return min(self.params.rate_step, self.params.rate_steps)

    @property
    def peak(self) -> float:
        """The largest rate, at the end of the warm-up."""
        return noam(self.params.warmup, self.params.d_model, self.params.warmup)


class LearningRate(View[OfRate, Rates]):
    """Up in a straight line, then down with one over the root of the step."""

    name, Params, needs = "learning.rate", OfRate, NO_MODEL

    def compute(self, runs: Sequence[object], params: OfRate) -> Rates:
        last, step = params.rate_steps, min(params.rate_step, params.rate_steps)
        wanted = {1, min(params.warmup, last), step, last, *range(1, min(50, last))}
        spread = np.linspace(1, last, POINTS).astype(int)
        steps = np.array(sorted(wanted | set(spread.tolist())))
        width, warmup = params.d_model, params.warmup
        fall = max(1, round(FALL * last))
        ours = WarmupStableCooldown(warmup).fall_from(last - fall, fall)
        peak = noam(warmup, width, warmup)
        return Rates(
            params, steps.astype(np.float64),
            np.array([noam(int(one), width, warmup) for one in steps]),
            width**-0.5 * steps * warmup**-1.5, width**-0.5 * steps**-0.5,
            np.array([peak * ours.share(int(one) - 1) for one in steps]),
        )  # fmt: skip

    def values(self, record: Rates) -> Mapping[str, Values]:
        along = (Along("step", _("step"), [str(int(one)) for one in record.steps]),)
        place = (record.at,)
        rate = record.params.d_model**-0.5
        single = {
            "here": (_("learning rate"), float(record.rates[record.at])),
            "peak": (_("largest rate"), record.peak),
            "root_width": (_("d_model^−0.5"), rate),
            "root_step": (_("step^−0.5"), record.step**-0.5),
            "line": (_("step · warmup^−1.5"), record.step * record.params.warmup**-1.5),
            "unwarmed": (_("rate at step 1 without warm-up"),
                         noam(1, record.params.d_model, 1)),
        }  # fmt: skip
        return {
            "rate": Values(_("learning rate"), record.rates, along, selected=place),
            "rising": Values(_("the rising half"), record.rising, along, selected=place),
            "falling": Values(_("the falling half"), record.falling, along, selected=place),
            "ours": Values(_("warm-up, level, fall"), record.ours, along, selected=place),
        } | {name: Values(label, np.array(x)) for name, (label, x) in single.items()}

    def describe(self, record: Rates) -> Sentence:
        params, step = record.params, record.step
        which = _("the rising line") if step < params.warmup else _("the falling root")
        here = sentence(
            _("At step {step} the learning rate is {width} · min({root}, {line}) = {rate}: "
              "{which} is smaller."),
            step=grouped(step), width=number(params.d_model**-0.5),
            root=number(step**-0.5), line=number(step * params.warmup**-1.5),
            rate=Mark(number(float(record.rates[record.at])), "accent"), which=which,
        )  # fmt: skip
        top = sentence(
            _("The largest rate is {peak}, at step {warmup}. Without warm-up step 1 would have "
              "{first}."),
            peak=Mark(number(record.peak), "strong"), warmup=grouped(params.warmup),
            first=Mark(number(noam(1, params.d_model, 1)), "warning"),
        )  # fmt: skip
        return join([here, top])

    def line(self, record: Rates) -> tuple[str, str]:
        return "core/schedules.py", "return float(d_model**-0.5"

    def draw(self, record: Rates) -> Plot:
        top, says = 1.5 * float(record.rates.max()), "{name}: {y:.3g}"

        def cut(line: Floats) -> Floats:
            """What is far above the picture is left out of it."""
            return np.where(line <= top, line, np.nan)

        at = record.at
        ticks = [round(record.params.rate_steps * n / 4) for n in range(5)]
        return Plot(
            title=_("Learning rate over the steps of training"),
            x=PlotAxis(
                title=_("training step"), range=(0, record.params.rate_steps), ticks=ticks,
                labels=list(map(grouped, ticks)),
            ),
            y=PlotAxis(title=_("learning rate"), range=(0, top)),
            series=[
                Curve(x=record.steps, y=cut(record.rising), role="key", dash="dash", width=1,
                      name=_("step · warmup^−1.5, over √d_model"), hover=says),
                Curve(x=record.steps, y=cut(record.falling), role="value", dash="dash", width=1,
                      name=_("1 / √step, over √d_model"), hover=says),
                Curve(x=record.steps, y=record.ours, role="muted", dash="dot",
                      name=_("as our models learned: up, level, down"), hover=says),
                Curve(x=record.steps, y=record.rates, role="accent", width=3,
                      name=_("Noam's formula"), hover=says),
                Points(x=[record.steps[at]], y=[record.rates[at]], role="accent", size=12,
                       legend=False, name=_("step {n}").format(n=grouped(record.step)),
                       hover=says),
            ],
            rules=[Rule(x=min(record.params.warmup, record.params.rate_steps),
                        text=_("end of the warm-up"), dash="dot")],
            height=420,
        )  # fmt: skip
