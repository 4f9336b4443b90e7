"""What a recipe says: a network, a way of learning, how weights move, how long."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.live_training.schedules import WarmupStableCooldown
from core.models.registry import ARCHITECTURES
from core.training.optimisers import Optimiser
from core.training.tasks.task import Metrics, Phase, Task

Tier = Literal["cpu", "gpu", "tiny"]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Warm-up, stable, cool-down.

    Attributes:
        warmup: steps of the rise.
        cooldown: share of the run that the fall takes, by the clock or by the steps.
        floor: where the fall ends, as a share of the peak rate.
        peak: share of the optimiser's rate that the rise ends at.
    """

    warmup: int = 100
    cooldown: float = 0.45
    floor: float = 0.03
    peak: float = 1.0

    def rates(self, n_steps: int | None = None) -> WarmupStableCooldown:
        """The rates of a run of so many steps; of one by the clock, whose fall comes later."""
        rates = WarmupStableCooldown(self.warmup, self.floor)
        if n_steps is None:
            return rates
        fall = max(1, round(self.cooldown * n_steps))
        return rates.fall_from(n_steps - fall, fall)


@dataclass(frozen=True, slots=True)
class Standard:
    """How good a model is and must be.

    Attributes:
        measures: those whose mean says whether a model is better than another.
        lower: whether less is better.
        at_most, at_least: the bars: the largest or smallest value of a measure that may be
            shipped. "induction/*" is the highest of all measures that begin so.
    """

    measures: tuple[str, ...]
    lower: bool = False
    at_most: Mapping[str, float] = field(default_factory=dict)
    at_least: Mapping[str, float] = field(default_factory=dict)

    def unmeasured(self, metrics: Metrics) -> list[str]:
        """The measures and bars that nothing among the metrics speaks for."""
        names = dict.fromkeys([*self.measures, *self.at_most, *self.at_least])
        return [name for name in names if not fnmatch.filter(metrics, name)]

    def score(self, metrics: Metrics) -> float:
        """The mean of the measures; a higher one is better."""
        mean = sum(metrics[name] for name in self.measures) / len(self.measures)
        return -mean if self.lower else mean

    def missed(self, metrics: Metrics) -> dict[str, tuple[float, float]]:
        """The bars that a model does not reach: (its value, the bar) by measure."""
        pairs = {name: (value_of(metrics, name), bar) for name, bar in self.at_most.items()}
        missed = {name: pair for name, pair in pairs.items() if not pair[0] <= pair[1]}
        pairs = {name: (value_of(metrics, name), bar) for name, bar in self.at_least.items()}
        return missed | {name: pair for name, pair in pairs.items() if not pair[0] >= pair[1]}


def value_of(metrics: Metrics, name: str) -> float:
    """A measure; of "kind/*" the highest of the kind."""
    if not name.endswith("/*"):
        return metrics[name]
    return max(value for measure, value in metrics.items() if measure.startswith(name[:-1]))


@dataclass(frozen=True, slots=True)
class CardWords:
    """What the card of a model says of it.

    Attributes:
        knows: what it has learned: "English", "French to English", "Digits".
        measured: how its figures were measured.
        failures: what it gets wrong.
    """

    knows: str
    measured: str
    failures: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that makes a model, but the corpora directory and the clock.

    Attributes:
        id: on the shelf.
        tier: the kind of machine.
        task: what the model learns to do, and from what text.
        network: the sizes, a config of the registry.
        optimiser: how weights move.
        minutes: the budget when none is given.
        standard: how good it is and must be.
        says: what its card says of it.
        begins_from: the id of a model on the shelf whose weights, as far as the network has tensors
            of the same names, and whose encoders it begins with; None for weights that are drawn.
        frozen: names of modules whose weights stay as they begin: those of the body that a new
            head is put on.
        schedule: of a run that begins anew.
        again: of a run that goes on from the shipped weights.
        batches: of a step, over all processes, in each phase.
        dropout: share of the numbers that is dropped where sub-layers write and stacks begin.
        compiled: its steps are. It takes minutes, which a short run has no time for, and one that
            takes a step for each position is quicker without.
        bfloat16: its matrix products are in bfloat16.
        average: how many of the last checkpoints the weights are the mean of.
        apart: steps between these checkpoints.
    """

    id: str
    tier: Tier
    task: Task
    network: Any
    optimiser: Optimiser
    minutes: float
    standard: Standard
    says: CardWords
    begins_from: str | None = None
    frozen: tuple[str, ...] = ()
    schedule: Schedule = field(default_factory=Schedule)
    again: Schedule = field(default_factory=lambda: Schedule(cooldown=0.9, peak=0.4))
    batches: Mapping[Phase, int] = field(
        default_factory=lambda: dict[Phase, int]({"stable": 1, "cool-down": 1})
    )
    dropout: float = 0.0
    compiled: bool = True
    bfloat16: bool = True
    average: int = 1
    apart: int = 100

    @property
    def architecture(self) -> str:
        """Its name in the registry."""
        (name,) = (n for n, a in ARCHITECTURES.items() if isinstance(self.network, a.config))
        return name
