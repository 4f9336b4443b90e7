"""The parts that models are made of, as plain data; a ``Blueprint`` holds them in order.

Every part works on a stream: a row of positions with a vector each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from core.models.abilities import Ability

Direction = Literal["forward", "backward"]
NormKind = Literal["layer", "rms"]
Score = Literal["dot", "additive"]  # how a query is compared with a key


@dataclass(frozen=True, slots=True)
class Embedding:
    """The tables whose rows are added up where a stream begins.

    Attributes:
        prefix: of its sites: "embed", "encoder.embed".
        stream: that begins here.
        tables: in the order they are added; each is a site.
        positions: how places are told: rows that are learned, or the fixed sinusoids; None where
            nothing tells them, because what follows reads one position after the other.
        learned_from: what learned rows were before training; None when nothing is learned.
        norm: which norm stands right after the sum; None for none.
        eps: added under its root; 0 without one.
        scaled: a token's row counts sqrt(d_model) times.
        table: the parameter that holds the tokens' rows, by its name on disk.
        units: what has a row there; of words that are spelt out the characters have one.
        d_model: width of a word's vector, where it is made from its characters' rows; None where
            the rows are the vectors.
    """

    prefix: str
    stream: str
    tables: tuple[Literal["tokens", "positions", "types"], ...]
    positions: Literal["learned", "sinusoidal"] | None
    learned_from: Literal["random", "sinusoids"] | None
    norm: NormKind | None
    scaled: bool
    table: str = "embed.tokens.weight"
    eps: float = 0.0
    units: Literal["tokens", "characters", "words"] = "tokens"
    d_model: int | None = None

    @property
    def terms(self) -> tuple[str, ...]:
        """The sites that are added up."""
        first = "scaled" if self.scaled else "tokens"
        names = (first if table == "tokens" else table for table in self.tables)
        return tuple(f"{self.prefix}.{name}" for name in names)


@dataclass(frozen=True, slots=True)
class Dense:
    """A layer of hidden units: one row a position, or one that reads all positions at once.

    Attributes:
        site: of the units.
        stream: that it reads.
        reads: the site of what it is given.
    """

    site: str
    stream: str
    reads: str


@dataclass(frozen=True, slots=True)
class Attention:
    """One kind of attention in a model: from which stream to which, and where its sites stand.

    A stack's blocks hold theirs; in a recurrent model it is a part by itself.

    Attributes:
        name: "self" where there is one kind, else "encoder", "decoder", "cross".
        queries, keys: the streams of its rows and columns.
        causal: its own mask lets no query see a later key.
        prefixes: of its sites, one a layer: "blocks.0.attn", "decoder.attn".
        inputs: the site that its queries are made from, one a layer.
        n_heads: heads side by side in each layer; None where it is not cut into heads.
        score: how a query is compared with a key: by their dot product, or by a small network.
        scale: what dot products are divided by; None where they are not.
        bias: the site of what is added to the scores, one number a head, query and key; None
            where nothing is.
    """

    name: str
    queries: str
    keys: str
    causal: bool
    prefixes: tuple[str, ...]
    inputs: tuple[str, ...]
    n_heads: int | None = None
    score: Score = "dot"
    scale: float | None = None
    bias: str | None = None

    @property
    def n_layers(self) -> int:
        return len(self.prefixes)

    def prefix(self, layer: int) -> str:
        """The prefix of its sites in a layer."""
        return self.prefixes[layer]

    def reads(self, layer: int) -> str:
        """The site that its queries are made from."""
        return self.inputs[layer]

    @property
    def stream(self) -> str:
        """The stream that it works on."""
        return self.queries

    @property
    def square(self) -> bool:
        """Rows and columns are the same positions."""
        return self.queries == self.keys


@dataclass(frozen=True, slots=True)
class Stack:
    """Blocks, one on top of the other.

    Attributes:
        name: "blocks" where there is one stack, else "encoder" or "decoder".
        prefix: of its sites: "blocks", "decoder.blocks".
        stream: that it works on.
        n_layers, d_model, n_heads, d_head, d_ff: its sizes.
        norm: which norm its blocks have.
        eps: added in its norms under the root.
        arrangement: where the norms stand around attention and feed-forward.
        activation: of the feed-forward.
        gated: the feed-forward has a gate.
        causal: a position sees only itself and what stands before it.
        cross: the stream it attends to besides its own; None for none.
        positions: "relative" where a number for each head and distance is added to the scores of
            its own attention; None where its layers are told nothing of places.
        scaled: dot products are divided by sqrt(d_head).
        biases: its linear maps add one.
    """

    name: str
    prefix: str
    stream: str
    n_layers: int
    d_model: int
    n_heads: int
    d_head: int
    d_ff: int
    norm: NormKind
    eps: float
    arrangement: Literal["pre", "post"]
    activation: str
    gated: bool
    causal: bool
    cross: str | None
    positions: Literal["relative"] | None = None
    scaled: bool = True
    biases: bool = True

    def block(self, layer: int) -> str:
        """The prefix of a block's sites."""
        return f"{self.prefix}.{layer}"

    @property
    def norms(self) -> dict[str, str]:
        """The norms of a block and the sum that each reads, as names within the block."""
        sums = {"ln_1": "resid_pre", "ln_cross": "resid_mid",
                "ln_2": "resid_cross" if self.cross else "resid_mid"}  # fmt: skip
        if self.arrangement == "post":
            sums = {"ln_1": "resid_mid", "ln_cross": "resid_cross", "ln_2": "resid_post"}
        return {norm: read for norm, read in sums.items() if self.cross or norm != "ln_cross"}

    def input_of(self, part: Literal["attn", "cross_attn", "ffn"]) -> str:
        """What a part of a block reads, as a name within the block."""
        before: dict[str, str] = {"attn": "ln_1", "cross_attn": "ln_cross", "ffn": "ln_2"}
        if self.arrangement == "pre":
            return f"{before[part]}.out"
        after = {"attn": "resid_pre", "cross_attn": "ln_1.out",
                 "ffn": "ln_cross.out" if self.cross else "ln_1.out"}  # fmt: skip
        return after[part]

    @property
    def output(self) -> str:
        """The site of what the last block hands on."""
        return self.output_of(self.n_layers - 1)

    def output_of(self, layer: int) -> str:
        """The site of what a block hands on."""
        last = "resid_post" if self.arrangement == "pre" else "ln_2.out"
        return f"{self.block(layer)}.{last}"

    @property
    def bias(self) -> str | None:
        """The site of what is added to the scores of its own attention; None for nothing."""
        start = self.prefix.removesuffix("blocks")
        return f"{start}relative.bias" if self.positions == "relative" else None

    def attention(self, name: str, part: Literal["attn", "cross_attn"]) -> Attention:
        """The attention that is a part of its blocks, under a name."""
        is_self = part == "attn"
        blocks = tuple(map(self.block, range(self.n_layers)))
        return Attention(
            name,
            queries=self.stream,
            keys=self.stream if is_self else self.cross or self.stream,
            causal=self.causal and is_self,
            prefixes=tuple(f"{block}.{part}" for block in blocks),
            inputs=tuple(f"{block}.{self.input_of(part)}" for block in blocks),
            n_heads=self.n_heads,
            scale=math.sqrt(self.d_head) if self.scaled else None,
            bias=self.bias if is_self else None,
        )


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Recurrent layers, one on top of the other: each reads its stream one position at a time.

    Attributes:
        name: as of a stack.
        prefix: of its sites: "encoder.rnn".
        stream: that it works on.
        kind: of its cells.
        n_layers: how many.
        directions: in which each layer reads; what two of them say stands side by side.
        d_state: units of the state of each.
        told: the stream whose last states it is told, side by side; None where it begins with
            zeros and is told nothing.
        told_at: when: "first", they make its state before its first step; "every", besides, they
            are told to it at every step.
        first: the site of that first state; None where it is not shown.
        handed_on: the sites of what the first layer is given and of what each hands on, both
            directions side by side; empty where what they hand on are their states.
        summed_from: the first layer that adds what it reads to its states; None where none does.
    """

    name: str
    prefix: str
    stream: str
    kind: Literal["plain", "gru", "lstm"]
    n_layers: int
    directions: tuple[Direction, ...]
    d_state: int
    told: str | None = None
    told_at: Literal["first", "every"] = "first"
    first: str | None = None
    handed_on: tuple[str, ...] = ()
    summed_from: int | None = None

    def layer(self, layer: int, direction: Direction) -> str:
        """The prefix of the sites of a layer that reads in a direction."""
        return f"{self.prefix}.{layer}.{direction}"

    @property
    def outputs(self) -> tuple[str, ...]:
        """The sites of what the last layer hands on, one a direction or one of both."""
        if self.handed_on:
            return (self.handed_on[-1],)
        last = self.n_layers - 1
        return tuple(f"{self.layer(last, way)}.hidden" for way in self.directions)


@dataclass(frozen=True, slots=True)
class Norm:
    """A norm that stands by itself, after a stack.

    Attributes:
        prefix: of its sites: "final_norm".
        stream: that it works on.
        kind: which norm.
        reads: the site of what it is given.
        eps: added under its root.
    """

    prefix: str
    stream: str
    kind: NormKind
    reads: str
    eps: float


@dataclass(frozen=True, slots=True)
class Head:
    """What turns the last vectors into an answer.

    Attributes:
        ability: what for.
        site: of its logits.
        stream: that it reads.
        reads: the site of what it is given.
        table: the parameter, by its name on disk, whose rows it multiplies that with, and nothing
            else, to get a logit for each word; None where it does more.
        labels: among which it chooses; none where it chooses among words.
        linear: the prefix of the parameters of one linear layer that makes the logits of the
            vector of the first position, and of nothing else; empty where they are made otherwise.
    """

    ability: Ability
    site: str
    stream: str
    reads: str
    table: str | None = None
    labels: tuple[str, ...] = ()
    linear: str = ""
