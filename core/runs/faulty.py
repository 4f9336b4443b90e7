"""What comes back of a text that a whole and a broken machine read. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from core.runs.results import Run
from core.sizes import OBJECT
from core.tracing.trace import Trace


@dataclass(frozen=True, eq=False)
class Faulty:
    """The same input three times.

    Attributes:
        healthy: through the model as it is.
        broken: with the fault put into it.
        again: with the same fault once more; only chance can make it another run.
        fault: by its id.
    """

    healthy: Run
    broken: Run
    again: Run
    fault: str

    @property
    def trace(self) -> Trace:
        """Of the model as it is: what is as long and as wide in all three."""
        return self.healthy.trace

    @property
    def lengths(self) -> dict[str, int]:
        """Positions of each stream, in all three."""
        return self.healthy.lengths

    @property
    def nbytes(self) -> int:
        return sum(one.nbytes for one in (self.healthy, self.broken, self.again)) + OBJECT
