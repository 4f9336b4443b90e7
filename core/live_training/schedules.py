"""Learning rates over a run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from core.errors import ParameterError
from core.language import N_, Phrase


def noam(step: int, d_model: int, warmup: int = 4000) -> float:
    """Vaswani et al. 2017, equation (3): up linearly, then down with one over the root of the step.

    lrate = d_model^-0.5 · min(step^-0.5, step · warmup^-1.5), with step from 1.

    Raises:
        ParameterError: the step, the width or the warm-up is below 1.
    """
    for name, value in (("step", step), ("d_model", d_model), ("warmup", warmup)):
        if value < 1:
            raise ParameterError(name, value, N_("at least 1"))
    return float(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))


@dataclass(frozen=True, slots=True)
class Fall:
    """From a step on, the rate falls in a straight line to the floor, in ``n_steps`` steps."""

    step: int
    n_steps: int

    @property
    def end(self) -> int:
        return self.step + self.n_steps


def falls_of(text: str) -> tuple[Fall, ...]:
    """The falls that a command names: ``STEP:COUNT,...``."""
    pairs = (phase.split(":") for phase in text.split(","))
    return tuple(Fall(int(step), int(count)) for step, count in pairs)


@dataclass(frozen=True, slots=True)
class WarmupStableCooldown:
    """Up, level, down: the share of the peak learning rate at each step.

    Hu et al. 2024 (MiniCPM), section 4.2, "warm-up-stable-decay". How long a run takes need
    not be known when it begins: the fall is planned when its time has come, and again when
    the machine turns out to be slower.

    Attributes:
        n_warmup: steps of the rise.
        floor: where a fall ends, as a share of the peak.
        falls: in the order they were planned; each takes the place of the rest of the one before.
    """

    n_warmup: int
    floor: float = 0.0
    falls: tuple[Fall, ...] = ()

    def __post_init__(self) -> None:
        if self.n_warmup < 1:
            raise ParameterError("n_warmup", self.n_warmup, N_("at least 1"))
        for before, fall in pairwise(self.falls):
            if not before.step < fall.step < before.end:
                raise ParameterError(
                    "fall",
                    fall.step,
                    Phrase(N_("between {low} and {high}"), low=before.step, high=before.end),
                )
        if any(fall.step < 0 or fall.n_steps < 1 for fall in self.falls):
            raise ParameterError("fall", self.falls, N_("at least one step long"))

    @property
    def n_steps(self) -> int | None:
        """Of the whole run; None while no fall is planned."""
        return self.falls[-1].end if self.falls else None

    def share(self, step: int) -> float:
        """The share at ``step``, counted from 0."""
        value = min(1.0, (min(step, self._first) + 1) / self.n_warmup)
        for n, fall in enumerate(self.falls):
            until = self.falls[n + 1].step if n + 1 < len(self.falls) else fall.end
            done = min(step + 1, until) - fall.step
            if done > 0:
                value -= max(0.0, value - self.floor) * min(1.0, done / fall.n_steps)
        return value

    @property
    def _first(self) -> int:
        """The last step of the rise and the level."""
        return max(0, self.falls[0].step - 1) if self.falls else 2**62

    def fall_from(self, step: int, n_steps: int) -> WarmupStableCooldown:
        """The same until ``step``, then a fall to the floor in ``n_steps`` steps.

        Raises:
            ParameterError: it would begin before an earlier fall or after its end.
        """
        return replace(self, falls=(*self.falls, Fall(step, n_steps)))
