"""Text that was damaged, and what a decoder is to write: T5's spans, BART's whole text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from core.text.marks import END
from core.text.noise import NOISES, Noise, corrupt_spans, span_counts
from core.text.sentences import marks_of, sentence_ends
from core.text.tokenizer import Tokenizer
from core.text.trained import train_denoising_bpe, train_unigram
from core.training.measures.mended import first_spans, hidden_pieces
from core.training.row_sampler import Draw, RowSampler
from core.training.rows import pack_rows
from core.training.samples import filled_spans, mended_texts
from core.training.sources import documents_of, stable_hash
from core.training.streams import Ids, stream_for_rows
from core.training.tasks.pairs import SourcesTargets, rows_of_pairs, text_loss
from core.training.tasks.task import Corpora, Metrics, OfText, Split, TrainingBatch
from core.zoo import LoadedModel

SHARES: Mapping[Noise, float] = {
    "mask": 0.2, "delete": 0.2, "infill": 0.4, "permute": 0.1, "rotate": 0.1,
}  # fmt: skip
_THINNED = 60  # one document in so many is enough to learn pieces from
Pair = tuple[Sequence[int], Sequence[int]]


@dataclass(frozen=True)
class DamagedText(OfText):
    """Rows of text, damaged anew each time they are read."""

    def size(self, n_ctx: int) -> tuple[int, int]:
        """Positions of the sources and targets that become of rows of ``n_ctx`` tokens."""
        raise NotImplementedError

    def damage(
        self, text: NDArray[np.int64], tokenizer: Tokenizer, rng: np.random.Generator
    ) -> Pair:
        """A source and its target, without marks around them."""
        raise NotImplementedError

    @property
    def largest(self) -> int:
        """See ``Task``."""
        mixes = (self.stable, self.cool_down)
        return max(self.tokens // mix.n_ctx * max(self.size(mix.n_ctx)) for mix in mixes)

    def texts(self, directory: Path) -> Iterator[str]:
        """What a tokenizer is learned from."""
        for source in self.sources:
            for document in documents_of(source, directory):
                if stable_hash(document) % _THINNED == 0:
                    yield document

    def read(self, corpora: Corpora, split: Split) -> _DamagedRows:
        """See ``Task``."""
        return _DamagedRows(self, corpora, split)

    def losses(self, model: nn.Module, examples: SourcesTargets) -> dict[str, Tensor]:
        """Mean cross-entropy of what is to be written, in nats."""
        return {"text": text_loss(model, examples, 0.0)}

    def files(self, directory: Path) -> list[Path]:
        """The files of unseen documents."""
        return [directory / source.valid for source in self.sources if source.valid]


@dataclass(frozen=True)
class SpanCorruption(DamagedText):
    """T5's way of learning (Raffel et al. 2020, section 3.1.4): write the spans that are missing.

    Attributes:
        rate: share of the tokens that are missing.
        mean: tokens of a span on average.
    """

    rate: float = 0.15
    mean: float = 3.0

    def size(self, n_ctx: int) -> tuple[int, int]:
        hidden, spans = span_counts(n_ctx, rate=self.rate, mean=self.mean)
        return n_ctx - hidden + spans + 1, hidden + spans + 2

    def damage(
        self, text: NDArray[np.int64], tokenizer: Tokenizer, rng: np.random.Generator
    ) -> Pair:
        cut = corrupt_spans(text, tokenizer.hiding, rng, rate=self.rate, mean=self.mean)
        return cut.source.ids.tolist(), cut.target.tolist()

    def make_tokenizer(self, directory: Path, vocab_size: int) -> Tokenizer:
        """Learn a Unigram of its own from the texts."""
        return train_unigram(self.texts(directory), vocab_size)

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """See ``first_spans``."""
        return first_spans(model, self.files(directory), rate=self.rate, mean=self.mean)

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return filled_spans(model)


@dataclass(frozen=True)
class Denoising(DamagedText):
    """BART's way of learning (Lewis et al. 2020, section 2.2): write the text as it was.

    Attributes:
        shares: of the rows, which way of damage how many get.
        rate: share of the tokens that are masked, deleted or filled in.
        room: positions of a source beyond the tokens of the text, for marks that hide nothing.
    """

    shares: Mapping[Noise, float] = field(default_factory=lambda: SHARES)
    rate: float = 0.3
    room: int = 8

    def size(self, n_ctx: int) -> tuple[int, int]:
        return n_ctx + self.room, n_ctx + 1

    def damage(
        self, text: NDArray[np.int64], tokenizer: Tokenizer, rng: np.random.Generator
    ) -> Pair:
        names = list(self.shares)
        share = np.array([self.shares[name] for name in names])
        name = names[rng.choice(len(names), p=share / share.sum())]
        damaged = NOISES[name](text, marks_of(tokenizer), rng, self.rate)
        return damaged.ids[: len(text) + self.room - 1].tolist(), text.tolist()

    def make_tokenizer(self, directory: Path, vocab_size: int) -> Tokenizer:
        """A byte-level BPE of its own, with a mark that hides."""
        return train_denoising_bpe(self.texts(directory), vocab_size)

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """See ``hidden_pieces``."""
        return hidden_pieces(model, self.files(directory), rate=self.rate)

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return mended_texts(model)


class _DamagedRows(RowSampler[Ids]):
    """Rows packed from documents, damaged anew each time they are read."""

    held_out_rows = 64
    _task: DamagedText

    def cut(self, n_ctx: int) -> dict[str, Ids]:
        """See ``RowSampler``."""
        tokenizer = self._corpora.tokenizer
        ends, mark = sentence_ends(tokenizer), tokenizer.mark(END)
        streams = {
            source.name: stream_for_rows(source, self._corpora, self._split, n_ctx)
            for source in self._task.sources
        }
        # Without the mark before each row: only between two texts of a row stands one.
        return {
            name: pack_rows(token_stream, n_ctx, mark, ends)[:, 1:]
            for name, token_stream in streams.items()
        }

    def make_batch(self, rows: Sequence[Ids], draw: Draw, source: str = "") -> TrainingBatch:
        """See ``RowSampler``; the damage is drawn."""
        tokenizer = self._corpora.tokenizer
        rng = np.random.default_rng((self._corpora.seed, 5, *draw))
        pairs = [self._task.damage(row.astype(np.int64), tokenizer, rng) for row in rows]
        return rows_of_pairs(pairs, tokenizer, self._task.size(len(rows[0])), source)
