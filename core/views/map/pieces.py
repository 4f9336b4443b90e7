"""What a block is made of, piece by piece, as maps draw it."""

from __future__ import annotations

from dataclasses import dataclass

from core.models.blueprint import Attention, Blueprint, Stack


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
_OWN = (Piece("norm_1", "ln_1.out"), Piece("heads", "attn.weights"),
              Piece("add_1", "resid_mid"))  # fmt: skip
_CROSS = (Piece("norm_cross", "ln_cross.out"), Piece("cross", "cross_attn.weights"),
          Piece("add_cross", "resid_cross"))  # fmt: skip
_FFN = (Piece("norm_2", "ln_2.out"), Piece("ffn", "ffn.post"), Piece("add_2", "resid_post"))


def pieces(stack: Stack) -> tuple[Piece, ...]:
    """What a block of a stack is made of, in the order of computation."""
    groups = (_OWN, *((_CROSS,) if stack.cross else ()), _FFN)
    if stack.arrangement == "pre":
        return tuple(piece for group in groups for piece in group)
    return tuple(piece for norm, part, total in groups for piece in (part, total, norm))


def kinds(blueprint: Blueprint, stack: Stack) -> list[Attention]:
    """The kinds of attention in a stack's blocks, its own first."""
    block = f"{stack.block(0)}."
    return [one for one in blueprint.attentions if f"{one.prefix(0)}.".startswith(block)]
