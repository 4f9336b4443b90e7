"""What a machine can and cannot do, as numbers: what is asked for, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.runs.requests import OfModel
from core.sizes import held

# Each measures one thing that a machine may be wanted for.
Probe = Literal[
    "later", "together", "senses", "gap", "writes", "chain", "answers", "learns",
]  # fmt: skip
# They have sentences of their own.
WITHOUT_TEXT: frozenset[Probe] = frozenset({"senses", "answers"})
N_WRITTEN = 10  # tokens of a continuation
ASKS = " She felt"  # what stands between a sentence and the word that answers
FEELS = ("happy", "sad")


@dataclass(frozen=True, slots=True)
class ProbeRequest(OfModel):
    """One probe of one machine.

    Attributes:
        probe: which.
        text: as it was typed; empty for a probe that has sentences of its own.
    """

    lasts = "a while"
    probe: Probe
    text: str = ""


@dataclass(frozen=True, eq=False)
class Probed:
    """What a probe has found.

    Attributes:
        number: what was measured, a share or a count; NaN where nothing could be.
        beside: a second number to compare it with; NaN where there is none.
        said: what the machine was given or has written, as the probe shows it.
        lacks: what the machine has no part for, as "{model} cannot …" goes on; empty for nothing.
        seconds: what it took.
    """

    number: float
    beside: float = float("nan")
    said: tuple[str, ...] = ()
    lacks: str = ""
    seconds: float = 0.0

    @property
    def nbytes(self) -> int:
        return held(self.number, self.beside, self.said, self.lacks, self.seconds)
