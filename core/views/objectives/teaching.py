"""The ways of learning, and what is asked for: a text, and the model of each way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.language import N_
from core.runs.objectives import Objective
from core.views.noise.damage import NOISES
from core.views.params import MAX_SEED, OnText, model_param, param

MOST = 40  # words of a text that the table has columns for
# A word with what an apostrophe joins to it, or a sign.
WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table: a way of learning, in one direction where it has two.

    Attributes:
        objective: the way of learning.
        says: what it is called (translate with ``_``).
        second: it is the second direction.
    """

    objective: Objective
    says: str
    second: bool = False


KINDS: tuple[Kind, ...] = (
    Kind("next_token", N_("Next token")),
    Kind("both_ways", N_("Word after")),
    Kind("both_ways", N_("Word before"), second=True),
    Kind("masked_words", N_("Masked words")),
    Kind("sentence_pairs", N_("Sentence pair")),
    Kind("fill_spans", N_("Spans")),
    Kind("denoise", N_("Noise")),
)
FEW = ("next_token", "masked_words", "fill_spans")  # of a machine each: all at once are a wall
# The parameter that names the model of each way of learning.
PARTNERS: Mapping[Objective, str] = {
    "both_ways": "reader",
    "masked_words": "guesser",
    "sentence_pairs": "judge",
    "fill_spans": "filler",
    "denoise": "mender",
}


@dataclass(frozen=True, slots=True)
class Teaching(OnText):
    """A text, and the model of each way of learning.

    Attributes:
        model: the one that continues a text; where another model is missing it lends its tokens.
        reader, guesser, judge, filler, mender: those that predict in both directions, fill in
            hidden words, judge pairs, fill in spans, mend a damaged text; empty for none.
        dice_seed: of all draws.
        noise: the way of damage that is drawn.
        ways: whether the table shows all ways of learning, or three and the one looked at.
        lane: the row of the table that is looked at.
        text_word: the column; -1 for the first word that dice have chosen.
    """

    reader: str = model_param("", N_("Model that predicts in both directions"))
    guesser: str = model_param("", N_("Model that fills in hidden words"))
    judge: str = model_param("", N_("Model that judges pairs"))
    filler: str = model_param("", N_("Model that fills in spans"))
    mender: str = model_param("", N_("Model that mends a damaged text"))
    dice_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    noise: str = param("infill", choices=NOISES, label=N_("Noise"))
    ways: str = param(
        "few", choices={"few": N_("Three"), "all": N_("All")}, label=N_("Ways of learning")
    )
    lane: int = param(0, low=0, high=len(KINDS) - 1, picked=True, label=N_("Way of learning"))
    text_word: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Word of the text"))

    def model_of(self, objective: Objective) -> str:
        """The model of a way of learning: its own, or the one that lends its tokens."""
        partner = PARTNERS.get(objective)
        return (getattr(self, partner) if partner else "") or self.model

    @property
    def read(self) -> str:
        """As much of the text as the table has columns for."""
        words = list(WORD.finditer(self.text))
        return self.text[: words[MOST - 1].end()] if len(words) > MOST else self.text
