"""A target written greedily: the likeliest token, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from core.decoding.decoder import Decoder


def greedy(decoder: Decoder, start_id: int, end_id: int, n_ctx: int) -> list[int]:
    """The ids of a target: see ``likeliest``.

    Args:
        decoder: of one row, nothing written yet.
        start_id, end_id, n_ctx: see ``likeliest``.
    """
    with torch.inference_mode():
        return likeliest(
            lambda ids: decoder.push(torch.tensor([ids[-1:]]))[0, -1], start_id, end_id, n_ctx
        )


def likeliest(
    after: Callable[[Sequence[int]], Tensor], start_id: int, end_id: int, n_ctx: int
) -> list[int]:
    """The ids of a target, the start mark first: the likeliest token, until the end.

    Args:
        after: the logits ``(V,)`` of the token after those that are written.
        start_id, end_id: the marks; the end is not written, nor is the start a second time.
        n_ctx: the longest target there can be.
    """
    ids = [start_id]
    while len(ids) < n_ctx:
        logits = after(ids)
        if start_id != end_id:
            logits[start_id] = -torch.inf
        best = int(logits.argmax())
        if best == end_id:
            break
        ids.append(best)
    return ids
