"""From ids to vectors: rows of tables, added up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.language import N_
from core.nn.norms import LayerNorm
from core.nn.positions import Sinusoids
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


class Embeddings(nn.Module):
    """Token table plus position table, as in GPT (Radford et al. 2018, equation (2)).

    With ``n_types`` a table of segments is added and the sum is normalised, as
    in BERT (Devlin et al. 2019, figure 2). With ``scaled`` a token's row counts
    sqrt(d_model) times (Vaswani et al. 2017, section 3.4).

    Args:
        vocab_size, n_ctx, d_model: sizes of the tables; without a size of the vocabulary there is
            no table of tokens, and each call brings one.
        positions: learned rows, or the fixed sinusoids.
        n_types: segments that can be told apart; 0 for no such table.
        scaled: multiply a token's row with sqrt(d_model).
        norm_eps: eps of the LayerNorm after the sum; None for no norm.
    """

    def __init__(
        self,
        vocab_size: int | None,
        n_ctx: int,
        d_model: int,
        *,
        positions: Literal["learned", "sinusoidal"] = "learned",
        n_types: int = 0,
        scaled: bool = False,
        norm_eps: float | None = None,
    ) -> None:
        super().__init__()
        self.tokens = None if vocab_size is None else nn.Embedding(vocab_size, d_model)
        self.positions = (
            nn.Embedding(n_ctx, d_model) if positions == "learned" else Sinusoids(n_ctx, d_model)
        )
        self.types = nn.Embedding(n_types, d_model) if n_types else None
        self.scale = math.sqrt(d_model) if scaled else None
        self.ln = None if norm_eps is None else LayerNorm(d_model, norm_eps)

    def forward(
        self,
        ids: Tensor,
        *,
        types: Tensor | None = None,
        table: Tensor | None = None,
        start: int = 0,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """``(B, T)`` ids, the first at position ``start``, to ``(B, T, D)``.

        Args:
            ids: of the tokens.
            types: segments ``(B, T)``.
            table: the tokens' rows ``(V, D)``, where there is no own table.
            start: position of the first.
            tap: of the run.
        """
        x = tap("tokens", F.embedding(ids, self.rows if table is None else table))
        if self.scale is not None:
            x = tap("scaled", x * self.scale)
        table = self.positions.weight[None]
        x = x + tap("positions", table[:, start : start + ids.shape[1]])
        if self.types is not None:
            types = torch.zeros_like(ids) if types is None else types
            x = x + tap("types", self.types(types))
        return x if self.ln is None else self.ln(x, tap.at("ln"))

    @property
    def rows(self) -> Tensor:
        """Its own table of tokens ``(V, D)``."""
        assert self.tokens is not None
        return self.tokens.weight

    def sites(self) -> Iterator[Site]:
        """What it taps, in the order of computation."""
        tokens, scaled, positions, types = declared(
            type(self),
            Site("tokens", ("T", "D"), r"E_{x_t}", N_("Each token's row of the token table.")),
            Site("scaled", ("T", "D"), r"\sqrt{d}\,E_{x_t}", N_("The token's row, multiplied by the square root of d_model.")),
            Site("positions", ("T", "D"), r"P_t", N_("The row of the position table for each "
                                                     "position.")),
            Site("types", ("T", "D"), r"S_t", N_("The row that says whether a token is in the first or the second segment.")),
        )  # fmt: skip
        yield tokens
        if self.scale is not None:
            yield scaled
        yield positions
        if self.types is not None:
            yield types
        if self.ln is not None:
            yield from within("ln", self.ln.sites(r"\mathrm{LN}(E+P+S)"))


class WordVectors(nn.Embedding):
    """A row for each token and nothing else: what follows reads one position after the other."""

    def forward(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(B, T)`` ids to ``(B, T, D)``."""
        return tap("tokens", super().forward(ids.to(self.weight.device)))

    def sites(self) -> tuple[Site, ...]:
        """What it taps."""
        return declared(
            type(self),
            Site("tokens", ("T", "D"), r"E_{x_t}", N_("Each token's row of the token table.")),
        )
