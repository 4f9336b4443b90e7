"""What the views of Adam are asked with: its settings, and what they make of gradients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.live_training.optimised import AdamRun, Floats
from core.runs.requests import AdamRequest
from core.views.params import param

# As they are written in a link, and for people.
EPS = {"1e-9": "10⁻⁹", "1e-6": "10⁻⁶", "1e-4": "10⁻⁴", "0.01": "10⁻²", "0.1": "10⁻¹", "1": "1"}
RATES = {"0.001": "0.001", "0.01": "0.01", "0.1": "0.1", "1": "1"}


@dataclass(frozen=True, slots=True)
class Adam:
    """The settings of Adam; it opens on those of Vaswani et al. 2017, section 5.3.

    Attributes:
        beta1: how much of the average of the gradients is kept.
        beta2: how much of the average of their squares is kept.
        adam_eps: added to the root.
    """

    beta1: float = param(0.9, low=0.0, high=0.999, label="β₁")
    beta2: float = param(0.98, low=0.0, high=0.9999, label="β₂")
    adam_eps: str = param("1e-9", choices=EPS, label="ε")


def request_of(params: Adam, gradients: Floats, rate: float) -> AdamRequest:
    """A weight that is given these gradients."""
    betas = (params.beta1, params.beta2)
    return AdamRequest(tuple(map(float, gradients)), rate, betas, float(params.adam_eps))


@dataclass(frozen=True, eq=False)
class Corrected:
    """The averages after a correction for their beginning at 0, and what is made of them.

    Attributes:
        run: what the optimiser kept.
        params: its settings.
    """

    run: AdamRun
    params: Adam

    @property
    def n(self) -> int:
        """Steps."""
        return len(self.run.gradients)

    def _left(self, beta: float) -> Floats:
        """1 − β^t of each step: what of the average does not stem from its beginning."""
        return 1 - np.power(beta, np.arange(1, self.n + 1), dtype=np.float64)

    @property
    def left1(self) -> Floats:
        return self._left(self.params.beta1)

    @property
    def left2(self) -> Floats:
        return self._left(self.params.beta2)

    @property
    def mean(self) -> Floats:
        """m̂."""
        return self.run.mean / self.left1

    @property
    def square(self) -> Floats:
        """v̂."""
        return self.run.square / self.left2

    @property
    def root(self) -> Floats:
        """√v̂."""
        return np.sqrt(np.maximum(self.square, 0.0))

    @property
    def divisor(self) -> Floats:
        """√v̂ + ε."""
        return self.root + float(self.params.adam_eps)

    @property
    def ratio(self) -> Floats:
        """How many learning rates the weight moves."""
        return self.mean / self.divisor
