"""What a picture shows: one of a few labels."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from core.data.samples import PictureSample, samples
from core.encoders import Encoders
from core.encoders import PictureEncoder as PicturesEncoder
from core.errors import CorpusError
from core.language import N_, Phrase
from core.predict import classify_image
from core.text.tokenizer import Tokenizer
from core.training.pictures import Labels, Pixels, read_pictures
from core.training.sources import CorpusFile
from core.training.tasks.task import Corpora, Metrics, Phase, Split, TrainingBatch
from core.zoo import LoadedModel

_HELD_OUT = 100  # one picture in so many is never trained on
_AT_ONCE = 500  # pictures that are judged together
_GUESSES = 3


class LabelledPictures(NamedTuple):
    """Pictures and what they show.

    Attributes:
        pixels: as the model reads them, ``(B, C, height, width)``.
        labels: numbers of the labels, ``(B,)``.
    """

    pixels: Tensor
    labels: Tensor


@dataclass(frozen=True)
class PictureLabels:
    """Pictures with one label each, moved a little each time they are read.

    Attributes:
        source: a file of them, see ``read_pictures``; its ``valid`` file holds the unseen ones.
        labels: what the numbers among the labels stand for.
        batch: pictures of a batch.
        shift: rows and columns that a picture is moved at most, its border filled with black.
        flips: every second one is seen in a mirror, left for right.
        mean, std: of their pixels, counted from 0 to 1, if they are to be read by them.
    """

    counts: ClassVar[str] = "pictures"
    source: CorpusFile
    labels: tuple[str, ...]
    batch: int
    shift: int
    flips: bool = False
    mean: float = 0.0
    std: float = 1.0

    @property
    def sources(self) -> tuple[CorpusFile, ...]:
        """See ``Task``."""
        return (self.source,)

    @property
    def largest(self) -> int:
        """See ``Task``."""
        return self.batch

    def encoders(self, directory: Path, network: Any, learned: Tokenizer | None = None) -> Encoders:
        """Pictures of the network's size, on the scale of the task."""
        sides = (network.width, network.height, network.channels)
        return Encoders(pictures=PicturesEncoder(*sides, self.mean, self.std))

    def read(self, corpora: Corpora, split: Split) -> _Shuffled:
        """The pictures of a split."""
        return _Shuffled(self, corpora, split)

    def losses(self, model: nn.Module, examples: LabelledPictures) -> dict[str, Tensor]:
        """Mean cross-entropy in nats of each label."""
        pixels, labels = examples
        return {"label": F.cross_entropy(model(pixels).float(), labels)}

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """The share of the unseen pictures whose label has the highest logit."""
        assert self.source.valid is not None
        pixels, labels = read_pictures(directory / self.source.valid, self.labels)
        reads, hits = of_pictures(model.encoders), 0
        with torch.inference_mode():
            for start in range(0, len(labels), _AT_ONCE):
                logits = model.model(_numbers(reads, pixels[start : start + _AT_ONCE]))
                predicted = logits.argmax(dim=-1).cpu().numpy()
                hits += int((predicted == labels[start : start + _AT_ONCE]).sum())
        return {f"accuracy/{self.source.valid.removesuffix('.npz')}": hits / len(labels)}

    def samples(self, model: LoadedModel) -> list[str]:
        """What it says of the first sample pictures of each label, with its three best guesses.

        Of the samples that have the size of its pictures; there may be none.
        """
        size, firsts = of_pictures(model.encoders).size, dict[str, PictureSample]()
        for sample in samples():
            if sample.picture.size == size:
                firsts.setdefault(f"{sample.label} {sample.source}", sample)
        return [_best_labels(model, sample) for sample in firsts.values()]


def _best_labels(model: LoadedModel, sample: PictureSample) -> str:
    best = classify_image(model, sample.picture)[:_GUESSES]
    guesses = ", ".join(f"{label.label} {label.prob:.2f}" for label in best)
    return f"- {sample.label} ({sample.source}): {guesses}"


def of_pictures(encoders: Encoders) -> PicturesEncoder:
    """What a model that learns from pictures reads them through."""
    assert encoders.pictures is not None
    return encoders.pictures


def _numbers(reads: PicturesEncoder, pixels: Pixels) -> Tensor:
    """Pictures as a model reads them, ``(B, C, height, width)``."""
    return torch.from_numpy(reads.numbers(pixels))


def _is_held_out(picture: Pixels) -> bool:
    """Chosen by its own pixels, so that no copy of it is trained on."""
    digest = hashlib.blake2b(picture.tobytes(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % _HELD_OUT == 0


class _Shuffled:
    """The pictures of a split, in an order drawn anew for each epoch.

    Args:
        task: whose file and batches are taken, and how it moves them.
        corpora: where the file lies.
        split: what is trained on, or what is held out.
    """

    def __init__(self, task: PictureLabels, corpora: Corpora, split: Split) -> None:
        self._task, self._seed, self._split = task, corpora.seed, split
        self._reads = of_pictures(corpora.encoders)
        path = corpora.directory / task.source.file
        pixels, labels = read_pictures(path, task.labels)
        chosen = [_is_held_out(picture) == (split == "held_out") for picture in pixels]
        self._pixels, self._labels = pixels[chosen], labels[chosen]
        if len(self._labels) < (1 if split == "held_out" else task.batch):
            raise CorpusError(
                path, Phrase(N_("too few pictures in the {split} split"), split=split)
            )
        self._order = lru_cache(maxsize=1)(self._draw)

    def batches(self, phase: Phase, first: int = 0, every: int = 1) -> Iterator[TrainingBatch]:
        """See ``Examples``; an epoch holds each picture once, but for what fills no batch."""
        if self._split == "held_out":
            yield self._batch(self._pixels[:_AT_ONCE], self._labels[:_AT_ONCE], "held out")
            return
        n = self._task.batch
        for number in itertools.count(first, every):
            epoch, index = divmod(number, len(self._labels) // n)
            rows = self._order(epoch, phase)[index * n : (index + 1) * n]
            rng = np.random.default_rng((self._seed, 3, phase == "cool-down", number))
            moved = _shifted(self._pixels[rows], self._task.shift, rng)
            if self._task.flips:
                moved = _flipped(moved, rng)
            yield self._batch(moved, self._labels[rows])

    def _draw(self, epoch: int, phase: Phase) -> NDArray[np.int64]:
        rng = np.random.default_rng((self._seed, 1 + (phase == "cool-down"), epoch))
        return rng.permutation(len(self._labels))

    def _batch(self, pixels: Pixels, labels: Labels, source: str = "") -> TrainingBatch:
        examples = LabelledPictures(_numbers(self._reads, pixels), torch.from_numpy(labels))
        return TrainingBatch(examples, len(labels), source)


def _shifted(pixels: Pixels, most: int, rng: np.random.Generator) -> Pixels:
    """Each picture moved by up to so many rows and columns."""
    n, height, width, _channels = pixels.shape
    padded = np.pad(pixels, ((0, 0), (most, most), (most, most), (0, 0)))
    down, right = rng.integers(0, 2 * most + 1, (2, n, 1, 1))
    rows = down + np.arange(height)[None, :, None]
    columns = right + np.arange(width)[None, None, :]
    moved: Pixels = padded[np.arange(n)[:, None, None], rows, columns]
    return moved


def _flipped(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """Each picture as it is or in a mirror, as likely one as the other."""
    mirrored = rng.random(len(pixels)) < 0.5
    return np.where(mirrored[:, None, None, None], pixels[:, :, ::-1], pixels)
