"""Label smoothing: on one prediction, and of two small translators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.analysis.distributions import entropy_bits
from core.data.measured import CALIBRATION, measured
from core.figures.components.plot import BarSeries, Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Panel, Rule
from core.figures.text import Mark, Role, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.optimised import Floats, SmoothedLoss
from core.locale import grouped, in_quotes
from core.models.needs import NO_MODEL
from core.runs.kinds.training import SmoothingRequest
from core.runs.request import Request
from core.views.params import param
from core.views.view import View

# --- label smoothing on one prediction: the target, and what each word's logit is told to do


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
class JudgedPrediction:
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


class SmoothingView(View[Smoothing, JudgedPrediction]):
    """What both figures have in common."""

    Params, needs = Smoothing, NO_MODEL

    def requests(self, params: Smoothing) -> tuple[Request, ...]:
        return smoothing_requests(params)

    def compute(self, runs: Sequence[SmoothedLoss], params: Smoothing) -> JudgedPrediction:
        return JudgedPrediction(params, runs[0])


class LearningSmoothingView(SmoothingView):
    """Target and prediction of each word; below them the gradient on its logit."""

    name = "learning.smoothing"

    def values(self, record: JudgedPrediction) -> Mapping[str, Values]:
        along, loss = (Along("word", _("word"), list(WORDS)),), record.loss
        lines = {
            "target": (_("target"), loss.target),
            "probability": (_("prediction"), loss.probs),
            "gradient": (_("gradient on the logit"), loss.gradient),
        }
        values = {name: Values(label, line, along) for name, (label, line) in lines.items()}
        return values | {
            "loss": Values(_("loss in nats"), np.array(loss.loss)),
            "entropy": Values(_("entropy of the target in nats"), np.array(record.entropy)),
            "divergence": Values(_("KL divergence in nats"), np.array(record.divergence)),
            "smoothing": Values("ε", np.array(record.params.label_smoothing)),
        }

    def describe(self, record: JudgedPrediction) -> Sentence:
        loss, right = record.loss, WORDS[RIGHT]
        other = next(n for n in range(len(WORDS)) if n != RIGHT)
        goal = sentence(
            _("The target gives “{word}” {right} and each other word {other}. The model gives "
              "“{word}” {share}."),
            word=right, right=Mark(number(float(loss.target[RIGHT])), "accent"),
            other=number(float(loss.target[other])), share=percent(float(loss.probs[RIGHT])),
        )  # fmt: skip
        gradient = float(loss.gradient[RIGHT])
        if gradient > 1e-9:
            pulled = _("The gradient on “{word}” is {g}, above 0: the model is too sure, and its "
                       "logit is pushed down.")  # fmt: skip
        else:
            pulled = _("The gradient on “{word}” is {g}, not above 0: its logit is pushed up.")
        slope = sentence(pulled, word=right, g=Mark(number(gradient), "weight"))
        parts = sentence(
            _("The loss is {loss} nats: {entropy}, the entropy of the target, which no prediction "
              "can go below, and {divergence}, the KL divergence of the prediction from it."),
            loss=number(loss.loss), entropy=number(record.entropy),
            divergence=Mark(number(record.divergence), "accent"),
        )  # fmt: skip
        return join([goal, slope, parts])

    def line(self, record: JudgedPrediction) -> tuple[str, str]:
        return "core/live_training/by_hand.py", "return F.cross_entropy(logits, expected"

    def draw(self, record: JudgedPrediction) -> Plot:
        loss, places = record.loss, np.arange(len(WORDS))
        size = max(0.12, 1.15 * float(np.abs(loss.gradient).max()))
        words = [in_quotes(word) for word in WORDS]
        return Plot(
            title=_("“I went to class and took …”: target, prediction, gradient"),
            x=PlotAxis(title=_("word"), categories=words),
            y=PlotAxis(title=_("probability"), range=(0, 1)),
            series=[
                BarSeries(x=places, y=loss.target, role="accent", name=_("target"),
                          hover="{name}: {y:.4f}"),
                BarSeries(x=places, y=loss.probs, role="key", name=_("prediction"),
                          hover="{name}: {y:.4f}"),
            ],
            below=[
                Panel(
                    y=PlotAxis(title=_("gradient"), range=(-size, size)),
                    series=[BarSeries(x=places, y=loss.gradient, role="weight", width=0.3,
                                      name=_("gradient: prediction − target"),
                                      hover="{name}: {y:.4f}")],
                    rules=[Rule(y=0)],
                    share=0.42,
                )
            ],
            height=460,
        )  # fmt: skip


class LearningCertaintyView(SmoothingView):
    """The loss over how sure the model is, with and without smoothing."""

    name = "learning.certainty"

    def values(self, record: JudgedPrediction) -> Mapping[str, Values]:
        loss = record.loss
        along = (
            Along(
                "lead",
                _("logit of “notes”"),
                [str(np.float32(round(float(lead), 1))) for lead in loss.leads],
            ),
        )
        lines = {
            "probability": (_("probability of “notes”"), loss.sure),
            "smoothed": (_("loss, smoothed target"), loss.losses),
            "plain": (_("loss, target 1"), loss.plain),
        }
        values = {name: Values(label, line, along) for name, (label, line) in lines.items()}
        return values | {
            "best": Values(_("logit with the least loss"), np.array(loss.leads[record.best])),
            "best_probability": Values(_("probability there"), np.array(loss.sure[record.best])),
        }

    def describe(self, record: JudgedPrediction) -> Sentence:
        loss, best = record.loss, record.best
        if best == len(loss.leads) - 1:
            return sentence(
                _("The loss still falls at a logit of {lead}, where “notes” has {share}: the model "
                  "is never sure enough."),
                lead=number(float(loss.leads[best])), share=percent(float(loss.sure[best])),
            )  # fmt: skip
        return sentence(
            _("The loss is least at a logit of about {lead}, where “notes” has {share}. With a "
              "larger logit the loss rises again: being too sure costs something."),
            lead=Mark(number(float(loss.leads[best])), "accent"),
            share=Mark(percent(float(loss.sure[best])), "accent"),
        )  # fmt: skip

    def draw(self, record: JudgedPrediction) -> Plot:
        loss, params, says = record.loss, record.params, "{name}: {y:.3f}"
        return Plot(
            title=_("The loss as “notes” becomes more certain"),
            x=PlotAxis(title=_("logit of “notes”"), range=(-4, 12)),
            y=PlotAxis(title=_("loss in nats"), from_zero=True),
            series=[
                Curve(x=loss.leads, y=loss.plain, role="muted", name=_("target 1"), hover=says),
                Curve(x=loss.leads, y=loss.losses, role="accent", width=3,
                      name=_("smoothed target"), hover=says),
                Points(x=[params.lead], y=[loss.loss], role="key", size=12,
                       name=_("the prediction above"), hover=says),
            ],
            height=360,
        )  # fmt: skip


# --- two small translators, one trained with smoothed targets: recorded, as it takes minutes


NAMES = {"translator": N_("target 1"), "smoothed": N_("smoothed target")}
ROLES: Mapping[str, Role] = {"translator": "key", "smoothed": "accent"}
LAST, EVERY = 1500, 125  # steps of their training


@dataclass(frozen=True, slots=True)
class OfPair:
    """At which step both are compared.

    Attributes:
        stop_at: as if their training had been stopped there.
    """

    stop_at: int = param(LAST, low=EVERY, high=LAST, label=N_("Stop the training at step"))


@dataclass(frozen=True, eq=False)
class MeasuredPair:
    """What was measured of both, and the moment that is looked at."""

    params: OfPair
    recording: Mapping[str, Any]

    def line(self, model: str, field: str) -> Floats:
        """A number over the steps ``(n,)``, or over steps and bins ``(n, bins)``."""
        return np.array(self.recording["models"][model][field], np.float64)

    @property
    def steps(self) -> Floats:
        return self.line("translator", "steps")

    @property
    def index(self) -> int:
        """The measurement that is nearest."""
        return int(np.abs(self.steps - self.params.stop_at).argmin())

    @property
    def step(self) -> int:
        return int(self.steps[self.index])

    def now(self, model: str, field: str) -> float:
        """A number at that moment."""
        return float(self.line(model, field)[self.index])

    def best(self, model: str) -> int:
        """The measurement with the lowest perplexity."""
        return int(self.line(model, "perplexity").argmin())

    def error(self, model: str) -> Floats:
        """Expected calibration error at each step (Guo et al. 2017, equation 3).

        How far share of right guesses and certainty are apart, the mean over all guesses.
        """
        counts = self.line(model, "counts")
        apart = np.abs(self.line(model, "sure_in_bin") - self.line(model, "right_in_bin"))
        error: Floats = np.nansum(counts * apart, axis=1) / counts.sum(axis=1)
        return error


def _label_of(what: str, which: str) -> str:
    """A number of one of the two."""
    return _("{what}, {which}").format(what=what, which=_(which))


class TwoTranslatorsView(View[OfPair, MeasuredPair]):
    """What both figures have in common."""

    Params, needs = OfPair, NO_MODEL

    def compute(self, runs: Sequence[object], params: OfPair) -> MeasuredPair:
        return MeasuredPair(params, measured(CALIBRATION))


class LearningCalibrationView(TwoTranslatorsView):
    """How often a guess is right, over how sure it is."""

    name = "learning.calibration"

    def values(self, record: MeasuredPair) -> Mapping[str, Values]:
        n = len(record.line("translator", "counts")[0])
        edges = [f"{100 * i // n}-{100 * (i + 1) // n} %" for i in range(n)]
        along = (Along("certainty", _("how sure"), edges),)
        values = {}
        for model, name in NAMES.items():
            for field, title in (("right", _("share of right guesses")), ("sure", _("how sure"))):
                numbers = record.line(model, f"{field}_in_bin")[record.index]
                values[f"{model}_{field}"] = Values(_label_of(title, name), numbers, along)
            error = np.array(record.error(model)[record.index])
            values[f"{model}_error"] = Values(_label_of(_("calibration error"), name), error)
            sure = np.array(record.now(model, "sure"))
            values[f"{model}_mean"] = Values(_label_of(_("mean certainty"), name), sure)
        return values

    def describe(self, record: MeasuredPair) -> Sentence:
        templates = {
            "translator": _("With a target of 1 the guesses are {sure} sure on average after "
                            "{step} steps, and {right} of them are right."),
            "smoothed": _("With a smoothed target they are {sure} sure, and {right} are right."),
        }  # fmt: skip
        return join([
            sentence(
                template, step=grouped(record.step),
                sure=Mark(percent(record.now(model, "sure")), ROLES[model]),
                right=Mark(percent(record.now(model, "right")), ROLES[model]),
            )
            for model, template in templates.items()
        ])  # fmt: skip

    def draw(self, record: MeasuredPair) -> Plot:
        series: list[Curve | Points] = [
            Curve(x=[0, 1], y=[0, 1], role="muted", dash="dot", name=_("as sure as right"))
        ]
        for model, name in NAMES.items():
            series.append(
                Curve(
                    x=record.line(model, "sure_in_bin")[record.index],
                    y=record.line(model, "right_in_bin")[record.index],
                    role=ROLES[model], markers=7, name=_(name),
                    hover=_("{name}: right {y:.2f} of those that are {x:.2f} sure"),
                )
            )  # fmt: skip
        return Plot(
            title=_("How often a guess is right, over how sure it is, after {n} steps").format(
                n=grouped(record.step)
            ),
            x=PlotAxis(title=_("probability of the guess"), range=(0, 1)),
            y=PlotAxis(title=_("share of right guesses"), range=(0, 1)),
            series=series,
            height=440,
        )


class LearningComparedView(TwoTranslatorsView):
    """Perplexity and right guesses over the steps."""

    name = "learning.compared"

    def values(self, record: MeasuredPair) -> Mapping[str, Values]:
        along = (Along("step", _("step"), [str(int(step)) for step in record.steps]),)
        place, values = (record.index,), {}
        for model, name in NAMES.items():
            lines = {
                "perplexity": (_("perplexity"), record.line(model, "perplexity")),
                "right": (_("share of right guesses"), record.line(model, "right")),
                "error": (_("calibration error"), record.error(model)),
                "train": (_("loss in training"), record.line(model, "train")),
            }
            for field, (title, line) in lines.items():
                label = _label_of(title, name)
                values[f"{model}_{field}"] = Values(label, line, along, selected=place)
        return values

    def describe(self, record: MeasuredPair) -> Sentence:
        plain, smooth = (
            (number(float(record.line(model, "perplexity")[record.best(model)])),
             percent(float(record.line(model, "right")[record.best(model)])))
            for model in NAMES
        )  # fmt: skip
        now = sentence(
            _("After {step} steps the perplexity on unseen sentences is {plain} with a target of "
              "1, and {smooth} with a smoothed one."),
            step=grouped(record.step),
            plain=Mark(number(record.now("translator", "perplexity")), "key"),
            smooth=Mark(number(record.now("smoothed", "perplexity")), "accent"),
        )  # fmt: skip
        best = sentence(
            _("Each at its lowest: {plain} with {right1} right guesses, and {smooth} with "
              "{right2}."),
            plain=plain[0], right1=plain[1], smooth=smooth[0], right2=smooth[1],
        )  # fmt: skip
        return join([now, best])

    def draw(self, record: MeasuredPair) -> Plot:
        def curves(field: str, says: str, *, legend: bool) -> list[Curve]:
            return [
                Curve(x=record.steps[2:], y=record.line(model, field)[2:], role=ROLES[model],
                      markers=5, name=_(name), hover=says, legend=legend)
                for model, name in NAMES.items()
            ]  # fmt: skip

        return Plot(
            title=_("Two translators on unseen sentences"),
            x=PlotAxis(title=_("training step")),
            y=PlotAxis(title=_("perplexity")),
            series=curves("perplexity", "{name}: {y:.2f}", legend=True),
            rules=[Rule(x=record.step, role="accent", dash="dot")],
            below=[
                Panel(
                    y=PlotAxis(title=_("right guesses")),
                    series=curves("right", "{name}: {y:.3f}", legend=False),
                    share=0.45,
                )
            ],
            unified=True,
            height=440,
        )
