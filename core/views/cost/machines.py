"""What machines cost: those that are published, those of the shelf, and this one, measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.costs import PARTS, TransformerShape
from core.analysis.published import PUBLISHED, Published
from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash
from core.figures.text import MINUS, Mark, Sentence, decimal, join, number, percent, sentence
from core.figures.tokens import labels
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.locale import grouped, listed
from core.models.needs import NO_MODEL, Needs
from core.runs.kinds.costs import (
    AttentionTimes,
    AttentionTimesRequest,
    CacheSavings,
    CacheSavingsRequest,
    ShelfCosts,
    ShelfCostsRequest,
)
from core.runs.request import Request
from core.views.cost.plan import PART_NAMES, large, split
from core.views.params import OnText, param
from core.views.view import Note, View

# --- the published machines: what the formula gives, and what their authors say -------


COLUMNS = (N_("layers"), N_("d_model"), N_("feed-forward"), N_("formula"), N_("published"),
           N_("difference"))  # fmt: skip
PLAIN, FOUND = range(2)
ROOM = 92
NOTHING = 1e-4  # a difference without a sign


@dataclass(frozen=True, slots=True)
class MachineCell:
    """A cell of the list.

    Attributes:
        cost_row: the machine that is looked at.
        cost_column: the column.
    """

    cost_row: int = param(0, low=0, high=200, lives="browser", label=N_("Row"))
    cost_column: int = param(
        0, low=0, high=len(COLUMNS) - 1, lives="browser", label=N_("Column")
    )  # fmt: skip


class CostPublishedView(View[MachineCell, MachineCell]):
    """A row for each machine."""

    name, Params, needs = "cost.published", MachineCell, NO_MODEL

    def compute(self, runs: Sequence[object], params: MachineCell) -> MachineCell:
        return params

    def values(self, record: MachineCell) -> Mapping[str, Values]:
        every = list(PUBLISHED.values())
        axes = (Along("machine", _("machine"), [model.name for model in every]),)
        parameters = np.array([model.machine.parameters for model in every])
        published = np.array([model.published for model in every])
        data = np.array([_(model.data) for model in every], object)
        source = np.array([model.source for model in every], object)
        return {
            "layers": Values(_("layers"), np.array([_layers(model.machine) for model in every]),
                             axes),
            "d_model": Values(
                _("d_model"), np.array([model.machine.d_model for model in every]), axes
            ),
            "parameters": Values(_("parameters by the formula"), parameters, axes),
            "published": Values(_("parameters as published"), published, axes),
            "difference": Values(_("share above what is published"), parameters / published - 1,
                                 axes),
            "trained_on": Values(_("trained on"), data, axes),
            "source": Values(_("published in"), source, axes),
        }  # fmt: skip

    def describe(self, record: MachineCell) -> Sentence:
        every = list(PUBLISHED.values())
        worst = max(every, key=lambda model: abs(_off(model)))
        sizes = [model.machine.parameters for model in every]
        return join([
            sentence(
                _("One formula gives all {n} sizes, from {least} to {most} parameters."),
                n=str(len(every)), least=large(min(sizes)), most=large(max(sizes)),
            ),
            sentence(
                _("{machine} is furthest from what its authors say: {off}."),
                machine=Mark(worst.name, "strong"),
                off=Mark(_signed_percent(_off(worst)), "accent"),
            ),
        ])  # fmt: skip

    def draw(self, record: MachineCell) -> Matrix:
        title = _("Published sizes, and what the formula gives")
        kinds = np.full((len(PUBLISHED), len(COLUMNS)), PLAIN, np.uint8)
        kinds[:, COLUMNS.index("formula")] = FOUND
        sheet = Sheet(
            title=title,
            array="kinds",
            texts=[_cells(model) for model in PUBLISHED.values()],
            rows=Axis([model.name for model in PUBLISHED.values()], "cost_row", "accent",
                      room=ROOM),
            cols=Axis([_(name) for name in COLUMNS], "cost_column", "query"),
            scale=Scale("category"),
            categories=[Category(_("published"), "surface"),
                        Category(_("by the formula"), "accent", share=0.2)],
            least_cell=72,
            max_cell=140,
            row_height=30,
            axes=sentence(_("rows: machines · blue: by the formula")),
            alt="",
        )  # fmt: skip
        row = min(record.cost_row, len(kinds) - 1)
        return Matrix(
            sheets=[sheet], arrays={"kinds": kinds},
            selection={"cost_row": row, "cost_column": record.cost_column},
        )  # fmt: skip

    def notes(self, record: MachineCell) -> Sequence[Note]:
        sources = dict.fromkeys(model.source for model in PUBLISHED.values())
        text = sentence(
            _("Shapes and sizes are those of {sources}. The formula of BERT and ViT counts no head "
              "for pretraining. That of GPT-2 gives 1.56 billion, and the authors say 1.5."),
            sources=listed(sources),
        )  # fmt: skip
        return (Note("more", text),)


def _layers(machine: TransformerShape) -> int:
    return sum(stack.n for stack in machine.layers)


def _off(model: Published) -> float:
    return model.machine.parameters / model.published - 1


def _signed_percent(share: float) -> str:
    """With its sign: +3.8 %."""
    if abs(share) < NOTHING:
        return percent(abs(share))
    return ("+" if share > 0 else MINUS) + percent(abs(share))


def _cells(model: Published) -> list[str]:
    machine = model.machine
    return [
        " + ".join(str(stack.n) for stack in machine.layers),
        grouped(machine.d_model), grouped(machine.d_ff),
        large(machine.parameters), large(model.published), _signed_percent(_off(model)),
    ]  # fmt: skip


# --- the Transformers of the shelf: what the formula gives beside what is counted -----


SHELF_ROOM = 110
SAME, OTHER, SUM = range(3)


@dataclass(frozen=True, slots=True)
class OnShelf:
    """A cell of the table.

    Attributes:
        cost_row: the machine that is looked at.
        cost_part: the part, or the sum behind them.
    """

    cost_row: int = param(0, low=0, high=200, lives="browser", label=N_("Row"))
    cost_part: int = param(0, low=0, high=len(PARTS), lives="browser", label=N_("Part"))


@dataclass(frozen=True, eq=False)
class ShelfList:
    """What is on it, and what was asked for."""

    params: OnShelf
    costs: ShelfCosts

    @property
    def formula(self) -> list[list[int]]:
        """By the formula, a row for each machine and a column for each part."""
        return [[model.machine.of_part(part) for part in PARTS] for model in self.costs.machines]

    @property
    def counted(self) -> list[list[int]]:
        """The parameters as they are counted in the model, a row for each machine."""
        return [list(machine.counted) for machine in self.costs.machines]


class CostShelfView(View[OnShelf, ShelfList]):
    """A row for each machine, a column for each part."""

    name, Params, needs = "cost.shelf", OnShelf, NO_MODEL

    def requests(self, params: OnShelf) -> tuple[Request, ...]:
        return (ShelfCostsRequest(),)

    def compute(self, runs: Sequence[ShelfCosts], params: OnShelf) -> ShelfList:
        return ShelfList(params, runs[0])

    def values(self, record: ShelfList) -> Mapping[str, Values]:
        machines = Along("machine", _("machine"), _names(record))
        parts = Along("part", _("part"), [_(PART_NAMES[part]) for part in PARTS])
        formula, counted = np.array(record.formula), np.array(record.counted)
        return {
            "formula": Values(_("parameters by the formula"), formula, (machines, parts)),
            "counted": Values(_("parameters counted"), counted, (machines, parts)),
            "total": Values(_("all parameters"), counted.sum(axis=1), (machines,)),
            "same": Values(_("cells that agree"), np.array((formula == counted).sum())),
        }

    def describe(self, record: ShelfList) -> Sentence:
        same = np.array(record.formula) == np.array(record.counted)
        text = sentence(
            _("In {same} of {all} cells the formula gives the number that is counted."),
            same=Mark(str(int(same.sum())), "accent"), all=str(same.size),
        )  # fmt: skip
        if same.all():
            return join([text, sentence(_("Not one parameter is left over."))])
        return text

    def draw(self, record: ShelfList) -> Matrix:
        title = _("Parameters of the Transformers on our shelf, counted")
        same = np.array(record.formula) == np.array(record.counted)
        kinds = np.where(same, SAME, OTHER)
        kinds = np.column_stack([kinds, np.full(len(kinds), SUM)]).astype(np.uint8)
        sheet = Sheet(
            title=title,
            array="kinds",
            texts=[[*map(grouped, row), grouped(sum(row))] for row in record.counted],
            rows=Axis(_names(record), "cost_row", "accent", room=SHELF_ROOM),
            cols=Axis([*(_(PART_NAMES[part]) for part in PARTS), _("all")], "cost_part", "query"),
            scale=Scale("category"),
            categories=[
                Category(_("the formula gives the same"), "value", share=0.25),
                Category(_("the formula gives another number"), "key", share=0.4),
                Category(_("sum"), "surface"),
            ],
            least_cell=74,
            max_cell=130,
            row_height=28,
            axes=sentence(_("rows: models · columns: parts · green: the formula gives the same")),
            alt="",
        )  # fmt: skip
        row = min(record.params.cost_row, len(kinds) - 1)
        return Matrix(
            sheets=[sheet], arrays={"kinds": kinds},
            selection={"cost_row": row, "cost_part": record.params.cost_part},
        )  # fmt: skip

    def notes(self, record: ShelfList) -> Sequence[Note]:
        if not record.costs.others:
            return ()
        text = sentence(
            _("The formula is that of Transformers. These models are built in another way: "
              "{models}."),
            models=listed(map(name_of, record.costs.others)),
        )  # fmt: skip
        return (Note("more", text),)


def _names(record: ShelfList) -> list[str]:
    return [name_of(machine.model) for machine in record.costs.machines]


# --- the key-value cache: what each step multiplies with it and without, and that both agree


@dataclass(frozen=True)
class DecodingCosts:
    """One text in both ways, and what was asked for."""

    params: OnText
    run: CacheSavings

    @property
    def n(self) -> int:
        """How many steps there are: one for each token."""
        return len(self.run.tokens)

    @property
    def with_cache(self) -> NDArray[np.int64]:
        """Multiplications of each step: one position, and its scores on all up to it."""
        cost = split(self.run.machine, 1)
        return cost.linear + cost.squared * np.arange(1, self.n + 1)

    @property
    def without(self) -> NDArray[np.int64]:
        """The same where every position is computed again."""
        return np.array([split(self.run.machine, n).both for n in range(1, self.n + 1)])


class CostSameView(View[OnText, DecodingCosts]):
    """Two curves over the steps."""

    name, Params, needs = "cost.same", OnText, Needs("next_token", ("blocks",))

    def requests(self, params: OnText) -> tuple[Request, ...]:
        return (CacheSavingsRequest(params.model, params.text),)

    def compute(self, runs: Sequence[CacheSavings], params: OnText) -> DecodingCosts:
        return DecodingCosts(params, runs[0])

    def values(self, record: DecodingCosts) -> Mapping[str, Values]:
        run = record.run
        along = (Along("step", _("step"), labels(run.tokens)),)
        return {
            "with_cache": Values(_("multiplications with the cache"), record.with_cache, along),
            "without": Values(_("multiplications without it"), record.without, along),
            "bytes": Values(_("cache bytes"), np.array(run.kept), along),
            "difference": Values(
                _("largest difference of a logit"), np.array(run.difference), along
            ),
            "exact": Values(
                _("largest difference of a logit, in 64 bits"), np.array(run.exact), along
            ),
            "largest": Values(_("largest logit"), np.array(run.largest)),
            "all_with": Values(
                _("all multiplications with the cache"), np.array(record.with_cache.sum())
            ),
            "all_without": Values(
                _("all multiplications without it"), np.array(record.without.sum())
            ),
            "saved": Values(_("times as many without it"), np.array(_factor(record))),
        }

    def describe(self, record: DecodingCosts) -> Sentence:
        run = record.run
        return join([
            sentence(
                _("For {n} tokens the layers multiply {some} times with the cache and {many} times "
                  "without it: {factor} times as much."),
                n=str(record.n), some=Mark(large(float(record.with_cache.sum())), "accent"),
                many=large(float(record.without.sum())),
                factor=Mark(number(_factor(record)), "key"),
            ),
            sentence(
                _("The logits are the same: they differ by {difference} at most, and by {exact} "
                  "when all is computed in 64 bits. That is rounding; the largest logit is "
                  "{largest}."),
                difference=Mark(number(max(run.difference)), "accent"),
                exact=Mark(number(max(run.exact)), "accent"), largest=number(run.largest),
            ),
        ])  # fmt: skip

    def draw(self, record: DecodingCosts) -> Plot:
        steps = list(range(record.n))
        return Plot(
            title=_("Multiplications of each step, with the cache and without"),
            x=PlotAxis(title=_("step"), categories=labels(record.run.tokens)),
            y=PlotAxis(title=_("multiplications"), from_zero=True),
            series=[
                Curve(x=steps, y=record.without, role="key", name=_("without the cache"),
                      markers=5, hover="{name}, {x}: {y:.3g}"),
                Curve(x=steps, y=record.with_cache, role="accent", name=_("with the cache"),
                      markers=5, hover="{name}, {x}: {y:.3g}"),
            ],
            height=340,
        )  # fmt: skip

    def notes(self, record: DecodingCosts) -> Sequence[Note]:
        run = record.run
        quick, slow = (1000 * seconds for seconds in run.seconds)
        text = sentence(
            _("Measured here: {quick} ms with the cache, {slow} ms without. After the last token "
              "the cache holds {bytes} bytes."),
            quick=number(quick), slow=number(slow), bytes=grouped(run.kept[-1]),
        )  # fmt: skip
        return (Note("more", text),)


def _factor(record: DecodingCosts) -> float:
    return float(record.without.sum() / record.with_cache.sum())


# --- how long attention takes by length: measured on this machine, with the fitted exponent


LINES: Mapping[str, tuple[str, str, Dash]] = {
    "alone": (N_("attention to itself"), "key", "solid"),
    "masked": (N_("the same, causal mask"), "query", "dash"),
    "cross": (N_("cross-attention, fixed source"), "value", "solid"),
    "layer": (N_("a whole layer"), "accent", "solid"),
}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Timing:
    """What is measured.

    Attributes:
        cost_source: positions that cross-attention reads, whatever the length.
    """

    cost_source: int = param(256, low=16, high=1024, label=N_("Source (positions)"))


@dataclass(frozen=True)
class MeasuredTimes:
    """The times, and what was asked for."""

    params: Timing
    times: AttentionTimes

    @property
    def lengths(self) -> Floats:
        """How many tokens are read, ``(lengths,)``."""
        return np.array(self.times.lengths, np.float64)

    def seconds(self, line: str) -> Floats:
        """The measured seconds of a line, ``(lengths,)``."""
        return np.array(getattr(self.times, line), np.float64)

    def work(self, line: str) -> Floats:
        """Multiplications by formula; a mask forbids, but saves none of them."""
        n, machine = self.lengths, self.times.machine
        if line == "layer":
            works = [replace(machine, n_ctx=length, writes=False).work
                     for length in self.times.lengths]  # fmt: skip
            return np.array(works, np.float64)
        return 2 * n * (self.times.n_source if line == "cross" else n) * machine.inner

    def exponent(self, amounts: Floats) -> float:
        """The power of the length that fits best: the slope between logarithms."""
        return float(np.polyfit(np.log(self.lengths), np.log(amounts), 1)[0])


class CostTimesView(View[Timing, MeasuredTimes]):
    """A curve for each kind, on axes of equal factors: its slope is the exponent."""

    name, Params, needs = "cost.times", Timing, NO_MODEL

    def requests(self, params: Timing) -> tuple[Request, ...]:
        return (AttentionTimesRequest(params.cost_source),)

    def compute(self, runs: Sequence[AttentionTimes], params: Timing) -> MeasuredTimes:
        return MeasuredTimes(params, runs[0])

    def values(self, record: MeasuredTimes) -> Mapping[str, Values]:
        kinds = Along("kind", _("kind"), [_(name) for name, _role, _dash in LINES.values()])
        lengths = Along("length", _("length"), [str(n) for n in record.times.lengths])
        seconds = np.array([record.seconds(line) for line in LINES])
        work = np.array([record.work(line) for line in LINES])
        return {
            "milliseconds": Values(_("time"), 1000 * seconds, (kinds, lengths), _("ms")),
            "work": Values(_("multiplications by the formula"), work, (kinds, lengths)),
            "measured": Values(
                _("exponent, measured"), np.array([*map(record.exponent, seconds)]), (kinds,)
            ),
            "formula": Values(
                _("exponent, by the formula"), np.array([*map(record.exponent, work)]), (kinds,)
            ),
            "n_source": Values(_("positions of the source"), np.array(record.times.n_source)),
        }

    def describe(self, record: MeasuredTimes) -> Sentence:
        def time_of(line: str) -> Mark:
            _name, role, _dash = LINES[line]
            return Mark(decimal(record.exponent(record.seconds(line)), 2),
                        "accent" if role == "accent" else "key")  # fmt: skip

        return join([
            sentence(
                _("Measured just now, the time grows with the length to the power {alone} for "
                  "attention to itself, {masked} under a causal mask, {cross} for queries on a "
                  "source of {n} positions, and {layer} for a whole layer."),
                alone=time_of("alone"), masked=time_of("masked"), cross=time_of("cross"),
                layer=time_of("layer"), n=grouped(record.times.n_source),
            ),
            sentence(
                _("The formula says {alone}, {masked}, {cross} and {layer}."),
                **{line: decimal(record.exponent(record.work(line)), 2) for line in LINES},
            ),
        ])  # fmt: skip

    def draw(self, record: MeasuredTimes) -> Plot:
        lengths = record.times.lengths
        return Plot(
            title=_("How long attention takes, by length"),
            x=PlotAxis(title=_("length (positions)"), log=True, ticks=lengths,
                       labels=[grouped(n) for n in lengths]),
            y=PlotAxis(title=_("time (ms)"), log=True),
            series=[
                Curve(x=lengths, y=1000 * record.seconds(line), role=role, name=_(name), dash=dash,
                      markers=6, hover=_("{name}, {x} positions: {y:.3g} ms"))
                for line, (name, role, dash) in LINES.items()
            ],
            height=400,
        )  # fmt: skip

    def notes(self, record: MeasuredTimes) -> Sequence[Note]:
        text = sentence(
            _("Width {d}, {heads} heads, the shortest of several runs. Other programs on this "
              "computer make times longer, so the exponents are never exact. A mask forbids half "
              "of the scores. A program may skip them: that halves the time of long texts, and "
              "the exponent stays near 2."),
            d=str(record.times.machine.d_model), heads=str(record.times.machine.n_heads),
        )  # fmt: skip
        return (Note("more", text),)
