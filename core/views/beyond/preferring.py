"""What the views of a training on a preference are asked with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.examples import WRITER
from core.language import N_
from core.live_training.liked import Liking
from core.models.needs import Needs
from core.preferences import PREFERENCES
from core.runs.requests import Leash, LikeRequest, Request
from core.runs.told import Told
from core.views.params import MAX_SEED, model_param, param
from core.views.view import View

STEPS = 24
NEEDS = Needs("next_token", ("blocks",))
LIKED = {name: one.called for name, one in PREFERENCES.items()}
BETAS = {"0": N_("0, no penalty"), "0.1": "0.1", "0.3": "0.3", "1": "1"}
AGAINST = {
    "": N_("nothing"),
    "free": N_("no penalty (β = 0)"),
    "tight": N_("ten times β"),
    "seed": N_("another seed"),
}


@dataclass(frozen=True, slots=True)
class Preferring:
    """One training, and another one beside it that differs in one thing.

    Attributes:
        model: of which a copy learns.
        preference: what is liked.
        beta: the price of a nat of KL divergence from the start, in points.
        against: what is different of the other training.
        preferring: it is trained; else the model is as it begins.
        liked_sample: of the continuations that can be read.
        seed: of all that is drawn.
    """

    model: str = model_param(WRITER)
    preference: str = param("animals", choices=LIKED, label=N_("What is liked"))
    beta: str = param("0.3", choices=BETAS, label=N_("β, the price of a nat"))
    against: str = param("", choices=AGAINST, label=N_("Compare with"))
    preferring: bool = param(False, label=N_("Train"))
    liked_sample: int = param(0, low=0, high=7, label=N_("Sample"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))

    @property
    def leash(self) -> Leash:
        """How it is held."""
        return Leash(float(self.beta), self.seed)

    @property
    def other(self) -> Leash | None:
        """The one that it is compared with; None where that is the same, or none."""
        own = self.leash
        found = {
            "free": Leash(0.0, own.seed),
            "tight": Leash(10 * own.beta, own.seed),
            "seed": Leash(own.beta, (own.seed + 1) % (MAX_SEED + 1)),
        }.get(self.against, own)
        return None if found == own else found

    @property
    def request(self) -> LikeRequest:
        """The same for all figures, so that they show one training."""
        leashes = (self.leash, *filter(None, [self.other]))
        return LikeRequest(self.model, self.preference, leashes, STEPS if self.preferring else 0)


@dataclass(frozen=True, eq=False)
class Watched:
    """A training as far as it has come, and the one beside it."""

    params: Preferring
    own: Liking
    other: Liking | None


class OfLiking(View[Preferring, Watched]):
    """What the figures have in common."""

    Params, needs = Preferring, NEEDS

    def requests(self, params: Preferring) -> tuple[Request, ...]:
        return (params.request,)

    def compute(self, runs: Sequence[Told], params: Preferring) -> Watched:
        own, *other = Liking.each(runs[0].records)
        return Watched(params, own, other[0] if other else None)
