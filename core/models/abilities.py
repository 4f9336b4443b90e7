"""What a model can do. A page names the ability it needs, never a class or an architecture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from core.data.examples import FRENCH, GAP, SPANS
from core.errors import AbilityError
from core.inputs import Text
from core.language import N_, Phrase

Ability = Literal[
    "next_token", "masked_words", "both_ways", "sentence_pairs", "translate", "fill_spans",
    "denoise", "classify_text", "classify_pair", "classify_image",
]  # fmt: skip
# What a page or view asks of a model; words: one that answers in words; damaged: one that learned to
# mend damaged texts, in whichever way; none: of no model.
Need = Ability | Literal["answers", "words", "damaged", "any", "none"]


@dataclass(frozen=True, slots=True)
class Can:
    """An ability; what a model that has it can be called with is in core/models/calls.py.

    Attributes:
        says: "{model} can …" (translate with ``_`` where it is shown).
        in_words: its answer is a number for each entry of the vocabulary.
        writes: it makes texts, token after token, with a ``Decoder``.
        mends: it reads a damaged text and writes what belongs there.
        example: a text on which it shows; empty where any text will do.
        only: of other texts than such as the example nothing can be made.
    """

    says: str
    in_words: bool = False
    writes: bool = False
    mends: bool = False
    example: str = ""
    only: bool = False


ABILITIES: Mapping[Ability, Can] = MappingProxyType(
    {
        "next_token": Can(N_("predict the next token"), in_words=True, writes=True),
        "masked_words": Can(N_("fill in hidden words"), in_words=True, example=GAP),
        "both_ways": Can(N_("predict the word after and the word before"), in_words=True),
        "sentence_pairs": Can(N_("judge whether one sentence follows another")),
        "translate": Can(N_("translate"), in_words=True, writes=True, example=FRENCH, only=True),
        "fill_spans": Can(
            N_("fill in spans"), in_words=True, writes=True, mends=True, example=SPANS, only=True
        ),
        "denoise": Can(
            N_("mend a damaged text"),
            in_words=True,
            writes=True,
            mends=True,
            example=SPANS,
            only=True,
        ),
        "classify_text": Can(N_("say what kind of text it reads")),
        "classify_pair": Can(N_("say how two texts go together")),
        "classify_image": Can(N_("say what a picture shows")),
    }
)
IN_WORDS: frozenset[Ability] = frozenset(
    ability for ability, can in ABILITIES.items() if can.in_words
)
MENDS: tuple[Ability, ...] = tuple(ability for ability, can in ABILITIES.items() if can.mends)


def says(need: Need) -> str:
    """What a model that meets a need "can …" (translate with ``_`` where it is shown)."""
    match need:
        case "words":
            return N_("predict words")
        case "answers":
            return N_("predict words or choose a label")
        case "damaged":
            return N_("fill in or mend a damaged text")
        case "any" | "none":
            return Text.READING
        case _:
            return ABILITIES[need].says


def meets(abilities: Collection[Ability], need: Need) -> bool:
    """Whether a model with these abilities can do what a page or view needs."""
    if need == "words":
        return not IN_WORDS.isdisjoint(abilities)
    if need == "answers":
        return bool(abilities)
    if need == "damaged":
        return not set(MENDS).isdisjoint(abilities)
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
        raise lacking(model, needed)


def lacking(model: str, needed: Need) -> AbilityError:
    """The error that a model cannot do what is needed."""
    lacks = says(needed)
    return AbilityError(model, Phrase(lacks))
