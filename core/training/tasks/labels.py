"""What kind of text a text is, or how two texts go together: one of a few labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core import zoo
from core.encoders import Encoders
from core.errors import CorpusError
from core.language import N_
from core.models.calls import Classifies
from core.text.marks import CLS, SEP
from core.text.tokenizer import Tokenizer
from core.text.trained import train_wordpiece
from core.training.buckets import Bucketed, BucketShape
from core.training.labelled import Labelled, LabelledFile
from core.training.measures.labels import accuracy, frozen_accuracy
from core.training.samples import labelled
from core.training.sources import CorpusFile, is_held_out
from core.training.tasks.task import Corpora, Metrics, Split, TrainingBatch
from core.zoo import LoadedModel


class LabelledTexts(NamedTuple):
    """Texts, or pairs of them, and what they are.

    Attributes:
        ids: ``(B, T)``, padded at the end.
        types: segment of each token, ``(B, T)``.
        mask: True on real tokens, ``(B, 1, 1, T)``.
        labels: numbers of the labels, ``(B,)``.
    """

    ids: Tensor
    types: Tensor
    mask: Tensor
    labels: Tensor


@dataclass(frozen=True)
class Labelling:
    """One label for a text or a pair of texts (Devlin et al. 2019, section 3.2).

    Attributes:
        source: the file; an example that stands in one of ``unseen``, case and punctuation
            aside, is left out.
        table: how it and those are read.
        shapes: from the shortest to the longest; longer examples are left out.
        unseen: the files that a model is measured on, the main one first.
        body: the id of a model on the shelf, on whose frozen weights a linear head is fitted, for
            the figure beside it; None for none.
        shown: what it is asked for its card.
        often: how many times an example of a kind is read, where it is more than once.
    """

    counts: ClassVar[str] = "tokens"
    source: CorpusFile
    table: LabelledFile
    shapes: tuple[BucketShape, ...]
    unseen: tuple[str, ...]
    body: str | None
    shown: tuple[tuple[str, ...], ...]
    often: tuple[tuple[str, int], ...] = ()

    @property
    def sources(self) -> tuple[CorpusFile, ...]:
        """See ``Task``."""
        return (self.source,)

    @property
    def largest(self) -> int:
        """See ``Task``."""
        return max(shape.length * shape.rows for shape in self.shapes)

    def encoders(self, directory: Path, network: Any, learned: Tokenizer | None = None) -> Encoders:
        """Lower-cased WordPiece, for a network that begins with no other model's."""
        if learned is not None:
            return Encoders(learned)
        texts = (text for example in self.examples(directory, "train") for text in example.texts)
        return Encoders(train_wordpiece(texts, network.vocab_size))

    def examples(self, directory: Path, split: Split) -> list[Labelled]:
        """The examples of a split, without those that a model is measured on.

        Raises:
            CorpusError: a file is missing or damaged.
        """
        unseen = {
            example.letters for name in self.unseen for example in self.table.read(directory / name)
        }
        return [
            example
            for example in self.table.read(directory / self.source.file)
            if is_held_out("\n".join(example.texts)) == (split == "held_out")
            and example.letters not in unseen
        ]

    def read(self, corpora: Corpora, split: Split) -> Bucketed[_Encoded]:
        """The examples of a split, in buckets of like length."""
        tokenizer = corpora.tokenizer
        examples = self.examples(corpora.directory, split)
        times = dict(self.often if split == "train" else ())
        rows = (
            (row, len(row[0]))
            for example, row in zip(examples, _encoded(examples, tokenizer), strict=True)
            for _ in range(times.get(example.kind, 1))
        )
        make = partial(_filled_up, pad_id=tokenizer.pad_id)
        too_few = CorpusError(corpora.directory, N_("too few labelled texts to fill one batch"))
        return Bucketed(rows, self.shapes, make, corpora.seed, split, too_few)

    def losses(self, model: Classifies, examples: LabelledTexts) -> dict[str, Tensor]:
        """Mean cross-entropy in nats of each label."""
        ids, types, mask, labels = examples
        return {"label": F.cross_entropy(model(ids, types=types, mask=mask).float(), labels)}

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """The share of right labels on each unseen file, and that of a head on a frozen body."""
        metrics: Metrics = {}
        files = {name.removesuffix(".tsv.xz"): directory / name for name in self.unseen}
        for name, path in files.items():
            metrics |= accuracy(model, self.table.read(path), f"accuracy/{name}")
        if self.body is not None:
            body = zoo.load(self.body, str(model.device))
            name, path = next(iter(files.items()))
            fitted_on, unseen = self.examples(directory, "train"), self.table.read(path)
            metrics |= frozen_accuracy(body, fitted_on, unseen, f"frozen_body/{name}")
        return metrics

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return labelled(model, self.shown)


_Encoded = tuple[list[int], int, int]  # ids with their marks, where the second begins, label


def _filled_up(
    rows: Sequence[_Encoded], shape: BucketShape, name: str, *, pad_id: int
) -> TrainingBatch:
    ids = np.full((len(rows), shape.length), pad_id)
    types, mask = np.zeros_like(ids), np.zeros(ids.shape, bool)
    for n, (row, second, _label) in enumerate(rows):
        ids[n, : len(row)] = row
        types[n, second : len(row)] = 1
        mask[n, : len(row)] = True
    labels = np.array([label for _row, _second, label in rows])
    arrays = (ids, types, mask[:, None, None, :], labels)
    examples = LabelledTexts(*map(torch.from_numpy, arrays))
    return TrainingBatch(examples, int(mask.sum()), name)


def _encoded(examples: Sequence[Labelled], tokenizer: Tokenizer) -> Iterator[_Encoded]:
    """[CLS] A [SEP], or [CLS] A [SEP] B [SEP], as ``Tokenizer.pair_tokens`` has it."""
    cls, sep = tokenizer.mark(CLS), tokenizer.mark(SEP)
    texts = tokenizer.encode_batch([text for example in examples for text in example.texts])
    parts = iter(texts)
    for example in examples:
        row = [cls, *next(parts), sep]
        second = len(row)
        if len(example.texts) > 1:
            row += [*next(parts), sep]
        yield row, second, example.label
