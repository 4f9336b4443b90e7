"""What a model is asked to do with a text: where the labels come from.

The functions that make examples take and give plain numpy arrays, one example
at a time, so that a page can call them on a learner's sentence; the losses are
functions of a model and a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from core.models.bert import BERT
from core.models.gpt import GPT

IGNORED = -100  # a target that the loss leaves out (PyTorch's convention)

Ints = NDArray[np.int64]
Fate = Literal["kept in sight", "masked", "random", "unchanged"]


def next_token_pairs(ids: Sequence[int]) -> list[tuple[list[int], int]]:
    """Every example that causal language modelling makes of a text: what is seen, what comes next.

    One text of n tokens gives n - 1 examples, all trained in one pass
    (Radford et al. 2018, section 3.1).
    """
    return [(list(ids[:end]), ids[end]) for end in range(1, len(ids))]


@dataclass(frozen=True, slots=True)
class MaskedExample:
    """A text with words hidden, and what the model has to say.

    Attributes:
        ids: what the model reads.
        targets: the original id where a word was chosen, ``IGNORED`` elsewhere.
        fates: what happened to each token.
        order: how many words were chosen before this token's; -1 where none was.
        dice: the number in [0, 1) that decided a chosen token's fate; NaN elsewhere.
    """

    ids: Ints
    targets: Ints
    fates: tuple[Fate, ...]
    order: Ints
    dice: NDArray[np.float64]


class Vocabulary(NamedTuple):
    """What masking has to know of a vocabulary.

    Attributes:
        mask_id: the id of [MASK].
        continues: for each id, whether it goes on with a word ("##ing").
        special: for each id, whether it is a mark that is never hidden.
    """

    mask_id: int
    continues: NDArray[np.bool_]
    special: NDArray[np.bool_]


def words_of(ids: Ints, vocabulary: Vocabulary) -> list[Ints]:
    """The positions of each whole word, special tokens left out."""
    maskable = ~vocabulary.special[ids]
    starts = maskable & ~vocabulary.continues[ids]
    number = np.cumsum(starts) - 1
    positions = np.flatnonzero(maskable & (number >= 0))
    cuts = np.flatnonzero(np.diff(number[positions])) + 1
    return [word for word in np.split(positions, cuts) if len(word)]


def mask_words(
    ids: Sequence[int] | Ints,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
    *,
    rate: float = 0.15,
    p_mask: float = 0.8,
    p_random: float = 0.1,
) -> MaskedExample:
    """Hide whole words: of those chosen 80 % become [MASK], 10 % a random word, 10 % stay.

    Devlin et al. 2019, section 3.1 and appendix A.1; whole words as in the
    authors' later release. Words are drawn until ``rate`` of the tokens is
    reached, at least one; a word shares one fate.

    Args:
        ids: the text, special tokens included.
        vocabulary: of the model.
        rng: draws words and fates.
        rate: share of the tokens that is predicted.
        p_mask, p_random: fates; the rest stays as it is.
    """
    original = np.array(ids, dtype=np.int64)
    shown, targets = original.copy(), np.full_like(original, IGNORED)
    fate: Fate
    fates: list[Fate] = ["kept in sight"] * len(original)
    order, dice = np.full_like(original, -1), np.full(len(original), np.nan)
    words = words_of(original, vocabulary)
    budget = max(1, round(rate * sum(len(word) for word in words))) if words else 0
    ordinary = np.flatnonzero(~vocabulary.special)
    for n in rng.permutation(len(words)):
        word = words[n]
        if budget <= 0:
            break
        if len(word) > budget and (targets != IGNORED).any():
            continue  # a long word that would pass the share; a shorter one may still fit
        budget -= len(word)
        targets[word] = original[word]
        draw = rng.random()
        order[word], dice[word] = order.max(initial=-1) + 1, draw
        if draw < p_mask:
            shown[word], fate = vocabulary.mask_id, "masked"
        elif draw < p_mask + p_random:
            shown[word], fate = rng.choice(ordinary, len(word)), "random"
        else:
            fate = "unchanged"
        for at in word:
            fates[int(at)] = fate
    return MaskedExample(shown, targets, tuple(fates), order, dice)


def next_token_loss(model: GPT, rows: Tensor) -> Tensor:
    """Mean cross-entropy in nats of each next token; ``rows`` is ``(B, T + 1)``."""
    logits = model(rows[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1).float(), rows[:, 1:].flatten())


def taught_losses(
    model: GPT, teachers: Sequence[GPT], rows: Tensor, n_taught: int
) -> tuple[Tensor, Tensor]:
    """Mean cross-entropies in nats: with the text's next tokens, with what teachers expect there.

    The second is Hinton et al. 2015, section 2, at temperature 1, with the mean of the
    teachers' distributions as the target.

    Args:
        model: learns.
        teachers: of the same vocabulary, at least one.
        rows: ``(B, T + 1)``.
        n_taught: rows that are learnt from the teachers, the first of them; above 0 and below B.
    """
    logits = model(rows[:, :-1]).float()
    text = F.cross_entropy(logits[n_taught:].flatten(0, 1), rows[n_taught:, 1:].flatten())
    seen = rows[:n_taught, :-1]
    with torch.no_grad():
        expected = sum(torch.softmax(teacher(seen).float(), dim=-1) for teacher in teachers)
    logs = torch.log_softmax(logits[:n_taught], dim=-1)
    return text, -(expected * logs).sum(dim=-1).mean() / len(teachers)


class PairBatch(NamedTuple):
    """Rows for BERT.

    Attributes:
        ids: what it reads, ``(B, T)``.
        types: segment of each token, ``(B, T)``.
        mask: True on real tokens, ``(B, 1, 1, T)``.
        positions: where words are predicted, ``(B, M)``; unused places point at 0.
        targets: the words there, ``(B, M)``; ``IGNORED`` on unused places.
        follows: 0 = B follows A, 1 = it does not, ``IGNORED`` = one segment, ``(B,)``.
    """

    ids: Tensor
    types: Tensor
    mask: Tensor
    positions: Tensor
    targets: Tensor
    follows: Tensor


def masked_word_losses(model: BERT, batch: PairBatch) -> tuple[Tensor, Tensor]:
    """Mean cross-entropies in nats: of the hidden words, and of "does B follow A?".

    Their sum is what Devlin et al. 2019 train on. Only hidden positions go
    through the output matrix.
    """
    hidden = model.hidden(batch.ids, types=batch.types, mask=batch.mask)
    where = batch.positions[:, :, None].expand(-1, -1, hidden.shape[-1])
    logits = model.masked_words(hidden.gather(1, where))  # (B, M, V)
    words = _mean_cross_entropy(logits.flatten(0, 1), batch.targets.flatten())
    return words, _mean_cross_entropy(model.next_sentence(hidden), batch.follows)


def _mean_cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Over the targets that count: ``(N, C)`` and ``(N,)``; 0 when none does, not NaN."""
    total = F.cross_entropy(logits.float(), targets, ignore_index=IGNORED, reduction="sum")
    return total / (targets != IGNORED).sum().clamp(min=1)
