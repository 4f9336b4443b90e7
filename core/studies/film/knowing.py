"""What a frame of the film knows: its losses, and how far it is from counting words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

import torch
import torch.nn.functional as F
from torch import Tensor

from core.training.tasks.next_token import NextToken
from core.training.tasks.task import Corpora
from core.zoo import LoadedModel

# Batches of the text that it learns from: so many are counted, of the first of them it is asked.
COUNTED, ASKED = 1000, 16
_AT_ONCE = 16  # rows


@dataclass(frozen=True)
class Grams:
    """Next tokens by their counts alone.

    Attributes:
        unigram: log-probability of each token ``(V,)``.
        bigram: log-probability of each token after each other ``(V, V)``.
    """

    unigram: Tensor
    bigram: Tensor

    @classmethod
    def count(cls, rows: Tensor, vocab_size: int) -> Grams:
        """Counts of rows ``(R, T + 1)``: Laplace's for tokens, Witten & Bell's 1991 for pairs.

        What has not been seen after a token gets the share of its different followers among all
        that came after it, divided as the tokens are.
        """
        single = torch.bincount(rows[:, 1:].flatten(), minlength=vocab_size).cpu().double() + 1
        unigram = single / single.sum()
        pairs = (rows[:, :-1] * vocab_size + rows[:, 1:]).flatten()
        counts = torch.bincount(pairs, minlength=vocab_size**2).cpu().double().view(vocab_size, -1)
        followers = (counts > 0).sum(dim=1, keepdim=True).clamp(min=1)
        bigram = (counts + followers * unigram) / (counts.sum(dim=1, keepdim=True) + followers)
        return cls(unigram.log().float(), bigram.log().float())


@dataclass(frozen=True)
class ModelKnowledge:
    """Losses in nats a token, and distances from the counts, of one model.

    Attributes:
        train, held, sources, away: as of ``core.film.index.Frame``.
    """

    train: float
    held: float
    sources: Mapping[str, float]
    away: Mapping[str, float]


@dataclass(frozen=True)
class Questions:
    """The rows that every frame is asked about.

    Attributes:
        train: some that it learns from ``(R, T + 1)``, by the sources' shares.
        held: those of each source that it never reads.
        shares: of the sources, adding up to 1.
        grams: counts of what it learns from.
    """

    train: Tensor
    held: Mapping[str, Tensor]
    shares: Mapping[str, float]
    grams: Grams

    @classmethod
    def of(cls, task: NextToken, corpora: Corpora) -> Questions:
        """Those of a task; passages that are said twice are left out.

        Raises:
            CorpusError: a file is missing, damaged, or has too little text.
        """
        task = replace(task, repeats=0.0)
        learned = task.read(corpora, "train").batches("stable")
        rows = [batch.examples.ids for batch in islice(learned, COUNTED)]
        held_out = {
            batch.source: batch.examples.ids
            for batch in task.read(corpora, "held_out").batches("stable")
        }
        total = sum(task.stable.shares[name] for name in held_out)
        shares = {name: task.stable.shares[name] / total for name in held_out}
        grams = Grams.count(torch.cat(rows), corpora.tokenizer.vocab_size)
        return cls(torch.cat(rows[:ASKED]), held_out, shares, grams)

    def _mean(self, of_source: Mapping[str, float]) -> float:
        return sum(self.shares[name] * value for name, value in of_source.items())

    def baselines(self) -> dict[str, float]:
        """Held-out loss of what knows nothing, of the counts of tokens, and of those of pairs."""
        unigram, two = self.grams.unigram, self.grams.bigram
        return {
            "uniform": math.log(len(unigram)),
            "unigram": self._mean(
                {name: -unigram[ids[:, 1:]].mean().item() for name, ids in self.held.items()}
            ),
            "bigram": self._mean(
                {
                    name: -two[ids[:, :-1], ids[:, 1:]].mean().item()
                    for name, ids in self.held.items()
                }
            ),
        }

    @torch.no_grad()
    def answered(self, model: LoadedModel) -> ModelKnowledge:
        """What a model knows."""
        losses, unigram, bigram = {}, {}, {}
        for name, ids in self.held.items():
            parts = [self._compared(model, part) for part in ids.split(_AT_ONCE)]
            means = torch.cat(parts).mean(dim=0).tolist()
            losses[name], unigram[name], bigram[name] = means
        train = torch.cat([_losses(model, part)[1] for part in self.train.split(_AT_ONCE)])
        away = {"unigram": self._mean(unigram), "bigram": self._mean(bigram)}
        return ModelKnowledge(train.mean().item(), self._mean(losses), losses, away)

    def _compared(self, model: LoadedModel, ids: Tensor) -> Tensor:
        """Loss and both total variation distances of every row ``(B, 3)``."""
        log_probs, losses = _losses(model, ids)
        counted = (self.grams.unigram, self.grams.bigram[ids[:, :-1]])
        away = [(log_probs.exp() - other.exp()).abs().sum(dim=-1) / 2 for other in counted]
        return torch.stack([losses, *away]).mean(dim=-1).T


def _losses(model: LoadedModel, ids: Tensor) -> tuple[Tensor, Tensor]:
    """Log-probabilities ``(B, T, V)`` and the losses ``(B, T)`` of rows."""
    log_probs = model.model(ids[:, :-1]).float().log_softmax(dim=-1)
    return log_probs, -log_probs.gather(-1, ids[:, 1:, None])[..., 0]


@torch.no_grad()
def loss_on(model: LoadedModel, text: str) -> float:
    """Mean loss on the tokens of a text after its mark, nats a token."""
    ids = torch.tensor(model.encode(text))
    return F.cross_entropy(model.model(ids[None, :-1])[0].float(), ids[1:]).item()
