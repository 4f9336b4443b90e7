"""What a model costs: numbers that it holds, seconds of attention, and what a cache saves."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from core import zoo
from core.analysis.costs import PARTS, LayerCosts, Part, TransformerShape
from core.errors import EmptyInputError
from core.models.blueprint import Blueprint
from core.nn.attention import MultiHeadAttention, attend
from core.nn.blocks import PreNormBlock
from core.nn.feedforward import FeedForward
from core.nn.norms import LayerNorm
from core.runs.request import Context, OfModel, Request, answer
from core.units import Token


@dataclass(frozen=True, slots=True)
class ShelfCostsRequest(Request):
    """The Transformers of the shelf: their shapes, and how many numbers each holds.

    Attributes:
        names: ids; all there are when empty.
    """

    lasts = "a while"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AttentionTimesRequest(Request):
    """How long attention takes, by length: measured here and now, on numbers that are drawn.

    Attributes:
        n_source: positions that cross-attention reads.
    """

    lasts = "a while"
    n_source: int


@dataclass(frozen=True, slots=True)
class CacheSavingsRequest(OfModel):
    """A text read token after token, with the key-value cache and without it.

    Attributes:
        text: of which the first tokens are read.
    """

    lasts = "a while"
    text: str


@dataclass(frozen=True, slots=True)
class ShelfMachine:
    """A Transformer of the shelf.

    Attributes:
        model: its id.
        machine: its shape, from its sizes alone.
        counted: the numbers that it holds, by part (``core.analysis.costs.PARTS``).
    """

    model: str
    machine: TransformerShape
    counted: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ShelfCosts:
    """All of them, and what else is on the shelf.

    Attributes:
        machines: in the order of their names.
        others: ids of models that are no Transformers.
    """

    machines: tuple[ShelfMachine, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttentionTimes:
    """How long attention takes, by the length of what is read: the shortest of a few runs.

    Attributes:
        lengths: positions.
        alone: seconds of attention to itself, without projections.
        masked: the same under a causal mask.
        cross: so many queries on a source of one length.
        layer: a whole layer: projections, attention and feed-forward.
        machine: the shape of the layer.
        n_source: positions of that source.
    """

    lengths: tuple[int, ...]
    alone: tuple[float, ...]
    masked: tuple[float, ...]
    cross: tuple[float, ...]
    layer: tuple[float, ...]
    machine: TransformerShape
    n_source: int


@dataclass(frozen=True, slots=True)
class CacheSavings:
    """One text, token after token: over a cache, and each time from its beginning.

    Attributes:
        tokens: of the text.
        machine: the shape of the model.
        kept: bytes in the cache after each token.
        difference: of the logits after each token, at most.
        exact: the same where both compute in 64 bits.
        largest: size of a logit, at most.
        seconds: of all tokens over the cache, and of all tokens without it.
    """

    tokens: tuple[Token, ...]
    machine: TransformerShape
    kept: tuple[int, ...]
    difference: tuple[float, ...]
    exact: tuple[float, ...]
    largest: float
    seconds: tuple[float, float]


# What the names of parameters begin with, or hold; the first that fits says where one belongs.
_HEADS = ("mlm.", "pooler.", "nsp.", "classifier.", "output_bias", "w_out.")


_WITHIN: tuple[tuple[Part, tuple[str, ...]], ...] = (
    ("norms", (".ln.", ".ln_", "final_norm.")),
    ("attention", ("attn.", "relative.")),
    ("feed_forward", ("ffn.",)),
)


@answer.register
def shelf_costs(request: ShelfCostsRequest, _context: Context) -> ShelfCosts:
    """Each from its config; no weights are loaded.

    Raises:
        UnknownModelError, CheckpointError, ConfigError: one is not on the shelf, or damaged.
    """
    machines, others = [], []
    for name in request.names or zoo.shelf():
        model = zoo.outline(name)
        if model.blueprint.stacks:
            machines.append(ShelfMachine(name, machine_of(model), counted(model)))
        else:
            others.append(name)
    return ShelfCosts(tuple(machines), tuple(others))


def counted(model: nn.Module) -> tuple[int, ...]:
    """How many numbers a model holds in each part."""
    counts: dict[Part, int] = dict.fromkeys(PARTS, 0)
    for name, parameter in model.named_parameters():
        counts[part_of(name)] += parameter.numel()
    return tuple(counts.values())


def part_of(parameter: str) -> Part:
    """Where a parameter belongs, by its name on disk."""
    if parameter.startswith(_HEADS):
        return "head"
    for part, words in _WITHIN:
        if any(word in parameter for word in words):
            return part
    return "embeddings"


def machine_of(model: Any) -> TransformerShape:
    """The shape of a model: what its formulas need, from its blueprint and its config.

    Args:
        model: a ``Model`` with a stack.
    """
    blueprint, config = model.blueprint, model.config
    stack = blueprint.main
    tables, n_ctx = _tables(blueprint, config)
    return TransformerShape(
        d_model=stack.d_model, n_heads=stack.n_heads, d_head=stack.d_head, d_ff=stack.d_ff,
        n_ctx=n_ctx,
        layers=tuple(
            LayerCosts(tower.n_layers, tower.name if len(blueprint.stacks) > 1 else "",
                       tower.cross is not None, blueprint.final_norm(tower) is not None)
            for tower in blueprint.stacks
        ),
        tables=tables,
        patch=sum(patches.n_numbers for patches in blueprint.patches),
        embed_norms=sum(embedding.norm is not None for embedding in blueprint.embeddings),
        rms=stack.norm == "rms", biases=stack.biases, gated=stack.gated,
        buckets=config.n_buckets if stack.positions == "relative" else 0,
        heads=_heads(blueprint, dict(model.named_parameters())),
        labels=max((len(head.labels) for head in blueprint.heads), default=0),
        writes=blueprint.predicts_words,
    )  # fmt: skip


def _tables(blueprint: Blueprint, config: Any) -> tuple[tuple[tuple[str, int], ...], int]:
    """What is looked up, and how many positions there are. Two streams may share a table."""
    for cut in blueprint.patches:
        n = cut.first + cut.rows * cut.columns
        return (("cls", cut.first), ("positions", n)), n
    rows = {"tokens": config.vocab_size, "positions": config.n_ctx}
    tables: dict[str, tuple[str, int]] = {}
    for embedding in blueprint.embeddings:
        tables[embedding.table] = ("tokens", rows["tokens"])
        for table in embedding.tables:
            if table == "types":
                tables[f"{embedding.prefix}.types"] = ("types", config.n_types)
            elif table == "positions" and embedding.positions == "learned":
                tables[f"{embedding.prefix}.positions"] = ("positions", rows["positions"])
    return tuple(tables.values()), config.n_ctx


def _heads(blueprint: Blueprint, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """What is learned to answer, besides the token table."""
    names = []
    for head in blueprint.heads:
        if head.ability == "masked_words":
            names.append("mlm")
        elif head.ability == "sentence_pairs":
            names += ["pooler", "pair"]
        elif head.labels:
            names += [*(("pooler",) if blueprint.reads_text else ()), "labels"]
    return (*names, *(("bias",) if "output_bias" in parameters else ()))


LENGTHS = (128, 256, 512, 1024)


D_MODEL, HEADS, D_FF = 256, 4, 1024  # those of our GPT


@answer.register
def times(request: AttentionTimesRequest, _context: Context) -> AttentionTimes:
    """Queries, keys and values are drawn: what they are changes no time."""
    generator = torch.Generator().manual_seed(0)

    def drawn(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator)

    layer = PreNormBlock(
        attn=MultiHeadAttention(D_MODEL, HEADS), ffn=FeedForward(D_MODEL, D_FF, "gelu"),
        ln_1=LayerNorm(D_MODEL), ln_2=LayerNorm(D_MODEL),
    )  # fmt: skip
    source = drawn(1, HEADS, request.n_source, D_MODEL // HEADS)
    seconds: list[list[float]] = []
    with torch.inference_mode():
        for n in LENGTHS:
            q, x = drawn(1, HEADS, n, D_MODEL // HEADS), drawn(1, n, D_MODEL)
            seconds.append([shortest(run) for run in _measured(q, source, x, layer)])
    alone, masked, cross, whole = map(tuple, zip(*seconds, strict=True))
    machine = TransformerShape(
        D_MODEL, HEADS, D_MODEL // HEADS, D_FF, LENGTHS[-1], (LayerCosts(1),), ()
    )
    return AttentionTimes(LENGTHS, alone, masked, cross, whole, machine, request.n_source)


def _measured(
    q: Tensor, source: Tensor, x: Tensor, layer: PreNormBlock
) -> tuple[Callable[[], object], ...]:
    """What is measured at one length."""
    return (
        lambda: attend(q, q, q),
        lambda: attend(q, q, q, causal=True),
        lambda: attend(q, source, source),
        lambda: layer(x),
    )


MOST = 24  # tokens


@answer.register
def cached(request: CacheSavingsRequest, context: Context) -> CacheSavings:
    """Both ways in the model's own precision, and both in 64 bits.

    Raises:
        AbilityError: the model does not predict the next token.
        EmptyInputError: the text has no tokens.
    """
    model = context.model(request.model)
    writer = model.as_writer()
    tokens = model.tokens(model.fit(request.text)[0])[:MOST]
    if not tokens:
        raise EmptyInputError
    ids = torch.tensor([[token.id for token in tokens]], device=model.device)
    over, cached_rows, with_cache = _over_cache(writer, ids)
    anew, without = _anew(writer, ids)
    exact = copy.deepcopy(model.model).cpu().double()
    return CacheSavings(
        tokens=tuple(tokens),
        machine=machine_of(model.model),
        kept=cached_rows,
        difference=_apart(over, anew),
        exact=_apart(_over_cache(exact, ids.cpu())[0], _anew(exact, ids.cpu())[0]),
        largest=max(float(row.abs().max()) for row in anew),
        seconds=(with_cache, without),
    )


def _over_cache(writer: Any, ids: Tensor) -> tuple[list[Tensor], tuple[int, ...], float]:
    """The logits after each token, what is kept by then, and the seconds of all."""
    decoder, rows, cached_rows = writer.begin(ids.shape[1]), [], []
    began = time.perf_counter()
    with torch.inference_mode():
        for position in range(ids.shape[1]):
            rows.append(decoder.push(ids[:, position : position + 1])[0, -1])
            cached_rows.append(decoder.nbytes)
    return rows, tuple(cached_rows), time.perf_counter() - began


def _anew(writer: Any, ids: Tensor) -> tuple[list[Tensor], float]:
    """The logits after each token, of a run over all tokens up to it; the seconds of all."""
    began = time.perf_counter()
    with torch.inference_mode():
        rows = [writer(ids[:, : position + 1])[0, -1] for position in range(ids.shape[1])]
    return rows, time.perf_counter() - began


def _apart(one: Sequence[Tensor], other: Sequence[Tensor]) -> tuple[float, ...]:
    return tuple(float((a - b).abs().max()) for a, b in zip(one, other, strict=True))


RUNS = 5  # of which the shortest counts


def shortest(run: Callable[[], object]) -> float:
    """Seconds of the fastest of a few runs."""
    lengths = []
    for _ in range(RUNS):
        began = time.perf_counter()
        run()
        lengths.append(time.perf_counter() - began)
    return min(lengths)
