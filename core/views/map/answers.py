"""What a model is asked for, by the ability of its first head: the words that follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import Blueprint, Head


@dataclass(frozen=True, slots=True)
class Answer:
    """How the pages speak of what a model says. Translate each with ``_``.

    Attributes:
        question: above the run.
        place, meaning: the last place on the strip, and its one line for the hover.
        heading: above the words.
        at: which token they belong to.
        reading: what is expected there.
        logits: what the logits before them are, in a line.
        places: ids of the places on the strip that the logits and the words stand for.
        unhidden: the question where no word is hidden, if that is another one.
    """

    question: str
    place: str
    meaning: str
    heading: str
    at: str
    reading: str
    logits: str = N_("every entry scored")
    places: tuple[str, str] = ("logits", "prediction")
    unhidden: str = ""


_LABEL: Mapping[str, Any] = {
    "place": N_("label"),
    "meaning": N_("the probability of each label"),
    "heading": N_("Label"),
    "at": N_("of the whole text"),
    "logits": N_("every label scored"),
    "places": ("labels", "labels"),
}
_NEXT: Mapping[str, Any] = {
    "place": N_("next word"),
    "meaning": N_("the probabilities of what comes next"),
    "heading": N_("Next word"),
    "at": N_("after “{token}”"),
    "reading": N_("“{word}” follows with {share}."),
}
ANSWERS: Mapping[Ability, Answer] = {
    "next_token": Answer(
        question=N_("What happens between a sentence and its next word?"), **_NEXT
    ),
    "translate": Answer(
        question=N_("What happens between a sentence and its translation?"), **_NEXT
    ),
    "fill_spans": Answer(
        question=N_("What happens between a sentence with gaps and what belongs there?"), **_NEXT
    ),
    "denoise": Answer(
        question=N_("What happens between a damaged text and the text as it was?"), **_NEXT
    ),
    "masked_words": Answer(
        question=N_("What happens between a sentence and a hidden word?"),
        unhidden=N_("What happens between a sentence and the word expected at a place?"),
        place=N_("hidden word"),
        meaning=N_("the probabilities of the hidden word"),
        heading=N_("Word at this place"),
        at=N_("at “{token}”"),
        reading=N_("At “{query}” the model expects “{word}” with {share}."),
    ),
    "classify_text": Answer(
        question=N_("What happens between a sentence and its label?"),
        reading=N_("The model gives the whole text the label “{word}”, with {share}."),
        **_LABEL,
    ),
    "classify_pair": Answer(
        question=N_("What happens between two sentences and their label?"),
        reading=N_(
            "The model learned from pairs of texts. Of this one text alone it says “{word}”, with "
            "{share}."
        ),
        **_LABEL,
    ),
    "classify_image": Answer(
        question=N_("What happens between a picture and its label?"),
        reading=N_("The model sees “{word}”, with {share}."),
        **{**_LABEL, "at": N_("of the whole picture")},
    ),
}

# Of an ability that no record here speaks of.
ANYTHING = Answer(
    question=N_("What happens between what the model is given and its answer?"),
    place=N_("answer"),
    meaning=N_("the probability of each answer"),
    heading=N_("Answer"),
    at=N_("at “{token}”"),
    reading=N_("At “{query}” the model answers “{word}” with {share}."),
)


def question_of(blueprint: Blueprint, *, hidden: bool) -> str:
    """What stands above a run; translate with ``_``.

    Args:
        blueprint: of the model.
        hidden: a word of its input is.
    """
    said = answer_of(blueprint)
    return said.question if hidden else said.unhidden or said.question


def answering(blueprint: Blueprint) -> Head:
    """The head that answers: the first that predicts words, else one that chooses a label.

    Raises:
        NoPartError: there is neither.
    """
    return blueprint.head if blueprint.predicts_words else blueprint.classifier


def answer_of(blueprint: Blueprint) -> Answer:
    """How the pages speak of what a model says, in words or by a label.

    Raises:
        NoPartError: it says neither.
    """
    return ANSWERS.get(answering(blueprint).ability, ANYTHING)
