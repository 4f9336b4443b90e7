"""Beam search: the likeliest texts that a search over a few candidates at a time finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.decoding.decoder import Decoder
from core.errors import ParameterError
from core.language import N_, Phrase

MAX_BEAMS = 2000  # a million of them take 17 GB

Kept = tuple[tuple[int, ...], float]


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


@dataclass(frozen=True, slots=True)
class BeamStep:
    """One length of a search.

    Attributes:
        kept: ids and log probability of each text that is being written.
        logits: of what comes after each, ``(len(kept), V)``.
        taken: the likeliest continuations: a place in ``kept``, a token, and the log probability
            of the whole.
        last: nothing is written after these.
    """

    kept: tuple[Kept, ...]
    logits: Tensor
    taken: tuple[tuple[int, int, float], ...]
    last: bool


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

    The best is the one with the highest log probability over length penalty.

    Args:
        decoder, start, end, beams, max_new, never, device: see ``beam_steps``.
        alpha: of the length penalty; 0 for none, 0.6 in Vaswani et al. 2017, section 6.1.

    Returns:
        The ``beams`` texts, the best first; fewer if the vocabulary is too small for so many.

    Raises:
        ParameterError: ``beams`` is not from 1 to ``MAX_BEAMS``, ``max_new`` below 1, or ``alpha``
            below 0.
    """
    steps = beam_steps(
        decoder, start, end, beams=beams, max_new=max_new, never=never, device=device
    )
    return ranked(steps, end, alpha)


def ranked(steps: Iterable[BeamStep], end: int, alpha: float) -> list[Hypothesis]:
    """The texts that a search found, the best first.

    Raises:
        ParameterError: ``alpha`` is below 0.
    """
    if not alpha >= 0:  # which is no number, either
        raise ParameterError("alpha", alpha, N_("0 or above"))
    finished = []
    for length, step in enumerate(steps, 1):
        penalty = length_penalty(length, alpha)
        for row, token, log_prob in step.taken:
            if token == end or step.last:
                ids = (*step.kept[row][0], token)
                finished.append(Hypothesis(ids, log_prob, log_prob / penalty, ended=token == end))
    return sorted(finished, key=lambda hypothesis: -hypothesis.score)


def beam_steps(
    decoder: Decoder,
    start: int,
    end: int,
    *,
    beams: int = 4,
    max_new: int | None = None,
    never: Sequence[int] = (),
    device: torch.device | None = None,
) -> Iterator[BeamStep]:
    """The lengths of a search, one after the other.

    Every kept text is continued with every token, and of all these the likeliest are kept. One
    that ends leaves the search and takes its place with it (Sutskever et al. 2014, section 3.2),
    so that the search is over when all have ended or there is no room.

    Args:
        decoder: of one row, nothing written yet.
        start: the token that every text begins with; not part of the result.
        end: the token that ends a text.
        beams: how many texts are kept; 1 is greedy decoding.
        max_new: at most so many tokens, the end mark included; what the room holds when None.
        never: tokens that are not written.
        device: of the model.

    Raises:
        ParameterError: ``beams`` is not from 1 to ``MAX_BEAMS``, or ``max_new`` below 1.
    """
    if not 1 <= beams <= MAX_BEAMS:
        raise ParameterError(
            "beams", beams, Phrase(N_("between {low} and {high}"), low=1, high=MAX_BEAMS)
        )
    if max_new is not None and max_new < 1:
        raise ParameterError("max_new", max_new, N_("at least 1"))
    limit = decoder.room if max_new is None else min(max_new, decoder.room)
    kept: tuple[Kept, ...] = (((), 0.0),)
    for length in range(1, limit + 1):
        newest = [[ids[-1] if ids else start] for ids, _ in kept]
        with torch.inference_mode():
            logits = decoder.push(torch.tensor(newest, device=device))[:, -1]
        chosen = _likeliest(kept, logits, beams, never)
        yield BeamStep(kept, logits, tuple(chosen), last=length == limit)
        going = [candidate for candidate in chosen if candidate[1] != end]
        beams -= len(chosen) - len(going)
        if not going:
            return
        kept = tuple(((*kept[row][0], token), log_prob) for row, token, log_prob in going)
        if length < limit:
            with torch.inference_mode():
                decoder = decoder.fork([row for row, _token, _log_prob in going], 1)


def _likeliest(
    kept: Sequence[Kept], logits: Tensor, n: int, never: Sequence[int]
) -> list[tuple[int, int, float]]:
    """(row, token, log probability) of the n likeliest continuations, logits ``(B, V)``."""
    before = torch.tensor([log_prob for _, log_prob in kept], dtype=torch.float64)
    sums = before[:, None] + torch.log_softmax(logits.cpu().double(), dim=-1)
    sums[:, list(never)] = -torch.inf
    top = sums.flatten().topk(min(n, sums.numel()))
    return [
        (*divmod(int(index), sums.shape[1]), float(value))
        for value, index in zip(top.values, top.indices, strict=True)
        if value != -torch.inf  # where there are fewer that may be written
    ]
