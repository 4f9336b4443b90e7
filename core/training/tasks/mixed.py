"""Several ways of learning by turns, all of them from sources to targets."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from torch import Tensor, nn

from core.encoders import Encoders
from core.text.tokenizer import Tokenizer
from core.training.sources import CorpusFile
from core.training.tasks.pairs import SourcesTargets, text_loss
from core.training.tasks.task import Corpora, Metrics, Phase, Split, TrainingBatch
from core.zoo import LoadedModel


@dataclass(frozen=True)
class Mixed:
    """Batches of several tasks by turns: text to text, whatever the task (Raffel et al. 2020, 2.4).

    Attributes:
        parts: tasks that read texts and give batches by their numbers.
        shares: of the batches.
        train: makes a tokenizer of their texts.
        smoothing: see ``smoothed_cross_entropy``.
    """

    counts: ClassVar[str] = "tokens"
    parts: tuple[Any, ...]
    shares: tuple[float, ...]
    train: Callable[[Iterable[str], int], Tokenizer]
    smoothing: float = 0.0

    @property
    def sources(self) -> Sequence[CorpusFile]:
        """See ``Task``."""
        return tuple(dict.fromkeys(source for part in self.parts for source in part.sources))

    @property
    def largest(self) -> int:
        """See ``Task``."""
        return max(part.largest for part in self.parts)

    def encoders(self, directory: Path, network: Any, learned: Tokenizer | None = None) -> Encoders:
        """One tokenizer of all texts."""
        if learned is not None:
            return Encoders(learned)
        texts = itertools.chain.from_iterable(part.texts(directory) for part in self.parts)
        return Encoders(self.train(texts, network.vocab_size))

    def read(self, corpora: Corpora, split: Split) -> _ByTurns:
        """See ``Task``."""
        return _ByTurns(self.shares, [part.read(corpora, split) for part in self.parts], split)

    def losses(self, model: nn.Module, examples: SourcesTargets) -> dict[str, Tensor]:
        """Mean cross-entropy of what is to be written, in nats."""
        return {"text": text_loss(model, examples, self.smoothing)}

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """What each of them measures."""
        metrics: Metrics = {}
        for part in self.parts:
            metrics |= part.measure(model, directory)
        return metrics

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return [line for part in self.parts for line in part.samples(model)]


class _ByTurns:
    """The examples of several tasks, whose turn it is by their shares."""

    def __init__(self, shares: Sequence[float], parts: Sequence[Any], split: Split) -> None:
        self._shares, self._parts, self._split = shares, parts, split

    def batches(self, phase: Phase, first: int = 0, every: int = 1) -> Iterator[TrainingBatch]:
        """See ``Examples``."""
        if self._split == "held_out":
            yield from itertools.chain.from_iterable(part.batches(phase) for part in self._parts)
            return
        for part, number in itertools.islice(turns(self._shares), first, None, every):
            yield self._parts[part].batch(phase, number)


def turns(shares: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Which part's turn it is, and its how manieth: always the one that is furthest behind."""
    had = [0] * len(shares)
    for number in itertools.count(1):
        behind = [share / sum(shares) * number - n for share, n in zip(shares, had, strict=True)]
        part = behind.index(max(behind))
        yield part, had[part]
        had[part] += 1
