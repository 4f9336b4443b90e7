"""One job and everybody who watches it, as the scheduler knows it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from core.runs.progress import (
    JobProgress,
    State,
    Step,
)
from core.runs.request import Job
from core.runs.turn_queue import Visitor
from core.sizes import held


@dataclass(frozen=True, slots=True)
class Watch:
    """When somebody last looked, and whether she has paused what she sees."""

    at: float
    paused: bool


@dataclass(eq=False)
class ScheduledJob:
    """A job.

    Attributes:
        number: its own.
        key: under which it is known.
        request: what is worked out.
        progress: what is known of it; the last ``records`` are kept apart until somebody looks.
        looks: by who watches.
        waits: how many threads do nothing until it has ended.
        left: when somebody has left, or when it began to be known.
        visitor: who asked for it first.
        since: when its turn began.
        nbytes: of its records.
    """

    number: int
    key: Hashable
    request: Job
    left: float
    visitor: Visitor = field(default_factory=Visitor)
    since: float = 0.0
    progress: JobProgress = field(default_factory=JobProgress)
    looks: dict[Hashable, Watch] = field(default_factory=dict)
    waits: int = 0
    nbytes: int = 0
    _new: list[Any] = field(default_factory=list)

    def now(self) -> JobProgress:
        """What it has told."""
        if self._new:
            self.progress = dataclasses.replace(
                self.progress, records=(*self.progress.records, *self._new)
            )
            self._new = []
        return self.progress

    def become(self, state: State, **how: Any) -> None:
        """Note how it stands from now on."""
        self.progress = dataclasses.replace(self.now(), state=state, **how)

    def take(self, step: Step, seconds: float) -> None:
        """Note what was told."""
        if step.record is not None:
            self._new.append(step.record)
            self.nbytes += held(step.record)
        self.progress = dataclasses.replace(self.progress, share=step.share, seconds=seconds)

    @property
    def wanted(self) -> bool:
        """Somebody watches it or waits for it."""
        return bool(self.looks or self.waits)

    @property
    def paused(self) -> bool:
        """All who watch have paused."""
        return (
            bool(self.looks) and not self.waits and all(look.paused for look in self.looks.values())
        )

    def forget(self, now: float, grace: float) -> None:
        """Note who has not looked for so long that she must have left."""
        for who, look in list(self.looks.items()):
            if now >= look.at + grace:
                del self.looks[who]
                self.left = max(self.left, look.at)

    def due(self, kept: float) -> float:
        """When something may have to be done because of who watches, or does not.

        Args:
            kept: seconds for which it is kept for somebody who comes back.
        """
        if self.looks:
            return min(look.at for look in self.looks.values()) + kept
        return math.inf if self.waits else self.left + kept
