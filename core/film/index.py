"""What is recorded of a film's training: a file with its command, and a line for every frame."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.checkpoints.files import read_json
from core.errors import CheckpointError
from core.language import N_, Phrase

FOLDER = Path(__file__).resolve().parent.parent.parent / "assets" / "film"
INDEX, WEIGHTS = "film.json", ".safetensors"
NAME = "film"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file beside the index: how long it is, and the BLAKE2b digest of its bytes."""

    bytes: int
    digest: str


@dataclass(frozen=True)
class FilmFrame:
    """The model at one moment; every figure is of the weights as they are stored.

    Attributes:
        step: updates done.
        tokens: read by then.
        seconds: of training by then, the measuring of frames included.
        rate: of learning, as a share of the peak, in the step that led here; 0 before the first.
        file: of the weights.
        train: loss on rows of the text that it learns from, nats a token.
        held: loss on rows that it never reads: the sources by their shares in what it reads.
        sources: the same on each source.
        texts: loss on each of the film's texts, which need no corpora.
        away: how much of the probability would have to move, on those rows, to make its predictions
            those of "unigram" and "bigram", the film's baselines: the total variation distance.
        heads: scores of every head and ``repeat_gain``, named as on the card of a shipped model.
    """

    step: int
    tokens: int
    seconds: float
    rate: float
    file: str
    train: float
    held: float
    sources: Mapping[str, float]
    texts: Mapping[str, float]
    away: Mapping[str, float]
    heads: Mapping[str, float]

    @property
    def name(self) -> str:
        """How the model of this frame is named: ``film@300``."""
        return f"{NAME}@{self.step}"


@dataclass(frozen=True)
class Film:
    """A training and its frames.

    Attributes:
        command: that makes it again.
        commit: at which it was made.
        tier: of the recipe: "cpu", or "tiny" for a try.
        seed: of weights and order.
        threads: of the CPU.
        done: it came to its end, where the rate had fallen.
        parameters: how many numbers learned.
        config: of the model.
        training: what the recipe says of the rows, the sources' shares and the optimiser.
        licence: of the weights.
        sources: name, licence and credit of each.
        baselines: held-out loss of what knows less: "uniform", "unigram", "bigram".
        curve: (step, running mean of the loss on the rows it learned from), every 20 steps.
        frames: by step.
        files: all that lies beside the index, by name.
    """

    command: str
    commit: str
    tier: str
    seed: int
    threads: int
    done: bool
    parameters: int
    config: Mapping[str, Any]
    training: Mapping[str, Any]
    licence: str
    sources: tuple[Mapping[str, str], ...]
    baselines: Mapping[str, float]
    curve: tuple[tuple[int, float], ...]
    frames: tuple[FilmFrame, ...]
    files: Mapping[str, StoredFile]

    def frame(self, name: str) -> FilmFrame | None:
        """The frame of a name, if there is one."""
        return next((frame for frame in self.frames if frame.name == name), None)


def stored(path: Path) -> StoredFile:
    """What the index says of a file."""
    whole = path.read_bytes()
    return StoredFile(len(whole), hashlib.blake2b(whole, digest_size=16).hexdigest())


def write(film: Film, folder: Path) -> Path:
    """Replace the index of a folder, whole or not at all."""
    path, partial = folder / INDEX, folder / (INDEX + ".partial")
    partial.write_text(json.dumps(dataclasses.asdict(film), indent=1) + "\n", encoding="utf-8")
    return partial.replace(path)


def read_index(folder: Path) -> Film:
    """What the index of a folder says, whether or not the files are there.

    Raises:
        CheckpointError: the index is missing, damaged or of another kind.
    """
    path = folder / INDEX
    return _read(path, path.stat().st_mtime_ns if path.is_file() else 0)


def read(folder: Path = FOLDER) -> Film:
    """The film of a folder.

    Raises:
        CheckpointError: the index is missing, damaged or of another kind, or a file that it names
            is not there or not as long; or weights lie there that it does not name.
    """
    film = read_index(folder)
    for name, stored in film.files.items():
        path_ = folder / name
        if not path_.is_file():
            raise CheckpointError(path_, N_("no such file"))
        if (size := path_.stat().st_size) != stored.bytes:
            problem = N_("holds {size} bytes, the film's index says {wanted}")
            raise CheckpointError(path_, Phrase(problem, size=size, wanted=stored.bytes))
    for path_ in sorted(folder.glob("*" + WEIGHTS)):
        if path_.name not in film.files:
            raise CheckpointError(path_, N_("the film's index does not name this file"))
    return film


def check(film: Film, name: str, folder: Path = FOLDER) -> None:
    """See that a file is the one that was recorded.

    Raises:
        CheckpointError: it is missing or another one.
    """
    path = folder / name
    if not path.is_file():
        raise CheckpointError(path, N_("no such file"))
    if stored(path) != film.files.get(name):
        raise CheckpointError(path, N_("damaged: it is not the file that the film's index names"))


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int) -> Film:
    whole = read_json(path)
    try:
        frames = tuple(FilmFrame(**frame) for frame in whole["frames"])
        files = {name: StoredFile(**file) for name, file in whole["files"].items()}
        curve = tuple((int(step), float(loss)) for step, loss in whole["curve"])
        lists = {"frames": frames, "files": files, "curve": curve}
        film = Film(**{**whole, **lists, "sources": tuple(whole["sources"])})
        steps = [frame.step for frame in frames]
        together = steps == sorted(set(steps)) and all(frame.file in files for frame in frames)
    except (AttributeError, KeyError, TypeError, ValueError) as wrong:
        problem = N_("not the index of a film ({reason})")
        raise CheckpointError(path, Phrase(problem, reason=repr(wrong))) from wrong
    if not together:
        raise CheckpointError(path, N_("its frames must be in order, each with a file of its own"))
    return film
