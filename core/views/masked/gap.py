"""Hidden words of a text, and the gap that is looked at: what most of these views show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.examples import GUESSER, WRITER
from core.figures.text import Mark
from core.language import N_, name_of
from core.runs.guesses import Candidate, Filled
from core.runs.requests import GapRequest, Request
from core.views.params import OnText, model_param, param


@dataclass(frozen=True, slots=True)
class Partner:
    """Who is asked beside the model that fills the gaps.

    Attributes:
        partner: the one that reads only what stands left of the gap.
    """

    partner: str = model_param(WRITER, N_("Second model"))


@dataclass(frozen=True, slots=True)
class Hiding(OnText):
    """Which words are hidden, and which gap is looked at.

    Attributes:
        model: the one that fills the gaps from both sides.
        partner: the one that reads only what stands left of the gap.
        hide: "auto" for one word, "none", or the words' numbers, "2,5".
        token: a position in the gap that is looked at; -1 for the first gap.
    """

    model: str = model_param(GUESSER)
    partner: str = model_param(WRITER, N_("Second model"))
    hide: str = param(
        "auto",
        pattern=r"auto|none|\d{1,4}(,\d{1,4}){0,127}",
        form=N_("auto, none or numbers of words, such as 2,5"),
        high=640,
        label=N_("Hidden words"),
    )
    token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Token"))


@dataclass(frozen=True)
class Hidden:
    """A text with its gaps.

    Attributes:
        run: the gaps, filled by both models.
        params: what was asked for.
    """

    run: Filled
    params: Hiding

    @property
    def open(self) -> bool:
        """Whether the word that is looked at is in sight: nothing is hidden."""
        return not self.run.gaps

    @property
    def masked(self) -> str:
        """The model that reads both sides, as it is called on screen."""
        return name_of(self.params.model)

    @property
    def causal(self) -> str:
        """The model that reads the left side."""
        return name_of(self.params.partner)

    @property
    def models(self) -> dict[str, Mark]:
        """Both, as sentences name them."""
        return {"masked": Mark(self.masked, "strong"), "causal": Mark(self.causal, "strong")}

    def best(self, of: str) -> Candidate:
        """The likeliest candidate of the masked ("both") or of the causal model ("left")."""

        def share(candidate: Candidate) -> float:
            value: float = getattr(candidate, of)
            return -1.0 if math.isnan(value) else value

        return max(self.run.candidates, key=share)

    @property
    def truth(self) -> Candidate | None:
        """The word that stands in the gap; None where [MASK] was typed."""
        return next((c for c in self.run.candidates if c.hidden), None)

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return {"token": None if self.params.token < 0 else self.params.token}


def gap_requests(params: Hiding) -> tuple[Request, ...]:
    """The run that all views of the gap share."""
    return (GapRequest(params.model, params.partner, params.text, params.hide, params.token),)


def hidden(runs: Sequence[Filled], params: Hiding) -> Hidden:
    """The record of the views of a gap."""
    return Hidden(runs[0], params)
