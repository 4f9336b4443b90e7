"""A text read token after token: over the cache, and each time from its beginning."""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from core.errors import EmptyInputError
from core.runs.answering import Context, answer
from core.runs.answers.shelf_costs import machine_of
from core.runs.costed import Cached
from core.runs.requests import CachedRequest

MOST = 24  # tokens


@answer.register
def cached(request: CachedRequest, context: Context) -> Cached:
    """Both ways in the model's own precision, and both in 64 bits.

    Raises:
        AbilityError: the model does not predict the next token.
        EmptyInputError: the text has no tokens.
    """
    model = context.model(request.model)
    writer = model.as_writer()
    tokens = model.tokens(model.fit(request.text)[0])[:MOST]
    if not tokens:
        raise EmptyInputError
    ids = torch.tensor([[token.id for token in tokens]], device=model.device)
    over, kept, with_cache = _over_cache(writer, ids)
    anew, without = _anew(writer, ids)
    exact = copy.deepcopy(model.model).cpu().double()
    return Cached(
        tokens=tuple(tokens),
        machine=machine_of(model.model),
        kept=kept,
        difference=_apart(over, anew),
        exact=_apart(_over_cache(exact, ids.cpu())[0], _anew(exact, ids.cpu())[0]),
        largest=max(float(row.abs().max()) for row in anew),
        seconds=(with_cache, without),
    )


def _over_cache(writer: Any, ids: Tensor) -> tuple[list[Tensor], tuple[int, ...], float]:
    """The logits after each token, what is kept by then, and the seconds of all."""
    decoder, rows, kept = writer.begin(ids.shape[1]), [], []
    began = time.perf_counter()
    with torch.inference_mode():
        for at in range(ids.shape[1]):
            rows.append(decoder.push(ids[:, at : at + 1])[0, -1])
            kept.append(decoder.nbytes)
    return rows, tuple(kept), time.perf_counter() - began


def _anew(writer: Any, ids: Tensor) -> tuple[list[Tensor], float]:
    """The logits after each token, of a run over all tokens up to it; the seconds of all."""
    began = time.perf_counter()
    with torch.inference_mode():
        rows = [writer(ids[:, : at + 1])[0, -1] for at in range(ids.shape[1])]
    return rows, time.perf_counter() - began


def _apart(one: Sequence[Tensor], other: Sequence[Tensor]) -> tuple[float, ...]:
    return tuple(float((a - b).abs().max()) for a, b in zip(one, other, strict=True))
