"""Texts and what they are, said in a word: sorting as text to text."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.predict import answer
from core.training.buckets import Bucketed, BucketShape
from core.training.samples import named_labels
from core.training.sources import CorpusFile
from core.training.tasks.labels import Labelling
from core.training.tasks.task import Corpora, Metrics, Split
from core.training.tasks.translation import bucketed_pairs
from core.zoo import LoadedModel


@dataclass(frozen=True)
class NamedLabels:
    """A text behind a prefix; the model is to write the name of its label (T5, section 2.4).

    Attributes:
        labels: where the texts are, how they are read and in which shapes.
        names: of the labels, in their order.
        prefix: before every text.
    """

    labels: Labelling
    names: tuple[str, ...]
    prefix: str

    @property
    def sources(self) -> Sequence[CorpusFile]:
        """See ``Task``."""
        return self.labels.sources

    @property
    def shapes(self) -> tuple[BucketShape, ...]:
        """From the shortest to the longest."""
        return self.labels.shapes

    @property
    def largest(self) -> int:
        """See ``Task``."""
        # A prefix has no more tokens than characters.
        return max((shape.length + len(self.prefix)) * shape.rows for shape in self.shapes)

    def pairs(self, directory: Path, split: Split) -> list[tuple[str, str]]:
        """Texts and the names of their labels."""
        return [
            (" ".join(example.texts), self.names[example.label])
            for example in self.labels.examples(directory, split)
        ]

    def texts(self, directory: Path) -> Iterator[str]:
        """What a tokenizer is learned from."""
        return itertools.chain.from_iterable(self.pairs(directory, "train"))

    def read(self, corpora: Corpora, split: Split) -> Bucketed[Any]:
        """See ``Task``."""
        return bucketed_pairs(self, self.pairs(corpora.directory, split), corpora, split)

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """Of the first file of unseen texts the share whose label is named exactly."""
        file = self.labels.unseen[0]
        rows = self.labels.table.read(directory / file)
        right = sum(
            answer(model, model.fit(self.prefix + " ".join(row.texts))[0]).text.strip()
            == self.names[row.label]
            for row in rows
        )
        return {f"named/{file.removesuffix('.tsv.xz')}": right / len(rows)}

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return named_labels(model, self.prefix)
