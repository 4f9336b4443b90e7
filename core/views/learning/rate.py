"""The learning rate over the steps: Noam's formula, and trainings with several warm-ups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.data.measured import WARM_UP, measured
from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Dash, Panel, Rule
from core.figures.text import Mark, Role, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.optimised import Floats
from core.live_training.schedules import WarmupStableCooldown, noam
from core.locale import grouped
from core.models.needs import NO_MODEL
from core.views.params import param
from core.views.view import View

# --- the learning rate over the steps: Noam's formula, and what its two halves do -----


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
    def index(self) -> int:
        """Which of the steps is read off."""
        return int(np.abs(self.steps - self.step).argmin())

    @property
    def step(self) -> int:
        return min(self.params.rate_step, self.params.rate_steps)

    @property
    def peak(self) -> float:
        """The largest rate, at the end of the warm-up."""
        return noam(self.params.warmup, self.params.d_model, self.params.warmup)


class LearningRateView(View[OfRate, Rates]):
    """Up in a straight line, then down with one over the root of the step."""

    name, Params, needs = "learning.rate", OfRate, NO_MODEL

    def compute(self, runs: Sequence[object], params: OfRate) -> Rates:
        last, step = params.rate_steps, min(params.rate_step, params.rate_steps)
        needed = {1, min(params.warmup, last), step, last, *range(1, min(50, last))}
        spread = np.linspace(1, last, POINTS).astype(int)
        steps = np.array(sorted(needed | set(spread.tolist())))
        width, warmup = params.d_model, params.warmup
        fall = max(1, round(FALL * last))
        ours = WarmupStableCooldown(warmup).fall_from(last - fall, fall)
        peak = noam(warmup, width, warmup)
        return Rates(
            params, steps.astype(np.float64),
            np.array([noam(int(step), width, warmup) for step in steps]),
            width**-0.5 * steps * warmup**-1.5, width**-0.5 * steps**-0.5,
            np.array([peak * ours.share(int(step) - 1) for step in steps]),
        )  # fmt: skip

    def values(self, record: Rates) -> Mapping[str, Values]:
        along = (Along("step", _("step"), [str(int(step)) for step in record.steps]),)
        place = (record.index,)
        rate = record.params.d_model**-0.5
        single = {
            "here": (_("learning rate"), float(record.rates[record.index])),
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
        now = sentence(
            _("At step {step} the learning rate is {width} · min({root}, {line}) = {rate}: "
              "{which} is smaller."),
            step=grouped(step), width=number(params.d_model**-0.5),
            root=number(step**-0.5), line=number(step * params.warmup**-1.5),
            rate=Mark(number(float(record.rates[record.index])), "accent"), which=which,
        )  # fmt: skip
        top = sentence(
            _("The largest rate is {peak}, at step {warmup}. Without warm-up step 1 would have "
              "{first}."),
            peak=Mark(number(record.peak), "strong"), warmup=grouped(params.warmup),
            first=Mark(number(noam(1, params.d_model, 1)), "warning"),
        )  # fmt: skip
        return join([now, top])

    def line(self, record: Rates) -> tuple[str, str]:
        return "core/live_training/schedules.py", "return float(d_model**-0.5"

    def draw(self, record: Rates) -> Plot:
        top, says = 1.5 * float(record.rates.max()), "{name}: {y:.3g}"

        def cut(line: Floats) -> Floats:
            """What is far above the picture is left out of it."""
            return np.where(line <= top, line, np.nan)

        index = record.index
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
                Points(x=[record.steps[index]], y=[record.rates[index]], role="accent", size=12,
                       legend=False, name=_("step {n}").format(n=grouped(record.step)),
                       hover=says),
            ],
            rules=[Rule(x=min(record.params.warmup, record.params.rate_steps),
                        text=_("end of the warm-up"), dash="dot")],
            height=420,
        )  # fmt: skip


# --- a small Transformer with several warm-ups: recorded, as each takes a quarter of a minute


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
    recording: Mapping[str, Any]

    @property
    def warm_up(self) -> int:
        """The recorded length that is nearest."""
        lengths = [training["warm_up"] for training in self.recording["trainings"]]
        nearest: int = min(lengths, key=lambda length: abs(length - self.params.warmed))
        return nearest

    @property
    def waits(self) -> int:
        """Steps in which one training only fills its averages."""
        longest: int = max(training["waits"] for training in self.recording["trainings"])
        return longest

    def training(self, name: str) -> Mapping[str, Any]:
        """One recorded training, by its name: ``own``, ``none`` or ``waited``."""
        warm_up = self.warm_up if name == "own" else WITHOUT
        waits = self.waits if name == "waited" else 0
        return next(
            training for training in self.recording["trainings"]
            if (training["warm_up"], training["waits"]) == (warm_up, waits)
        )  # fmt: skip

    def line(self, name: str, field: str) -> Floats:
        """A number of a training over the steps ``(n,)``."""
        training = self.training(name)
        if field == "move":
            return np.array(training["rate"], np.float64) * np.array(training["ratio"], np.float64)
        return np.array(training[field], np.float64)

    def called(self, name: str) -> str:
        """What a training is called in a sentence, by its name."""
        if name == "own" and self.warm_up == WITHOUT:
            return self.called("none")
        names = {
            "own": _("warm-up of {n} steps").format(n=grouped(self.warm_up)),
            "none": _("no warm-up"),
            "waited": _("only waits {n} steps").format(n=grouped(self.waits)),
        }
        return names[name]


LOOKS: Mapping[str, tuple[Role, Dash]] = {
    "own": ("accent", "solid"), "none": ("warning", "solid"), "waited": ("muted", "dash"),
}  # fmt: skip


class LearningWarmedView(View[OfWarmUp, Warmed]):
    """The loss over the steps, and below it how far a weight moves in each."""

    name, Params, needs = "learning.warmed", OfWarmUp, NO_MODEL

    def compute(self, runs: Sequence[object], params: OfWarmUp) -> Warmed:
        return Warmed(params, measured(WARM_UP))

    def values(self, record: Warmed) -> Mapping[str, Values]:
        along = (Along("step", _("step"), list(map(str, record.recording["steps"]))),)
        values = {
            "warm_up": Values(_("Warm-up steps"), np.array(record.warm_up)),
            "rate": Values(_("Largest learning rate"), np.array(record.recording["rate"])),
        }
        for name in LOOKS:
            before, which = "" if name == "own" else f"{name}_", record.called(name)
            for field, label in LINES.items():
                title = _("{what}, {which}").format(what=_(label), which=which)
                values[before + field] = Values(title, record.line(name, field), along)
            right = np.array(record.training(name)["whole"])
            title = _("{what}, {which}").format(what=_("whole sequences right"), which=which)
            values[f"{before}whole"] = Values(title, right)
        return values

    def describe(self, record: Warmed) -> Sentence:
        def outcome(name: str, template: str, role: Role) -> Sentence:
            return sentence(
                template, n=grouped(record.warm_up),
                whole=Mark(percent(record.training(name)["whole"]), role),
                move=Mark(number(float(record.line(name, "move")[0])), role),
            )  # fmt: skip

        without = outcome(
            "none",
            _("Without a warm-up the model writes {whole} of the held-out sequences without a "
              "mistake. In step 1 a weight moved by {move} on average."),
            "warning",
        )  # fmt: skip
        if record.warm_up == WITHOUT:
            return without
        warmed = outcome(
            "own",
            _("With a warm-up of {n} steps it writes {whole} without a mistake. In step 1 a weight "
              "moved by {move} on average."),
            "accent",
        )  # fmt: skip
        return join([without, warmed])

    def draw(self, record: Warmed) -> Plot:
        def curves(field: str, says: str, *, legend: bool = False) -> list[Curve]:
            return [
                Curve(x=np.array(record.recording["steps"]), y=record.line(name, field), role=role,
                      dash=dash, name=record.called(name), hover=says, legend=legend)
                for name, (role, dash) in LOOKS.items()
            ]  # fmt: skip

        last = record.recording["steps"][-1]
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
