"""Label smoothing on one prediction: the target, and what each word's logit is told to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.distributions import entropy_bits
from core.figures.components.plot import BarSeries, Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Panel, Rule
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.optimised import SmoothedLoss
from core.locale import in_quotes
from core.models.needs import NO_MODEL
from core.runs.requests import Request, SmoothingRequest
from core.views.params import param
from core.views.view import View

# "I went to class and took ___": the words and the target of a lecture; the logits are our own.
WORDS = ("cats", "TV", "notes", "took", "sofa")
OTHERS = {"cats": 0.0, "TV": 1.0, "took": -1.0, "sofa": 0.0}
RIGHT = WORDS.index("notes")
FORMS = {
    "all": N_("over all words (PyTorch)"),
    "others": N_("over the other words alone"),
}


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A target that is smoothed, and how sure the prediction is.

    Attributes:
        label_smoothing: ε, the share that is spread; 0.1 in Vaswani et al. 2017, section 5.4.
        spread_over: of ``FORMS``.
        lead: logit of the right word.
    """

    label_smoothing: float = param(0.1, low=0.0, high=0.5, label=N_("Label smoothing ε"))
    spread_over: str = param("all", choices=FORMS, label=N_("ε is spread"))
    lead: float = param(6.0, low=-4.0, high=12.0, label=N_("Logit of “notes”"))


@dataclass(frozen=True, eq=False)
class Judged:
    """A prediction and its loss, and what was asked for."""

    params: Smoothing
    loss: SmoothedLoss

    @property
    def entropy(self) -> float:
        """Of the target, in nats: no prediction has a smaller loss."""
        return float(entropy_bits(self.loss.target) * np.log(2))

    @property
    def divergence(self) -> float:
        """KL(target‖prediction) in nats: what of the loss a better prediction can take away."""
        return self.loss.loss - self.entropy

    @property
    def best(self) -> int:
        """The lead, of those that were tried, at which the loss is least."""
        return int(self.loss.losses.argmin())


def smoothing_requests(params: Smoothing) -> tuple[Request, ...]:
    """The prediction, judged."""
    logits = tuple(OTHERS.get(word, params.lead) for word in WORDS)
    others = params.spread_over == "others"
    return (SmoothingRequest(logits, RIGHT, params.label_smoothing, others),)


class OfSmoothing(View[Smoothing, Judged]):
    """What both figures have in common."""

    Params, needs = Smoothing, NO_MODEL

    def requests(self, params: Smoothing) -> tuple[Request, ...]:
        return smoothing_requests(params)

    def compute(self, runs: Sequence[SmoothedLoss], params: Smoothing) -> Judged:
        return Judged(params, runs[0])


class SmoothedTarget(OfSmoothing):
    """Target and prediction of each word; below them the gradient on its logit."""

    name = "learning.smoothing"

    def values(self, record: Judged) -> Mapping[str, Values]:
        along, one = (Along("word", _("word"), list(WORDS)),), record.loss
        lines = {
            "target": (_("target"), one.target),
            "probability": (_("prediction"), one.probs),
            "gradient": (_("gradient on the logit"), one.gradient),
        }
        found = {name: Values(label, line, along) for name, (label, line) in lines.items()}
        return found | {
            "loss": Values(_("loss in nats"), np.array(one.loss)),
            "entropy": Values(_("entropy of the target in nats"), np.array(record.entropy)),
            "divergence": Values(_("KL divergence in nats"), np.array(record.divergence)),
            "smoothing": Values("ε", np.array(record.params.label_smoothing)),
        }

    def describe(self, record: Judged) -> Sentence:
        one, right = record.loss, WORDS[RIGHT]
        other = next(n for n in range(len(WORDS)) if n != RIGHT)
        goal = sentence(
            _("The target gives “{word}” {right} and each other word {other}. The model gives "
              "“{word}” {share}."),
            word=right, right=Mark(number(float(one.target[RIGHT])), "accent"),
            other=number(float(one.target[other])), share=percent(float(one.probs[RIGHT])),
        )  # fmt: skip
        gradient = float(one.gradient[RIGHT])
        if gradient > 1e-9:
            pulled = _("The gradient on “{word}” is {g}, above 0: the model is too sure, and its "
                       "logit is pushed down.")  # fmt: skip
        else:
            pulled = _("The gradient on “{word}” is {g}, not above 0: its logit is pushed up.")
        said = sentence(pulled, word=right, g=Mark(number(gradient), "weight"))
        parts = sentence(
            _("The loss is {loss} nats: {entropy}, the entropy of the target, which no prediction "
              "can go below, and {divergence}, the KL divergence of the prediction from it."),
            loss=number(one.loss), entropy=number(record.entropy),
            divergence=Mark(number(record.divergence), "accent"),
        )  # fmt: skip
        return join([goal, said, parts])

    def line(self, record: Judged) -> tuple[str, str]:
        return "core/live_training/by_hand.py", "return F.cross_entropy(logits, expected"

    def draw(self, record: Judged) -> Plot:
        one, at = record.loss, np.arange(len(WORDS))
        size = max(0.12, 1.15 * float(np.abs(one.gradient).max()))
        words = [in_quotes(word) for word in WORDS]
        return Plot(
            title=_("“I went to class and took …”: target, prediction, gradient"),
            x=PlotAxis(title=_("word"), categories=words),
            y=PlotAxis(title=_("probability"), range=(0, 1)),
            series=[
                BarSeries(x=at, y=one.target, role="accent", name=_("target"),
                          hover="{name}: {y:.4f}"),
                BarSeries(x=at, y=one.probs, role="key", name=_("prediction"),
                          hover="{name}: {y:.4f}"),
            ],
            below=[
                Panel(
                    y=PlotAxis(title=_("gradient"), range=(-size, size)),
                    series=[BarSeries(x=at, y=one.gradient, role="weight", width=0.3,
                                      name=_("gradient: prediction − target"),
                                      hover="{name}: {y:.4f}")],
                    rules=[Rule(y=0)],
                    share=0.42,
                )
            ],
            height=460,
        )  # fmt: skip


class SmoothedLossCurve(OfSmoothing):
    """The loss over how sure the model is, with and without smoothing."""

    name = "learning.certainty"

    def values(self, record: Judged) -> Mapping[str, Values]:
        one = record.loss
        along = (
            Along(
                "lead",
                _("logit of “notes”"),
                [str(np.float32(round(float(lead), 1))) for lead in one.leads],
            ),
        )
        lines = {
            "probability": (_("probability of “notes”"), one.sure),
            "smoothed": (_("loss, smoothed target"), one.losses),
            "plain": (_("loss, target 1"), one.plain),
        }
        found = {name: Values(label, line, along) for name, (label, line) in lines.items()}
        return found | {
            "best": Values(_("logit with the least loss"), np.array(one.leads[record.best])),
            "best_probability": Values(_("probability there"), np.array(one.sure[record.best])),
        }

    def describe(self, record: Judged) -> Sentence:
        one, best = record.loss, record.best
        if best == len(one.leads) - 1:
            return sentence(
                _("The loss still falls at a logit of {lead}, where “notes” has {share}: the model "
                  "is never sure enough."),
                lead=number(float(one.leads[best])), share=percent(float(one.sure[best])),
            )  # fmt: skip
        return sentence(
            _("The loss is least at a logit of about {lead}, where “notes” has {share}. With a "
              "larger logit the loss rises again: being too sure costs something."),
            lead=Mark(number(float(one.leads[best])), "accent"),
            share=Mark(percent(float(one.sure[best])), "accent"),
        )  # fmt: skip

    def draw(self, record: Judged) -> Plot:
        one, params, says = record.loss, record.params, "{name}: {y:.3f}"
        return Plot(
            title=_("The loss as “notes” becomes more certain"),
            x=PlotAxis(title=_("logit of “notes”"), range=(-4, 12)),
            y=PlotAxis(title=_("loss in nats"), from_zero=True),
            series=[
                Curve(x=one.leads, y=one.plain, role="muted", name=_("target 1"), hover=says),
                Curve(x=one.leads, y=one.losses, role="accent", width=3,
                      name=_("smoothed target"), hover=says),
                Points(x=[params.lead], y=[one.loss], role="key", size=12,
                       name=_("the prediction above"), hover=says),
            ],
            height=360,
        )  # fmt: skip
