"""Pictures to begin with: our own drawings, and digits of a public collection with their source."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.inputs import Picture

FILE = Path(__file__).resolve().parent.parent / "assets" / "pictures" / "digits.json"


@dataclass(frozen=True, slots=True)
class Sample:
    """One picture.

    Attributes:
        label: what it shows.
        source: whose it is.
        picture: its pixels.
    """

    label: str
    source: str
    picture: Picture


@lru_cache(maxsize=1)
def samples() -> tuple[Sample, ...]:
    """All of them; the first is what pages open on."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(
        Sample(one["label"], one["source"], Picture.of_text(one["picture"])) for one in found
    )
