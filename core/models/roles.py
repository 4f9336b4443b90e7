"""The sites that play a role in a model, whatever it calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import NoPartError
from core.language import N_
from core.models.abilities import IN_WORDS

if TYPE_CHECKING:
    from core.models.blueprint import Blueprint


def sites_of(blueprint: Blueprint, role: str) -> tuple[str, ...]:
    """The sites and patterns of a role, or what was asked for: see ``Blueprint.sites``."""
    if role == "@attention":
        return _of_attention(blueprint)
    if role == "@embeddings":
        return tuple(f"{embedding.prefix}.*" for embedding in blueprint.embeddings)
    if role == "@layers":
        return _of_layers(blueprint)
    return _of_positions(blueprint) if role == "@positions" else (blueprint.site(role),)


def has_layers(blueprint: Blueprint) -> bool:
    """Whether its layers give each position of what is read a vector."""
    try:
        return bool(_of_layers(blueprint))
    except NoPartError:
        return False


def _of_layers(blueprint: Blueprint) -> tuple[str, ...]:
    reads = blueprint.streams[0]
    for stack in blueprint.stacks:
        if stack.stream == reads:
            layers = (stack.output_of(layer) for layer in range(stack.n_layers))
            return (f"{stack.block(0)}.resid_pre", *layers)
    for cells in blueprint.recurrences:
        if cells.stream == reads and cells.handed_on:
            return cells.handed_on
    raise NoPartError(N_("layers that give each word a vector in its context"))


def handed_on_in(blueprint: Blueprint, stream: str) -> str:
    """The site of what other streams get of one.

    Raises:
        NoPartError: no single site holds it: no layers work on it, or recurrent ones both ways.
    """
    for stack in reversed(blueprint.stacks):
        if stack.stream == stream:
            return blueprint.handed_on(stack)
    for cells in reversed(blueprint.recurrences):
        if cells.stream == stream and len(cells.outputs) == 1:
            return cells.outputs[0]
    raise NoPartError(N_("layer that hands on one vector for each position"))


def _of_positions(blueprint: Blueprint) -> tuple[str, ...]:
    terms = [term for embedding in blueprint.embeddings for term in embedding.terms]
    terms += [term for patches in blueprint.patches for term in patches.terms]
    vectors = [term for term in terms if term.endswith(".positions")]
    biases = [stack.bias for stack in blueprint.stacks if stack.bias is not None]
    if not (vectors or biases):
        raise NoPartError(N_("way to tell places apart"))
    return (*vectors, *biases)


def _of_attention(blueprint: Blueprint) -> tuple[str, ...]:
    attentions, stacks = blueprint.attentions, blueprint.stacks
    inside = [f"{prefix}.*" for attention in attentions for prefix in attention.prefixes]
    read = [site for attention in attentions for site in attention.inputs]
    others = {attention.keys for attention in attentions if not attention.square}
    handed_on = [blueprint.handed_on(stack) for stack in stacks if stack.stream in others]
    biases = [attention.bias for attention in attentions if attention.bias is not None]
    answers = [head.site for head in blueprint.heads if head.labels or head.ability in IN_WORDS]
    return tuple(dict.fromkeys([*inside, *read, *handed_on, *biases, *answers[:1]]))
