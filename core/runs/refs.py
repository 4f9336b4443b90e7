"""How a request names a model: by its id on the shelf, or as a snapshot of one that is learning."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A model as it was at one moment, while it learned; ``Models.take`` keeps the copy.

    Attributes:
        of: the id of the model that was copied.
        step: of its training.
        number: its own among all that were taken.
    """

    of: str
    step: int
    number: int

    def __str__(self) -> str:
        return f"{self.of}@{self.step}"


# A link or a file can name models of the shelf alone: what is read from text is never a Snapshot.
ModelRef = str | Snapshot
