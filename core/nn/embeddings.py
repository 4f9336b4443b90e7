"""From ids to vectors: rows of learned tables, added up."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from core.nn.norms import LayerNorm
from core.tracing.tap import NO_TAP, Tap


class Embeddings(nn.Module):
    """Token table plus position table, as in GPT (Radford et al. 2018, equation (2)).

    With ``n_types`` a table of segments is added and the sum is normalised, as
    in BERT (Devlin et al. 2019, figure 2).

    Args:
        vocab_size, n_ctx, d_model: sizes of the tables.
        n_types: segments that can be told apart; 0 for no such table.
        norm_eps: eps of the LayerNorm after the sum; None for no norm.
    """

    def __init__(
        self,
        vocab_size: int,
        n_ctx: int,
        d_model: int,
        *,
        n_types: int = 0,
        norm_eps: float | None = None,
    ) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(n_ctx, d_model)
        self.types = nn.Embedding(n_types, d_model) if n_types else None
        self.ln = None if norm_eps is None else LayerNorm(d_model, norm_eps)

    def forward(
        self, ids: Tensor, *, types: Tensor | None = None, start: int = 0, tap: Tap = NO_TAP
    ) -> Tensor:
        """``(B, T)`` ids, the first at position ``start``, to ``(B, T, D)``."""
        tokens = tap("tokens", self.tokens(ids))
        table = self.positions.weight[None]
        x = tokens + tap("positions", table[:, start : start + ids.shape[1]])
        if self.types is not None:
            types = torch.zeros_like(ids) if types is None else types
            x = x + tap("types", self.types(types))
        return x if self.ln is None else self.ln(x, tap.at("ln"))
