"""The residual stream of one run: what each part adds to it, and how large it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.tracing.trace import Trace

NORM_INPUTS = {
    "pre": {"ln_1": "resid_pre", "ln_2": "resid_mid"},
    "post": {"ln_1": "resid_mid", "ln_2": "resid_post"},
}


@dataclass(frozen=True, eq=False)
class Place:
    """The stream after one part of the model.

    Attributes:
        part: "embeddings", "attention", "norm" or "ffn".
        layer: the block; -1 before the first.
        size: length of each position's vector, ``(T,)``.
        update: length of what the part added to each; None for a norm and the embeddings.
    """

    part: str
    layer: int
    size: NDArray[np.float32]
    update: NDArray[np.float32] | None


def _lengths(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm(x, axis=-1), np.float32)


def stream_places(trace: Trace) -> list[Place]:
    """The stream's size wherever it changes, in the order of computation.

    In a pre-norm block the norms stand beside the stream and do not change it;
    in a post-norm block each sum goes through one.
    """
    post = trace.topology.arrangement == "post"
    places = [Place("embeddings", -1, _lengths(trace["blocks.0.resid_pre"]), None)]
    for layer in range(trace.topology.n_layers):
        block = f"blocks.{layer}."
        for part, added, total, norm in (
            ("attention", "attn.out", "resid_mid", "ln_1.out"),
            ("ffn", "ffn.out", "resid_post", "ln_2.out"),
        ):
            update = _lengths(trace[block + added])
            places.append(Place(part, layer, _lengths(trace[block + total]), update))
            if post:
                places.append(Place("norm", layer, _lengths(trace[block + norm]), None))
    return places


def input_site(trace: Trace, norm: str, layer: int) -> str:
    """The site of the sum that a norm reads.

    Args:
        trace: of a whole run.
        norm: "ln_1" or "ln_2" of a block, "final_norm" or "embed.ln".
        layer: the block.
    """
    if norm == "embed.ln":
        return "embed.tokens"  # the first of the tables that are added up
    if norm == "final_norm":
        return f"blocks.{trace.topology.n_layers - 1}.resid_post"
    return f"blocks.{layer}.{NORM_INPUTS[trace.topology.arrangement][norm]}"


def norm_input(trace: Trace, norm: str, layer: int) -> NDArray[np.float32]:
    """What a norm reads, ``(T, D)``; arguments as for ``input_site``."""
    if norm == "embed.ln":
        return np.asarray(sum(trace[f"embed.{table}"] for table in trace.topology.embeddings))
    return trace[input_site(trace, norm, layer)]
