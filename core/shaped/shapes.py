"""Block shapes by name, as plain data: what is drawn, measured and trained side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class BlockShape:
    """How a decoder block is put together (core/shaped/block.py).

    Attributes:
        placement: how attention and feed-forward are joined.
        norm: where the norms stand.
        activation: of the feed-forward network.
        qk_norm: queries and keys are normalised, head by head.
        dconv: queries, keys and values are mixed with those of the two tokens before.
        residual: each branch is added to the stream; else it replaces it.
    """

    placement: Literal["serial", "one_sum", "ffn_first", "parallel"] = "serial"
    norm: Literal["pre", "post", "none"] = "pre"
    activation: Literal["relu", "relu_squared"] = "relu"
    qk_norm: bool = False
    dconv: bool = False
    residual: bool = True


# A, B, C and D are the four placements of a lecture's figure; the others are A with one change.
SHAPES: Mapping[str, BlockShape] = {
    "a": BlockShape(),
    "b": BlockShape(placement="one_sum"),
    "c": BlockShape(placement="ffn_first"),
    "d": BlockShape(placement="parallel"),
    "post": BlockShape(norm="post"),
    "qk_norm": BlockShape(qk_norm=True),
    "squared": BlockShape(activation="relu_squared"),
    "dconv": BlockShape(dconv=True),
}
