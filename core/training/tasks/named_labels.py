"""Texts and what they are, said in a word: sorting as text to text."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.predict import answer
from core.training.samples import named_labels
from core.training.sources import Source, is_held_out, read_pairs
from core.training.tasks.task import Corpora, Metrics, Split
from core.training.tasks.translation import Bucketed, Shape
from core.zoo import LoadedModel


@dataclass(frozen=True)
class NamedLabels:
    """A text behind a prefix; the model is to write the name of its label (T5, section 2.4).

    Attributes:
        sources: files with a text and the number of its label.
        text, label: their columns.
        names: of the labels.
        prefix: before every text.
        shapes: see ``Translation``.
        valid: the file that is measured on.
    """

    sources: tuple[Source, ...]
    text: str
    label: str
    names: tuple[str, ...]
    prefix: str
    shapes: tuple[Shape, ...]
    valid: str

    @property
    def largest(self) -> int:
        """See ``Task``."""
        # A prefix has no more tokens than characters.
        return max((shape.length + len(self.prefix)) * shape.rows for shape in self.shapes)

    def pairs(self, directory: Path, split: Split) -> list[tuple[str, str]]:
        """Texts and the names of their labels."""
        return [
            (text, self.names[int(label)])
            for source in self.sources
            for text, label in read_pairs(directory / source.file, self.text, self.label)
            if is_held_out(text) == (split == "held_out")
        ]

    def texts(self, directory: Path) -> Iterator[str]:
        """What a tokenizer is learned from."""
        return itertools.chain.from_iterable(self.pairs(directory, "train"))

    def read(self, corpora: Corpora, split: Split) -> Bucketed:
        """See ``Task``."""
        return Bucketed(self, corpora, split)

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """Of unseen texts the share whose label is named exactly."""
        rows = list(read_pairs(directory / self.valid, self.text, self.label))
        right = sum(
            answer(model, model.fit(self.prefix + text)[0]).text.strip() == self.names[int(label)]
            for text, label in rows
        )
        return {f"named/{self.valid.removesuffix('.tsv.xz')}": right / len(rows)}

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return named_labels(model, self.prefix)
