"""A change to one activation while a model runs, as plain data: a run can be cached by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Shares = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class OfSites:
    """The values of other sites that were computed before, side by side, in the place of its own.

    Attributes:
        sites: whose values; of one shape but for the last axis.
    """

    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """What to put in the place of what.

    Attributes:
        site: name of the tensor; ``*`` in it matches anything, so that one edit reaches the
            same place of several parts.
        index: which part of it, one entry an axis without the batch: a number,
            or None for all. Missing entries mean all.
        value: "zero", "mean" (over the row's own positions, axis -2) or a number; what other sites
            gave; or, of rows on the last axis, entries with what each becomes: the others of the
            row keep their proportions, and it adds up to 1 again.
    """

    site: str
    index: tuple[int | None, ...] = ()
    value: Literal["zero", "mean"] | float | OfSites | Shares = "zero"
