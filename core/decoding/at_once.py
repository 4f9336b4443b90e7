"""Several texts continued at once, each token drawn from the model's own distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

if TYPE_CHECKING:
    from core.decoding.decoder import Decoder


@torch.no_grad()
def continued(writer: Any, prompts: Tensor, chances: Tensor) -> Tensor:
    """Prompts ``(B, P)`` with N tokens behind each: ``(B, P + N)``.

    Nothing is filtered, at temperature 1: the texts are drawn from what the model says. A text that
    has ended goes on, as another one; whoever reads it cuts it there.

    Args:
        writer: continues texts (``core.models.calls.Continues``); P + N must fit into its context.
        prompts: ids, all of one length.
        chances: numbers from 0 to 1 that draw: the same ones draw alike from models that are
            alike.

    Raises:
        InputTooLongError: there is no room.
    """
    n, length = prompts.shape
    empty: Decoder = writer.begin(1)
    decoder = empty.fork([0] * n, length + chances.shape[1])
    rows, newest = [prompts], prompts
    for chance in chances.to(prompts.device).T:
        passed = decoder.push(newest)[:, -1].softmax(-1).cumsum(-1)
        newest = (passed < chance[:, None] * passed[:, -1:]).sum(-1, keepdim=True)
        rows.append(newest)
    return torch.cat(rows, dim=1)
