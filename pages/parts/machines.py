"""What the models of the shelf are, in words that follow from their blueprints."""

from __future__ import annotations

from core import zoo
from core.language import N_, _, name_of

# What a machine of one stack does, by whether it is causal and where its norms stand.
ALONE = {
    (True, "pre"): N_("{model} reads from left to right: its maps are triangles, and each "
                      "LayerNorm stands before the part it feeds."),
    (True, "post"): N_("{model} reads from left to right: its maps are triangles, and each "
                       "LayerNorm stands after a sum."),
    (False, "pre"): N_("{model} reads in both directions: its maps are full squares, and each "
                       "LayerNorm stands before the part it feeds."),
    (False, "post"): N_("{model} reads in both directions: its maps are full squares, and "
                        "each LayerNorm stands after a sum."),
}  # fmt: skip


def character(name: str) -> str:
    """What a model of the shelf does, as its map shows it."""
    blueprint = zoo.blueprint(name)
    if len(blueprint.stacks) > 1:
        said = _("{model} has two towers. The encoder reads in both directions. The decoder "
                 "writes from left to right and attends to what the encoder made of the "
                 "source.")  # fmt: skip
    else:
        said = _(ALONE[blueprint.main.causal, blueprint.main.arrangement])
    return said.format(model=name_of(name))


def blocks(name: str) -> str:
    """Blocks and heads of a model of the shelf, of each of its towers."""
    stacks = zoo.blueprint(name).stacks
    return " + ".join(f"{stack.n_layers} × {stack.n_heads}" for stack in stacks)
