"""What the views of a training on an exercise are asked with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.examples import STAR
from core.language import N_
from core.live_training.practised import Practice
from core.models.needs import NO_MODEL
from core.runs.requests import PracticeRequest, Request, Way
from core.runs.told import Told
from core.views.params import MAX_SEED, param
from core.views.view import View

STEPS = 1200
EXERCISES = {
    "reverse": N_("reverse"),
    "copy": N_("copy"),
    "sort": N_("sort"),
    "add": N_("add two numbers"),
    "text": N_("continue a text"),
}
RATES = {"0.0005": "0.0005", "0.005": "0.005", "0.05": "0.05"}
SMOOTHINGS = {"0": "0", "0.1": "0.1", "0.3": "0.3"}
BESIDES = {
    "": N_("nothing"),
    "rate": N_("ten times the learning rate"),
    "warmup": N_("no warm-up"),
    "smoothing": N_("label smoothing 0.1"),
    "seed": N_("another seed"),
}


@dataclass(frozen=True, slots=True)
class Practising:
    """One training, and another one beside it that differs in one thing.

    Attributes:
        exercise: what is learned.
        practice_text: what is continued; a poem of ours when empty.
        practising: it is trained; else the model is as it begins.
        practice_rate: the largest learning rate.
        practice_warmup: steps of its rise.
        practice_smoothing: of the targets.
        beside: what is different of the other training.
        practice_head: of cross-attention.
        seed: of weights and sequences.
        sample_row: of the samples, which is marked.
        symbol_row, symbol_col: of a symbol that is written, and of one that is given.
    """

    exercise: str = param("reverse", choices=EXERCISES, label=N_("Exercise"))
    practice_text: str = param("", label=N_("Text to learn from"))
    practising: bool = param(False, label=N_("Train"))
    practice_rate: str = param("0.005", choices=RATES, label=N_("Largest learning rate"))
    practice_warmup: int = param(100, low=1, high=500, label=N_("Warm-up steps"))
    practice_smoothing: str = param("0", choices=SMOOTHINGS, label=N_("Label smoothing ε"))
    beside: str = param("", choices=BESIDES, label=N_("Compare with"))
    practice_head: int = param(0, low=0, high=3, label=N_("Head"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    sample_row: int = param(0, low=0, high=100, lives="browser", label=N_("Row"))
    symbol_row: int = param(0, low=0, high=100, lives="browser", label=N_("Row"))
    symbol_col: int = param(0, low=0, high=100, lives="browser", label=N_("Column"))

    @property
    def way(self) -> Way:
        """How it is trained."""
        return Way(
            float(self.practice_rate), self.practice_warmup, float(self.practice_smoothing),
            self.seed,
        )  # fmt: skip

    @property
    def other(self) -> Way | None:
        """The way that it is compared with; None where that is the same, or none."""
        own = self.way
        changed: dict[str, dict[str, Any]] = {
            "rate": {"rate": 10 * own.rate},
            "warmup": {"warmup": 1},
            "smoothing": {"smoothing": 0.1},
            "seed": {"seed": (self.seed + 1) % (MAX_SEED + 1)},
        }
        found = replace(own, **changed.get(self.beside, {}))
        return None if found == own else found

    @property
    def request(self) -> PracticeRequest:
        """The same for all figures, so that they show one training."""
        ways = (self.way, *filter(None, [self.other]))
        text = self.own_text if self.exercise == "text" else ""
        return PracticeRequest(self.exercise, ways, STEPS if self.practising else 0, text)

    @property
    def own_text(self) -> str:
        """The text that was typed, or ours."""
        return self.practice_text.strip() or STAR


@dataclass(frozen=True, eq=False)
class Watched:
    """A training as far as it has come, and the one beside it."""

    params: Practising
    own: Practice
    other: Practice | None


class OfPractice(View[Practising, Watched]):
    """What the figures have in common."""

    Params, needs = Practising, NO_MODEL

    def requests(self, params: Practising) -> tuple[Request, ...]:
        return (params.request,)

    def compute(self, runs: Sequence[Told], params: Practising) -> Watched:
        own, *other = Practice.each(runs[0].records)
        return Watched(params, own, other[0] if other else None)
