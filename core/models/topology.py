"""What a model is made of, as plain data: drawings and the catalogue of sites are made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.nn.norms import NormName


@dataclass(frozen=True, slots=True)
class Topology:
    """The parts of a one-stack model, in the order of computation.

    Attributes:
        embeddings: the tables that are added up at the bottom.
        positions_start: what the rows of the position table were before training.
        embed_norm: a norm stands right after that sum.
        n_layers, n_heads: of the stack.
        arrangement: where the norms stand around attention and feed-forward.
        norm: which norm.
        gated: the feed-forward has a gate.
        causal: a position sees only itself and what stands before it.
        final_norm: a norm stands after the last block.
        head: what the model predicts.
        next_sentence: it also says whether one sentence follows another.
    """

    embeddings: tuple[Literal["tokens", "positions", "types"], ...]
    positions_start: Literal["random", "sinusoids"]
    embed_norm: bool
    n_layers: int
    n_heads: int
    arrangement: Literal["pre", "post"]
    norm: NormName
    gated: bool
    causal: bool
    final_norm: bool
    head: Literal["next_token", "masked_token"]
    next_sentence: bool
