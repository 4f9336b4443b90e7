"""The next token of a text, at every position at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.models.calls import Scores
from core.text.marks import END_OF_TEXT
from core.text.sentences import sentence_ends
from core.text.tokenizer import Tokenizer
from core.text.trained import train_byte_bpe
from core.training.measures.compression import compression
from core.training.measures.heads import head_scores
from core.training.row_sampler import Draw, RowSampler
from core.training.rows import pack_rows, repeat_rows
from core.training.samples import continuations
from core.training.sources import tokenizer_sample
from core.training.streams import Ids, stream_for_rows
from core.training.tasks.task import Corpora, Metrics, Mix, OfText, Phase, Split, TrainingBatch
from core.zoo import LoadedModel

_REPEATS = "repeats"


class TextRows(NamedTuple):
    """Rows of text.

    Attributes:
        ids: ``(B, T + 1)``: each token but the first is to be predicted from those before it.
    """

    ids: Tensor


@dataclass(frozen=True)
class NextToken(OfText):
    """Causal language modelling (Radford et al. 2018, section 3.1).

    Attributes:
        repeats: share of rows that say every passage twice.
    """

    repeats: float = 0.0

    def make_tokenizer(self, directory: Path, vocab_size: int) -> Tokenizer:
        """Byte-level BPE."""
        sample = tokenizer_sample(self.sources, self.stable.shares, directory)
        return train_byte_bpe(sample, vocab_size)

    def read(self, corpora: Corpora, split: Split) -> _PackedRows:
        """Rows packed from documents."""
        return _PackedRows(self, corpora, split)

    def losses(self, model: Scores, examples: TextRows) -> dict[str, Tensor]:
        """Mean cross-entropy in nats of each next token."""
        (ids,) = examples
        logits = model(ids[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten())
        return {"next_token": loss}

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """Bits per byte on each validation file, and how clear-cut the heads are, if it has any."""
        files = [directory / source.valid for source in self.sources if source.valid]
        heads = head_scores(model) if model.blueprint.stacks else {}
        return compression(model, files) | heads

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return continuations(model)


class _PackedRows(RowSampler[Ids]):
    """Rows packed from documents, and some that say every passage twice."""

    _task: NextToken

    def passes(self, phase: Phase, n_batches: int) -> dict[str, float]:
        """How often each source is read in so many batches of a phase, of all processes."""
        mix = self._task.mix(phase)
        shares = self.shares(mix)
        n_rows = n_batches * (self._task.tokens // mix.n_ctx)
        return {
            name: n_rows * share / sum(shares) / len(of_source)
            for (name, of_source), share in zip(self.rows(mix.n_ctx).items(), shares, strict=True)
            if name != _REPEATS  # drawn from the others
        }

    def shares(self, mix: Mix) -> list[float]:
        """The weight of each source, and that which makes the repeated rows their share of all."""
        repeats = self._task.repeats
        drawn = sum(mix.shares.values()) * repeats / (1 - repeats)
        return [mix.shares.get(name, drawn) for name in self.rows(mix.n_ctx)]

    def cut(self, n_ctx: int) -> dict[str, Ids]:
        """See ``RowSampler``."""
        tokenizer = self._corpora.tokenizer
        mark, ends = tokenizer.mark(END_OF_TEXT), sentence_ends(tokenizer)
        rows = {
            source.name: pack_rows(
                stream_for_rows(source, self._corpora, self._split, n_ctx), n_ctx, mark, ends
            )
            for source in self._task.sources
        }
        if self._task.repeats and self._split == "train":
            prose = [rows[s.name] for s in self._task.sources if s.column is None]
            rng = np.random.default_rng((self._corpora.seed, 5))
            n_rows = min(20_000, sum(map(len, prose)))
            rows[_REPEATS] = repeat_rows(np.concatenate(prose), n_rows, n_ctx // 4, rng)
        return rows

    def make_batch(self, rows: Sequence[Ids], draw: Draw, source: str = "") -> TrainingBatch:
        """See ``RowSampler``; nothing is drawn."""
        ids = torch.from_numpy(np.stack(rows).astype(np.int64))
        return TrainingBatch(TextRows(ids), len(rows) * (ids.shape[1] - 1), source)
