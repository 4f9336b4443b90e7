"""What every way of learning has in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import torch
from torch import Tensor

from core.encoders import Encoders
from core.text.tokenizer import Tokenizer
from core.training.sources import CorpusFile
from core.zoo import LoadedModel

Split = Literal["train", "held_out"]
Phase = Literal["stable", "cool-down"]
Metrics = dict[str, float]


@dataclass(frozen=True, slots=True)
class Corpora:
    """The files that a run reads, and all that decides in which order.

    Attributes:
        directory: where the files of the sources lie.
        cache: where tokens are kept between runs.
        encoders: what the model reads its input through.
        seed: of all draws.
    """

    directory: Path
    cache: Path
    encoders: Encoders
    seed: int

    @property
    def tokenizer(self) -> Tokenizer:
        """That of a text.

        Raises:
            NoTextError: the model reads none.
        """
        return self.encoders.tokenizer


@dataclass(frozen=True, slots=True)
class Mix:
    """What a phase of a run reads.

    Attributes:
        n_ctx: tokens of a row.
        shares: of each source in the rows, by its name; they need not add up to 1.
    """

    n_ctx: int
    shares: Mapping[str, float]


@dataclass(frozen=True)
class OfText:
    """What tasks share whose rows are cut from running text.

    Attributes:
        sources: the text; the tokenizer is trained on the same.
        stable, cool_down: what the two phases of a run read.
        tokens: of a batch, padding included.
    """

    counts: ClassVar[str] = "tokens"
    sources: tuple[CorpusFile, ...]
    stable: Mix
    cool_down: Mix
    tokens: int

    @property
    def largest(self) -> int:
        """See ``Task``."""
        return self.tokens

    def make_tokenizer(self, directory: Path, vocab_size: int) -> Tokenizer:
        """A tokenizer trained on the sources."""
        raise NotImplementedError

    def encoders(self, directory: Path, network: Any, learned: Tokenizer | None = None) -> Encoders:
        """See ``Task``."""
        return Encoders(learned or self.make_tokenizer(directory, network.vocab_size))

    def mix(self, phase: Phase) -> Mix:
        """What a phase reads."""
        return self.stable if phase == "stable" else self.cool_down


@dataclass(frozen=True, slots=True)
class TrainingBatch:
    """Examples that go through the model at once.

    Attributes:
        examples: a named tuple of tensors, as the task's losses take it.
        n: how many tokens they hold, padding left out, or what else the task counts.
        source: where they come from; "" when they are mixed.
    """

    examples: Any
    n: int
    source: str = ""

    def on(self, device: torch.device) -> Any:
        """The examples, their tensors on a device."""
        return type(self.examples)(*(tensor.to(device) for tensor in self.examples))


class SplitExamples(Protocol):
    """The examples of one split."""

    def batches(self, phase: Phase, first: int = 0, every: int = 1) -> Iterator[TrainingBatch]:
        """Batches ``first``, ``first + every``, ... of a phase.

        Those of the training split never end, and what is in one follows from its number. What
        is held out makes a few batches.
        """


class Task(Protocol):
    """A way of learning, as plain data."""

    @property
    def sources(self) -> Sequence[CorpusFile]:
        """The files that it is learned from."""

    @property
    def counts(self) -> str:
        """What it counts its examples in: "tokens", "pictures"."""

    @property
    def largest(self) -> int:
        """Positions that a batch holds at most, padding included."""

    def encoders(self, directory: Path, network: Any, learned: Tokenizer | None = None) -> Encoders:
        """What a model reads its input through.

        A tokenizer is trained on the sources, unless one was ``learned`` when the run began.
        """

    def read(self, corpora: Corpora, split: Split) -> SplitExamples:
        """The examples of a split.

        Raises:
            CorpusError: a file is missing, damaged, or has too little text.
        """

    def losses(self, model: Any, examples: Any) -> dict[str, Tensor]:
        """Losses by name; training minimises their sum."""

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """How good a model is, on public examples that none of the sources holds."""

    def samples(self, model: LoadedModel) -> list[str]:
        """What a model makes of fixed examples, good and bad alike, a line of Markdown each."""
