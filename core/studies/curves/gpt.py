"""Small GPTs that learn to continue stories, asked where no answer can be looked up."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.shaped.gpt import SmallGPT, SmallGPTConfig
from core.studies.curves.variants import LENGTH, VOCABULARY, Budget, SmallGPTVariant
from core.text.marks import END_OF_TEXT
from core.text.trained import train_byte_bpe
from core.training.recipes.english import TINYSTORIES
from core.training.sources import documents_of, is_held_out

HELD_ROWS = 128
ASKED_AT = (4, 12, 24, 36, 48, 60)  # tokens that stand there when the next one is asked for
STORIES = 20_000  # of the file's beginning
LEARNED = 3_000  # of these, the pieces are learned from so many


@dataclass(frozen=True)
class Stories:
    """Rows of ids ``(R, LENGTH + 1)``: to learn from, and to be asked about."""

    train: Tensor
    held: Tensor


def read_stories(directory: Path) -> Stories:
    """Rows cut from the first stories, in pieces that are learned from them.

    Raises:
        CorpusError: the file is missing or damaged.
    """
    stories = list(itertools.islice(documents_of(TINYSTORIES, directory), STORIES))
    train = [story for story in stories if not is_held_out(story)]
    tokenizer = train_byte_bpe(train[:LEARNED], VOCABULARY)
    mark = tokenizer.mark(END_OF_TEXT)

    def rows(texts: list[str]) -> Tensor:
        ids = np.concatenate([[mark, *ids] for ids in tokenizer.encode_batch(texts)])
        n = len(ids) // (LENGTH + 1)
        return torch.from_numpy(ids[: n * (LENGTH + 1)].astype(np.int64)).view(n, LENGTH + 1)

    held_out = [story for story in stories if is_held_out(story)]
    return Stories(rows(train), rows(held_out)[:HELD_ROWS])


class GPTPupil:
    """A small GPT of a variant, and its rows in an order drawn by the seed.

    Args:
        variant: what is different of it.
        stories: what it reads.
        seed: of weights and order.
        budget: rows of a step.
    """

    def __init__(
        self, variant: SmallGPTVariant, stories: Stories, seed: int, budget: Budget
    ) -> None:
        config = SmallGPTConfig(
            VOCABULARY, LENGTH, 64, variant.n_layers, 4, variant.shape,
            positions=variant.positions, scaled=variant.scaled, wrong_axis=variant.wrong_axis,
        )  # fmt: skip
        self.model = SmallGPT(config, torch.Generator().manual_seed(seed))
        self._causal, self._stories, self._n = variant.causal, stories, budget.rows
        self._order = self._rows(torch.Generator().manual_seed(seed + 1))

    def _rows(self, draws: torch.Generator) -> Iterator[Tensor]:
        while True:
            order = torch.randperm(len(self._stories.train), generator=draws)
            yield from order.split(self._n)

    def loss(self) -> Tensor:
        """Nats a token on the next rows, where every answer stands in the text."""
        ids = self._stories.train[next(self._order)]
        logits = self.model(ids[:, :-1], causal=self._causal)
        return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())

    @torch.no_grad()
    def measure(self) -> dict[str, float]:
        """Loss and right guesses where each text ends before the token that is asked for."""
        losses, right = [], []
        for n in ASKED_AT:
            logits = self.model(self._stories.held[:, :n], causal=self._causal)[:, -1]
            answer = self._stories.held[:, n]
            losses.append(F.cross_entropy(logits, answer).item())
            right.append((logits.argmax(-1) == answer).float().mean().item())
        return {"held": float(np.mean(losses)), "right": float(np.mean(right))}
