"""What is known of the generator that ships: how it was made, and how often it draws the digit.

A JSON file beside the weights, read without torch.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.checkpoints.files import read_json
from core.errors import CheckpointError
from core.film.index import StoredFile, stored
from core.language import N_, Phrase

FOLDER = Path(__file__).resolve().parent.parent.parent / "assets" / "digits"
INDEX, WEIGHTS = "digits.json", "digits.safetensors"


@dataclass(frozen=True, slots=True)
class Measure:
    """How often a classifier reads the digit that a text names.

    Attributes:
        name: of the texts: "trained_words", "held_numerals" and so on.
        guidance: with which was drawn.
        n: pictures, each of another noise; digits by turns.
        right: by the classifier's id on the shelf, in how many of them it reads the digit named.
        read: by its id, how often it reads each of the ten digits.
    """

    name: str
    guidance: float
    n: int
    right: Mapping[str, int]
    read: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class DigitTrainings:
    """A training, and what became of it.

    Attributes:
        command: that makes it again.
        measured_by: the command that measures it again.
        commit: at which it was made.
        seed: of weights and order.
        threads: of the CPU.
        done: it came to its end; else it goes on, or was broken off.
        minutes: that it took.
        steps: updates.
        pictures: read by then.
        parameters: how many numbers learned.
        config: of the network.
        training: what the recipe says of batches and the optimiser.
        encoder: id on the shelf of the model whose encoder stays frozen.
        encoder_mark: its fingerprint: with other weights this generator reads nothing.
        licence: of the weights.
        sources: name, licence and credit of each.
        curve: (step, mean loss since the last of them).
        measures: none before its end.
        file: of the weights.
    """

    command: str
    measured_by: str
    commit: str
    seed: int
    threads: int
    done: bool
    minutes: float
    steps: int
    pictures: int
    parameters: int
    config: Mapping[str, Any]
    training: Mapping[str, Any]
    encoder: str
    encoder_mark: str
    licence: str
    sources: tuple[Mapping[str, str], ...]
    curve: tuple[tuple[int, float], ...]
    measures: tuple[Measure, ...]
    file: StoredFile

    @property
    def judges(self) -> tuple[str, ...]:
        """The classifiers that it was measured by, by their ids."""
        return tuple(self.measures[0].right) if self.measures else ()

    def measure(self, name: str, guidance: float) -> Measure | None:
        """The measure of some texts, if it was taken."""
        key = (name, guidance)
        return next(
            (measure for measure in self.measures if (measure.name, measure.guidance) == key), None
        )


def write(record: DigitTrainings, folder: Path) -> Path:
    """Replace the file of a folder, whole or not at all."""
    path, partial = folder / INDEX, folder / (INDEX + ".partial")
    partial.write_text(json.dumps(dataclasses.asdict(record), indent=1) + "\n", encoding="utf-8")
    return partial.replace(path)


def read(folder: Path = FOLDER) -> DigitTrainings:
    """What the file of a folder says.

    Raises:
        CheckpointError: it is missing, damaged or of another kind.
    """
    path = folder / INDEX
    return _read(path, path.stat().st_mtime_ns if path.is_file() else 0)


def check(record: DigitTrainings, folder: Path) -> Path:
    """The file of the weights.

    Raises:
        CheckpointError: it is missing, or another one than the index says.
    """
    path = folder / WEIGHTS
    if not path.is_file():
        raise CheckpointError(path, N_("no such file"))
    if stored(path) != record.file:
        raise CheckpointError(path, N_("damaged: it is not the file that the index names"))
    return path


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int) -> DigitTrainings:
    whole = read_json(path)
    try:
        measures = tuple(
            Measure(**{**measure, "read": {name: tuple(n) for name, n in measure["read"].items()}})
            for measure in whole["measures"]
        )
        curve = tuple((int(step), float(loss)) for step, loss in whole["curve"])
        lists = {"measures": measures, "curve": curve, "file": StoredFile(**whole["file"])}
        return DigitTrainings(**{**whole, **lists, "sources": tuple(whole["sources"])})
    except (AttributeError, KeyError, TypeError, ValueError) as wrong:
        problem = N_("not the index of the digits' generator ({reason})")
        raise CheckpointError(path, Phrase(problem, reason=repr(wrong))) from wrong
