"""Learning rates over a run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.errors import ParameterError
from core.language import N_, Phrase


def noam(step: int, d_model: int, warmup: int = 4000) -> float:
    """Vaswani et al. 2017, equation (3): up linearly, then down with the root of the step.

    lrate = d_model^-0.5 · min(step^-0.5, step · warmup^-1.5), with step from 1.

    Raises:
        ParameterError: the step is below 1.
    """
    if step < 1:
        raise ParameterError("step", step, N_("at least 1"))
    return float(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))


@dataclass(frozen=True, slots=True)
class WarmupStableCooldown:
    """Up, level, down: the share of the peak learning rate at each step.

    The level part can be cut short at any time and the cool-down still ends
    where it should, which is what makes a run by the clock possible
    (Hu et al. 2024, MiniCPM, section 4.2, "warm-up-stable-decay").

    Attributes:
        n_steps: of the whole run.
        n_warmup: steps of the rise.
        n_cooldown: steps of the linear fall at the end.
        floor: where the fall ends.
    """

    n_steps: int
    n_warmup: int
    n_cooldown: int
    floor: float = 0.0

    def __post_init__(self) -> None:
        if self.n_steps < 1 or self.n_warmup + self.n_cooldown > self.n_steps:
            raise ParameterError(
                "n_steps",
                self.n_steps,
                Phrase(N_("at least {n}"), n=max(1, self.n_warmup + self.n_cooldown)),
            )

    @property
    def cooldown_start(self) -> int:
        return self.n_steps - self.n_cooldown

    def share(self, step: int) -> float:
        """The share at ``step``, counted from 0."""
        if step < self.n_warmup:
            return (step + 1) / self.n_warmup
        if step < self.cooldown_start:
            return 1.0
        done = (step + 1 - self.cooldown_start) / max(1, self.n_cooldown)
        return 1.0 - (1.0 - self.floor) * min(1.0, done)

    def cool_down_from(self, step: int, n_cooldown: int) -> WarmupStableCooldown:
        """The same until ``step``, then a fall to the floor in ``n_cooldown`` steps.

        Inside a fall it goes on from the share that was reached: as the end of one
        that began as much earlier as it is flatter.
        """
        fallen = (1.0 - self.share(step - 1)) if step > self.cooldown_start else 0.0
        left = 1.0 - fallen / (1.0 - self.floor)
        n_steps = step + n_cooldown
        whole = min(n_steps, round(n_cooldown / left)) if left > 0 else n_cooldown
        return replace(
            self,
            n_steps=n_steps,
            n_cooldown=whole,
            n_warmup=min(self.n_warmup, n_steps - whole),
        )
