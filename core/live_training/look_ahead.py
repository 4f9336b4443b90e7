"""Why a model without a mask cannot learn to predict the next token: two tiny ones are trained.

The texts follow a rule whose uncertainty is known: each of 16 symbols is
followed by one of two others, at even odds. No honest prediction can do better
than 1 bit a symbol. A model whose positions see each other can, in training: it
reads the answer off the next position. Asked for a symbol that is not written
yet, it has learnt nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from core.errors import ParameterError
from core.language import N_
from core.live_training.records import LearnedBits
from core.models.gpt import GPT, GPTConfig
from core.seeds import checked_seed

N_SYMBOLS, N_CHOICES, LENGTH = 16, 2, 16
FLOOR_BITS = math.log2(N_CHOICES)  # what is left to guess when the rule is known
BATCH, TEST_TEXTS, EVERY = 32, 64, 20
LEARNING_RATE = 3e-3
ASKED_AT = (1, 4, 8, 15)  # how many symbols stand there when the next one is asked for
_SIZES = GPTConfig(
    vocab_size=N_SYMBOLS, n_ctx=LENGTH, d_model=32, n_layers=1, n_heads=1, d_ff=64
)  # fmt: skip


def look_ahead(steps: int = 300, seed: int = 0) -> Iterator[LearnedBits]:
    """Train both models from the same start on the same texts; about a second on a laptop.

    Args:
        steps: of AdamW, 32 texts of 16 symbols each.
        seed: of the rule, the weights and the texts.

    Raises:
        ParameterError: fewer steps than none, or the seed is none.
    """
    if steps < 0:
        raise ParameterError("steps", steps, N_("0 or above"))
    seed = checked_seed(seed)
    rule = _rule(seed)
    test = _texts(rule, TEST_TEXTS, torch.Generator().manual_seed(seed + 2))
    causal, unmasked = (_MaskedPupil(masked, seed) for masked in (True, False))
    texts = torch.Generator().manual_seed(seed + 1)
    for step in range(steps + 1):
        text = _texts(rule, BATCH, texts)
        losses = causal.loss(text), unmasked.loss(text)
        if step % EVERY == 0 or step == steps:
            causal_seen, unmasked_seen = (loss.item() / math.log(2) for loss in losses)
            yield LearnedBits(
                step, steps, causal_seen, causal.unseen(test), unmasked_seen,
                unmasked.unseen(test), FLOOR_BITS,
            )  # fmt: skip
        if step < steps:
            for pupil, loss in zip((causal, unmasked), losses, strict=True):
                pupil.learn(loss)


class _MaskedPupil:
    """A tiny model that learns, with a causal mask or without any."""

    def __init__(self, masked: bool, seed: int) -> None:
        self._masked = masked
        self._model = GPT(_SIZES, torch.Generator().manual_seed(seed))
        self._optimizer = torch.optim.AdamW(self._model.parameters(), lr=LEARNING_RATE)

    def loss(self, text: Tensor) -> Tensor:
        """Nats a symbol, where the next one stands in the text."""
        with torch.enable_grad():
            logits = self._model(text[:, :-1], mask=self._mask(LENGTH))
            return F.cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten())

    def learn(self, loss: Tensor) -> None:
        """Take a step of the optimiser."""
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()

    @torch.no_grad()
    def unseen(self, test: Tensor) -> float:
        """Bits a symbol when each text is cut off before the symbol that is asked for."""
        total = 0.0
        for n in ASKED_AT:
            logits = self._model(test[:, :n], mask=self._mask(n))[:, -1]
            total += F.cross_entropy(logits, test[:, n]).item()
        return total / len(ASKED_AT) / math.log(2)

    def _mask(self, n: int) -> Tensor | None:
        return None if self._masked else torch.ones(n, n, dtype=torch.bool)


def _rule(seed: int) -> Tensor:
    """For each symbol the two that may follow it, ``(16, 2)``."""
    draws = torch.Generator().manual_seed(seed)
    return torch.stack(
        [torch.randperm(N_SYMBOLS, generator=draws)[:N_CHOICES] for _ in range(N_SYMBOLS)]
    )


def _texts(rule: Tensor, n: int, draws: torch.Generator) -> Tensor:
    """``n`` texts that follow the rule, ``(n, LENGTH + 1)``."""
    text = [torch.randint(N_SYMBOLS, (n,), generator=draws)]
    for _ in range(LENGTH):
        text.append(rule[text[-1], torch.randint(N_CHOICES, (n,), generator=draws)])
    return torch.stack(text, dim=1)
