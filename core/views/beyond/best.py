"""How good a model could become at most: its own continuations, weighed by what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.tilting import Floats, kl_from_even, tilted
from core.errors import EmptyInputError
from core.examples import WRITER
from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.text import Mark, Sentence, join, number, percent, sentence, shortened
from core.figures.values import Along, Values
from core.language import N_, _
from core.locale import grouped, spelt
from core.preferences import PREFERENCES
from core.runs.drawn import Drawn
from core.runs.requests import DrawnRequest, Request
from core.spelling import visible
from core.views.beyond.preferring import LIKED, NEEDS
from core.views.params import MAX_SEED, model_param, param
from core.views.view import View

OPENING = "One morning the little girl went to the"
BETAS = {"0.03": "0.03", "0.1": "0.1", "0.3": "0.3", "1": "1", "3": "3"}
TRIED = np.geomspace(0.03, 30, 31)  # of the curve


@dataclass(frozen=True, slots=True)
class Weighing:
    """A text that is continued many times, and how the continuations are weighed.

    Attributes:
        model: that continues it.
        liked_text: the text.
        preference: what is liked.
        best_beta: the price of a nat of KL divergence.
        best_seed: of the draws.
    """

    model: str = model_param(WRITER)
    liked_text: str = param(OPENING, label=N_("Text to continue"))
    preference: str = param("animals", choices=LIKED, label=N_("What is liked"))
    best_beta: str = param("0.3", choices=BETAS, label=N_("β, the price of a nat"))
    best_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed of the continuations"))


@dataclass(frozen=True, eq=False)
class Weighed:
    """The continuations, what each is worth, and the share that each gets."""

    params: Weighing
    drawn: Drawn
    rewards: Floats
    shares: Floats

    @property
    def mean(self) -> float:
        """Reward at the start."""
        return float(self.rewards.mean())

    @property
    def reward(self) -> float:
        """Of the best model."""
        return float(self.shares @ self.rewards)

    @property
    def kl(self) -> float:
        """Nats a continuation."""
        return kl_from_even(self.shares)

    @property
    def heaviest(self) -> int:
        return int(self.shares.argmax())


class Best(View[Weighing, Weighed]):
    """Reward over KL divergence as β falls, and the β that is chosen."""

    name, Params, needs = "beyond.best", Weighing, NEEDS

    def requests(self, params: Weighing) -> tuple[Request, ...]:
        text = params.liked_text.strip()
        return (DrawnRequest(params.model, text, seed=params.best_seed),) if text else ()

    def compute(self, runs: Sequence[Drawn], params: Weighing) -> Weighed:
        if not runs:
            raise EmptyInputError
        rule = PREFERENCES[params.preference]
        rewards = np.array([rule.points(text) for text in runs[0].texts], np.float64)
        return Weighed(params, runs[0], rewards, tilted(rewards, float(params.best_beta)))

    def values(self, record: Weighed) -> Mapping[str, Values]:
        along = (Along("beta", "β", [str(round(beta, 4)) for beta in TRIED]),)
        kls, rewards = _curve(record)
        texts = (Along("continuation", _("continuation"),
                       [str(n + 1) for n in range(len(record.rewards))]),)  # fmt: skip
        return {
            "kl_by_beta": Values(_("KL divergence, nats per continuation"), kls, along),
            "reward_by_beta": Values(_("points per continuation"), rewards, along),
            "text": Values(_("text"), np.array([*map(_seen, record.drawn.texts)], object), texts),
            "points": Values(_("points"), record.rewards, texts),
            "share": Values(_("share"), record.shares, texts),
            "at_start": Values(_("points per continuation at the start"), np.array(record.mean)),
            "liked": Values(_("share of continuations with a point"),
                            np.array((record.rewards > 0).mean())),
            "reward": Values(_("points per continuation, best model"), np.array(record.reward)),
            "kl": Values(_("KL divergence of the best model"), np.array(record.kl), unit=_("nats")),
        }  # fmt: skip

    def describe(self, record: Weighed) -> Sentence:
        n = len(record.rewards)
        start = sentence(
            _("Continuations with at least one point: {liked} of {n}. Mean of all: {mean}."),
            n=grouped(n), liked=Mark(grouped(int((record.rewards > 0).sum())), "accent"),
            mean=number(record.mean, 2),
        )  # fmt: skip
        if not record.rewards.any():
            return join([start, sentence(_("Without a point there is nothing to learn from. "
                                           "Choose another text or seed."))])  # fmt: skip
        at = record.heaviest
        best = sentence(
            _("With β = {beta} the best model gets a mean of {reward}, at {kl} nats per "
              "continuation, as far as these texts show. “{text}” gets {share} instead of {even}, "
              "and none gets more."),
            beta=spelt(record.params.best_beta),
            reward=Mark(number(record.reward, 2), "accent"),
            kl=Mark(number(record.kl, 2), "accent"),
            text=shortened(_seen(record.drawn.texts[at]).strip(), 60),
            share=percent(float(record.shares[at])), even=percent(1 / n),
        )  # fmt: skip
        return join([start, best])

    def draw(self, record: Weighed) -> Plot:
        kls, rewards = _curve(record)
        says = _("{name}: {y:.2f} points at {x:.2f} nats")
        n = len(record.rewards)
        return Plot(
            title=_("The best that {n} continuations allow").format(n=grouped(n)),
            x=PlotAxis(title=_("KL divergence, nats per continuation"), range=(0, np.log(n))),
            y=PlotAxis(title=_("points per continuation"), from_zero=True),
            series=[
                Curve(x=kls, y=rewards, role="muted", name=_("every β"), hover=says,
                      text=[number(beta) for beta in TRIED]),
                Points(x=[0.0], y=[record.mean], role="key", size=10, name=_("start"), hover=says),
                Points(x=[record.kl], y=[record.reward], role="accent", size=12,
                       name=_("the chosen β"), hover=says),
            ],
            height=360,
        )  # fmt: skip


def _seen(text: str) -> str:
    """Words and spaces as they are; what could not be seen, a new line too, is spelt out."""
    return " ".join(map(visible, text.split(" ")))


def _curve(record: Weighed) -> tuple[Floats, Floats]:
    """KL divergence and reward for each β that is tried."""
    shares = [tilted(record.rewards, float(beta)) for beta in TRIED]
    kls = np.array([kl_from_even(one) for one in shares])
    return kls, np.array([float(one @ record.rewards) for one in shares])
