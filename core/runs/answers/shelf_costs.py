"""The Transformers of the shelf: their shapes, and the numbers that they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import nn

from core import zoo
from core.analysis.costs import PARTS, Layers, Machine, Part
from core.models.blueprint import Blueprint
from core.runs.answering import Context, answer
from core.runs.costed import ShelfCosts, Shelved
from core.runs.requests import ShelfCostsRequest

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
            machines.append(Shelved(name, machine_of(model), counted(model)))
        else:
            others.append(name)
    return ShelfCosts(tuple(machines), tuple(others))


def counted(model: nn.Module) -> tuple[int, ...]:
    """How many numbers a model holds in each part."""
    found: dict[Part, int] = dict.fromkeys(PARTS, 0)
    for name, parameter in model.named_parameters():
        found[part_of(name)] += parameter.numel()
    return tuple(found.values())


def part_of(parameter: str) -> Part:
    """Where a parameter belongs, by its name on disk."""
    if parameter.startswith(_HEADS):
        return "head"
    for part, words in _WITHIN:
        if any(word in parameter for word in words):
            return part
    return "embeddings"


def machine_of(model: Any) -> Machine:
    """The shape of a model: what its formulas need, from its blueprint and its config.

    Args:
        model: a ``Model`` with a stack.
    """
    blueprint, config = model.blueprint, model.config
    stack = blueprint.main
    tables, n_ctx = _tables(blueprint, config)
    return Machine(
        d_model=stack.d_model, n_heads=stack.n_heads, d_head=stack.d_head, d_ff=stack.d_ff,
        n_ctx=n_ctx,
        layers=tuple(
            Layers(one.n_layers, one.name if len(blueprint.stacks) > 1 else "",
                   one.cross is not None, blueprint.final_norm(one) is not None)
            for one in blueprint.stacks
        ),
        tables=tables,
        patch=sum(one.n_numbers for one in blueprint.patches),
        embed_norms=sum(one.norm is not None for one in blueprint.embeddings),
        rms=stack.norm == "rms", biases=stack.biases, gated=stack.gated,
        buckets=config.n_buckets if stack.positions == "relative" else 0,
        heads=_heads(blueprint, dict(model.named_parameters())),
        labels=max((len(one.labels) for one in blueprint.heads), default=0),
        writes=blueprint.predicts_words,
    )  # fmt: skip


def _tables(blueprint: Blueprint, config: Any) -> tuple[tuple[tuple[str, int], ...], int]:
    """What is looked up, and how many positions there are. Two streams may share a table."""
    for cut in blueprint.patches:
        n = cut.first + cut.rows * cut.columns
        return (("cls", cut.first), ("positions", n)), n
    rows = {"tokens": config.vocab_size, "positions": config.n_ctx}
    found: dict[str, tuple[str, int]] = {}
    for one in blueprint.embeddings:
        found[one.table] = ("tokens", rows["tokens"])
        for table in one.tables:
            if table == "types":
                found[f"{one.prefix}.types"] = ("types", config.n_types)
            elif table == "positions" and one.positions == "learned":
                found[f"{one.prefix}.positions"] = ("positions", rows["positions"])
    return tuple(found.values()), config.n_ctx


def _heads(blueprint: Blueprint, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """What is learned to answer, besides the token table."""
    found = []
    for head in blueprint.heads:
        if head.ability == "masked_words":
            found.append("mlm")
        elif head.ability == "sentence_pairs":
            found += ["pooler", "pair"]
        elif head.labels:
            found += [*(("pooler",) if blueprint.reads_text else ()), "labels"]
    return (*found, *(("bias",) if "output_bias" in parameters else ()))
