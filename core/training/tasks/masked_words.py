"""Hidden words, and whether the second of two segments follows the first."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
from core.training.mixture import Mixture
from core.training.samples import filled_gaps
from core.training.segments import Segments, segment_rows
from core.training.sources import tokenizer_sample
from core.training.streams import stream_for_rows
from core.training.tasks.task import Batch, Corpora, Metrics, OfText, Phase, Split
from core.zoo import LoadedModel

_HELD_OUT_ROWS = 32  # of each source


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


class _HiddenRows:
    """The rows of a split, cut when a phase first asks for them.

    Args:
        task: whose sources and mixes are taken.
        corpora: where they lie.
        split: what is trained on, or what is held out.
    """

    def __init__(self, task: MaskedWords, corpora: Corpora, split: Split) -> None:
        self._task, self._corpora, self._split = task, corpora, split
        self._vocabulary = vocabulary_of(corpora.tokenizer)
        self._segments = lru_cache(maxsize=1)(self._cut)

    def batches(self, phase: Phase, first: int = 0, every: int = 1) -> Iterator[Batch]:
        """See ``Examples``."""
        mix = self._task.mix(phase)
        rows = self._segments(mix.n_ctx)
        if self._split == "held_out":
            for name, segments in rows.items():
                n = min(_HELD_OUT_ROWS, len(segments.ids))
                yield self._hide([(segments, r) for r in range(n)], (0, 0), name)
            return
        sources = list(rows.values())
        mixture = Mixture(
            [mix.shares[name] for name in rows],
            [len(segments.ids) for segments in sources],
            self._corpora.seed,
            backwards=phase == "cool-down",
        )
        n = self._task.tokens // mix.n_ctx
        for number in itertools.count(first, every):
            picked = [(sources[s], r) for s, r in mixture.place(number * n, n)]
            yield self._hide(picked, (1 + (phase == "cool-down"), number))

    def _cut(self, n_ctx: int) -> dict[str, Segments]:
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

    def _hide(
        self, picked: Sequence[tuple[Segments, int]], draw: tuple[int, int], source: str = ""
    ) -> Batch:
        """A batch of rows with words hidden; ``draw`` says which."""
        n_ctx, rate = picked[0][0].ids.shape[1], self._task.rate
        slots = round(rate * n_ctx) + 1
        ids = np.zeros((len(picked), n_ctx), np.int64)
        types = np.zeros_like(ids)
        mask = np.zeros((len(picked), 1, 1, n_ctx), bool)
        positions = np.zeros((len(picked), slots), np.int64)
        targets = np.full((len(picked), slots), IGNORED, np.int64)
        follows = np.zeros(len(picked), np.int64)
        rng = np.random.default_rng((self._corpora.seed, 4, *draw))
        for b, (rows, r) in enumerate(picked):
            length = int(rows.lengths[r])
            original = rows.ids[r, :length].astype(np.int64)
            example = mask_words(original, self._vocabulary, rng, rate=rate)
            ids[b, :length] = example.ids
            types[b, rows.second[r] : length] = 1
            mask[b, ..., :length] = True
            chosen = np.flatnonzero(example.targets != IGNORED)[:slots]
            positions[b, : len(chosen)] = chosen
            targets[b, : len(chosen)] = example.targets[chosen]
            follows[b] = rows.follows[r]
        arrays = (ids, types, mask, positions, targets, follows)
        return Batch(HiddenWords(*map(torch.from_numpy, arrays)), int(mask.sum()), source)
