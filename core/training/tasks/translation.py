"""Translation: the next token of a target, given its source and what was written so far."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from core.encoders import Encoders
from core.errors import CorpusError
from core.language import N_
from core.text.hiding import IGNORED
from core.text.tokenizer import END, START, Tokenizer
from core.text.trained import train_joint_bpe
from core.training.measures.bleu import bleu
from core.training.samples import translations
from core.training.sources import Source, is_held_out, read_pairs, stable_hash
from core.training.tasks.task import Batch, Corpora, Metrics, Phase, Split
from core.zoo import LoadedModel

LONG = 15  # words of a long sentence


class SentencePairs(NamedTuple):
    """Sentences with their translations, as the losses take them.

    Attributes:
        source: ids, the end mark last, then padding, ``(B, S)``.
        source_mask: True on real tokens, ``(B, 1, 1, S)``.
        target: what the decoder reads, the start mark first, ``(B, T)``.
        expected: what it should say after each, the end mark last; ``IGNORED`` on padding.
    """

    source: Tensor
    source_mask: Tensor
    target: Tensor
    expected: Tensor


@dataclass(frozen=True, slots=True)
class Shape:
    """Examples of one size: a compiled step is made for each.

    Attributes:
        length: tokens of the longer side, the end mark included.
        rows: sentence pairs of a batch.
    """

    length: int
    rows: int


@dataclass(frozen=True)
class Translation:
    """Pairs of sentences of like length, padded to one of a few shapes.

    Attributes:
        sources: files of sentence pairs; a pair of which a side also stands in the ``valid``
            file, case and punctuation aside, is left out.
        source, target: the languages, columns of the files.
        shapes: from the shortest to the longest; longer pairs are left out.
        valid: the file that BLEU is measured on.
        smoothing: of the expected token's probability, the share that all tokens get alike.
        long_unseen: so many pairs of the first source, of those whose source has ``LONG`` words
            or more, are never read: how well a model does on long sentences is measured on them.
    """

    counts: ClassVar[str] = "tokens"
    sources: tuple[Source, ...]
    source: str
    target: str
    shapes: tuple[Shape, ...]
    valid: str
    smoothing: float = 0.1
    long_unseen: int = 0

    @property
    def largest(self) -> int:
        """See ``Task``."""
        return max(shape.length * shape.rows for shape in self.shapes)

    def make_tokenizer(self, directory: Path, vocab_size: int) -> Tokenizer:
        """One BPE of both languages."""
        pairs = self.pairs(directory, "train")
        return train_joint_bpe(itertools.chain.from_iterable(pairs), vocab_size)

    def encoders(self, directory: Path, network: Any, learned: Tokenizer | None = None) -> Encoders:
        """See ``Task``."""
        return Encoders(learned or self.make_tokenizer(directory, network.vocab_size))

    def pairs(self, directory: Path, split: Split) -> list[tuple[str, str]]:
        """Sentence pairs of a split, without those that share a side with an unseen pair.

        Raises:
            CorpusError: a file is missing or damaged.
        """
        valid = read_pairs(directory / self.valid, self.source, self.target)
        unseen = {
            letters(side)
            for pair in itertools.chain(valid, self.unseen(directory))
            for side in pair
        }
        return [
            pair
            for source in self.sources
            for pair in read_pairs(directory / source.file, self.source, self.target)
            if is_held_out(pair[1]) == (split == "held_out")
            and not any(letters(side) in unseen for side in pair)
        ]

    def unseen(self, directory: Path) -> list[tuple[str, str]]:
        """The long pairs that are left out, drawn by what they say: the same for every model."""
        if not self.long_unseen:
            return []
        every = read_pairs(directory / self.sources[0].file, self.source, self.target)
        long = {pair for pair in every if len(pair[0].split()) >= LONG}
        return sorted(long, key=lambda pair: stable_hash("\n".join(pair)))[: self.long_unseen]

    def read(self, corpora: Corpora, split: Split) -> _Bucketed:
        """The pairs of a split, in buckets of like length."""
        return _Bucketed(self, corpora, split)

    def losses(self, model: nn.Module, examples: SentencePairs) -> dict[str, Tensor]:
        """Mean cross-entropy in nats with the smoothed targets.

        While the model is only judged, nothing is smoothed. The decoder needs no mask of its own:
        a target's padding comes last, where no real token attends to it.
        """
        source, mask, target, expected = examples
        logits = model(source, target, encoder_mask=mask, cross_mask=mask)
        smoothing = self.smoothing if model.training else 0.0
        return {"translation": smoothed_cross_entropy(logits, expected, smoothing)}

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """BLEU of beam search with 4 beams on the validation file."""
        pairs = list(read_pairs(directory / self.valid, self.source, self.target))
        return {f"bleu/{self.valid.removesuffix('.tsv.xz')}": bleu(model, pairs)}

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return translations(model)


def smoothed_cross_entropy(logits: Tensor, expected: Tensor, smoothing: float) -> Tensor:
    """Cross-entropy with (1 - ε) of the target on the expected token and ε on all V alike.

    Szegedy et al. 2016, section 7; ε = 0.1 in Vaswani et al. 2017, section 5.4.

    Args:
        logits: ``(B, T, V)``.
        expected: ids ``(B, T)``, ``IGNORED`` where nothing counts.
        smoothing: ε.
    """
    return F.cross_entropy(
        logits.flatten(0, 1).float(),
        expected.flatten(),
        ignore_index=IGNORED,
        label_smoothing=smoothing,
    )


def letters(sentence: str) -> str:
    """A sentence without case, spaces and punctuation."""
    return "".join(char for char in sentence.casefold() if char.isalnum())


_Encoded = tuple[list[int], list[int]]


class _Bucketed:
    """Encoded pairs by the first shape that holds them.

    Args:
        task: whose pairs and shapes are taken.
        corpora: where they lie.
        split: what is trained on, or what is held out.
    """

    def __init__(self, task: Translation, corpora: Corpora, split: Split) -> None:
        self._shapes, self._tokenizer, self._split = task.shapes, corpora.tokenizer, split
        self._buckets: list[list[_Encoded]] = [[] for _ in task.shapes]
        pairs = task.pairs(corpora.directory, split)
        sides = (self._tokenizer.encode_batch(side) for side in zip(*pairs, strict=True))
        for pair in zip(*sides, strict=True):
            longer = max(map(len, pair)) + 1  # the end mark
            fits = [n for n, shape in enumerate(task.shapes) if longer <= shape.length]
            if fits:
                self._buckets[fits[0]].append(pair)
        self._epochs = _Epochs([len(b) for b in self._buckets], task.shapes, corpora.seed)
        if split == "train" and not self._epochs.n_batches:
            raise CorpusError(corpora.directory, N_("too few sentence pairs to fill one batch"))

    def batches(self, phase: Phase, first: int = 0, every: int = 1) -> Iterator[Batch]:
        """See ``Examples``; an epoch holds each pair once, but for what fills no batch."""
        if self._split == "held_out":
            for shape, bucket in zip(self._shapes, self._buckets, strict=True):
                if bucket:
                    name = f"up to {shape.length} tokens"
                    yield self._batch(bucket[: shape.rows], shape, name)
            return
        for number in itertools.count(first, every):
            at, rows = self._epochs.batch(number, phase)
            yield self._batch([self._buckets[at][row] for row in rows], self._shapes[at])

    def _batch(self, pairs: Sequence[_Encoded], shape: Shape, name: str = "") -> Batch:
        tokenizer = self._tokenizer
        start, end = tokenizer.mark(START), tokenizer.mark(END)
        size = (len(pairs), shape.length)
        source, target = np.full(size, tokenizer.pad_id), np.full(size, tokenizer.pad_id)
        expected = np.full(size, IGNORED)
        mask = np.zeros(size, bool)
        target[:, 0] = start
        for row, (s, t) in enumerate(pairs):
            source[row, : len(s) + 1] = [*s, end]
            mask[row, : len(s) + 1] = True
            target[row, 1 : len(t) + 1] = t
            expected[row, : len(t) + 1] = [*t, end]
        arrays = (source, mask[:, None, None, :], target, expected)
        examples = SentencePairs(*map(torch.from_numpy, arrays))
        return Batch(examples, int((expected != IGNORED).sum()), name)


class _Epochs:
    """Which rows of which bucket batch number n holds, in an order drawn anew for each epoch.

    Args:
        sizes: rows of each bucket.
        shapes: of the buckets.
        seed: of the draws.
    """

    def __init__(self, sizes: Sequence[int], shapes: Sequence[Shape], seed: int) -> None:
        self._sizes, self._shapes, self._seed = sizes, shapes, seed
        self.n_batches = sum(size // shape.rows for size, shape in zip(sizes, shapes, strict=True))
        self._order = lru_cache(maxsize=1)(self._drawn)

    def batch(self, number: int, phase: Phase) -> tuple[int, NDArray[np.int64]]:
        """(bucket, rows) of a batch."""
        epoch, at = divmod(number, self.n_batches)
        return self._order(epoch, phase)[at]

    def _drawn(self, epoch: int, phase: Phase) -> list[tuple[int, NDArray[np.int64]]]:
        rng = np.random.default_rng((self._seed, 1 + (phase == "cool-down"), epoch))
        found: list[tuple[int, NDArray[np.int64]]] = []
        for bucket, (size, shape) in enumerate(zip(self._sizes, self._shapes, strict=True)):
            order = rng.permutation(size)
            n = size // shape.rows
            found += [(bucket, rows) for rows in order[: n * shape.rows].reshape(n, shape.rows)]
        return [found[i] for i in rng.permutation(len(found))]
