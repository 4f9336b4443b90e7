"""The smallest honest way to learn to sort texts: files of each kind, read in characters."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.encoders import Characters, Encoders
from core.inputs import Text
from core.models.blueprint import ONE_STREAM
from core.models.calls import Classifies
from core.text.tokenizer import Tokenizer
from core.training.sources import CorpusFile, is_held_out, read_documents
from core.training.tasks.task import Corpora, Metrics, Phase, Split, TrainingBatch
from core.zoo import LoadedModel


class SortedTexts(NamedTuple):
    """Beginnings of texts, all of one length, ``(B, T)``, and the numbers of their kinds."""

    ids: Tensor
    kinds: Tensor


@dataclass(frozen=True)
class Sorting:
    """Each text has the kind of the file that it stands in.

    Attributes:
        sources: a file a kind, in the order of the network's labels.
        alphabet: the characters that are told apart.
        n: characters that are read of each text; shorter ones are left out.
        batch: texts of a batch.
    """

    counts: ClassVar[str] = "characters"
    sources: tuple[CorpusFile, ...]
    alphabet: str
    n: int
    batch: int

    @property
    def largest(self) -> int:
        return self.n * self.batch

    def encoders(self, directory: Path, network: Any, learned: Tokenizer | None = None) -> Encoders:
        """The alphabet."""
        return Encoders(characters=Characters(self.alphabet))

    def read(self, corpora: Corpora, split: Split) -> _Drawn:
        """Texts of a split."""
        return _Drawn(self, corpora, split)

    def losses(self, model: Classifies, examples: SortedTexts) -> dict[str, Tensor]:
        """Mean cross-entropy in nats of each kind."""
        return {"kind": F.cross_entropy(model(examples.ids), examples.kinds)}

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """The share of unseen texts whose kind has the highest logit."""
        sort = model.as_classifier("classify_text")
        hits = total = 0
        for kind, source in enumerate(self.sources):
            for text in read_documents(directory / str(source.valid)):
                with torch.inference_mode():
                    logits = sort(model.prepare(Text(text[: self.n])).tensors[ONE_STREAM])
                hits, total = hits + (int(logits.argmax()) == kind), total + 1
        return {"accuracy/unseen": hits / total}

    def samples(self, model: LoadedModel) -> list[str]:
        """What it takes one sentence for."""
        sort, labels = model.as_classifier("classify_text"), model.blueprint.classifier.labels
        logits = sort(model.prepare(Text("the cat sat")).tensors[ONE_STREAM])
        return [f"- the cat sat: {labels[int(logits.argmax())]}"]


class _Drawn:
    """Texts of a split, drawn by the number of the batch."""

    def __init__(self, task: Sorting, corpora: Corpora, split: Split) -> None:
        self._task, self._seed, self._split = task, corpora.seed, split
        reads = corpora.encoders.characters
        assert reads is not None
        self._rows: Sequence[tuple[list[int], int]] = [
            ([one.id for one in reads.read(text[: task.n])], kind)
            for kind, source in enumerate(task.sources)
            for text in read_documents(corpora.directory / source.file)
            if len(text) >= task.n and is_held_out(text) == (split == "held_out")
        ]

    def batches(self, phase: Phase, first: int = 0, every: int = 1) -> Iterator[TrainingBatch]:
        if self._split == "held_out":
            yield self._batch(range(len(self._rows)), "held out")
            return
        for number in itertools.count(first, every):
            rng = np.random.default_rng((self._seed, phase == "cool-down", number))
            yield self._batch(rng.choice(len(self._rows), self._task.batch, replace=False))

    def _batch(self, rows: Any, source: str = "") -> TrainingBatch:
        ids, kinds = zip(*(self._rows[int(row)] for row in rows), strict=True)
        examples = SortedTexts(torch.tensor(ids), torch.tensor(kinds))
        return TrainingBatch(examples, examples.ids.numel(), source)
