"""What a Transformer of any shape costs, by formula: parameters, multiplications, memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.models.blueprint import ENCODER

Part = Literal["embeddings", "attention", "feed_forward", "norms", "head"]
Products = tuple[tuple[int, ...], ...]
PARTS: tuple[Part, ...] = ("embeddings", "attention", "feed_forward", "norms", "head")
ADAM = 4  # numbers that training keeps of each parameter: itself, its gradient, Adam's two means


@dataclass(frozen=True, slots=True)
class Amount:
    """A count with its arithmetic: times · (a · b + c · d + …).

    Attributes:
        times: how often, once a layer as a rule.
        products: the summands, each as its factors.
    """

    times: int = 0
    products: Products = ()

    @property
    def n(self) -> int:
        """The count: ``times`` the sum of the products."""
        return self.times * sum(map(math.prod, self.products))


@dataclass(frozen=True, slots=True)
class CostTerm:
    """One line of a bill.

    Attributes:
        part: what it belongs to.
        name: "tokens", "attention", "cross", …
        side: the tower, in a machine of two; else empty.
        parameters: that are learned.
        work: multiplications of numbers in one pass over the whole context, each with its addition.
    """

    part: Part
    name: str
    side: str
    parameters: Amount
    work: Amount


@dataclass(frozen=True, slots=True)
class LayerCosts:
    """Layers that stand on each other.

    Attributes:
        n: how many.
        side: as of a term.
        cross: they attend to another stack as well.
        final_norm: a norm stands after the last.
    """

    n: int
    side: str = ""
    cross: bool = False
    final_norm: bool = False


@dataclass(frozen=True, slots=True)
class TransformerShape:
    """The shape of a Transformer.

    Attributes:
        d_model: width of a vector.
        n_heads, d_head: of each attention.
        d_ff: hidden units of a feed-forward network.
        n_ctx: positions that one pass reads, and writes where it does both.
        layers: its stacks.
        tables: rows that are learned for tokens, positions, …: a name and how many.
        patch: numbers of a patch, which one matrix projects; 0 where it reads text.
        embed_norms: norms right after the tables.
        rms: its norms have a gain and no shift.
        biases: its matrices add one.
        gated: a feed-forward network has a third matrix.
        buckets: distances that have a number per head in each stack.
        heads: what is learned to answer besides the token table: "pooler", "mlm", "pair", "bias",
            "labels".
        labels: that it chooses among.
        writes: it predicts tokens with its token table at every position.
    """

    d_model: int
    n_heads: int
    d_head: int
    d_ff: int
    n_ctx: int
    layers: tuple[LayerCosts, ...]
    tables: tuple[tuple[str, int], ...]
    patch: int = 0
    embed_norms: int = 0
    rms: bool = False
    biases: bool = True
    gated: bool = False
    buckets: int = 0
    heads: tuple[str, ...] = ()
    labels: int = 0
    writes: bool = True

    @property
    def inner(self) -> int:
        """Numbers of a query, key or value of all heads."""
        return self.n_heads * self.d_head

    @property
    def vocabulary(self) -> int:
        """Entries of the token table; 0 where there is none."""
        return dict(self.tables).get("tokens", 0)

    @property
    def terms(self) -> tuple[CostTerm, ...]:
        """Every line of the bill, in the order of computation."""
        stacks = [term for stack in self.layers for term in _stack(self, stack)]
        return (*_tables(self), *stacks, *_heads(self))

    @property
    def parameters(self) -> int:
        """How many numbers are learned, of all terms together."""
        return sum(term.parameters.n for term in self.terms)

    @property
    def work(self) -> int:
        """Multiplications of one pass over the whole context."""
        return sum(term.work.n for term in self.terms)

    def of_part(self, part: Part) -> int:
        """How many parameters one part of the machine has."""
        return sum(term.parameters.n for term in self.terms if term.part == part)

    @property
    def cache(self) -> Amount:
        """Numbers in the key-value cache of a full context: only what writes keeps one."""
        writing = [stack for stack in self.layers if stack.side != ENCODER]
        if not self.writes or not writing:
            return Amount()
        kinds = 2 if writing[-1].cross else 1  # of the source, too
        return Amount(writing[-1].n, ((2 * kinds, self.n_ctx, self.inner),))


def _matrices(machine: TransformerShape, shapes: Sequence[tuple[int, int]]) -> Products:
    """Their numbers, equal ones together, and their biases."""
    counts: dict[tuple[int, ...], int] = {}
    for rows, columns in shapes:
        counts[(rows, columns)] = counts.get((rows, columns), 0) + 1
    if machine.biases:
        for _, columns in shapes:
            counts[(columns,)] = counts.get((columns,), 0) + 1
    return tuple((n, *sizes) if n > 1 else sizes for sizes, n in counts.items())


def _tables(machine: TransformerShape) -> Iterator[CostTerm]:
    d, nothing = machine.d_model, Amount()
    if machine.patch:
        # A position is one of [CLS]; the others are patches.
        work = Amount(machine.n_ctx - 1, ((machine.patch, d),))
        yield CostTerm("embeddings", "patches", "", Amount(1, ((machine.patch, d), (d,))), work)
    for name, rows in machine.tables:
        yield CostTerm("embeddings", name, "", Amount(1, ((rows, d),)), nothing)
    if machine.embed_norms:
        yield CostTerm(
            "norms", "embed_norm", "", Amount(machine.embed_norms, _norm(machine)), nothing
        )


def _norm(machine: TransformerShape) -> Products:
    return ((machine.d_model,),) if machine.rms else ((2, machine.d_model),)


def _stack(machine: TransformerShape, stack: LayerCosts) -> Iterator[CostTerm]:
    d, inner, n, t = machine.d_model, machine.inner, stack.n, machine.n_ctx
    sides = ((d, inner),) * 3 + ((inner, d),)
    square = Amount(n, ((2, t, t, inner),))
    for name in ("attention", "cross") if stack.cross else ("attention",):
        yield CostTerm("attention", name, stack.side, Amount(n, _matrices(machine, sides)),
                       Amount(n, ((4, t, d, inner),)))  # fmt: skip
        yield CostTerm("attention", f"{name}_scores", stack.side, Amount(), square)
    if machine.buckets:
        yield CostTerm("attention", "distances", stack.side,
                       Amount(1, ((machine.buckets, machine.n_heads),)), Amount())  # fmt: skip
    shapes = ((d, machine.d_ff),) * (2 if machine.gated else 1) + ((machine.d_ff, d),)
    yield CostTerm("feed_forward", "ffn", stack.side, Amount(n, _matrices(machine, shapes)),
                   Amount(n, ((len(shapes), t, d, machine.d_ff),)))  # fmt: skip
    norms = (3 if stack.cross else 2) * n + stack.final_norm
    yield CostTerm("norms", "norms", stack.side, Amount(norms, _norm(machine)), Amount())


def _heads(machine: TransformerShape) -> Iterator[CostTerm]:
    d, v, t = machine.d_model, machine.vocabulary, machine.n_ctx
    square: Products = ((d, d), (d,))
    learned: dict[str, tuple[Amount, Amount]] = {
        "mlm": (Amount(1, (*square, *_norm(machine), (v,))), Amount(t, ((d, d),))),
        "pooler": (Amount(1, square), Amount(1, ((d, d),))),
        "pair": (Amount(1, ((2, d), (2,))), Amount(1, ((2, d),))),
        "bias": (Amount(1, ((v,),)), Amount()),
        "labels": (
            Amount(1, ((machine.labels, d), (machine.labels,))), Amount(1, ((machine.labels, d),))
        ),
    }  # fmt: skip
    if machine.writes:
        yield CostTerm("head", "logits", "", Amount(), Amount(t, ((d, v),)))
    for name in machine.heads:
        yield CostTerm("head", name, "", *learned[name])
