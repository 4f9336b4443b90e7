"""How a run is carried out, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from core.errors import ParameterError
from core.language import N_, Phrase
from core.live_training.schedules import Fall, WarmupStableCooldown
from core.training.recipe import Schedule
from core.training.tasks.task import Phase


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How a run is carried out, apart from its recipe.

    Attributes:
        out: the run's directory.
        minutes: limit of a run by the clock. At a steady pace it passes it by no more than a step.
        steps: of the run, whatever the clock.
        falls: where the rate begins to fall and for how many steps, whatever the clock, as an
            earlier run's clock planned it.
        device: where to train.
        compile: fuse the training step (twice as fast; needs a C++ compiler on a CPU).
        bf16: matrix products in bfloat16, weights and sums in float32.
        resume: go on from the run's last checkpoint.
        from_shelf: the model has the shipped weights, not random ones.
    """

    out: Path
    minutes: float
    device: torch.device
    steps: int | None = None
    falls: tuple[Fall, ...] = ()
    compile: bool = True
    bf16: bool = True
    resume: bool = False
    from_shelf: bool = False

    def __post_init__(self) -> None:
        if self.steps is not None and self.falls:
            raise ParameterError("cool_down_at", self.falls, N_("left out where steps are given"))
        if self.resume and (self.steps is not None or self.falls):
            field_name = "steps" if self.falls == () else "cool_down_at"
            raise ParameterError(field_name, self.steps or self.falls, N_("left out with --resume"))

    def check_began(self, from_shelf: bool, seed: int, its_seed: int) -> None:
        """See that a run that is resumed began as these settings say.

        Raises:
            ParameterError: it did not.
        """
        if its_seed != seed:
            raise ParameterError(
                "seed", seed, Phrase(N_("{seed}, as the run began"), seed=its_seed)
            )
        if from_shelf != self.from_shelf:
            raise ParameterError(
                "from_shelf",
                self.from_shelf,
                N_("given, as when the run began")
                if from_shelf
                else N_("left out: this run began anew"),
            )

    def rates(self, schedule: Schedule) -> WarmupStableCooldown:
        """The learning rates of a run that begins, with the falls that are set."""
        rates = schedule.rates(self.steps)
        for fall in self.falls:
            rates = rates.fall_from(fall.step, fall.n_steps)
        return rates


@dataclass(slots=True)
class Progress:
    """Where a run stands: everything but weights and optimiser state.

    Attributes:
        rates: of the whole run, as far as it is planned.
        by_the_clock: whether the clock plans them.
        step: steps done.
        phase: of the next step.
        batches: taken in this phase, over all processes.
        read: tokens or other examples, as the task counts them, over all processes.
        seconds: spent, over all parts of the run.
        losses: their running means.
    """

    rates: WarmupStableCooldown
    by_the_clock: bool
    step: int = 0
    phase: Phase = "stable"
    batches: int = 0
    read: int = 0
    seconds: float = 0.0
    losses: dict[str, float] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether the schedule has come to its end."""
        return self.rates.n_steps is not None and self.step >= self.rates.n_steps

    @classmethod
    def stored(cls, values: dict[str, Any]) -> Progress:
        """A run's progress from what ``asdict`` made of it."""
        rates = dict(values["rates"])
        rates["falls"] = tuple(Fall(**fall) for fall in rates["falls"])
        return cls(**{**values, "rates": WarmupStableCooldown(**rates)})
