"""One text as the exercise of each way of learning: what is asked for, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.runs.requests import OfModel
from core.sizes import held
from core.text.exercises import Example
from core.text.hiding import Fate
from core.text.noise import Noise

# Ways of learning from bare text; each is named as the ability that comes of it.
Objective = Literal[
    "next_token", "both_ways", "masked_words", "sentence_pairs", "fill_spans", "denoise",
]  # fmt: skip
OBJECTIVES: tuple[Objective, ...] = (
    "next_token", "both_ways", "masked_words", "sentence_pairs", "fill_spans", "denoise",
)  # fmt: skip
UNDRAWN: tuple[Objective, ...] = ("next_token", "both_ways")  # each token is wanted, no dice


@dataclass(frozen=True, slots=True)
class ExerciseRequest(OfModel):
    """A text as a training example of a way of learning, and what the model loses on it.

    A model that did not learn that way lends its tokens alone, and there is no loss.

    Attributes:
        objective: the way of learning.
        text: as it was typed.
        seed: of all draws.
        noise: the one of BART's ways of damage that is drawn.
    """

    lasts = "a while"
    objective: Objective
    text: str
    seed: int
    noise: Noise = "infill"


@dataclass(frozen=True, eq=False)
class Lane:
    """One reading of a text, and what it costs.

    Attributes:
        example: what is given, and what is wanted.
        nats: ``(W,)``, the cross-entropy of each token that is wanted; NaN where the model did
            not learn this way.
    """

    example: Example
    nats: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Exercise:
    """A text as an example.

    Attributes:
        objective: the way of learning.
        able: the model learned that way.
        lanes: one; where a model learns in both directions that from the left, then that from the
            right. None where the text has nothing to learn from.
        fates, dice: of each token that is wanted, where dice decide what is read in its place:
            what, and the number between 0 and 1.
        follows: of a text in two parts, whether the second one really follows the first.
        n_tokens: that the text has, marks left out.
        n_read: characters of the text that were read.
    """

    objective: Objective
    able: bool
    lanes: tuple[Lane, ...] = ()
    fates: tuple[Fate, ...] = ()
    dice: tuple[float, ...] = ()
    follows: bool | None = None
    n_tokens: int = 0
    n_read: int = 0

    @property
    def nbytes(self) -> int:
        return held(self.lanes, self.fates, self.dice)
