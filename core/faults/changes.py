"""What a fault does to a forward pass: at some sites another value takes the right one's place.

A run passes each of its values through a tap (``core.tracing.tap``), and what the tap gives back is
what the modules compute on with. So a fault changes one run: the module that others use stays
whole. A change that needs an earlier value keeps it until then; ``Changes`` are made anew for each
run. Values are tensors; nothing here needs torch by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from core.models.blueprint import Blueprint, Stack

Change = Callable[[Any, int | None], Any]
Changes = dict[str, Change]
RULED_OUT = -1e9  # a score that no softmax gives any weight
RATE = 0.1  # of dropout


def prefixes(blueprint: Blueprint) -> Iterator[str]:
    """Of the sites of every attention, layer by layer."""
    return (prefix for attention in blueprint.attentions for prefix in attention.prefixes)


def blocks(blueprint: Blueprint) -> Iterator[tuple[Stack, str]]:
    """Every block with its stack."""
    return ((stack, stack.block(n)) for stack in blueprint.stacks for n in range(stack.n_layers))


def norms(blueprint: Blueprint) -> Iterator[tuple[str, float]]:
    """The prefix and the eps of every LayerNorm."""
    for stack, block in blocks(blueprint):
        if stack.norm == "layer":
            yield from ((f"{block}.{name}", stack.eps) for name in stack.norms)
    yield from ((norm.prefix, norm.eps) for norm in blueprint.norms if norm.kind == "layer")


def change_each(sites: Iterator[str], change: Callable[[Any], Any]) -> Changes:
    """The same change at several sites."""
    return {site: lambda value, _step: change(value) for site in sites}


def from_earlier(earlier: str, later: str, change: Callable[[Any, Any], Any]) -> Changes:
    """A change that needs what passed an earlier site: (earlier value, value) -> new value."""
    memory: list[Any] = []

    def keep(value: Any, _step: int | None) -> Any:
        memory[:] = [value]
        return value

    return {earlier: keep, later: lambda value, _step: change(memory[0], value)}


# --- attention -----------------------------------------------------------------------------------


def unscaled(blueprint: Blueprint, _draw: int) -> Changes:
    """Scores that are not divided by sqrt(d_head)."""
    changes: Changes = {}
    for attention in blueprint.attentions:
        if attention.scale is not None:
            changes |= change_each(
                (f"{prefix}.scores" for prefix in attention.prefixes), _times(attention.scale)
            )
    return changes


def wrong_axis(blueprint: Blueprint, _draw: int) -> Changes:
    """Weights that add up to 1 down each column."""
    changes: Changes = {}
    for prefix in prefixes(blueprint):
        changes |= from_earlier(f"{prefix}.scores", f"{prefix}.weights", _down)
    return changes


def _down(scores: Any, weights: Any) -> Any:
    forbidden = weights == 0
    return scores.masked_fill(forbidden, RULED_OUT).softmax(-2).masked_fill(forbidden, 0.0)


def swapped(blueprint: Blueprint, _draw: int) -> Changes:
    """Queries in the place of keys."""
    square = (
        prefix
        for attention in blueprint.attentions
        if attention.square and attention.bias is None
        for prefix in attention.prefixes
    )
    return change_each((f"{prefix}.scores" for prefix in square), lambda scores: scores.mT)


def scrambled(blueprint: Blueprint, _draw: int) -> Changes:
    """Heads in another order than W_O expects."""
    return change_each((f"{prefix}.z" for prefix in prefixes(blueprint)), lambda z: z.roll(1, 1))


def not_transposed(blueprint: Blueprint, _draw: int) -> Changes:
    """Heads laid side by side without moving the positions in front of them first."""
    return change_each((f"{prefix}.z" for prefix in prefixes(blueprint)), _reshaped)


def _reshaped(z: Any) -> Any:
    batch, heads, positions, width = z.shape
    return z.reshape(batch, positions, heads, width).transpose(1, 2)


# --- positions -----------------------------------------------------------------------------------


def no_positions(blueprint: Blueprint, _draw: int) -> Changes:
    """Nothing tells the positions."""
    return change_each(iter(blueprint.sites("@positions")), _times(0.0))


def backwards(blueprint: Blueprint, _draw: int) -> Changes:
    """The rows of the positions in the opposite order."""
    return change_each(_rows_of(blueprint, "positions"), lambda rows: rows.flip(-2))


def too_large(blueprint: Blueprint, _draw: int) -> Changes:
    """Token rows that are multiplied by sqrt(d_model) once more."""
    sites = (embedding.terms[0] for embedding in blueprint.embeddings)
    return change_each(sites, lambda rows: rows * rows.shape[-1] ** 0.5)


def _rows_of(blueprint: Blueprint, table: str) -> Iterator[str]:
    return (
        f"{embedding.prefix}.{table}"
        for embedding in blueprint.embeddings
        if table in embedding.tables
    )


# --- the layer -----------------------------------------------------------------------------------


def no_residual(blueprint: Blueprint, _draw: int) -> Changes:
    """What a part makes takes the place of the stream, to which it should be added."""
    changes: Changes = {}
    for stack, block in blocks(blueprint):
        sums = {"attn": "resid_mid", "ffn": "resid_post"}
        sums |= {"cross_attn": "resid_cross"} if stack.cross else {}
        for part, sum_ in sums.items():
            changes |= from_earlier(f"{block}.{part}.out", f"{block}.{sum_}", lambda out, _sum: out)
    return changes


def no_gain(blueprint: Blueprint, _draw: int) -> Changes:
    """LayerNorm without what it has learned."""
    changes: Changes = {}
    for prefix, _eps in norms(blueprint):
        changes |= from_earlier(
            f"{prefix}.normalized", f"{prefix}.out", lambda normalized, _out: normalized
        )
    return changes


def no_root(blueprint: Blueprint, _draw: int) -> Changes:
    """LayerNorm that divides by the variance."""
    changes: Changes = {}
    for prefix, eps in norms(blueprint):

        def divided(var: Any, normalized: Any, eps: float = eps) -> Any:
            return normalized / (var + eps).sqrt()

        changes |= from_earlier(f"{prefix}.var", f"{prefix}.normalized", divided)
    return changes


def linear(blueprint: Blueprint, _draw: int) -> Changes:
    """A feed-forward network without its activation."""
    changes: Changes = {}
    for stack, block in blocks(blueprint):
        if not stack.gated:
            sites = f"{block}.ffn.pre", f"{block}.ffn.post"
            changes |= from_earlier(*sites, lambda pre, _post: pre)
    return changes


def dropped(blueprint: Blueprint, draw: int) -> Changes:
    """Dropout that goes on after training; another draw drops others."""
    rng = np.random.default_rng(draw)

    def drop(value: Any) -> Any:
        mask = rng.random(tuple(value.shape)) >= RATE
        return value * value.new_tensor(mask.astype(np.float32)) / (1 - RATE)

    parts = (f"{block}.{part}.out" for _stack, block in blocks(blueprint)
             for part in ("attn", "ffn"))  # fmt: skip
    return change_each(parts, drop)


def nothing(_blueprint: Blueprint, _draw: int) -> Changes:
    """No value is changed: the mask is."""
    return {}


def _times(factor: float) -> Callable[[Any], Any]:
    return lambda value: value * factor
