"""Curves of small models that were trained by us: recorded, each with the command that made it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "curves"


@dataclass(frozen=True)
class Recorded:
    """One training.

    Attributes:
        name: of the variant.
        command: that makes it again.
        commit: at which it was made.
        seed: of weights and order.
        parameters: how many numbers learned.
        config: of the model and of the training.
        steps: at which it was asked.
        train: mean loss in training since the time before, nats a token.
        held: loss on what it has not seen, where no answer can be looked up.
        right: share of right guesses there.
        more: further lines of the same length, by name.
    """

    name: str
    command: str
    commit: str
    seed: int
    parameters: int
    config: Mapping[str, Any]
    steps: tuple[int, ...]
    train: tuple[float, ...]
    held: tuple[float, ...]
    right: tuple[float, ...]
    more: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for line in (self.train, self.held, self.right, *self.more.values()):
            if len(line) != len(self.steps):
                raise ValueError(f"{self.name!r}: {len(self.steps)} steps and {len(line)} numbers")


def write(curve: Recorded, folder: Path = FOLDER) -> Path:
    """Put a curve into its file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{curve.name}.json"
    data = {name: getattr(curve, name) for name in curve.__dataclass_fields__}
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return path


@lru_cache(maxsize=4)
def curves(folder: Path = FOLDER) -> Mapping[str, Recorded]:
    """All that have been recorded, by name; none where there are none."""
    files = (json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json")))
    return {data["name"]: _read(data) for data in files}


def _read(data: dict[str, Any]) -> Recorded:
    lines = {name: tuple(data[name]) for name in ("steps", "train", "held", "right")}
    more = {name: tuple(line) for name, line in data["more"].items()}
    return Recorded(**{**data, **lines, "more": more})
