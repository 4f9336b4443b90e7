"""Beam search: the likeliest texts that a search over a few candidates at a time finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.decoding.decoder import Decoder
from core.errors import ParameterError
from core.language import N_

_Kept = tuple[tuple[int, ...], float]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A text that the search found.

    Attributes:
        ids: its tokens; the end mark is the last one, if it has ended.
        log_prob: of all of them, the end mark included.
        score: what it is ranked by: ``log_prob`` over the length penalty.
        ended: whether the model ended it; otherwise its room did.
    """

    ids: tuple[int, ...]
    log_prob: float
    score: float
    ended: bool


def length_penalty(n: int, alpha: float) -> float:
    """Wu et al. 2016, equation (14): ((5 + n) / (5 + 1))^alpha, for a text of ``n`` tokens.

    A longer text has a smaller probability; without a penalty the search prefers short ones.
    """
    return float(((5 + n) / 6) ** alpha)


@torch.inference_mode()
def beam_search(
    decoder: Decoder,
    start: int,
    end: int,
    *,
    beams: int = 4,
    alpha: float = 0.6,
    max_new: int | None = None,
    never: Sequence[int] = (),
    device: torch.device | None = None,
) -> list[Hypothesis]:
    """Search for likely texts, keeping the ``beams`` likeliest at each length.

    Every kept text is continued with every token, and of all these the likeliest are kept. One
    that ends leaves the search and takes its place with it (Sutskever et al. 2014, section 3.2),
    so that the search is over when all have ended or there is no room. The best is the one with
    the highest log probability over length penalty.

    Args:
        decoder: of one row, nothing written yet.
        start: the token that every text begins with; not part of the result.
        end: the token that ends a text.
        beams: how many texts are kept; 1 is greedy decoding.
        alpha: of the length penalty; 0 for none, 0.6 in Vaswani et al. 2017, section 6.1.
        max_new: at most so many tokens, the end mark included; what the room holds when None.
        never: tokens that are not written.
        device: of the model.

    Returns:
        The ``beams`` texts, the best first; fewer if the vocabulary is too small for so many.

    Raises:
        ParameterError: ``beams`` or ``max_new`` is below 1, or ``alpha`` below 0.
    """
    for name, value in (("beams", beams), ("max_new", max_new)):
        if value is not None and value < 1:
            raise ParameterError(name, value, N_("at least 1"))
    if alpha < 0:
        raise ParameterError("alpha", alpha, N_("0 or above"))
    limit = decoder.room if max_new is None else min(max_new, decoder.room)
    found: list[Hypothesis] = []
    kept: list[_Kept] = [((), 0.0)]  # ids and log probability of what is still being written
    for length in range(1, limit + 1):
        newest = [[ids[-1] if ids else start] for ids, _ in kept]
        logits = decoder.push(torch.tensor(newest, device=device))[:, -1]
        penalty = length_penalty(length, alpha)
        rows, going = [], []
        for row, token, log_prob in _likeliest(kept, logits, beams - len(found), never):
            ids = (*kept[row][0], token)
            if token == end or length == limit:
                found.append(Hypothesis(ids, log_prob, log_prob / penalty, ended=token == end))
            else:
                rows.append(row)
                going.append((ids, log_prob))
        kept = going
        if not kept:
            break
        decoder = decoder.fork(rows, 1)
    return sorted(found, key=lambda hypothesis: -hypothesis.score)


def _likeliest(
    kept: Sequence[_Kept], logits: Tensor, n: int, never: Sequence[int]
) -> list[tuple[int, int, float]]:
    """(row, token, log probability) of the n likeliest continuations, logits ``(B, V)``."""
    before = torch.tensor([log_prob for _, log_prob in kept], dtype=torch.float64)
    sums = before[:, None] + torch.log_softmax(logits.cpu().double(), dim=-1)
    sums[:, list(never)] = -torch.inf
    found = sums.flatten().topk(min(n, sums.numel()))
    return [
        (*divmod(int(at), sums.shape[1]), float(value))
        for value, at in zip(found.values, found.indices, strict=True)
    ]
