"""What a model can do. A page names the ability it needs, never a class or an architecture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from core.errors import AbilityError
from core.language import N_

Ability = Literal[
    "next_token", "masked_words", "sentence_pairs", "translate", "classify_text", "classify_image"
]
# What a page or view asks of a model; words: one of IN_WORDS; none: of no model.
Need = Ability | Literal["words", "any", "none"]

# Their answer is a number for each entry of the vocabulary.
IN_WORDS: frozenset[Ability] = frozenset({"next_token", "masked_words", "translate"})

# "{model} can …" (translate with ``_`` where it is shown).
SENTENCES: Mapping[str, str] = {
    "next_token": N_("predict the next token"),
    "masked_words": N_("fill in hidden words"),
    "sentence_pairs": N_("judge whether one sentence follows another"),
    "translate": N_("translate"),
    "classify_text": N_("say what kind of text it reads"),
    "classify_image": N_("say what a picture shows"),
    "words": N_("predict words"),
}


def meets(abilities: Collection[Ability], need: Need) -> bool:
    """Whether a model with these abilities can do what a page or view needs."""
    if need == "words":
        return not IN_WORDS.isdisjoint(abilities)
    return need in ("any", "none") or need in abilities


def require(model: str, abilities: Iterable[Ability], needed: Need) -> None:
    """See that a model can do what is needed.

    Args:
        model: its id, for the message.
        abilities: what it declares.
        needed: what is asked of it.

    Raises:
        AbilityError: it lacks it.
    """
    if not meets(frozenset(abilities), needed):
        raise AbilityError(model, SENTENCES[needed])
