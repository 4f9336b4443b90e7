"""What a page or view asks of a model: an ability, and parts that its blueprint must have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from core.errors import AbilityError
from core.inputs import Text
from core.language import N_, Phrase
from core.models.abilities import MENDS, Ability, Need, meets, says
from core.models.blueprint import Blueprint
from core.models.roles import has_layers

PartName = Literal[
    "tokens",
    "rows",
    "attention",
    "dot_product",
    "scaling",
    "blocks",
    "layer_norm",
    "positions",
    "recurrent",
    "patches",
    "convolution",
    "word_table",
    "contextual",
    "relative_bias",
]


def _tokens(blueprint: Blueprint) -> str | None:
    if any(embedding.units != "characters" for embedding in blueprint.embeddings):
        return None
    return N_("show tokens, as it reads a text character by character")


def _rows(blueprint: Blueprint) -> str | None:
    if any(embedding.units != "words" for embedding in blueprint.embeddings):
        return None
    return N_("show rows of a table, as it makes each word's vector from its letters")


def _attention(blueprint: Blueprint) -> str | None:
    if blueprint.attentions:
        return None
    return N_("show attention, as nothing in it attends to anything")


def _dot_product(blueprint: Blueprint) -> str | None:
    if any(attention.score == "dot" for attention in blueprint.attentions):
        return None
    return N_("show dot products of queries and keys, as it compares them in another way")


def _scaling(blueprint: Blueprint) -> str | None:
    if any(attention.scale is not None for attention in blueprint.attentions):
        return None
    return N_("show what scaling does to dot products, as it does not scale them")


def _blocks(blueprint: Blueprint) -> str | None:
    if blueprint.stacks:
        return None
    return N_("show layers of attention and feed-forward, as it has none")


def _layer_norm(blueprint: Blueprint) -> str | None:
    if any(stack.norm == "layer" for stack in blueprint.stacks):
        return None
    return N_("show LayerNorm, as it has none")


def _recurrent(blueprint: Blueprint) -> str | None:
    if blueprint.recurrences:
        return None
    return N_("show a state and its gates, as it has none")


def _patches(blueprint: Blueprint) -> str | None:
    if blueprint.patches:
        return None
    return N_("show patches, as it cuts no picture into any")


def _convolution(blueprint: Blueprint) -> str | None:
    if blueprint.convolutions:
        return None
    return N_("show feature maps, as it has no convolution")


def _word_table(blueprint: Blueprint) -> str | None:
    if any(head.table is not None for head in blueprint.heads):
        return None
    return N_("read its vectors as words, as more than one table stands behind its words")


def _contextual(blueprint: Blueprint) -> str | None:
    if blueprint.streams and has_layers(blueprint):
        return None
    return N_("give each word a vector in its context, layer by layer")


def _relative_bias(blueprint: Blueprint) -> str | None:
    if any(stack.bias is not None for stack in blueprint.stacks):
        return None
    return N_("show a bias for each distance, as it adds none to its scores")


def _positions(blueprint: Blueprint) -> str | None:
    kinds = [embedding.positions for embedding in blueprint.embeddings]
    kinds += [patches.positions for patches in blueprint.patches]
    if any(kinds):
        return None
    if any(stack.positions == "relative" for stack in blueprint.stacks):
        return N_(
            "show position vectors, as it has none: it adds a number to each score, "
            "by the distance of the two tokens"
        )
    if blueprint.recurrences:
        return N_("show position vectors, as it has none: it reads one position after the other")
    return N_("show position vectors, as it has none")


# For each part: None if a blueprint has it, else "{model} cannot …" (translate with ``_`` where it
# is shown).
PARTS: Mapping[PartName, Callable[[Blueprint], str | None]] = {
    "tokens": _tokens,
    "rows": _rows,
    "attention": _attention,
    "dot_product": _dot_product,
    "scaling": _scaling,
    "blocks": _blocks,
    "layer_norm": _layer_norm,
    "positions": _positions,
    "recurrent": _recurrent,
    "patches": _patches,
    "convolution": _convolution,
    "word_table": _word_table,
    "contextual": _contextual,
    "relative_bias": _relative_bias,
}


NO_ROWS = N_("show a row of vectors from layer to layer, as it makes maps of a picture")


@dataclass(frozen=True, slots=True)
class Needs:
    """What must be there.

    Attributes:
        ability: of the model, "words" for any that answers in words, "answers" for any that says
            something of a row of vectors, made of a text or of a picture, "any" for any that reads a
            text, or "none" where no model is asked.
        parts: that its blueprint has.
    """

    ability: Need = "any"
    parts: tuple[PartName, ...] = ()

    @property
    def no_model(self) -> bool:
        """Whether no model is asked."""
        return self.ability == "none"

    def rank(self, abilities: Collection[Ability]) -> int:
        """Which of the abilities that would do a model has: 0 for the first, or if one alone would.

        Args:
            abilities: of a model that meets the need.
        """
        if self.ability != "damaged":
            return 0
        return next((n for n, ability in enumerate(MENDS) if ability in abilities), len(MENDS))

    def check(self, model: str, abilities: Collection[Ability], blueprint: Blueprint) -> None:
        """See that a model has it all.

        Args:
            model: its id, for the message.
            abilities, blueprint: of the model.

        Raises:
            AbilityError: it lacks something; says what.
        """
        lacks = self.unmet(abilities, blueprint)
        if lacks is not None:
            raise AbilityError(model, Phrase(lacks))

    def unmet(self, abilities: Collection[Ability], blueprint: Blueprint) -> str | None:
        """What a model with these lacks, as "{model} cannot …" goes on; None if it has it all."""
        if not meets(abilities, self.ability):
            return says(self.ability)
        if self.ability == "any" and not blueprint.reads_text:
            return Text.READING
        if self.ability == "answers" and not (blueprint.reads_text or blueprint.patches):
            return NO_ROWS
        for part in self.parts:
            why = PARTS[part](blueprint)
            if why is not None:
                return why
        return None


ANY, NO_MODEL = Needs(), Needs("none")
