"""The parts of a tower as pictures: one function for each kind of part that a blueprint can have.

A new kind of part needs one more (``@drawn.register``); of one that has none nothing is drawn.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from core.figures.components.map import (
    Blocks,
    Cell,
    Heads,
    LookedAttention,
    ReadingDirection,
    Recurrent,
    TowerPart,
    VectorLook,
    Vectors,
)
from core.language import N_, _
from core.models.blueprint import Attention, Blueprint, Embedding, Norm, Part, Recurrence, Stack
from core.models.parts import Dense
from core.models.picture_parts import PatchStem
from core.tracing.trace import Array, Trace
from core.views.parts import WAYS, stream_called

# --- what a block is made of, piece by piece, as maps draw it -------------------------


@dataclass(frozen=True, slots=True)
class BlockPiece:
    """A part of a block that is drawn.

    Attributes:
        name: stable; pages say which pieces they show.
        site: of its picture, within the block; of heads, of their weights.
    """

    name: str
    site: str


# A block's three parts: the norm beside it, itself, and the sum that it is added to.
_OWN = (BlockPiece("norm_1", "ln_1.out"), BlockPiece("heads", "attn.weights"),
        BlockPiece("add_1", "resid_mid"))  # fmt: skip
_CROSS = (BlockPiece("norm_cross", "ln_cross.out"), BlockPiece("cross", "cross_attn.weights"),
          BlockPiece("add_cross", "resid_cross"))  # fmt: skip
_FFN = (
    BlockPiece("norm_2", "ln_2.out"),
    BlockPiece("ffn", "ffn.post"),
    BlockPiece("add_2", "resid_post"),
)


def pieces(stack: Stack) -> tuple[BlockPiece, ...]:
    """What a block of a stack is made of, in the order of computation."""
    groups = (_OWN, *((_CROSS,) if stack.cross else ()), _FFN)
    if stack.arrangement == "pre":
        return tuple(piece for group in groups for piece in group)
    return tuple(piece for norm, part, total in groups for piece in (part, total, norm))


def kinds(blueprint: Blueprint, stack: Stack) -> list[Attention]:
    """The kinds of attention in a stack's blocks, its own first."""
    block = f"{stack.block(0)}."
    return [
        attention
        for attention in blueprint.attentions
        if f"{attention.prefix(0)}.".startswith(block)
    ]


# --- the parts of a tower as pictures: one function for each kind of part that a blueprint can have


N_ROWS = 24  # tokens that are drawn
N_PATCHES = 100  # and patches of a picture, which is all of it or none
N_CELLS = 24  # components of a vector that a picture shows


def first_shown(trace: Trace, stream: str) -> int:
    """The position of the first token that is drawn."""
    cut = any(patch.stream == stream for patch in trace.blueprint.patches)
    return max(0, len(trace.streams[stream].units) - (N_PATCHES if cut else N_ROWS))


def picture(values: Array) -> Array:
    """A vector a token with some of its components, ``(..., T, D) -> (..., T, cells)``."""
    return values[..., :: max(1, values.shape[-1] // N_CELLS)][..., :N_CELLS]


@dataclass(frozen=True, slots=True)
class DrawnStream:
    """A run, and one of its streams, as far as it is drawn.

    Attributes:
        trace: the run.
        stream: its name.
    """

    trace: Trace
    stream: str

    @property
    def blueprint(self) -> Blueprint:
        return self.trace.blueprint

    def picture(self, site: str) -> Array:
        """A site that is a vector for each position."""
        return picture(self.trace[site][first_shown(self.trace, self.stream) :])

    @property
    def gives(self) -> str | None:
        """What other streams take of what is made of this one, in words; None for nothing."""
        blueprint, stream = self.blueprint, self.stream
        looked_at = any(
            attention.keys == stream and not attention.square for attention in blueprint.attentions
        )
        handed_at = [
            recurrence.told_at for recurrence in blueprint.recurrences if recurrence.told == stream
        ]
        if "every" in handed_at:
            return _("a summary, for every step")
        if handed_at and looked_at:
            return _("for keys and values; a summary for the first state")
        if handed_at:
            return _("a summary, for the first state")
        return _("for keys and values") if looked_at else None


def parts(trace: Trace, stream: str) -> Iterator[TowerPart]:
    """The columns of a tower; the last one shows what is handed on."""
    on = DrawnStream(trace, stream)
    members = [part for part in trace.blueprint.parts if part.stream == stream]
    columns = [column for part in members for column in drawn(part, on)]
    if (site := _not_shown(on, members)) is not None:
        columns.append(_output(on, site))
    if columns and on.gives:
        columns[-1] = dataclasses.replace(columns[-1], gives=on.gives)
    yield from columns


def _not_shown(on: DrawnStream, members: Sequence[Part]) -> str | None:
    """The site of what a tower hands on, where the last of its parts does not show that."""
    last = next(
        (part for part in reversed(members) if isinstance(part, Stack | Recurrence | Norm)), None
    )
    if isinstance(last, Stack):
        return last.output
    reads = [head.reads for head in on.blueprint.heads if head.stream == on.stream]
    shown = last.outputs if isinstance(last, Recurrence) else reads
    rows = (
        site for site in reads if site not in shown and on.trace.site(site).axes[0].startswith("T")
    )
    return next(rows, None)  # of a vector for the whole text there is no row for each token


def _output(on: DrawnStream, site: str) -> Vectors:
    """What a tower hands on."""
    return Vectors(title=_("Output"), values=on.picture(site))


@singledispatch
def drawn(_part: Any, _on: DrawnStream) -> Iterator[TowerPart]:
    """The columns that show a part of the blueprint; a head says its answer elsewhere."""
    yield from ()


@drawn.register
def _embedding(part: Embedding, on: DrawnStream) -> Iterator[TowerPart]:
    first = first_shown(on.trace, on.stream)
    total = np.asarray(sum(on.trace[term] for term in part.terms), np.float32)
    if part.norm:
        total = on.trace[f"{part.prefix}.ln.out"]
    yield Vectors(
        title=_("Embeddings"), first=True,
        values=picture(total[first:]), terms=_terms(part, on, first),
    )  # fmt: skip


@drawn.register
def _patches(part: PatchStem, on: DrawnStream) -> Iterator[TowerPart]:
    first = first_shown(on.trace, on.stream)
    of_each = [on.trace[site][first:] for site in part.terms]
    names = [_("patch"), _("place")]
    yield Vectors(
        title=_("Embeddings"), first=True,
        values=picture(np.asarray(sum(of_each), np.float32)),
        terms=[(name, picture(values)) for name, values in zip(names, of_each, strict=False)]
        if len(of_each) > 1
        else (),
    )  # fmt: skip


TERMS = {"tokens": N_("token"), "positions": N_("place"), "types": N_("segment")}


def _terms(part: Embedding, on: DrawnStream, first: int) -> list[tuple[str, Array]]:
    """What is added up to the vectors, of which table each; nothing where there is one alone."""
    if not 1 < len(part.terms) == len(part.tables):
        return []
    return [
        (_(TERMS[table]), picture(on.trace[site][first:]))
        for table, site in zip(part.tables, part.terms, strict=True)
    ]


@drawn.register
def _dense(part: Dense, on: DrawnStream) -> Iterator[TowerPart]:
    if on.trace.site(part.site).axes[0] != "T":
        return  # it has no row for each token
    yield Vectors(
        title=_("Hidden units"), values=on.picture(part.site),
    )  # fmt: skip


@drawn.register
def _norm(part: Norm, on: DrawnStream) -> Iterator[TowerPart]:
    yield Vectors(
        title=_("Norm"), values=on.picture(f"{part.prefix}.out"),
    )  # fmt: skip


@drawn.register
def _stack(part: Stack, on: DrawnStream) -> Iterator[TowerPart]:
    names = [part.block(layer) for layer in range(part.n_layers)]
    vectors = [piece for piece in pieces(part) if not piece.site.endswith(".weights")]
    sum_ = _("sum: the residual stream")
    looks = {
        "norm": VectorLook(_("norm"), "", "norm"),
        "ffn": VectorLook(_("feed-forward"), "", "ffn"),
        "add": VectorLook("+", sum_, "add"),
    }
    yield Blocks(
        title=_("Layers"),
        order=[piece.name for piece in pieces(part)],
        heads=_heads(part, on),
        looks={piece.name: looks[piece.name.partition("_")[0]] for piece in vectors},
        strips={
            piece.name: np.stack([on.picture(f"{name}.{piece.site}") for name in names])
            for piece in vectors
        },
        wrote=wrote(on.trace, part)[:, first_shown(on.trace, on.stream) :],
        takes=part.cross is not None,
        note=_("bars: how much the feed-forward network writes for each token"),
    )


@drawn.register
def _attention(part: Attention, on: DrawnStream) -> Iterator[TowerPart]:
    yield LookedAttention(
        title=_("Attention"),
        heads=_kind(part, "heads", "", on),
        takes=not part.square,
    )


@drawn.register
def _recurrence(part: Recurrence, on: DrawnStream) -> Iterator[TowerPart]:
    several = len(part.directions) > 1
    yield Recurrent(
        title=_("State"),
        readings=[
            ReadingDirection(
                name=way, label=_(WAYS[way]) if several else "",
                cells=[_cell(part, way, name, on) for name in cells_of(on.trace, part)],
            )
            for way in part.directions
        ],
        takes=part.told is not None,
    )  # fmt: skip


# --- the pictures of a part ---------------------------------------------------------------------


def cells_of(trace: Trace, part: Recurrence) -> list[str]:
    """What its cells compute at a step, by the names of their sites, in that order."""
    prefix = f"{part.layer(0, part.directions[0])}."
    return [name.removeprefix(prefix) for name in trace.catalogue if name.startswith(prefix)]


def _cell(part: Recurrence, way: Any, name: str, on: DrawnStream) -> Cell:
    sites = [f"{part.layer(layer, way)}.{name}" for layer in range(part.n_layers)]
    values = np.stack([on.picture(site) for site in sites])
    gate = float(values.min(initial=0.0)) >= 0 and float(values.max(initial=0.0)) <= 1
    return Cell(
        name=name, label=_(name), title=on.trace.site(sites[0]).sentence(),
        role="residual" if gate else "signed", values=values,
    )  # fmt: skip


def wrote(trace: Trace, stack: Stack) -> Array:
    """How long each vector is that the feed-forward network writes, ``(layers, T)``."""
    written = (trace[f"{stack.block(layer)}.ffn.out"] for layer in range(stack.n_layers))
    return np.stack([np.linalg.norm(rows, axis=-1) for rows in written]).astype(np.float32)


def _heads(stack: Stack, on: DrawnStream) -> Sequence[Heads]:
    """The kinds of attention in its blocks."""
    attentions = kinds(on.blueprint, stack)
    drawn_as = [piece for piece in pieces(stack) if piece.site.endswith(".weights")]
    labels = [_("heads: which token attends to which")]
    if len(on.blueprint.stacks) > 1:
        labels = [_("attention"), _("cross")]
    return [
        _kind(kind, piece.name, label, on)
        for kind, piece, label in zip(attentions, drawn_as, labels, strict=False)
    ]


def _kind(kind: Attention, piece: str, label: str, on: DrawnStream) -> Heads:
    """The maps of one kind of attention, as far as its tokens are drawn."""
    queries, keys = (first_shown(on.trace, stream) for stream in (kind.queries, kind.keys))
    maps = np.stack([on.trace[f"{prefix}.weights"] for prefix in kind.prefixes])
    title = _("heads: which token attends to which")
    if not kind.square:
        title = _("which {queries} token attends to which {keys} token").format(
            queries=stream_called(on.blueprint, kind.queries),
            keys=stream_called(on.blueprint, kind.keys),
        )
    return Heads(
        attention=kind.name, piece=piece, label=label, title=title,
        maps=maps.reshape(len(maps), -1, *maps.shape[-2:])[:, :, queries:, keys:],
        named=kind.n_heads is not None,
    )  # fmt: skip
