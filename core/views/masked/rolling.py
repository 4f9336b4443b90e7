"""A text as a training example of masked words: what was drawn, and what became of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.examples import GUESSER
from core.language import N_, _
from core.locale import spelt
from core.runs.guesses import Corrupted
from core.runs.requests import CorruptRequest, Request
from core.spelling import visible
from core.text.marks import MASK
from core.views.params import MAX_SEED, OnText, model_param, param

FATES = {  # of a piece, in a training example
    "kept in sight": N_("visible"),
    "masked": N_("masked"),
    "random": N_("random"),
    "unchanged": N_("unchanged"),
}


@dataclass(frozen=True, slots=True)
class Rolling(OnText):
    """A text and a throw of the dice.

    Attributes:
        model: the one whose training example is made.
        dice_seed: of the dice.
        example_token: a position of the example that is looked at; -1 for none.
    """

    model: str = model_param(GUESSER)
    dice_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    example_token: int = param(
        -1, low=-1, high=100_000, lives="browser", label=N_("Token of the training example")
    )


@dataclass(frozen=True)
class Rolled:
    """A training example.

    Attributes:
        run: what was drawn and thrown.
        params: what was asked for.
    """

    run: Corrupted
    params: Rolling

    @property
    def chosen(self) -> list[tuple[int, ...]]:
        """The chosen words' positions, in the order they were drawn."""
        words = [word for word in self.run.words if self.run.order[word[0]] >= 0]
        return sorted(words, key=lambda word: int(self.run.order[word[0]]))

    def thrown(self, positions: Sequence[int]) -> float:
        """What a chosen word threw."""
        return float(self.run.dice[positions[0]])

    def word(self, positions: Sequence[int], *, shown: bool = False) -> str:
        """A word as it reads, the original or what the model reads in its place."""
        source = self.run.shown if shown else self.run.tokens
        if shown and source[positions[0]].piece == MASK:
            return " ".join([MASK] * len(positions))
        return visible("".join(source[at].data.decode(errors="replace") for at in positions))

    def outcome(self, positions: Sequence[int]) -> str:
        """What became of a chosen word, in words."""
        fate = self.run.fates[positions[0]]
        if fate == "masked":
            return _("becomes {mask}").format(mask=MASK)
        if fate == "random":
            return _("becomes “{word}”").format(word=self.word(positions, shown=True))
        return _("stays")


def roll_requests(params: Rolling) -> tuple[Request, ...]:
    """The run that the views of a training example share."""
    return (CorruptRequest(params.model, params.text, params.dice_seed),)


def rolled(runs: Sequence[Corrupted], params: Rolling) -> Rolled:
    """The record of the views of a training example."""
    return Rolled(runs[0], params)


def two_decimals(value: float) -> str:
    """A number of the dice, never rounded across a border."""
    return spelt(f"{math.floor(value * 100) / 100:.2f}")
