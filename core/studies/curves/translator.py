"""Small Transformers that learn to translate, all sentences padded to one length."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from core.encoders import Encoders
from core.models.transformer import Transformer, TransformerConfig
from core.studies.curves.variants import VOCABULARY, Budget, SmallTranslatorVariant
from core.text.hiding import IGNORED
from core.text.marks import END, START
from core.training.recipes.french import translation
from core.training.tasks.pairs import SourcesTargets, smoothed_cross_entropy
from core.training.tasks.task import Corpora, SplitExamples, TrainingBatch
from core.training.tasks.translation import TranslationPairs

PADDED = 32  # tokens of each side, marks included
HELD_ROWS = 128
WIDER = 16  # further positions of padding that nobody has seen in training


@dataclass(frozen=True)
class Sentences:
    """Pairs to learn from, pairs to be asked about, and the marks around a target."""

    train: SplitExamples
    held: SourcesTargets
    start_id: int
    end_id: int
    pad_id: int


def _task(rows: int) -> TranslationPairs:
    return translation((PADDED,), (rows,))


def read_sentences(
    directory: Path, cache: Path, seed: int, budget: Budget, held_rows: int = HELD_ROWS
) -> Sentences:
    """Pairs of French and English, in pieces that are learned from both.

    Args:
        directory: of the corpora.
        cache: where tokens are kept between runs.
        seed: of the order.
        budget: rows of a step.
        held_rows: how many pairs are asked about.

    Raises:
        CorpusError: a file is missing, damaged, or has too few pairs.
    """
    task = _task(budget.rows)
    tokenizer = task.make_tokenizer(directory, VOCABULARY)
    corpora = Corpora(directory, cache, Encoders(tokenizer), seed)
    held_out: Any = next(
        iter(_task(held_rows).read(corpora, "held_out").batches("stable"))
    ).examples
    return Sentences(
        task.read(corpora, "train"), held_out, tokenizer.mark(START), tokenizer.mark(END),
        tokenizer.pad_id,
    )  # fmt: skip


class TranslatorPupil:
    """A small Transformer of a variant; arguments as of ``GPTPupil``.

    Of ``few`` batches, where they are given, it reads no others than these, again and again.
    """

    def __init__(
        self,
        variant: SmallTranslatorVariant,
        sentences: Sentences,
        seed: int,
        _budget: Budget,
        *,
        few: int = 0,
    ) -> None:
        config = TransformerConfig(
            vocab_size=VOCABULARY, n_ctx=PADDED + WIDER, d_model=64, encoder_n_layers=2,
            decoder_n_layers=2, n_heads=4, d_ff=256, start_id=sentences.start_id,
            end_id=sentences.end_id,
        )  # fmt: skip
        self.model = Transformer(config, torch.Generator().manual_seed(seed))
        self._variant, self._sentences = variant, sentences
        batches = sentences.train.batches("stable")
        self._batches: Iterator[TrainingBatch] = batches
        if few:
            self._batches = itertools.cycle(tuple(itertools.islice(batches, few)))

    def _logits(self, source: Tensor, mask: Tensor, target: Tensor) -> Tensor:
        if not self._variant.masked:
            mask = torch.ones_like(mask)
        return self.model(source, target, encoder_mask=mask, cross_mask=mask)

    def loss(self) -> Tensor:
        """Nats a token on the next sentences, their targets smoothed where the variant says so."""
        source, mask, target, expected = next(self._batches).examples
        logits = self._logits(source, mask, target)
        return smoothed_cross_entropy(logits, expected, self._variant.smoothing)

    @torch.no_grad()
    def measure(self) -> dict[str, float]:
        """Loss, nothing smoothed, and right guesses; and the loss with more padding behind."""
        source, mask, target, expected = self._sentences.held
        logits = self._logits(source, mask, target)
        real = expected != IGNORED
        guessed = logits.argmax(-1) == expected
        wide = F.pad(source, (0, WIDER), value=self._sentences.pad_id)
        wider = self._logits(wide, F.pad(mask, (0, WIDER)), target)
        return {
            "held": smoothed_cross_entropy(logits, expected, 0.0).item(),
            "right": guessed[real].float().mean().item(),
            "wider": smoothed_cross_entropy(wider, expected, 0.0).item(),
        }

    @torch.no_grad()
    def guesses(self) -> tuple[Tensor, Tensor, float]:
        """Of every held-out token: how sure the guess is, and whether it is right.

        Returns:
            Probabilities ``(n,)``, truths ``(n,)``, and the loss in nats, nothing smoothed.
        """
        source, mask, target, expected = self._sentences.held
        logits = self._logits(source, mask, target)
        real = expected != IGNORED
        sure, guessed = logits[real].softmax(dim=-1).max(dim=-1)
        loss = smoothed_cross_entropy(logits, expected, 0.0).item()
        return sure, guessed == expected[real], loss
