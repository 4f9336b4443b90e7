"""What a job tells: its records so far, and how it stands. Nothing here sees torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from core.errors import CoreError, JobError
from core.language import N_, Phrase

State = Literal["waiting", "beginning", "running", "resting", "stopped", "failed", "finished"]


@dataclass(frozen=True, slots=True)
class Step:
    """What a job tells at one time.

    Attributes:
        share: of the work that is done by then, from 0 to 1.
        record: what is new: frozen, and a copy, as the work goes on; None if only the share grew.
    """

    share: float
    record: Any = None


@dataclass(frozen=True, eq=False)
class JobProgress:
    """A job as those who watch it see it.

    Attributes:
        records: that it has told so far, the first one first.
        state: "waiting" for its turn, "beginning" (its process does), "running", "resting" while
            all who watch pause; then "finished", "stopped" before its end, or "failed".
        share: of the work that is done.
        ahead: jobs whose turn comes before it, while it waits.
        seconds: that it has worked.
        problem: why it failed.
    """

    records: tuple[Any, ...] = ()
    state: State = "waiting"
    share: float = 0.0
    ahead: int = 0
    seconds: float = 0.0
    problem: CoreError | None = None

    @property
    def over(self) -> bool:
        """Nothing more will be told."""
        return self.state in ("finished", "stopped", "failed")


# --- why a job came to no end --------------------------------------------------------------------


def lost() -> JobError:
    """The process that worked has ended."""
    return JobError(
        N_(
            "the process that worked on this has ended, perhaps because the server's memory was "
            "full: try again"
        )
    )


def broken(ident: str) -> JobError:
    """A mistake in the work itself; the log has it under a number."""
    return JobError(
        Phrase(
            N_(
                "something in this calculation went wrong: try again, and if it happens again, "
                "report it with the number {id}"
            ),
            id=ident,
        )
    )


def too_long(most: int) -> JobError:
    """More was told than is kept, so many bytes."""
    return JobError(
        Phrase(
            N_("this calculation gives more than {n} MB: ask for a smaller one"), n=most // 2**20
        )
    )


def queue_full(n: int) -> JobError:
    """As many wait as may."""
    return JobError(Phrase(N_("{n} calculations are waiting already: try again in a minute"), n=n))


def going_already(n: int, seconds: int) -> JobError:
    """A visitor has as many as she may have."""
    sentence = N_(
        "you have {n} calculations going already: stop one, or try again in {seconds} s, when one "
        "has ended"
    )
    return JobError(Phrase(sentence, n=n, seconds=seconds), seconds)
