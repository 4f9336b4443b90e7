"""Translation: the next token of a target, given its source and what was written so far."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

from torch import Tensor, nn

from core.encoders import Encoders
from core.errors import CorpusError
from core.language import N_
from core.spelling import letters
from core.text.tokenizer import Tokenizer
from core.text.trained import train_joint_bpe
from core.training.buckets import Bucketed, BucketShape
from core.training.measures.bleu import bleu
from core.training.samples import translations
from core.training.sources import CorpusFile, is_held_out, read_pairs, stable_hash
from core.training.tasks.pairs import SourcesTargets, rows_of_pairs, text_loss
from core.training.tasks.task import Corpora, Metrics, Split, TrainingBatch
from core.training.utterances import with_utterances
from core.zoo import LoadedModel

LONG = 15  # words of a long sentence


@dataclass(frozen=True)
class TranslationPairs:
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
        prefix: is put before every source, for a model that is told its task by it.
        utterances: short pairs are read more often, written as people type them
            (``core.training.utterances``).
    """

    counts: ClassVar[str] = "tokens"
    sources: tuple[CorpusFile, ...]
    source: str
    target: str
    shapes: tuple[BucketShape, ...]
    valid: str
    smoothing: float = 0.1
    long_unseen: int = 0
    prefix: str = ""
    utterances: bool = False

    @property
    def largest(self) -> int:
        """See ``Task``."""
        # A prefix has no more tokens than characters.
        return max((shape.length + len(self.prefix)) * shape.rows for shape in self.shapes)

    def texts(self, directory: Path) -> Iterator[str]:
        """Both sides of all pairs."""
        return itertools.chain.from_iterable(self.pairs(directory, "train"))

    def make_tokenizer(self, directory: Path, vocab_size: int) -> Tokenizer:
        """One BPE of both languages."""
        return train_joint_bpe(self.texts(directory), vocab_size)

    def encoders(self, directory: Path, network: Any, learned: Tokenizer | None = None) -> Encoders:
        """See ``Task``."""
        return Encoders(learned or self.make_tokenizer(directory, network.vocab_size))

    def pairs(self, directory: Path, split: Split) -> list[tuple[str, str]]:
        """Sentence pairs of a split, without those that share a side with an unseen pair.

        Raises:
            CorpusError: a file is missing or damaged.
        """
        unseen = self._unseen_sides(directory)
        return [
            pair
            for source in self.sources
            for pair in read_pairs(directory / source.file, self.source, self.target)
            if is_held_out(pair[1]) == (split == "held_out")
            and not any(letters(side) in unseen for side in pair)
        ]

    def _unseen_sides(self, directory: Path) -> frozenset[str]:
        """The letters of all sentences that nothing is learned from."""
        valid = read_pairs(directory / self.valid, self.source, self.target)
        both = itertools.chain(valid, self.unseen(directory))
        return frozenset(letters(side) for pair in both for side in pair)

    def unseen(self, directory: Path) -> list[tuple[str, str]]:
        """The long pairs that are left out, drawn by what they say: the same for every model."""
        if not self.long_unseen:
            return []
        every = read_pairs(directory / self.sources[0].file, self.source, self.target)
        long = {pair for pair in every if len(pair[0].split()) >= LONG}
        return sorted(long, key=lambda pair: stable_hash("\n".join(pair)))[: self.long_unseen]

    def read(self, corpora: Corpora, split: Split) -> Bucketed[_Encoded]:
        """The pairs of a split, in buckets of like length."""
        pairs = self.pairs(corpora.directory, split)
        if self.utterances and split == "train":
            pairs = with_utterances(pairs, self._unseen_sides(corpora.directory))
        return bucketed_pairs(self, pairs, corpora, split)

    def losses(self, model: nn.Module, examples: SourcesTargets) -> dict[str, Tensor]:
        """Mean cross-entropy in nats, see ``text_loss``."""
        return {"translation": text_loss(model, examples, self.smoothing)}

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """BLEU of beam search with 4 beams on the validation file."""
        pairs = list(read_pairs(directory / self.valid, self.source, self.target))
        return {f"bleu/{self.valid.removesuffix('.tsv.xz')}": bleu(model, pairs)}

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return translations(model)


_Encoded = tuple[list[int], list[int]]


class Pairs(Protocol):
    """A task whose examples are pairs of texts."""

    @property
    def shapes(self) -> tuple[BucketShape, ...]: ...

    @property
    def prefix(self) -> str: ...


def bucketed_pairs(
    task: Pairs, pairs: Sequence[tuple[str, str]], corpora: Corpora, split: Split
) -> Bucketed[_Encoded]:
    """Encoded pairs by the first shape that holds them, the prefix before each source.

    Args:
        task: whose shapes and prefix are taken.
        pairs: of the split.
        corpora: whose tokenizer encodes them.
        split: what is trained on, or what is held out.
    """
    tokenizer = corpora.tokenizer
    before = tokenizer.encode(task.prefix, special=False) if task.prefix else []

    def make_batch(encoded: Sequence[_Encoded], shape: BucketShape, name: str) -> TrainingBatch:
        size = (shape.length + len(before), shape.length)
        encoded = [([*before, *source], target) for source, target in encoded]
        return rows_of_pairs(encoded, tokenizer, size, name)

    sides = (tokenizer.encode_batch(side) for side in zip(*pairs, strict=True))
    rows = ((pair, max(map(len, pair)) + 1) for pair in zip(*sides, strict=True))  # the end mark
    too_few = CorpusError(corpora.directory, N_("too few sentence pairs to fill one batch"))
    return Bucketed(rows, task.shapes, make_batch, corpora.seed, split, too_few)
