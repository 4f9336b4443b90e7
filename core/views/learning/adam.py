"""Adam by hand on one weight, and what it makes of sixty gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import ParameterError
from core.figures.components import Axis, How, Matrix, Scale, Sheet, Stepper
from core.figures.components.arithmetic import (
    Apply,
    ArithmeticStep,
    Of,
    Products,
    Quotient,
    Sum,
    Times,
    Value,
)
from core.figures.components.plot import BarSeries, Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Panel, Rule
from core.figures.text import MINUS, Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, Phrase, _
from core.live_training.optimised import AdamRun, Floats
from core.models.needs import NO_MODEL
from core.runs.kinds.training import AdamRequest
from core.runs.request import Request
from core.views.nearest import nearest
from core.views.norm import as_float32, largest, read_vector
from core.views.params import MAX_SEED, param
from core.views.view import View

# --- what the views of Adam are asked with: its settings, and what they make of gradients


# As they are written in a link, and for people.
EPS = {"1e-9": "10⁻⁹", "1e-6": "10⁻⁶", "1e-4": "10⁻⁴", "0.01": "10⁻²", "0.1": "10⁻¹", "1": "1"}
RATES = {"0.001": "0.001", "0.01": "0.01", "0.1": "0.1", "1": "1"}


@dataclass(frozen=True, slots=True)
class Adam:
    """The settings of Adam; it opens on those of Vaswani et al. 2017, section 5.3.

    Attributes:
        beta1: how much of the average of the gradients is kept.
        beta2: how much of the average of their squares is kept.
        adam_eps: added to the root.
    """

    beta1: float = param(0.9, low=0.0, high=0.999, label="β₁")
    beta2: float = param(0.98, low=0.0, high=0.9999, label="β₂")
    adam_eps: str = param("1e-9", choices=EPS, label="ε")


def request_of(params: Adam, gradients: Floats, rate: float) -> AdamRequest:
    """A weight that is given these gradients."""
    betas = (params.beta1, params.beta2)
    return AdamRequest(tuple(map(float, gradients)), rate, betas, float(params.adam_eps))


@dataclass(frozen=True, eq=False)
class Corrected:
    """The averages after a correction for their beginning at 0, and what is made of them.

    Attributes:
        run: what the optimiser kept.
        params: its settings.
    """

    run: AdamRun
    params: Adam

    @property
    def n(self) -> int:
        """How many steps are drawn."""
        return len(self.run.gradients)

    def _left(self, beta: float) -> Floats:
        """1 − β^t of each step: what of the average does not stem from its beginning."""
        return 1 - np.power(beta, np.arange(1, self.n + 1), dtype=np.float64)

    @property
    def left1(self) -> Floats:
        return self._left(self.params.beta1)

    @property
    def left2(self) -> Floats:
        return self._left(self.params.beta2)

    @property
    def mean(self) -> Floats:
        """m̂."""
        return self.run.mean / self.left1

    @property
    def square(self) -> Floats:
        """v̂."""
        return self.run.square / self.left2

    @property
    def root(self) -> Floats:
        """√v̂."""
        return np.sqrt(np.maximum(self.square, 0.0))

    @property
    def divisor(self) -> Floats:
        """√v̂ + ε."""
        return self.root + float(self.params.adam_eps)

    @property
    def ratio(self) -> Floats:
        """How many learning rates the weight moves."""
        return self.mean / self.divisor


# --- adam by hand: one weight, a few gradients, every number that moves it ------------


MOST = 8  # gradients
ROWS = ("g", "m", "v", "m̂", "v̂", "√v̂ + ε", "m̂ / (√v̂ + ε)", "w")
NAMES = ("gradient", "mean", "square", "mean_hat", "square_hat", "divisor", "ratio", "weight")


@dataclass(frozen=True, slots=True)
class ByHand(Adam):
    """A few gradients of one weight.

    Attributes:
        gradients: one for each step, with commas between them.
        adam_rate: of learning.
        row: the line of the computation.
        col: the step.
    """

    gradients: str = param("0.1, 0.3, -0.2", high=200, label=N_("Gradients"))
    adam_rate: str = param("0.01", choices=RATES, label=N_("Learning rate"))
    row: int = param(7, low=0, high=100_000, lives="browser", label=N_("Row"))
    col: int = param(1, low=0, high=100_000, lives="browser", label=N_("Column"))


def _field_phrase() -> Phrase:
    """The field, as a message names it."""
    return Phrase(N_("the list “Gradients”"))


@dataclass(frozen=True, eq=False)
class Moved:
    """A weight that Adam moved, and what was asked for."""

    params: ByHand
    adam: Corrected

    @property
    def rate(self) -> float:
        return float(self.params.adam_rate)

    @property
    def row(self) -> int:
        return nearest("row", self.params.row, len(ROWS) - 1)

    @property
    def col(self) -> int:
        return nearest("col", self.params.col, self.adam.n - 1)

    @property
    def lines(self) -> list[Floats]:
        """The numbers of each row."""
        adam, run = self.adam, self.adam.run
        return [run.gradients, run.mean, run.square, adam.mean, adam.square, adam.divisor,
                adam.ratio, run.weight]  # fmt: skip

    @property
    def steps(self) -> list[str]:
        return [str(n + 1) for n in range(self.adam.n)]


class LearningAdamView(View[ByHand, Moved]):
    """A row for each line of the algorithm, a column for each step of training."""

    name, Params, needs = "learning.adam", ByHand, NO_MODEL

    def requests(self, params: ByHand) -> tuple[Request, ...]:
        try:
            gradients = read_vector(params.gradients, _field_phrase(), MOST)
        except ParameterError:
            return ()  # what is wrong is said where it is computed
        return (request_of(params, gradients, float(params.adam_rate)),)

    def compute(self, runs: Sequence[AdamRun], params: ByHand) -> Moved:
        if not runs:
            read_vector(params.gradients, _field_phrase(), MOST)
        return Moved(params, Corrected(runs[0], params))

    def values(self, record: Moved) -> Mapping[str, Values]:
        along, place = (Along("step", _("step"), record.steps),), (record.col,)
        values = {
            name: Values(label, line, along, selected=place)
            for name, label, line in zip(NAMES, ROWS, record.lines, strict=True)
        }
        set_ = {
            "beta1": ("β₁", record.params.beta1),
            "beta2": ("β₂", record.params.beta2),
            "eps": ("ε", float(record.params.adam_eps)),
            "rate": (_("learning rate"), record.rate),
        }
        return values | {name: Values(label, np.array(x)) for name, (label, x) in set_.items()}

    def describe(self, record: Moved) -> Sentence:
        adam, last = record.adam, record.adam.n - 1
        moved = sentence(
            _("In step 1 the weight moves by {first}: {ratio} learning rates, whatever the size "
              "of the gradient."),
            first=Mark(number(float(adam.run.weight[0])), "accent"),
            ratio=number(float(adam.ratio[0])),
        )  # fmt: skip
        if float(record.params.adam_eps) > 0.01 * float(adam.root[0]):
            moved = sentence(
                _("In step 1 the weight moves by {first}, {ratio} learning rates: here ε counts "
                  "beside √v̂ = {root}."),
                first=Mark(number(float(adam.run.weight[0])), "accent"),
                ratio=number(float(adam.ratio[0])), root=number(float(adam.root[0])),
            )  # fmt: skip
        end = sentence(
            _("After step {n} it is at {weight}."),
            n=str(last + 1), weight=Mark(number(float(adam.run.weight[last])), "strong"),
        )  # fmt: skip
        return join([moved, end])

    def draw(self, record: Moved) -> Matrix:
        lines, title = record.lines, _("Adam, step by step, on one weight")
        sheet = Sheet(
            title=title,
            array="rows",
            glyph="bars",
            grows=True,
            numbers=True,
            rows=Axis(ROWS, "row", "accent", room=130),
            cols=Axis([_("step {n}").format(n=n) for n in record.steps], "col", "residual"),
            scale=Scale("signed", limits=largest(lines)),
            max_cell=132,
            row_height=44,
            alt="",
            axes=sentence(_("rows: lines of the algorithm · columns: steps of training")),
            how=How(_("{row} in {col}"), per_row=_how()),
        )
        return Matrix(
            selection={"row": record.row, "col": record.col},
            sheets=[sheet], arrays=_operands(record),
        )  # fmt: skip

    def line(self, record: Moved) -> tuple[str, str]:
        return "core/live_training/by_hand.py", "optimiser = torch.optim.AdamW("

    def steps(self, record: Moved) -> Stepper:
        return Stepper(
            title=_("The lines of Adam"),
            selection={"row": record.row, "col": record.col},
            first=record.row,
            field="row",
            titles=_titles(),
            texts=_texts(record),
            pace=2200,
        )


def _operands(record: Moved) -> dict[str, np.ndarray]:
    """What is drawn, and what the arithmetic names."""
    adam, run, params = record.adam, record.adam.run, record.params
    before = [np.concatenate([[0.0], values[:-1]]) for values in (run.mean, run.square, run.weight)]
    return as_float32(
        rows=np.stack(record.lines), g=run.gradients, m=run.mean, v=run.square, w=run.weight,
        of_m=np.stack([before[0], run.gradients], axis=1),
        of_v=np.stack([before[1], run.gradients**2], axis=1),
        betas1=[params.beta1, 1 - params.beta1], betas2=[params.beta2, 1 - params.beta2],
        left1=adam.left1, left2=adam.left2, mean=adam.mean, square=adam.square, root=adam.root,
        eps=float(params.adam_eps), divisor=adam.divisor, ratio=adam.ratio,
        minus_rate=-record.rate, before=before[2], moves=run.weight - before[2],
    )  # fmt: skip


def _how() -> list[list[ArithmeticStep]]:
    """The arithmetic of each row."""

    def operand(name: str) -> Of:
        return Of(name, at="col")

    def average(title: str, name: str, betas: str, of: str) -> list[ArithmeticStep]:
        return [Products(title=title, now=True, name=name, a=Of(betas), b=Of(of, row="col"),
                         result=operand(name))]  # fmt: skip

    def over(title: str, a: str, b: str, result: str) -> ArithmeticStep:
        return Quotient(title=title, now=True, a=operand(a), b=operand(b), result=operand(result))

    return [
        [Value(title=_("The gradient of this step"), now=True, name="g", result=operand("g"))],
        average(_("β₁ of the old average, 1 − β₁ of the new gradient"), "m", "betas1", "of_m"),
        average(_("β₂ of the old average, 1 − β₂ of the new square"), "v", "betas2", "of_v"),
        [over(_("Divide by 1 − β₁ to the power of the step"), "m", "left1", "mean")],
        [over(_("Divide by 1 − β₂ to the power of the step"), "v", "left2", "square")],
        [
            Apply(title=_("The root"), name="√", x=operand("square"), result=operand("root")),
            Sum(title=_("Add ε"), now=True, terms=(operand("root"), Of("eps")),
                result=operand("divisor")),
        ],
        [over(_("Divide the averages"), "mean", "divisor", "ratio")],
        [
            Times(title=_("Minus the learning rate, times the ratio"), a=Of("minus_rate"),
                  b=operand("ratio"), result=operand("moves")),
            Sum(title=_("Add it to the weight"), now=True,
                terms=(operand("before"), operand("moves")),
                result=operand("w")),
        ],
    ]  # fmt: skip


def _titles() -> list[str]:
    return [
        _("The gradients"),
        _("Their running average"),
        _("The running average of their squares"),
        _("Correct the first average"),
        _("Correct the second average"),
        _("The root of the second one"),
        _("Divide the averages"),
        _("Move the weight"),
    ]


def _texts(record: Moved) -> list[Sentence]:
    params = record.params
    beta1, beta2 = number(params.beta1, 4), number(params.beta2, 4)
    return [
        sentence(_("The loss gives the weight one gradient per step.")),
        sentence(_("m keeps {beta} of what it was and takes the rest from the new gradient. "
                   "It begins at 0."), beta=beta1),
        sentence(_("v does the same with the squares, and keeps {beta}."), beta=beta2),
        sentence(_("m began at 0, so it is too small at first. Dividing by 1 − β₁ᵗ corrects "
                   "that.")),
        sentence(_("v is corrected in the same way with β₂.")),
        sentence(_("The root of v̂ has the size of a usual gradient. ε keeps it from being 0.")),
        sentence(_("A steady gradient gives a ratio near 1 or {minus}1. If its sign changes, the "
                   "ratio is smaller."), minus=MINUS),
        sentence(_("The weight moves by the learning rate times this ratio, against the "
                   "gradient.")),
    ]  # fmt: skip


# --- what Adam makes of sixty gradients of one kind, as curves ------------------------


N, SIZE, RATE = 60, 0.1, 1.0  # steps; a usual gradient; so that a step counts in learning rates
KINDS = {
    "noisy": N_("noisy"),
    "steady": N_("steady"),
    "turning": N_("its sign changes at every step"),
    "rare": N_("rare: 0 but at every tenth step"),
    "tiny": N_("noisy and a million times smaller"),
}


@dataclass(frozen=True, slots=True)
class OfKind(Adam):
    """Gradients of one kind.

    Attributes:
        gradient_kind: of ``KINDS``.
        gradient_seed: of the noise.
    """

    gradient_kind: str = param("noisy", choices=KINDS, label=N_("Gradients are"))
    gradient_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed of the noise"))


@dataclass(frozen=True, eq=False)
class Smoothed:
    """The averages over the steps, and what was asked for."""

    params: OfKind
    adam: Corrected


def gradients_of(params: OfKind) -> Floats:
    """Gradients of a kind, ``(N,)``."""
    steps = np.arange(N)
    if params.gradient_kind == "steady":
        return np.full(N, SIZE)
    if params.gradient_kind == "turning":
        return np.where(steps % 2 == 0, SIZE, -SIZE)
    if params.gradient_kind == "rare":
        return np.where(steps % 10 == 0, SIZE, 0.0)
    drawn = np.random.default_rng(params.gradient_seed).normal(SIZE / 2, SIZE, N)
    return drawn * (1e-6 if params.gradient_kind == "tiny" else 1.0)


class LearningMomentsView(View[OfKind, Smoothed]):
    """Gradients and their averages; below them how far the weight moves."""

    name, Params, needs = "learning.moments", OfKind, NO_MODEL

    def requests(self, params: OfKind) -> tuple[Request, ...]:
        return (request_of(params, gradients_of(params), RATE),)

    def compute(self, runs: Sequence[AdamRun], params: OfKind) -> Smoothed:
        return Smoothed(params, Corrected(runs[0], params))

    def values(self, record: Smoothed) -> Mapping[str, Values]:
        along = (Along("step", _("step"), [str(n + 1) for n in range(N)]),)
        adam = record.adam
        lines = {
            "gradient": (_("gradient"), adam.run.gradients),
            "mean_hat": ("m̂", adam.mean),
            "root": ("√v̂", adam.root),
            "ratio": (_("step in learning rates"), adam.ratio),
        }
        values = {name: Values(label, line, along) for name, (label, line) in lines.items()}
        size = np.abs(adam.ratio[N // 2 :]).mean()
        return values | {"usual": Values(_("usual step in learning rates"), np.array(size))}

    def describe(self, record: Smoothed) -> Sentence:
        ratio = np.abs(record.adam.ratio)
        averages = sentence(
            _("m̂ is about the mean of the last {n1} gradients, √v̂ the size of the last {n2}."),
            n1=number(1 / (1 - record.params.beta1), 2),
            n2=number(1 / (1 - record.params.beta2), 2),
        )
        moves = sentence(
            _("In the second half the weight moves by {usual} learning rates per step on average, "
              "and by {most} at most."),
            usual=Mark(number(float(ratio[N // 2 :].mean())), "accent"),
            most=number(float(ratio[N // 2 :].max())),
        )  # fmt: skip
        return join([averages, moves])

    def draw(self, record: Smoothed) -> Plot:
        adam, steps = record.adam, np.arange(1, N + 1)
        says = "{name}: {y:.3g}"
        return Plot(
            title=_("Gradients of one weight, and what Adam makes of them"),
            x=PlotAxis(title=_("training step"), range=(0, N + 1)),
            y=PlotAxis(title=_("gradient")),
            series=[
                BarSeries(x=steps, y=adam.run.gradients, role="muted", name=_("gradient"),
                          hover=says),
                Curve(x=steps, y=adam.mean, role="key", name=_("m̂, their average"), hover=says),
                Curve(x=steps, y=adam.root, role="value", dash="dash",
                      name=_("√v̂, their usual size"), hover=says),
            ],
            below=[
                Panel(
                    y=PlotAxis(title=_("learning rates"), range=_reach(adam.ratio)),
                    series=[Curve(x=steps, y=adam.ratio, role="accent",
                                  name=_("m̂ / (√v̂ + ε), the step"), hover=says)],
                    rules=[Rule(y=1), Rule(y=0), Rule(y=-1)],
                    share=0.42,
                )
            ],
            unified=True,
            height=480,
        )  # fmt: skip


def _reach(ratio: Floats) -> tuple[float, float]:
    """The same for all settings, as long as the steps are no larger."""
    most = max(1.2, 1.1 * float(np.abs(ratio).max()))
    return (-most, most)
