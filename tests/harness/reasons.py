"""Differences from the reference that are meant, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

# Everything is compared with this commit: the last one before views were taken apart.
REFERENCE = "e435c592e2e3ad8c2069a496528342bef6c1eea0"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why differences in a place are meant.

    Attributes:
        view, case, path: patterns, ``*`` matching anything. Brackets are themselves.
        why: one sentence for the report.
        moved: the values may stand in another place, but each must still be somewhere among what
            is new in the same case; what is lost stays a difference.
    """

    view: str
    case: str
    path: str
    why: str
    moved: bool = False

    def covers(self, view: str, case: str, path: str) -> bool:
        """Whether a difference is one of these."""
        pairs = ((view, self.view), (case, self.case), (path, self.path))
        return all(fnmatchcase(text, glob.replace("[", "[[]")) for text, glob in pairs)


REASONS: tuple[Reason, ...] = ()
