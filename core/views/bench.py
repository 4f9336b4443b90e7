"""A machine with a fault in it beside the same machine as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.faults.table import BY_ID, FAULTS, Fault, hidden, possible
from core.figures import tokens
from core.figures.components import BarFrame, BarRow, Bars, Matrix, Scale, Sheet
from core.figures.components.bars import Series
from core.figures.components.base import By
from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.text import Mark, Role, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.blueprint import Blueprint, Stack
from core.models.needs import Needs
from core.runs.kinds.faults import FaultRequest, FaultRuns
from core.runs.kinds.trace import Run
from core.runs.request import Request
from core.text.marks import MASK
from core.units import Token
from core.views.attention.head import AtHead, HeadRun, head_controls, head_run, reading
from core.views.controls import Control
from core.views.params import param
from core.views.parts import head_at, titled
from core.views.view import Note, View

# --- a text through a whole and a broken machine: what the views of both are computed from


Floats = NDArray[np.float64]
SIDES = {"broken": N_("broken"), "healthy": N_("healthy"), "again": N_("broken, run again")}
ROLES: dict[str, Role] = {"broken": "key", "healthy": "accent", "again": "weight"}


@dataclass(frozen=True, slots=True)
class Breaking(AtHead):
    """A head of a machine, and the fault that is put into it.

    Attributes:
        fault: by its id.
    """

    fault: str = param(
        FAULTS[0].id, choices={fault.id: fault.name for fault in FAULTS}, label=N_("Fault")
    )


def faults_of(blueprint: Blueprint, *, hunted: bool = False) -> dict[str, str]:
    """The faults that a model can have, by id, and what each is called (translate with ``_``).

    Args:
        blueprint: of the model.
        hunted: those alone that a hunt may hide.
    """
    return {fault.id: fault.name for fault in (hidden if hunted else possible)(blueprint)}


def sites_of_a_layer(blueprint: Blueprint) -> list[str]:
    """What most faults change, in the first layer, and what is predicted."""
    block = blueprint.main.block(0)
    parts = ("attn.scores", "attn.weights", "attn.z", "resid_post")
    return [*(f"{block}.{part}" for part in parts), blueprint.head.site]


def known_as(fault: str) -> Fault | None:
    """The fault of an id, if there is one."""
    return BY_ID.get(fault)


@dataclass(frozen=True, eq=False)
class Broken:
    """The runs, as far as they may be seen, and the head that is looked at in each.

    Attributes:
        runs: the runs.
        params: what was asked for.
        sides: the runs that are shown, of ``SIDES``, the broken one first.
    """

    runs: FaultRuns
    params: AtHead
    sides: tuple[str, ...]

    def run(self, side: str) -> Run:
        """One of the runs."""
        run: Run = getattr(self.runs, side)
        return run

    def head(self, side: str) -> HeadRun:
        """The head in one of them."""
        return head_run([self.run(side)], self.params)

    @cached_property
    def broken(self) -> HeadRun:
        """The head in the broken machine."""
        return self.head("broken")

    @property
    def fault(self) -> Fault:
        """What is broken; a hunt says it only at its end."""
        return BY_ID[self.runs.fault]

    @property
    def stack(self) -> Stack:
        """The one that predicts."""
        return self.broken.trace.blueprint.main

    def sizes(self, side: str) -> Floats:
        """The mean length of the residual vectors, at first and after each layer."""
        trace, stack = self.run(side).trace, self.stack
        sites = [f"{stack.block(0)}.resid_pre", *map(stack.output_of, range(stack.n_layers))]
        return np.array([float(np.linalg.norm(trace[site], axis=-1).mean()) for site in sites])

    @cached_property
    def position(self) -> int:
        """The position whose prediction is shown."""
        trace = self.broken.trace
        units = trace.streams[trace.blueprint.stream].units
        hidden = [n for n, unit in enumerate(units) if unit.label == MASK]
        if hidden:
            return hidden[0]
        if trace.blueprint.head.ability == "next_token":
            return len(units) - 1
        return tokens.last_word(units) if len(trace.blueprint.streams) == 1 else 0

    def probs(self, side: str) -> Floats:
        """``(V,)``: what is predicted there."""
        trace = self.run(side).trace
        logits = trace[trace.blueprint.site("@logits")][self.position].astype(np.float64)
        shares: Floats = np.exp(logits - logits.max())
        return shares / shares.sum()

    def word(self, token_id: int) -> Token:
        """An entry of the vocabulary."""
        return self.runs.broken.words(token_id)

    def moved(self) -> float:
        """How much of the probability is elsewhere than in the healthy run."""
        return float(np.abs(self.probs("healthy") - self.probs("broken")).sum() / 2)

    def selection(self) -> dict[str, int | str | By | None]:
        """By the names of the parameters; while no key is chosen, the one that gets most."""
        run = self.broken
        most = By("token", run("weights").argmax(axis=1).tolist())
        return {
            "token": run.query,
            "key": most if run.params.key < 0 else run.key,
            "layer": run.layer,
            "head": run.head,
        }

    def called(self, side: str) -> str:
        """A side in words."""
        return _(SIDES[side])

    @property
    def in_code(self) -> tuple[Note, ...]:
        """The line as it should be and as it is, and what gives it away."""
        fault = self.fault
        lines = {_("As it should be"): fault.right, _("As it is now"): fault.wrong}
        sentences = [sentence("{above}\n{line}", above=Mark(f"# {above}", "muted"), line=line)
                for above, line in lines.items()]  # fmt: skip
        shows = sentence(_("What gives it away: {shows}"), shows=_(fault.shows))
        return (*(Note("code", line) for line in sentences), Note("more", shows))


class TwoSidesView(View[Any, Broken]):
    """A view of the runs that may be seen."""

    needs = Needs("words", ("attention", "blocks"))

    def controls(self, record: Broken) -> Sequence[Control]:
        return head_controls(record.broken)


class BenchView(TwoSidesView):
    """A view of the broken machine and the healthy one."""

    Params = Breaking

    def requests(self, params: Any) -> tuple[Request, ...]:
        return (FaultRequest(params.model, params.given, params.fault),)

    def compute(self, runs: Sequence[Any], params: Any) -> Broken:
        return Broken(runs[0], params, ("broken", "healthy"))

    def controls(self, record: Broken) -> Sequence[Control]:
        names = faults_of(record.broken.trace.blueprint)
        faults = [(fault, _(called)) for fault, called in names.items()]
        return (Control("fault", record.fault.id, options=faults), *super().controls(record))

    def notes(self, record: Broken) -> Sequence[Note]:
        """That another fault is shown than the one that was asked for, and which line it is."""
        fault = known_as(record.params.fault) if isinstance(record.params, Breaking) else None
        if fault is None or fault is record.fault:
            return record.in_code
        note = sentence(
            _("This model has no part in which this could be wrong: {asked}. Shown is: {fault}."),
            asked=_(fault.name), fault=_(record.fault.name),
        )  # fmt: skip
        return (Note("info", note), *record.in_code)


# --- what the machine predicts at one position, broken and healthy --------------------


BEST = 4  # of each run


class GuessesOfSides(TwoSidesView):
    """A bar for each run that may be seen, and each of their best guesses."""

    def values(self, record: Broken) -> Mapping[str, Values]:
        ids = _best(record)
        labels = [record.word(id_).label for id_ in ids]
        axes = (
            Along("run", _("run"), [record.called(side) for side in record.sides]),
            Along("guess", _("guess"), labels),
        )
        shares = np.array([record.probs(side)[ids] for side in record.sides])
        values = {"probability": Values(_("probability"), shares, axes, selected=(0, 0))}
        if "healthy" in record.sides:
            moved = np.array(record.moved())
            values["moved"] = Values(_("share of the probability that is elsewhere"), moved)
        return values

    def describe(self, record: Broken) -> Sentence:
        sentences = [_first(record, side) for side in record.sides]
        if "healthy" in record.sides:
            sentences.append(sentence(
                _("{share} of the probability is elsewhere than in the healthy machine."),
                share=Mark(percent(record.moved()), "strong"),
            ))  # fmt: skip
        return join(sentences)

    def draw(self, record: Broken) -> Bars:
        ids = _best(record)
        shares = np.array([record.probs(side)[ids] for side in record.sides])
        title = _title(record)
        return Bars(
            title=title,
            selection=record.selection(),
            frames=[BarFrame(
                [BarRow(str(id_), record.word(id_).label) for id_ in ids],
                title=sentence("{title}", title=title),
            )],
            values=shares[None],
            series=[Series(record.called(side), ROLES[side]) for side in record.sides],
            wide=True,
            stacked=True,
        )  # fmt: skip


class BenchGuessesView(BenchView, GuessesOfSides):
    """Those of the fault that is chosen."""

    name = "bench.guesses"


def _best(record: Broken) -> list[int]:
    """The best guesses of every run that may be seen, those of the broken one first."""
    ids: list[int] = []
    for side in record.sides:
        order = np.argsort(-record.probs(side), kind="stable")[:BEST]
        ids += [int(id_) for id_ in order]
    return list(dict.fromkeys(ids))


def _title(record: Broken) -> str:
    trace = record.broken.trace
    units = trace.streams[trace.blueprint.stream].units
    if trace.blueprint.head.ability == "next_token" or len(trace.blueprint.streams) > 1:
        template = _("Predictions after “{token}”")
    else:
        template = _("Predictions at “{token}”")
    return template.format(token=units[record.position].spoken)


def _first(record: Broken, side: str) -> Sentence:
    """The best guess of a run."""
    probs = record.probs(side)
    best = int(probs.argmax())
    templates = {
        "broken": _("The broken machine expects “{token}”, with {share}."),
        "healthy": _("The healthy one expects “{token}”, with {share}."),
        "again": _("Run again, the broken one expects “{token}”, with {share}."),
    }
    return sentence(
        templates[side],
        token=Mark(record.word(best).spoken, ROLES[side]),
        share=Mark(percent(float(probs[best])), ROLES[side]),
    )


# --- how long the residual vectors are after each layer, broken and healthy -----------


class SizesOfSides(TwoSidesView):
    """A line for each run that may be seen."""

    def values(self, record: Broken) -> Mapping[str, Values]:
        axes = (Along("place", _("after"), _places(record)),)
        names = {"broken": _("length of the residual vector, broken"),
                 "healthy": _("length of the residual vector, healthy"),
                 "again": _("length of the residual vector, broken, run again")}  # fmt: skip
        last = (record.stack.n_layers,)
        return {
            side: Values(names[side], record.sizes(side), axes, selected=last)
            for side in record.sides
        }

    def describe(self, record: Broken) -> Sentence:
        broken = record.sizes("broken")
        sentences = [sentence(
            _("In the broken machine the mean length of the residual vectors is {start} at first "
              "and {end} after the last layer."),
            start=number(float(broken[0])), end=Mark(number(float(broken[-1])), ROLES["broken"]),
        )]  # fmt: skip
        if "healthy" in record.sides:
            whole = record.sizes("healthy")
            sentences.append(sentence(
                _("In the healthy one it is {start} and {end}."),
                start=number(float(whole[0])), end=Mark(number(float(whole[-1])), "accent"),
            ))  # fmt: skip
        return join(sentences)

    def draw(self, record: Broken) -> Plot:
        return Plot(
            title=_("Mean length of the residual vectors"),
            x=PlotAxis(title=_("after which layer"), categories=_places(record)),
            y=PlotAxis(title=_("length of the vector"), from_zero=True),
            series=[
                Curve(y=record.sizes(side), role=ROLES[side], name=record.called(side), markers=6,
                      dash="dash" if side == "again" else "solid", hover="{name}: {y:.4g}")
                for side in reversed(record.sides)
            ],
            height=300,
        )  # fmt: skip


class BenchSizesView(BenchView, SizesOfSides):
    """Those of the fault that is chosen."""

    name = "bench.sizes"


def _places(record: Broken) -> list[str]:
    return [_("embeddings"), *map(str, range(record.stack.n_layers))]


# --- one head's attention weights, broken and healthy ---------------------------------


OFF = 0.005  # so far from 1 a sum is no rounding


class WeightsOfSides(TwoSidesView):
    """A sheet for each run that may be seen."""

    def values(self, record: Broken) -> Mapping[str, Values]:
        run = record.broken
        names = {"broken": _("attention weight, broken"), "healthy": _("attention weight, healthy"),
                 "again": _("attention weight, broken, run again")}  # fmt: skip
        place = (run.query, run.key)
        values = {
            side: Values(names[side], record.head(side)("weights"), run.along, selected=place)
            for side in record.sides
        }
        sums = Values(_("sum of the row, broken"), _sums(record), run.along[:1],
                      selected=(run.query,))  # fmt: skip
        return {**values, "sum": sums}

    def describe(self, record: Broken) -> Sentence:
        sentences = [reading(record.broken, record.broken.query)]
        sums = _sums(record)
        worst = int(np.abs(sums - 1).argmax())
        if abs(sums[worst] - 1) > OFF:
            sentences.append(sentence(
                _("The weights of “{query}” add up to {sum}."),
                query=Mark(record.broken.query_words[worst], "query"),
                sum=Mark(number(float(sums[worst])), "warning"),
            ))  # fmt: skip
        return join(sentences)

    def draw(self, record: Broken) -> Matrix:
        return Matrix(
            title=titled(_("Attention weights"), head_at(record.broken)),
            selection=record.selection(),
            sheets=[_sheet(record, side) for side in record.sides],
            sheet=0,
            sheet_field="sheet" if len(record.sides) > 1 else None,
            sheet_tabs=len(record.sides) > 1 or None,
            arrays=_arrays(record),
        )


class BenchWeightsView(BenchView, WeightsOfSides):
    """Those of the fault that is chosen."""

    name = "bench.weights"


def _sums(record: Broken) -> NDArray[np.float64]:
    sums: NDArray[np.float64] = record.broken("weights").sum(axis=1, dtype=np.float64)
    return sums


def _sheet(record: Broken, side: str) -> Sheet:
    run = record.head(side)
    return Sheet(
        title=titled(_("Attention weights, {side}").format(side=record.called(side)), head_at(run)),
        tab=record.called(side),
        array=f"weights_{side}",
        rows=run.rows,
        cols=run.columns,
        scale=Scale("weight", 1.0),
        mask=f"may_{side}",
        axes=run.of_pairs(),
    )


def _arrays(record: Broken) -> dict[str, NDArray[np.float32] | NDArray[np.uint8]]:
    arrays: dict[str, NDArray[np.float32] | NDArray[np.uint8]] = {}
    for side in record.sides:
        run = record.head(side)
        arrays[f"weights_{side}"] = np.ascontiguousarray(run("weights"), np.float32)
        arrays[f"may_{side}"] = run.mask.astype(np.uint8)
    return arrays
