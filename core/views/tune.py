"""Fine-tuning: what a new head makes of a body that has learned something else."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core import inputs
from core.analysis.distributions import softmax
from core.data.examples import GUESSER, SORTER
from core.data.labelled_lines import LabelledLines, read_lines
from core.errors import EmptyInputError
from core.figures.components import BarFrame, BarRow, Bars
from core.figures.components.bars import Series
from core.figures.components.plot import Curve, Panel, Plot, PlotAxis, Points, Rule
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of, ngettext
from core.live_training.records import WAYS, Cuts, InThreeWays, Tuned
from core.locale import in_quotes, listed
from core.models.needs import NO_MODEL, Needs
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.kinds.training import CutsRequest, FineTuneRequest
from core.runs.progress import JobProgress
from core.runs.request import Request
from core.views.controls import Control
from core.views.labels import LABELS, label_bars, label_title, label_values
from core.views.nearest import nearest
from core.views.params import MAX_SEED, OnText, model_param, param
from core.views.view import Note, View

# --- what is asked of a body that gets a new head: sentences, what is read of it, where it is cut


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


# --- a new head learns in three ways: the loss by step, and how it does on what it has not seen


NAMES = {
    "frozen": N_("new head, frozen body"),
    "whole": N_("new head, whole model"),
    "scratch": N_("all from scratch"),
}
ROLES = {"frozen": "accent", "whole": "key", "scratch": "residual"}
_DONE = {
    "frozen": N_("With a frozen body the head labels {held} of the held-out sentences correctly."),
    "whole": N_("When the whole model learns, it is {held}."),
    "scratch": N_("From scratch it is {held}, although the loss on its own sentences is {loss}."),
}


class TrainingView(View[Training, InThreeWays]):
    """A training in the ways that are compared."""

    Params, needs = Training, BODY

    def requests(self, params: Training) -> tuple[Request, ...]:
        return (
            FineTuneRequest(
                params.model, params.lines, params.pooled, params.ways, params.tuning_seed
            ),
        )


class TuneLearningView(TrainingView):
    """Three losses, and below them three shares of right labels."""

    name = "tune.learning"

    def compute(self, runs: Sequence[JobProgress], params: Training) -> InThreeWays:
        return InThreeWays.of(runs[0].records, params.ways)

    def values(self, record: InThreeWays) -> Mapping[str, Values]:
        values = {}
        for way, reports in record.told.items():
            axes = (Along("step", _("step"), [str(report.step) for report in reports]),)
            values[f"{way}_loss"] = Values(_("loss in nats"), _of(reports, "loss"), axes)
            values[f"{way}_train"] = Values(_("right, learned from"), _of(reports, "train"), axes)
            values[f"{way}_held"] = Values(_("right, held out"), _of(reports, "held"), axes)
        return values

    def describe(self, record: InThreeWays) -> Sentence:
        if not record.finished:
            way, now = list(record.last.items())[-1]
            return sentence(
                _("{way}: after step {step} the loss is {loss}, and {held} of the held-out "
                  "sentences get the right label."),
                way=_(NAMES[way])[:1].upper() + _(NAMES[way])[1:], step=str(now.step),
                loss=number(now.loss), held=Mark(percent(now.held), "accent"),
            )  # fmt: skip
        return join([
            sentence(_(template), held=Mark(percent(record.last[way].held), "accent"),
                     loss=number(record.last[way].loss))
            for way, template in _DONE.items() if way in record.last
        ])  # fmt: skip

    def draw(self, record: InThreeWays) -> Plot:
        first = next(iter(record.last.values()))
        chance = 1 / len(first.labels)
        return Plot(
            title=_("Learning from a few sentences"),
            x=PlotAxis(title=_("training step"), range=(0, max(1, first.steps))),
            y=PlotAxis(title=_("loss in nats"), from_zero=True),
            series=_curves(record, "loss", "{name}: {y:.3f}"),
            below=[
                Panel(
                    y=PlotAxis(title=_("right, held out"), range=(0, 1.05)),
                    series=_curves(record, "held", "{name}: {y:.2f}", legend=False),
                    rules=[Rule(y=chance, text=_("by chance"), role="residual", dash="dot")],
                    share=0.5,
                )
            ],
            unified=True,
            height=460,
        )


def _of(reports: Sequence[Tuned], field: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([float(getattr(report, field)) for report in reports])


def _curves(record: InThreeWays, field: str, hover: str, *, legend: bool = True) -> list[Curve]:
    return [
        Curve(
            x=np.array([report.step for report in reports]), y=_of(reports, field),
            name=_(NAMES[way]),
            role=ROLES[way], hover=hover, legend=legend,
        )
        for way, reports in record.told.items()
    ]  # fmt: skip


# --- the three heads side by side: what each has right, and what it says of unlabelled sentences


class TuneAskedView(TrainingView):
    """For each way a bar: sentences learned from, held out, and those that were only asked."""

    name = "tune.asked"

    def compute(self, runs: Sequence[JobProgress], params: Training) -> InThreeWays:
        n_held = len(read_lines(params.lines).held)
        return replace(InThreeWays.of(runs[0].records, params.ways), n_held=n_held)

    def values(self, record: InThreeWays) -> Mapping[str, Values]:
        first = next(iter(record.last.values()))
        ways = Along("way", _("what learns"), [_(NAMES[way]) for way in record.ways])
        right = np.full((len(record.ways), 2), np.nan)
        probs = np.full((len(record.ways), len(first.asked), len(first.labels)), np.nan)
        for n, way in enumerate(record.ways):
            if way in record.last:
                now = record.last[way]
                right[n], probs[n] = (now.train, now.held), now.probs
        halves = Along("half", _("sentences"), [_("learned from"), _("held out")])
        texts = Along("asked", _("sentence"), list(first.asked))
        labels = Along("label", _("label"), list(first.labels))
        return {
            "right": Values(_("share of right labels"), right, (ways, halves)),
            "probability": Values(_("probability"), probs, (ways, texts, labels)),
        }

    def describe(self, record: InThreeWays) -> Sentence:
        way, now = max(record.last.items(), key=lambda item: item[1].held)
        return sentence(
            _("So far the best on held-out sentences is: {way}, with {held}."),
            way=Mark(_(NAMES[way]), "strong"),
            held=Mark(percent(now.held), "accent"),
        )

    def notes(self, record: InThreeWays) -> Sequence[Note]:
        """Why a head on the same frozen body is not right equally often on a cut body and here."""
        first = next(iter(record.last.values()))
        template = _(
            "The head above reads the same frozen features, each brought to one scale, and is "
            "fitted to the end. Here it reads them as they are and takes {steps} steps, so "
            "the two shares need not be equal. Only {n} sentences are held out, so each "
            "counts much."
        )
        return (Note("more", sentence(template, steps=str(first.steps), n=str(record.n_held))),)

    def draw(self, record: InThreeWays) -> Bars:
        values = self.values(record)
        right, probs = values["right"].array, values["probability"].array
        first = next(iter(record.last.values()))
        rows = [
            BarRow("train", _("right, learned from")),
            BarRow("held", _("right, held out")),
            *(
                BarRow(
                    f"asked-{n}", _("“{label}”: {text}").format(label=first.labels[0], text=text)
                )
                for n, text in enumerate(first.asked)
            ),
        ]
        bars = np.concatenate([right, probs[:, :, 0]], axis=1)
        return Bars(
            title=_("Right labels, and the probability of a label"),
            frames=[BarFrame(rows)],
            values=bars[None],
            series=[Series(_(NAMES[way]), ROLES[way]) for way in record.ways],
            wide=True,
            given=True,
        )


# --- what a model that was fine-tuned says of a text, or of a pair of texts: each label's share


@dataclass(frozen=True, slots=True)
class OnOneText(OnText):
    """A text that is given a label."""

    model: str = model_param(SORTER)


@dataclass(frozen=True, slots=True)
class OnTwoTexts:
    """Two texts: does the second follow from the first?

    The first two are lecture 002's.
    """

    model: str = model_param(SORTER)
    premise: str = param("Sam lives in Los Angeles.", label=N_("Premise"))
    hypothesis: str = param("Sam lives in California.", label=N_("Hypothesis"))


@dataclass(frozen=True)
class Sorted:
    """A run, and how likely it makes each label.

    Attributes:
        run: it.
        model: whose.
        given: what it has read.
    """

    run: Run
    model: str
    given: inputs.Input

    @property
    def cut(self) -> str:
        """What of the text did not fit."""
        return self.run.cut

    @property
    def site(self) -> str:
        """The site of the classifier's logits."""
        return self.run.trace.blueprint.classifier.site

    @property
    def labels(self) -> tuple[str, ...]:
        return self.run.trace.blueprint.classifier.labels

    @property
    def shares(self) -> NDArray[np.float64]:
        """A probability for each label, ``(L,)``."""
        return softmax(self.run.trace[self.site])

    @property
    def best(self) -> int:
        return int(self.shares.argmax())


P = TypeVar("P", OnOneText, OnTwoTexts)


class LabelsView(View[P, Sorted]):
    """A bar for each label."""

    def requests(self, params: P) -> tuple[Request, ...]:
        return (TraceRequest(params.model, self.given(params), sites=(LABELS,)),)

    @staticmethod
    @abstractmethod
    def given(params: Any) -> inputs.Input:
        """What the model reads."""

    def compute(self, runs: Sequence[Run], params: P) -> Sorted:
        return Sorted(runs[0], params.model, self.given(params))

    def values(self, record: Sorted) -> Mapping[str, Values]:
        logits = record.run.trace[record.site]
        return label_values(record.labels, record.shares, logits, record.site)

    def describe(self, record: Sorted) -> Sentence:
        return sentence(
            _("{model} chooses {label}, with {share}."),
            model=name_of(record.model),
            label=Mark(in_quotes(record.labels[record.best]), "strong"),
            share=Mark(percent(float(record.shares[record.best])), "accent"),
        )

    def draw(self, record: Sorted) -> Bars:
        return label_bars(label_title(record.model), record.labels, record.shares)

    def site(self, record: Sorted) -> str:
        return record.site

    def facts(self, record: Sorted) -> Sequence[str]:
        trace = record.run.trace
        n, ms = len(trace.units), f"{trace.seconds * 1e3:.0f}"
        return (
            name_of(record.model),
            ngettext("{n} token", "{n} tokens", n).format(n=n),
            _("ran in {ms} ms").format(ms=ms),
            _("every number is from this run"),
        )


class TuneTextView(LabelsView[OnOneText]):
    """What kind of text a text is."""

    name, Params, needs = "tune.text", OnOneText, Needs("classify_text")

    @staticmethod
    def given(params: OnOneText) -> inputs.Input:
        return inputs.Text(params.text)


class TunePairView(LabelsView[OnTwoTexts]):
    """How two texts go together."""

    name, Params, needs = "tune.pair", OnTwoTexts, Needs("classify_pair")

    def requests(self, params: OnTwoTexts) -> tuple[Request, ...]:
        whole = params.premise.strip() and params.hypothesis.strip()
        return super().requests(params) if whole else ()

    def compute(self, runs: Sequence[Run], params: OnTwoTexts) -> Sorted:
        if not runs:
            raise EmptyInputError
        return super().compute(runs, params)

    @staticmethod
    def given(params: OnTwoTexts) -> inputs.Input:
        return inputs.Pair(params.premise, params.hypothesis)

    def texts(self, params: OnTwoTexts) -> Sequence[str]:
        """Of our own pair nobody asks what a model reads."""
        typed = self.given(params) != self.given(OnTwoTexts())
        return [params.premise, params.hypothesis] if typed else []

    def notes(self, record: Sorted) -> Sequence[Note]:
        if record.given != self.given(OnTwoTexts()):
            return ()
        template = _(
            "It follows for whoever knows where Los Angeles is. Small models have read "
            "little of that."
        )
        return (Note("more", sentence(template)),)


# --- the body cut after each layer: how good a linear head is on what is left ---------


@dataclass(frozen=True)
class LayerHeads:
    """Heads on all layers, and the one that is looked at.

    Attributes:
        cuts: the heads.
        params: what was asked for.
    """

    cuts: Cuts
    params: Cutting

    @property
    def n_kept(self) -> int:
        """How many layers are kept."""
        return nearest("cut_layers", self.params.cut_layers, len(self.cuts.held) - 1)

    @property
    def along(self) -> Along:
        """The places of the cut."""
        return Along("layers", _("layers that are kept"), list(map(str, range(self.n))))

    @property
    def n(self) -> int:
        """How many places there are to cut the body at."""
        return len(self.cuts.held)


class CutsView(View[Cutting, LayerHeads]):
    """Each layer's states, and what can be read from them."""

    Params, needs = Cutting, BODY

    def requests(self, params: Cutting) -> tuple[Request, ...]:
        return (CutsRequest(params.model, params.lines, params.pooled, params.text),)

    def compute(self, runs: Sequence[Cuts], params: Cutting) -> LayerHeads:
        return LayerHeads(runs[0], params)


class TuneLayersView(CutsView):
    """A curve for the sentences that it learned from, one for those held out."""

    name = "tune.layers"

    def values(self, record: LayerHeads) -> Mapping[str, Values]:
        axes, chosen = (record.along,), (record.n_kept,)
        return {
            "held": Values(_("right, held out"), record.cuts.held, axes, selected=chosen),
            "train": Values(_("right, learned from"), record.cuts.train, axes, selected=chosen),
        }

    def describe(self, record: LayerHeads) -> Sentence:
        held = record.cuts.held
        best = np.flatnonzero(held == held.max())
        summary = ngettext(
            "After {kept} layer a linear head labels {held} of the {n} held-out sentences "
            "correctly.",
            "After {kept} layers a linear head labels {held} of the {n} held-out sentences "
            "correctly.",
            record.n_kept,
        )
        more = (
            _("On these few every cut does as well.")
            if len(best) == len(held)
            else ngettext(
                "On these few the best cut is after {best}, with {most}.",
                "On these few the best cuts are after {best}, with {most} each.",
                len(best),
            )
        )
        return sentence(
            f"{summary} {more} " + _("By chance it would be {chance}."),
            kept=str(record.n_kept),
            held=Mark(percent(float(held[record.n_kept])), "accent"),
            n=str(record.cuts.n_held),
            best=listed(map(str, best)),
            most=Mark(percent(float(held.max())), "accent"),
            chance=percent(1 / len(record.cuts.labels)),
        )

    def controls(self, record: LayerHeads) -> Sequence[Control]:
        """A body has no more layers than it has."""
        return (Control("cut_layers", str(record.n_kept), "range", low=0, high=record.n - 1),)

    def draw(self, record: LayerHeads) -> Plot:
        chance = 1 / len(record.cuts.labels)
        x = np.arange(record.n)
        return Plot(
            title=_("Right labels, by where the body is cut"),
            x=PlotAxis(title=_("layers that are kept"), every=1),
            y=PlotAxis(title=_("share of right labels"), range=(0, 1.05)),
            series=[
                Curve(x=x, y=record.cuts.train, name=_("learned from"), role="residual",
                      dash="dash", hover="{name}: {y:.2f}"),
                Curve(x=x, y=record.cuts.held, name=_("held out"), role="accent", markers=7,
                      hover="{name}: {y:.2f}"),
                Points(x=x[[record.n_kept]], y=record.cuts.held[[record.n_kept]], role="warning",
                       name=_("this cut"), size=13, symbol="diamond"),
            ],
            rules=[Rule(y=chance, text=_("by chance"), role="residual", dash="dot")],
            height=320,
            fixed=True,
        )  # fmt: skip


# --- what a head on the layer of the cut says of a text -------------------------------


class TuneSaidView(CutsView):
    """A bar for each label."""

    name = "tune.said"

    def values(self, record: LayerHeads) -> Mapping[str, Values]:
        labels = Along("label", _("label"), list(record.cuts.labels))
        best = int(record.cuts.probs[record.n_kept].argmax())
        return {
            "probability": Values(
                _("probability"), record.cuts.probs, (record.along, labels),
                selected=(record.n_kept, best),
            )
        }  # fmt: skip

    def describe(self, record: LayerHeads) -> Sentence:
        shares = record.cuts.probs[record.n_kept]
        best = int(shares.argmax())
        return sentence(
            ngettext(
                "The head after {kept} layer calls your text {label}, with {share}.",
                "The head after {kept} layers calls your text {label}, with {share}.",
                record.n_kept,
            ),
            kept=str(record.n_kept),
            label=Mark(in_quotes(record.cuts.labels[best]), "strong"),
            share=Mark(percent(float(shares[best])), "accent"),
        )

    def draw(self, record: LayerHeads) -> Bars:
        title = _("Your text: probability of each label")
        return label_bars(title, record.cuts.labels, record.cuts.probs[record.n_kept])


# --- labelled sentences before anything is learned from them: how many there are of each label


class TuneSentencesView(View[Tuning, LabelledLines]):
    """For each label two bars: sentences that are learned from, and held out."""

    name, Params, needs = "tune.sentences", Tuning, NO_MODEL

    def compute(self, _runs: Sequence[object], params: Tuning) -> LabelledLines:
        return read_lines(params.lines)

    def values(self, record: LabelledLines) -> Mapping[str, Values]:
        halves = Along("half", _("sentences"), [_("learned from"), _("held out")])
        counters = [Counter(line.label for line in half) for half in (record.train, record.held)]
        counts = np.array([[counter[label] for label in record.labels] for counter in counters])
        labels = Along("label", _("label"), list(record.labels))
        return {"count": Values(_("sentences"), counts, (halves, labels))}

    def describe(self, record: LabelledLines) -> Sentence:
        return sentence(
            _("{train} sentences to learn from, {held} held out, {asked} only asked about. Labels: "
              "{labels}"),
            train=str(len(record.train)), held=str(len(record.held)),
            asked=str(len(record.asked)), labels=", ".join(record.labels),
        )  # fmt: skip

    def draw(self, record: LabelledLines) -> Bars:
        counts = self.values(record)["count"].array.astype(float)
        rows = [BarRow(str(n), label) for n, label in enumerate(record.labels)]
        return Bars(
            title=_("Sentences of each label"),
            frames=[BarFrame(rows)],
            values=counts[None],
            series=[Series(_("learned from"), "residual"), Series(_("held out"), "accent")],
            unit="count",
            given=True,
        )
