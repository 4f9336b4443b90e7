"""Turning logits into a distribution to draw from. Each filter returns the new distribution."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.decoding.settings import Sampling
from core.errors import ParameterError
from core.language import N_, Phrase
from core.locale import Numeral

_COLDEST = 1e-6  # below it logits / temperature would leave what a float32 holds
_STRONGEST = 1000  # of penalties; a logit times it is still far from the end of a float32


def repetition_penalty(logits: Tensor, seen: Sequence[int], penalty: float) -> Tensor:
    """Make tokens that already stand in the text less likely: ``(V,) -> (V,)``.

    Keskar et al. 2019 (CTRL), section 4.1: positive logits are divided by the
    penalty, negative ones multiplied; 1 changes nothing.

    Raises:
        ParameterError: the penalty is not above 0, or so far from 1 that it could carry a logit
            beyond what a float holds.
    """
    if not 0 < penalty < math.inf:
        raise ParameterError(N_("repetition penalty"), penalty, N_("above 0"))
    if not 1 / _STRONGEST <= penalty <= _STRONGEST:
        raise ParameterError(
            N_("repetition penalty"),
            penalty,
            Phrase(
                N_("between {low} and {high}"),
                low=Numeral(str(1 / _STRONGEST)),
                high=Numeral(f"{_STRONGEST:,}"),
            ),
        )
    if penalty == 1 or not seen:
        return logits
    changed = logits.clone()
    repeated = torch.tensor(sorted(set(seen)), device=logits.device)
    picked = logits[repeated]
    changed[repeated] = torch.where(picked > 0, picked / penalty, picked * penalty)
    return changed


def with_temperature(logits: Tensor, temperature: float) -> Tensor:
    """softmax(logits / temperature), ``(..., V)``: below 1 sharper, above 1 flatter.

    At 0 all probability is on the largest logit (the limit), the first one of equals.

    Raises:
        ParameterError: the temperature is negative, or no number of a float.
    """
    if not 0 <= temperature <= sys.float_info.max:
        raise ParameterError("temperature", temperature, N_("0 or above"))
    if temperature < _COLDEST:
        likeliest = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter_(-1, likeliest, 1.0)
    return torch.softmax((logits - logits.amax(dim=-1, keepdim=True)) / temperature, dim=-1)


def keep_top_k(probs: Tensor, k: int) -> Tensor:
    """Only the k likeliest tokens, renormalised; 0 keeps all. Fan et al. 2018, section 5.4.

    Raises:
        ParameterError: k is negative.
    """
    if k < 0:
        raise ParameterError("top-k", k, N_("0 (no limit) or above"))
    if k == 0 or k >= probs.shape[-1]:
        return probs
    best = torch.topk(probs, k)
    cut = torch.zeros_like(probs).scatter_(-1, best.indices, best.values)
    return cut / cut.sum(dim=-1, keepdim=True)


def keep_top_p(probs: Tensor, p: float) -> Tensor:
    """The fewest likeliest tokens whose probabilities reach p, renormalised; 1 keeps all.

    Holtzman et al. 2020, section 3.1 ("nucleus sampling").

    Raises:
        ParameterError: p is not in (0, 1].
    """
    if not 0 < p <= 1:
        raise ParameterError("top-p", p, N_("above 0 and at most 1"))
    if p == 1:
        return probs
    most = int((probs > 0).sum(dim=-1).max())
    possible = torch.topk(probs, most).indices.sort().values  # few, after top-k: less to sort
    shares, order = torch.gather(probs, -1, possible).sort(descending=True, stable=True)
    before = torch.cumsum(shares, dim=-1) - shares
    shares = torch.where(before < p, shares, 0.0)
    cut = torch.zeros_like(probs).scatter_(-1, torch.gather(possible, -1, order), shares)
    return cut / cut.sum(dim=-1, keepdim=True)


@dataclass(frozen=True, slots=True)
class Filtered:
    """The distribution after each filter, in the order they apply; each ``(..., V)``.

    Attributes:
        raw: softmax of the model's own logits.
        after_repetition, after_temperature, after_top_k: as named.
        after_top_p: the last one, which is drawn from.
    """

    raw: Tensor
    after_repetition: Tensor
    after_temperature: Tensor
    after_top_k: Tensor
    after_top_p: Tensor


def filtered(logits: Tensor, seen: Sequence[int], sampling: Sampling) -> Filtered:
    """Apply the filters of ``sampling`` to one position's logits ``(V,)``."""
    return _passed(logits, repetition_penalty(logits, seen, sampling.repetition), sampling)


def filtered_rows(logits: Tensor, ids: Sequence[int], sampling: Sampling) -> Filtered:
    """The same for the logits ``(T, V)`` after each of some tokens, all at once."""
    penalised = logits
    if sampling.repetition != 1:
        rows = enumerate(logits)
        penalised = torch.stack(
            [repetition_penalty(row, ids[: n + 1], sampling.repetition) for n, row in rows]
        )
    return _passed(logits, penalised, sampling)


def _passed(logits: Tensor, penalised: Tensor, sampling: Sampling) -> Filtered:
    tempered = with_temperature(penalised, sampling.temperature)
    top_k = keep_top_k(tempered, sampling.top_k)
    raw = torch.softmax(logits, dim=-1)
    return Filtered(
        raw=raw,
        after_repetition=raw if penalised is logits else torch.softmax(penalised, dim=-1),
        after_temperature=tempered,
        after_top_k=top_k,
        after_top_p=keep_top_p(top_k, sampling.top_p),
    )


def draw(probs: Tensor, generator: torch.Generator) -> int:
    """One token from a distribution ``(V,)``."""
    if generator.device != probs.device:
        probs = probs.to(generator.device)
    return int(torch.multinomial(probs, 1, generator=generator))
