"""The towers of a map: every part of a run as a picture of its own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.figures import tokens
from core.figures.components.map import Heads, Tower
from core.language import N_, _
from core.models.blueprint import Attention, Blueprint, Stack
from core.tracing.trace import Array, Trace

N_ROWS = 24  # tokens the map shows
N_CELLS = 24  # components of a vector that a picture shows

TITLES = {
    "encoder": N_("Encoder: it reads the source"),
    "decoder": N_("Decoder: it writes the target"),
}
ALL_SHOWN = {
    "blocks": N_("the last {n} of {all} tokens"),
    "encoder": N_("source: the last {n} of {all} tokens"),
    "decoder": N_("target: the last {n} of {all} tokens"),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a block that is drawn.

    Attributes:
        name: stable; pages say which pieces they show.
        site: of its picture, within the block; of heads, of their weights.
    """

    name: str
    site: str


# A block's three parts: the norm beside it, itself, and the sum that it is added to.
_ATTENTION = (Piece("norm_1", "ln_1.out"), Piece("heads", "attn.weights"),
              Piece("add_1", "resid_mid"))  # fmt: skip
_CROSS = (Piece("norm_cross", "ln_cross.out"), Piece("cross", "cross_attn.weights"),
          Piece("add_cross", "resid_cross"))  # fmt: skip
_FFN = (Piece("norm_2", "ln_2.out"), Piece("ffn", "ffn.post"), Piece("add_2", "resid_post"))


def pieces(stack: Stack) -> tuple[Piece, ...]:
    """What a block of a stack is made of, in the order of computation."""
    groups = (_ATTENTION, *((_CROSS,) if stack.cross else ()), _FFN)
    if stack.arrangement == "pre":
        return tuple(piece for group in groups for piece in group)
    return tuple(piece for norm, part, total in groups for piece in (part, total, norm))


def kinds(blueprint: Blueprint, stack: Stack) -> list[Attention]:
    """The kinds of attention in a stack's blocks, its own first."""
    block = f"{stack.block(0)}."
    return [one for one in blueprint.attentions if f"{one.prefix(0)}.".startswith(block)]


def field_of(blueprint: Blueprint, stack: Stack) -> str:
    """The parameter that names a position in a stack's stream."""
    return "token" if stack.stream == blueprint.main.stream else "source_token"


def first_shown(trace: Trace, stack: Stack) -> int:
    """The position of the first token that is drawn."""
    return max(0, len(trace.streams[stack.stream].units) - N_ROWS)


def picture(values: Array) -> Array:
    """A vector a token with some of its components, ``(..., T, D) -> (..., T, cells)``."""
    return values[..., :: max(1, values.shape[-1] // N_CELLS)][..., :N_CELLS]


def tower(trace: Trace, stack: Stack) -> Tower:
    """One stack of a run."""
    blueprint = trace.blueprint
    several, stream = len(blueprint.stacks) > 1, trace.streams[stack.stream]
    n, first = len(stream.units), first_shown(trace, stack)
    norm = blueprint.final_norm(stack)
    is_given = any(other.cross == stack.stream for other in blueprint.stacks)
    return Tower(
        name=stack.name,
        title=_(TITLES[stack.name]) if several else None,
        tokens=[tokens.chip(token, born=stream.written) for token in stream.units[first:]],
        first=first,
        field=field_of(blueprint, stack),
        order=[piece.name for piece in pieces(stack)],
        heads=_heads(trace, stack),
        strips=_strips(trace, stack),
        wrote=wrote(trace, stack)[:, first:],
        embed=picture(trace[f"{stack.block(0)}.resid_pre"][first:]),
        final=picture(trace[f"{norm.prefix}.out" if norm else stack.output][first:]),
        final_label=_("Norm") if norm else _("Output"),
        shown=_(ALL_SHOWN[stack.name]).format(n=N_ROWS, all=n) if n > N_ROWS else "",
        goes={"stack": stack.name} if several else {},
        gives=_("for keys and values") if is_given else None,
    )


def wrote(trace: Trace, stack: Stack) -> Array:
    """How long each vector is that the feed-forward network writes, ``(layers, T)``."""
    written = (trace[f"{stack.block(layer)}.ffn.out"] for layer in range(stack.n_layers))
    return np.stack([np.linalg.norm(one, axis=-1) for one in written]).astype(np.float32)


def _strips(trace: Trace, stack: Stack) -> Mapping[str, Array]:
    """The pieces that are vectors, ``(layers, T, cells)``."""
    first, blocks = first_shown(trace, stack), map(stack.block, range(stack.n_layers))
    names = list(blocks)
    return {
        piece.name: np.stack([picture(trace[f"{name}.{piece.site}"][first:]) for name in names])
        for piece in pieces(stack)
        if not piece.site.endswith(".weights")
    }


def _heads(trace: Trace, stack: Stack) -> list[Heads]:
    """The pieces that are heads, each kind of attention one."""
    found, several = [], len(trace.blueprint.stacks) > 1
    all_maps = _("heads: which token attends to which")
    labels = [_("attention"), _("cross")] if several else [all_maps]
    drawn = [piece for piece in pieces(stack) if piece.site.endswith(".weights")]
    for kind, piece, label in zip(kinds(trace.blueprint, stack), drawn, labels, strict=False):
        queries, keys = (
            first_shown(trace, _on(trace.blueprint, name)) for name in (kind.queries, kind.keys)
        )
        maps = [trace[f"{kind.prefix(layer)}.weights"] for layer in range(stack.n_layers)]
        title = (
            all_maps
            if kind.square
            else _("heads: which target token attends to which source token")
        )
        found.append(
            Heads(attention=kind.name, piece=piece.name, label=label, title=title,
                  maps=np.stack(maps)[:, :, queries:, keys:])
        )  # fmt: skip
    return found


def _on(blueprint: Blueprint, stream: str) -> Stack:
    """The stack that works on a stream."""
    return next(stack for stack in blueprint.stacks if stack.stream == stream)
