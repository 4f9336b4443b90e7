"""What is asked of a body that gets a new head: sentences, what is read of it, where it is cut."""

from __future__ import annotations

from dataclasses import dataclass

from core.examples import GUESSER
from core.language import N_
from core.live_training.records import WAYS
from core.models.needs import Needs
from core.views.params import MAX_SEED, OnText, model_param, param

# It has a vector for all of its input, and layers to be cut at.
BODY = Needs("sentence_pairs", ("blocks",))
LEARNS = {  # each with those before it
    "frozen": N_("the head alone"),
    "whole": N_("also the whole model"),
    "scratch": N_("also all from scratch"),
}
POOLED = {"mean": N_("the mean of all tokens"), "first": N_("[CLS] alone")}


@dataclass(frozen=True, slots=True)
class Tuning:
    """A body, labelled sentences, and what a head reads.

    Attributes:
        model: id on the shelf of the one whose layers are used.
        lines: sentences with their labels, one a line; empty for our own.
        pooled: what a head reads of a layer.
    """

    model: str = model_param(GUESSER)
    lines: str = param("", label=N_("Your labelled sentences"))
    pooled: str = param("mean", choices=POOLED, label=N_("The head reads"))


@dataclass(frozen=True, slots=True)
class Cutting(Tuning):
    """The same, cut after a layer, and a text that the head there is asked about.

    Attributes:
        text: the sentence that travels through the app.
        cut_layers: how many layers are kept; with 0 a head reads what enters the first one.
    """

    text: str = param(OnText().text, label=N_("Text"))
    cut_layers: int = param(6, low=0, high=255, label=N_("Layers that are kept"))


@dataclass(frozen=True, slots=True)
class Training(Tuning):
    """The same, trained step by step.

    Attributes:
        learns: how far the comparison goes: one of ``WAYS`` and those before it.
        tuning_seed: of the weights of a body from scratch.
    """

    learns: str = param("frozen", choices=LEARNS, label=N_("What learns"))
    tuning_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways that are compared."""
        return WAYS[: WAYS.index(self.learns) + 1]
