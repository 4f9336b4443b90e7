"""A text as the generator reads it: the states of a frozen encoder of the shelf."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.units import Token
from core.zoo import LoadedModel

MOST = 24  # tokens of a text, its end mark included


@dataclass(frozen=True, eq=False)
class Read:
    """One text through the encoder.

    Attributes:
        tokens: the end mark last; no more than ``MOST``.
        cut: what did not fit.
        states: ``(S, D)``, one for each token.
    """

    tokens: tuple[Token, ...]
    cut: str
    states: Tensor


@torch.inference_mode()
def read(encoder: LoadedModel, text: str) -> Read:
    """What the encoder makes of a text; an empty one is its end mark alone.

    Raises:
        HalfCharacterError: the text is none that UTF-8 can write.
    """
    *body, end = encoder.tokenizer.tokens(text)
    tokens = (*body[: MOST - 1], end)
    ids = torch.tensor([[token.id for token in tokens]])
    states = encoder.model.encode(ids)[0].float().cpu()
    return Read(tokens, encoder.decode([token.id for token in body[MOST - 1 :]]), states)


def padded(texts: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """States of several texts as one batch ``(B, S, D)``, and which of them are tokens ``(B, S)``.

    Args:
        texts: ``(S, D)`` each, of lengths of their own.
    """
    rows = torch.nn.utils.rnn.pad_sequence(list(texts), batch_first=True)
    lengths = torch.tensor([len(row) for row in texts])
    return rows, torch.arange(rows.shape[1])[None, :] < lengths[:, None]
