"""A small Transformer while it learns an exercise: what it gets wrong, writes and looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.data.examples import STAR
from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash, Panel, Rule
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.practised import Practice, Practised
from core.locale import grouped
from core.models.needs import NO_MODEL
from core.runs.kinds.training import PracticeRequest, TrainingSetup
from core.runs.progress import JobProgress
from core.runs.request import Request
from core.views.params import MAX_SEED, param
from core.views.view import Note, View

# --- what the views of a training on an exercise are asked with -----------------------


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
    def way(self) -> TrainingSetup:
        """The way of training that the parameters choose."""
        return TrainingSetup(
            float(self.practice_rate), self.practice_warmup, float(self.practice_smoothing),
            self.seed,
        )  # fmt: skip

    @property
    def other(self) -> TrainingSetup | None:
        """The way that it is compared with; None where that is the same, or none."""
        way = self.way
        changed: dict[str, dict[str, Any]] = {
            "rate": {"rate": 10 * way.rate},
            "warmup": {"warmup": 1},
            "smoothing": {"smoothing": 0.1},
            "seed": {"seed": (self.seed + 1) % (MAX_SEED + 1)},
        }
        other = replace(way, **changed.get(self.beside, {}))
        return None if other == way else other

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
class PracticeProgress:
    """A training as far as it has come, and the one beside it."""

    params: Practising
    training: Practice
    other: Practice | None


class PracticeView(View[Practising, PracticeProgress]):
    """What the figures have in common."""

    Params, needs = Practising, NO_MODEL

    def requests(self, params: Practising) -> tuple[Request, ...]:
        return (params.request,)

    def compute(self, runs: Sequence[JobProgress], params: Practising) -> PracticeProgress:
        training, *other = Practice.each(runs[0].records)
        return PracticeProgress(params, training, other[0] if other else None)


# --- a small Transformer while it learns: losses, right sequences, learning rate, gradient


LEARNED = 0.99  # of whole sequences
BY_HEART = 1.5  # times its least, and above a tenth of its first: so far a loss may not rise
LINES: Mapping[str, tuple[str, Callable[[Practised], float]]] = {
    "loss": (N_("loss in training"), lambda report: report.loss),
    "unseen": (N_("loss, held out"), lambda report: report.unseen),
    "whole": (N_("whole sequences right, step by step"), lambda report: report.whole),
    "forced": (N_("whole sequences right, with teacher forcing"), lambda report: report.forced),
    "rate": (N_("learning rate"), lambda report: report.rate),
    "norm": (N_("size of the gradient"), lambda report: report.norm),
}


class LearningPracticeView(PracticeView):
    """Four panels over the steps; the training beside it in another colour."""

    name = "learning.practice"

    def values(self, record: PracticeProgress) -> Mapping[str, Values]:
        values = {}
        for before, which, practice in _each(record):
            along = (Along("step", _("step"), [str(report.step) for report in practice.told]),)
            for name, (label, of) in LINES.items():
                title = f"{_(label)}{which}"
                values[before + name] = Values(title, practice.line(of), along)
        return values

    def describe(self, record: PracticeProgress) -> Sentence:
        last = record.training.last
        if not last.steps:
            return sentence(
                _("Before the first step the model gets {whole} of the held-out sequences right. "
                  "Its loss is {loss} nats per symbol."),
                whole=Mark(percent(last.whole), "accent"), loss=number(last.unseen),
            )  # fmt: skip
        now = sentence(
            _("After {step} of {steps} steps the model writes {whole} of the held-out sequences "
              "without a mistake. With the right symbols before each it gets {forced} whole."),
            step=grouped(last.step), steps=grouped(last.steps),
            whole=Mark(percent(last.whole), "accent"), forced=percent(last.forced),
        )  # fmt: skip
        sentences = [now]
        learned = record.training.learned_at(LEARNED)
        if learned is not None:
            sentences.append(
                sentence(_("It has been above {share} since step {step}."), share=percent(LEARNED),
                         step=grouped(learned))
            )  # fmt: skip
        sentences += _by_heart(record.training)
        if record.other is not None:
            other = record.other.last
            sentences.append(
                sentence(
                    _("With “{change}”, after {step} steps, it is {whole}."),
                    change=_(BESIDES[record.params.beside]), step=grouped(other.step),
                    whole=Mark(percent(other.whole), "key"),
                )
            )  # fmt: skip
        return join(sentences)

    def draw(self, record: PracticeProgress) -> Plot:
        def curves(*names: str, legend: bool = True) -> list[Curve]:
            return [
                _curve(practice, name, before, which, legend=legend)
                for before, which, practice in _each(record) for name in names
            ]  # fmt: skip

        steps = record.training.last.steps or STEPS
        return Plot(
            title=_("Learning to {exercise}").format(
                exercise=_(EXERCISES[record.params.exercise])
            ),
            x=PlotAxis(title=_("training step"), range=(0, steps)),
            y=PlotAxis(title=_("loss in nats"), from_zero=True),
            series=curves("loss", "unseen"),
            below=[
                Panel(y=PlotAxis(title=_("share right"), range=(0, 1.05)),
                      series=curves("whole", "forced"), rules=[Rule(y=LEARNED)], share=0.3),
                Panel(y=PlotAxis(title=_("rate"), from_zero=True),
                      series=curves("rate", legend=False), share=0.16),
                Panel(y=PlotAxis(title=_("gradient"), from_zero=True),
                      series=curves("norm", legend=False), share=0.18),
            ],
            unified=True,
            height=620,
        )  # fmt: skip

    def notes(self, record: PracticeProgress) -> Sequence[Note]:
        if record.params.practising:
            return ()
        text = sentence(
            _("It is untrained. Training takes about a quarter of a minute, and longer while "
              "the computer is busy.")
        )  # fmt: skip
        return (Note("more", text),)

    def line(self, record: PracticeProgress) -> tuple[str, str]:
        return "core/live_training/practice.py", "norm = torch.nn.utils.clip_grad_norm_("


def _by_heart(practice: Practice) -> list[Sentence]:
    """That the loss on what is held out has risen again, if it has."""
    unseen = practice.line(lambda report: report.unseen)
    if unseen[-1] <= max(BY_HEART * unseen.min(), 0.1 * unseen[0]):
        return []
    step = practice.told[int(unseen.argmin())].step
    words = sentence(
        _("The loss on what is held out was lowest at step {step}, with {least}, and is {now} "
          "now: the model learns by heart."),
        step=grouped(step), least=number(float(unseen.min())),
        now=Mark(number(float(unseen[-1])), "warning"),
    )  # fmt: skip
    return [words]


def _each(record: PracticeProgress) -> list[tuple[str, str, Practice]]:
    """The trainings: what stands before their names, what is said behind, and what is known."""
    trainings = [("", "", record.training)]
    if record.other is not None:
        trainings.append(("other_", f" ({_(BESIDES[record.params.beside])})", record.other))
    return trainings


def _curve(practice: Practice, name: str, before: str, which: str, *, legend: bool) -> Curve:
    label, of = LINES[name]
    dash: Dash = "dash" if name in ("unseen", "forced") else "solid"
    role = "key" if before else "value" if name in ("whole", "forced") else "accent"
    return Curve(
        x=np.array([report.step for report in practice.told]), y=practice.line(of),
        name=f"{_(label)}{which}", role=role, dash=dash,
        markers=4 if len(practice.told) == 1 else 0, hover="{name}: {y:.4f}",
        legend=legend and (not before or name == "loss"),
    )  # fmt: skip


# --- what a small Transformer writes for held-out sequences while it learns -----------


NOTHING, GIVEN, RIGHT, WRONG = range(4)
MARKS = {"^": "⟨s⟩", "|": "⟨e⟩", " ": "·"}


def symbols(text: str) -> list[str]:
    """The symbols of a sequence, its marks in words."""
    return [MARKS.get(symbol, symbol) for symbol in text]


class LearningSamplesView(PracticeView):
    """Three sequences: what is given, what should be written, and what is."""

    name = "learning.samples"

    def values(self, record: PracticeProgress) -> Mapping[str, Values]:
        last = record.training.last
        along = (Along("sample", _("sequence"), [str(n + 1) for n in range(len(last.sources))]),)
        lines = {"given": (_("given"), last.sources), "wanted": (_("should be"), last.wanted),
                 "written": (_("written"), last.written)}  # fmt: skip
        return {
            name: Values(
                label, np.array([" ".join(symbols(text)) for text in several], object), along
            )
            for name, (label, several) in lines.items()
        }

    def describe(self, record: PracticeProgress) -> Sentence:
        last = record.training.last
        pairs = [(a, b) for target, other in zip(last.wanted, last.written, strict=True)
                 for a, b in zip(target, other, strict=True)]  # fmt: skip
        right = sum(a == b for a, b in pairs)
        return sentence(
            _("After {step} steps {right} of the {n} symbols of these sequences are right. The "
              "model was never trained on them."),
            step=grouped(last.step), right=Mark(str(right), "accent"), n=str(len(pairs)),
        )  # fmt: skip

    def draw(self, record: PracticeProgress) -> Matrix:
        last, title = record.training.last, _("What it writes, step by step")
        width = max(map(len, (*last.sources, *last.wanted)))
        labels, texts, kinds = [], [], []
        for source, target, written in zip(last.sources, last.wanted, last.written, strict=True):
            right = [RIGHT if a == b else WRONG for a, b in zip(target, written, strict=True)]
            for label, text, kind in (
                (_("given"), source, [GIVEN] * len(source)),
                (_("written"), written, right),
            ):
                labels.append(label)
                texts.append([*symbols(text), *[""] * (width - len(text))])
                kinds.append([*kind, *[NOTHING] * (width - len(text))])
        sheet = Sheet(
            title=title, array="kinds", texts=texts,
            rows=Axis(labels, "sample_row", "accent", room=90),
            cols=Axis([str(n + 1) for n in range(width)], "symbol_col", "residual"),
            scale=Scale("category"), max_cell=46, row_height=26, alt="",
            categories=[
                Category(_("nothing here"), "surface"),
                Category(_("given"), "residual", share=0.16),
                Category(_("right symbol"), "accent", share=0.4),
                Category(_("wrong symbol"), "warning", share=0.5),
            ],
            axes=sentence(_("columns: positions · blue: right · orange: wrong · ⟨s⟩ and ⟨e⟩: start "
                  "and end")),
        )  # fmt: skip
        array = np.array(kinds, np.uint8)
        return Matrix(sheets=[sheet], arrays={"kinds": array})


# --- where a small Transformer looks while it writes an exercise's target -------------


class LearningLooksView(PracticeView):
    """Cross-attention of one head for the first held-out sequence."""

    name = "learning.looks"

    def values(self, record: PracticeProgress) -> Mapping[str, Values]:
        axes = (Along("query", _("is to write"), _rows(record)),
                Along("key", _("attends to"), _cols(record)))  # fmt: skip
        return {"weights": Values(_("weight"), _weights(record), axes)}

    def describe(self, record: PracticeProgress) -> Sentence:
        weights, last = _weights(record), record.training.last
        query, key = np.unravel_index(int(weights.argmax()), weights.shape)
        return sentence(
            _("After {step} steps head {head} has its largest weight, {share}, where it is to "
              "write symbol {query} and attends to symbol {key} of the source."),
            step=grouped(last.step), head=str(record.params.practice_head),
            share=Mark(percent(float(weights[query, key])), "weight"),
            query=str(int(query) + 1), key=str(int(key) + 1),
        )  # fmt: skip

    def draw(self, record: PracticeProgress) -> Matrix:
        title = _("Cross-attention, head {head}, after {step} steps").format(
            head=record.params.practice_head, step=grouped(record.training.last.step)
        )
        sheet = Sheet(
            title=title, array="weights", rows=Axis(_rows(record), "symbol_row", "query"),
            cols=Axis(_cols(record), "symbol_col", "key"), scale=Scale("weight"), max_cell=30,
            alt="",
            axes=sentence(_("rows: the symbol to be written · columns: symbols of the source")),
        )  # fmt: skip
        weights = _weights(record).astype(np.float32)
        return Matrix(sheets=[sheet], arrays={"weights": weights})


def _weights(record: PracticeProgress) -> np.ndarray:
    weights: np.ndarray = record.training.last.weights[record.params.practice_head]
    return weights


def _rows(record: PracticeProgress) -> list[str]:
    return symbols(record.training.last.wanted[0])


def _cols(record: PracticeProgress) -> list[str]:
    return symbols(record.training.last.sources[0])
