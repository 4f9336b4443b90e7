"""The residual stream of one run: the norms on it, what each part adds to it, how large it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.models.blueprint import Blueprint, NormKind, Stack
from core.tracing.trace import Trace

Part = Literal["embeddings", "attention", "cross", "norm", "ffn"]
NormPlace = Literal["embeddings", "attention", "cross", "ffn", "end"]
_PLACES: Mapping[str, NormPlace] = {"ln_1": "attention", "ln_cross": "cross", "ln_2": "ffn"}


@dataclass(frozen=True, slots=True)
class NormAt:
    """A norm of a model.

    Attributes:
        site: the prefix of its sites.
        reads: the sites whose sum it is given.
        kind: which norm.
        place: what it stands at; "end" is after the last block.
        eps: added under its root.
    """

    site: str
    reads: tuple[str, ...]
    kind: NormKind
    place: NormPlace
    eps: float


def norms_of(blueprint: Blueprint, stack: Stack, layer: int) -> Mapping[str, NormAt]:
    """The norms on the stream of a stack, in the order of computation.

    Args:
        blueprint: of the model.
        stack: of it.
        layer: the block whose norms are meant.

    Returns:
        By name: "embed.ln" where the stream begins, those of the block, "final_norm" after it.
    """
    start, end = blueprint.embedding(stack.stream), blueprint.final_norm(stack)
    block = stack.block(layer)
    norms = {}
    if start.norm:
        site = f"{start.prefix}.ln"
        norms["embed.ln"] = NormAt(site, start.terms, start.norm, "embeddings", start.eps)
    for name, total in stack.norms.items():
        site, reads = f"{block}.{name}", (f"{block}.{total}",)
        norms[name] = NormAt(site, reads, stack.norm, _PLACES[name], stack.eps)
    if end is not None:
        norms["final_norm"] = NormAt(end.prefix, (end.reads,), end.kind, "end", end.eps)
    return norms


def norm_input(trace: Trace, norm: NormAt) -> NDArray[np.float32]:
    """What a norm reads, ``(T, D)``."""
    return np.sum([trace[site] for site in norm.reads], axis=0)


@dataclass(frozen=True, eq=False)
class StreamPlace:
    """The stream after one part of the model.

    Attributes:
        part: which kind; "cross" is the attention to another stream.
        layer: the block; -1 before the first.
        size: length of each position's vector, ``(T,)``.
        update: length of what the part added to each; None for a norm and the embeddings.
    """

    part: Part
    layer: int
    size: NDArray[np.float32]
    update: NDArray[np.float32] | None


def _lengths(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm(x, axis=-1), np.float32)


# What a part adds, the sum it goes into, and the norm that belongs to it, within a block.
_PARTS: tuple[tuple[Part, str, str, str], ...] = (
    ("attention", "attn.out", "resid_mid", "ln_1"),
    ("cross", "cross_attn.out", "resid_cross", "ln_cross"),
    ("ffn", "ffn.out", "resid_post", "ln_2"),
)


def stream_places(trace: Trace, stack: Stack) -> list[StreamPlace]:
    """The stream's size wherever a stack changes it, in the order of computation.

    In a pre-norm block the norms stand beside the stream and do not change it;
    in a post-norm block each sum goes through one.
    """
    start = _lengths(trace[f"{stack.block(0)}.resid_pre"])
    places = [StreamPlace("embeddings", -1, start, None)]
    for layer in range(stack.n_layers):
        block = stack.block(layer)
        for part, added, total, norm in _PARTS:
            if norm not in stack.norms:
                continue
            update = _lengths(trace[f"{block}.{added}"])
            places.append(StreamPlace(part, layer, _lengths(trace[f"{block}.{total}"]), update))
            if stack.arrangement == "post":
                places.append(
                    StreamPlace("norm", layer, _lengths(trace[f"{block}.{norm}.out"]), None)
                )
    return places
