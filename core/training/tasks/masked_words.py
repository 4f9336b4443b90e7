"""Hidden words, and whether the second of two segments follows the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.models.bert import BERT
from core.text.hiding import IGNORED, mask_words, vocabulary_of
from core.text.marks import CLS, SEP
from core.text.sentences import sentence_ends
from core.text.tokenizer import Tokenizer
from core.text.trained import train_wordpiece
from core.training.measures.guesses import guesses
from core.training.row_sampler import Draw, RowSampler
from core.training.samples import filled_gaps
from core.training.segments import Segment, Segments, segment_rows
from core.training.sources import tokenizer_sample
from core.training.streams import stream_for_rows
from core.training.tasks.task import Corpora, Metrics, OfText, Split, TrainingBatch
from core.zoo import LoadedModel


class HiddenWords(NamedTuple):
    """Rows for BERT.

    Attributes:
        ids: what it reads, ``(B, T)``.
        types: segment of each token, ``(B, T)``.
        mask: True on real tokens, ``(B, 1, 1, T)``.
        positions: where words are predicted, ``(B, M)``; unused places point at 0.
        targets: the words there, ``(B, M)``; ``IGNORED`` on unused places.
        follows: 0 = B follows A, 1 = it does not, ``IGNORED`` = one segment, ``(B,)``.
    """

    ids: Tensor
    types: Tensor
    mask: Tensor
    positions: Tensor
    targets: Tensor
    follows: Tensor


@dataclass(frozen=True)
class MaskedWords(OfText):
    """Masked language modelling with sentence pairs (Devlin et al. 2019, section 3.1).

    Attributes:
        rate: share of the tokens that is predicted.
    """

    rate: float = 0.15

    def make_tokenizer(self, directory: Path, vocab_size: int) -> Tokenizer:
        """Lower-cased WordPiece."""
        sample = tokenizer_sample(self.sources, self.stable.shares, directory)
        return train_wordpiece(sample, vocab_size)

    def read(self, corpora: Corpora, split: Split) -> _HiddenRows:
        """Rows of one or two segments, words hidden anew each time."""
        return _HiddenRows(self, corpora, split)

    def losses(self, model: BERT, examples: HiddenWords) -> dict[str, Tensor]:
        """Mean cross-entropies in nats: of the hidden words, and of "does B follow A?".

        Their sum is what Devlin et al. 2019 train on. Only hidden positions go
        through the output matrix.
        """
        hidden = model.hidden(examples.ids, types=examples.types, mask=examples.mask)
        where = examples.positions[:, :, None].expand(-1, -1, hidden.shape[-1])
        logits = model.masked_words(hidden.gather(1, where))  # (B, M, V)
        words = _mean_cross_entropy(logits.flatten(0, 1), examples.targets.flatten())
        follows = _mean_cross_entropy(model.next_sentence(hidden), examples.follows)
        return {"masked_words": words, "next_sentence": follows}

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """How often words and neighbouring sentences are guessed right, by validation file."""
        return guesses(model, [directory / s.valid for s in self.sources if s.valid])

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return filled_gaps(model)


def _mean_cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Over the targets that count: ``(N, C)`` and ``(N,)``; 0 when none does, not NaN."""
    total = F.cross_entropy(logits.float(), targets, ignore_index=IGNORED, reduction="sum")
    return total / (targets != IGNORED).sum().clamp(min=1)


class _HiddenRows(RowSampler[Segment]):
    """Rows of one or two segments, words hidden anew each time they are read."""

    _task: MaskedWords

    def cut(self, n_ctx: int) -> dict[str, Segments]:
        """See ``RowSampler``."""
        tokenizer = self._corpora.tokenizer
        ends = sentence_ends(tokenizer)
        return {
            source.name: segment_rows(
                stream_for_rows(source, self._corpora, self._split, n_ctx),
                n_ctx,
                cls_id=tokenizer.mark(CLS),
                sep_id=tokenizer.mark(SEP),
                ends_sentence=ends,
                seed=self._corpora.seed,
            )
            for source in self._task.sources
        }

    def make_batch(self, rows: Sequence[Segment], draw: Draw, source: str = "") -> TrainingBatch:
        """See ``RowSampler``; which words are hidden is drawn."""
        n_ctx, rate = len(rows[0].ids), self._task.rate
        vocabulary = vocabulary_of(self._corpora.tokenizer)
        slots = round(rate * n_ctx) + 1
        ids = np.zeros((len(rows), n_ctx), np.int64)
        types = np.zeros_like(ids)
        mask = np.zeros((len(rows), 1, 1, n_ctx), bool)
        positions = np.zeros((len(rows), slots), np.int64)
        targets = np.full((len(rows), slots), IGNORED, np.int64)
        follows = np.zeros(len(rows), np.int64)
        rng = np.random.default_rng((self._corpora.seed, 4, *draw))
        for b, row in enumerate(rows):
            length = row.length
            original = row.ids[:length].astype(np.int64)
            example = mask_words(original, vocabulary, rng, rate=rate)
            ids[b, :length] = example.ids
            types[b, row.second : length] = 1
            mask[b, ..., :length] = True
            chosen = np.flatnonzero(example.targets != IGNORED)[:slots]
            positions[b, : len(chosen)] = chosen
            targets[b, : len(chosen)] = example.targets[chosen]
            follows[b] = row.follows
        arrays = (ids, types, mask, positions, targets, follows)
        return TrainingBatch(HiddenWords(*map(torch.from_numpy, arrays)), int(mask.sum()), source)
