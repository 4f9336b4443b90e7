"""What Adam makes of sixty gradients of one kind, as curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components.plot import BarSeries, Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Panel, Rule
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.optimised import AdamRun, Floats
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.views.learning.optimising import Adam, Corrected, request_of
from core.views.params import MAX_SEED, param
from core.views.view import View

N, SIZE, RATE = 60, 0.1, 1.0  # steps; a usual gradient; so that a step counts in learning rates
KINDS = {
    "noisy": N_("noisy"),
    "steady": N_("steady"),
    "turning": N_("its sign changes at every step"),
    "rare": N_("rare: 0 but at every tenth step"),
    "tiny": N_("noisy and a million times smaller"),
}


@dataclass(frozen=True, slots=True)
class OfKind(Adam):
    """Gradients of one kind.

    Attributes:
        gradient_kind: of ``KINDS``.
        gradient_seed: of the noise.
    """

    gradient_kind: str = param("noisy", choices=KINDS, label=N_("Gradients are"))
    gradient_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed of the noise"))


@dataclass(frozen=True, eq=False)
class Smoothed:
    """The averages over the steps, and what was asked for."""

    params: OfKind
    adam: Corrected


def gradients_of(params: OfKind) -> Floats:
    """Gradients of a kind, ``(N,)``."""
    steps = np.arange(N)
    if params.gradient_kind == "steady":
        return np.full(N, SIZE)
    if params.gradient_kind == "turning":
        return np.where(steps % 2 == 0, SIZE, -SIZE)
    if params.gradient_kind == "rare":
        return np.where(steps % 10 == 0, SIZE, 0.0)
    drawn = np.random.default_rng(params.gradient_seed).normal(SIZE / 2, SIZE, N)
    return drawn * (1e-6 if params.gradient_kind == "tiny" else 1.0)


class Moments(View[OfKind, Smoothed]):
    """Gradients and their averages; below them how far the weight moves."""

    name, Params, needs = "learning.moments", OfKind, NO_MODEL

    def requests(self, params: OfKind) -> tuple[Request, ...]:
        return (request_of(params, gradients_of(params), RATE),)

    def compute(self, runs: Sequence[AdamRun], params: OfKind) -> Smoothed:
        return Smoothed(params, Corrected(runs[0], params))

    def values(self, record: Smoothed) -> Mapping[str, Values]:
        along = (Along("step", _("step"), [str(n + 1) for n in range(N)]),)
        adam = record.adam
        lines = {
            "gradient": (_("gradient"), adam.run.gradients),
            "mean_hat": ("m̂", adam.mean),
            "root": ("√v̂", adam.root),
            "ratio": (_("step in learning rates"), adam.ratio),
        }
        found = {name: Values(label, line, along) for name, (label, line) in lines.items()}
        size = np.abs(adam.ratio[N // 2 :]).mean()
        return found | {"usual": Values(_("usual step in learning rates"), np.array(size))}

    def describe(self, record: Smoothed) -> Sentence:
        ratio = np.abs(record.adam.ratio)
        kept = sentence(
            _("m̂ is about the mean of the last {n1} gradients, √v̂ the size of the last {n2}."),
            n1=number(1 / (1 - record.params.beta1), 2),
            n2=number(1 / (1 - record.params.beta2), 2),
        )
        moves = sentence(
            _("In the second half the weight moves by {usual} learning rates per step on average, "
              "and by {most} at most."),
            usual=Mark(number(float(ratio[N // 2 :].mean())), "accent"),
            most=number(float(ratio[N // 2 :].max())),
        )  # fmt: skip
        return join([kept, moves])

    def draw(self, record: Smoothed) -> Plot:
        adam, steps = record.adam, np.arange(1, N + 1)
        says = "{name}: {y:.3g}"
        return Plot(
            title=_("Gradients of one weight, and what Adam makes of them"),
            x=PlotAxis(title=_("training step"), range=(0, N + 1)),
            y=PlotAxis(title=_("gradient")),
            series=[
                BarSeries(x=steps, y=adam.run.gradients, role="muted", name=_("gradient"),
                          hover=says),
                Curve(x=steps, y=adam.mean, role="key", name=_("m̂, their average"), hover=says),
                Curve(x=steps, y=adam.root, role="value", dash="dash",
                      name=_("√v̂, their usual size"), hover=says),
            ],
            below=[
                Panel(
                    y=PlotAxis(title=_("learning rates"), range=_reach(adam.ratio)),
                    series=[Curve(x=steps, y=adam.ratio, role="accent",
                                  name=_("m̂ / (√v̂ + ε), the step"), hover=says)],
                    rules=[Rule(y=1), Rule(y=0), Rule(y=-1)],
                    share=0.42,
                )
            ],
            unified=True,
            height=480,
        )  # fmt: skip


def _reach(ratio: Floats) -> tuple[float, float]:
    """The same for all settings, as long as the steps are no larger."""
    most = max(1.2, 1.1 * float(np.abs(ratio).max()))
    return (-most, most)
