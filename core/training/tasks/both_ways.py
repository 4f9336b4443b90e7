"""The word after each and the word before each: two language models on the same text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from core.encoders import Encoders, Spelling
from core.models.elmo import ELMo
from core.text.tokenizer import Tokenizer
from core.text.trained import train_words
from core.training.measures.perplexity import perplexity
from core.training.measures.senses import senses
from core.training.row_sampler import Draw, RowSampler
from core.training.rows import pack_rows
from core.training.samples import neighbours
from core.training.sources import tokenizer_sample
from core.training.streams import Ids, TokenStream
from core.training.tasks.task import Corpora, Metrics, OfText, Split, TrainingBatch
from core.training.words import Lexicon, check_enough, read_words
from core.zoo import LoadedModel

LONGEST = 20  # rows of a word's characters, its beginning and end included
# What lower-cased English text is written with, accents taken off.
ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?'\"`()[]{}<>-—/\\|_&@#%*+=~^$£°"


class WordRows(NamedTuple):
    """Rows of words.

    Attributes:
        letters: rows of the characters of the different words, ``(N, W)``.
        places: which of them stands where, ``(B, T)``.
        entries: the entry of each in the vocabulary, ``(B, T)``.
        sampled: other entries that a prediction is compared with, ``(S,)``, each once.
        chances: the logarithm of each entry's probability to be among them, ``(V,)``.
    """

    letters: Tensor
    places: Tensor
    entries: Tensor
    sampled: Tensor
    chances: Tensor


@dataclass(frozen=True)
class BothWays(OfText):
    """Two language models, forwards and backwards (Peters et al. 2018, section 3.1).

    Attributes:
        draws: of entries that a step's predictions are compared with.
    """

    draws: int = 4096

    def make_tokenizer(self, directory: Path, vocab_size: int) -> Tokenizer:
        """Whole words, lower-cased."""
        sample = tokenizer_sample(self.sources, self.stable.shares, directory)
        return train_words(sample, vocab_size)

    def encoders(self, directory: Path, network: Any, learned: Tokenizer | None = None) -> Encoders:
        """See ``Task``; words are spelt with the same letters in every run."""
        text = learned or self.make_tokenizer(directory, network.vocab_size)
        return Encoders(text, spelling=Spelling(ALPHABET, LONGEST))

    def read(self, corpora: Corpora, split: Split) -> _WordRows:
        """Rows packed from documents."""
        return _WordRows(self, corpora, split)

    def losses(self, model: ELMo, examples: WordRows) -> dict[str, Tensor]:
        """Mean cross-entropies in nats, forwards and backwards; their sum is equation (1)'s.

        Each different word is spelt out once. While it learns, a word is chosen among a sample
        of the vocabulary, see ``sampled_cross_entropy``; else among all of it.
        """
        vectors = model.embed(examples.letters[None].long())[0]
        layers = model.read(F.embedding(examples.places, vectors))
        ahead, back = layers[-1].chunk(2, -1)
        sides = {
            "next_word": (ahead[:, :-1], examples.entries[:, 1:]),
            "word_before": (back[:, 1:], examples.entries[:, :-1]),
        }
        losses = {}
        for name, (states, targets) in sides.items():
            h, entries = states.flatten(0, 1), targets.flatten()
            if model.training:
                losses[name] = sampled_cross_entropy(
                    h, model.words, entries, examples.sampled, examples.chances
                )
            else:
                losses[name] = F.cross_entropy(model.words(h).float(), entries)
        return losses

    def measure(self, model: LoadedModel, directory: Path) -> Metrics:
        """Perplexity in both directions, share of unknown words, and senses told apart."""
        files = [directory / source.valid for source in self.sources if source.valid]
        return perplexity(model, files) | senses(model)

    def samples(self, model: LoadedModel) -> list[str]:
        """See ``core.training.samples``."""
        return neighbours(model)


def zipf(n: int) -> NDArray[np.float64]:
    """How likely each entry is to be drawn: entry k with log((k + 2) / (k + 1)) / log(n + 1).

    The entries stand by frequency, and in a language the frequency falls like that.
    """
    return np.diff(np.log(np.arange(1, n + 2))) / math.log(n + 1)


def sampled_cross_entropy(
    h: Tensor, words: nn.Linear, entries: Tensor, sampled: Tensor, chances: Tensor
) -> Tensor:
    """Cross-entropy over the wanted entry and a sample instead of the whole vocabulary.

    Jean et al. 2015, section 3.1: each logit less the logarithm of the probability that the entry
    is among the sample, so that in the mean the gradient is that of the whole softmax.

    Args:
        h: what the output matrix multiplies, ``(N, D)``.
        words: the output matrix and its biases.
        entries: wanted, ``(N,)``.
        sampled, chances: see ``WordRows``.
    """
    logits = (h * F.embedding(entries, words.weight)).sum(-1) + words.bias[entries]
    logits = logits - chances[entries]
    others = F.linear(h, F.embedding(sampled, words.weight), words.bias[sampled])
    others = others - chances[sampled]
    others = others.masked_fill(entries[:, None] == sampled, -torch.inf)
    total = torch.logaddexp(others.logsumexp(-1), logits)
    return (total - logits).mean()


class _WordRows(RowSampler[Ids]):
    """Rows packed from documents, word by word."""

    _task: BothWays

    def __init__(self, task: BothWays, corpora: Corpora, split: Split) -> None:
        super().__init__(task, corpora, split)
        self._zipf = zipf(corpora.tokenizer.vocab_size)
        among = -np.expm1(task.draws * np.log1p(-self._zipf))
        self._chances = np.log(among).astype(np.float32)
        self.rows(task.stable.n_ctx)  # minutes, the first time, that are not the clock's

    @cached_property
    def _text(self) -> tuple[dict[str, TokenStream], Lexicon]:
        return read_words(self._task.sources, self._corpora, self._split)

    def cut(self, n_ctx: int) -> dict[str, Ids]:
        """See ``RowSampler``."""
        streams, lexicon = self._text
        check_enough(streams, self._task.sources, self._corpora, n_ctx)
        return {
            # A row has one word more than it predicts in each direction.
            name: pack_rows(stream, n_ctx - 1, lexicon.start, lexicon.ends_sentence)
            for name, stream in streams.items()
        }

    def make_batch(self, rows: Sequence[Ids], draw: Draw, source: str = "") -> TrainingBatch:
        """See ``RowSampler``; the entries that are sampled are drawn."""
        _, lexicon = self._text
        ids = np.stack(rows)
        different, places = np.unique(ids, return_inverse=True)
        rng = np.random.default_rng((self._corpora.seed, 7, *draw))
        sampled = np.unique(rng.choice(len(self._zipf), self._task.draws, p=self._zipf))
        places = places.reshape(ids.shape)
        entries, letters = lexicon.entries[ids], lexicon.letters[different]
        arrays = (letters, places, entries, sampled, self._chances)
        return TrainingBatch(WordRows(*map(torch.from_numpy, arrays)), ids.size, source)
