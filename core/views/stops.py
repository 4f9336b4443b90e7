"""From the RNN to the Transformer: machines that differ by one thing each, on the same sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from core.analysis.bleu import Counts, bleu, interval
from core.data.examples import STOPS, TRANSLATOR
from core.data.measured import BY_LENGTH, measured
from core.figures import tokens
from core.figures.components import BarFrame, BarRow, Bars, Follow
from core.figures.components.bars import Series
from core.figures.components.plot import BarSeries, Curve, Panel, Plot, PlotAxis
from core.figures.components.plot.parts import Dash
from core.figures.text import Mark, Sentence, decimal, ends_itself, join, number, percent, sentence
from core.figures.values import Along, Values
from core.inputs import Input, SourceTarget, Text
from core.language import N_, Phrase, _, name_of
from core.locale import in_quotes, listed
from core.models.abilities import require
from core.models.blueprint import Attention, Blueprint
from core.models.needs import NO_MODEL, Needs
from core.models.parts import Score
from core.runs.kinds.trace import ATTENTION, Run, TraceRequest
from core.runs.kinds.translation import ReadingTimes, ReadingTimesRequest
from core.runs.request import Request
from core.units import Token
from core.views.attention.head import AtHead, AttentionWeightsView, HeadRun
from core.views.controls import Control
from core.views.nearest import missing, nearest
from core.views.params import OnText, Problem, model_param, param
from core.views.translate.forcing import Forced, Forcing, forced, taught
from core.views.translate.translation import TranslateTargetView, text_of
from core.views.view import Note, View

# --- how the machines of the walk are told apart in a plot: by colour, dash and order -


class LineLook(TypedDict):
    """Of one machine's line."""

    role: str
    dash: Dash


_EACH: tuple[tuple[str, Dash], ...] = (
    ("muted", "dot"),
    ("key", "dash"),
    ("position", "dash"),
    ("value", "solid"),
    ("accent", "solid"),
)


def looks(index: int) -> LineLook:
    """Of the machine at a place, from 0: dotted before attention, dashed with it, then solid."""
    role, dash = _EACH[index % len(_EACH)]
    return {"role": role, "dash": dash}


# --- the stops of the walk: what each machine has that the one before it has not ------


FIXED, CROSS, LOOKS_BACK, NO_RECURRENCE, BOTH_SIDES = range(5)
# What a machine of each stop is (translate with ``_``).
CALLED: tuple[str, ...] = (
    N_("a fixed state"),
    N_("cross-attention"),
    N_("self-attention"),
    N_("no recurrence"),
    N_("no mask in the encoder"),
)
# What changed at each (translate with ``_``).
CHANGES: tuple[str, ...] = (
    N_("The encoder reads the source token by token, from both ends. The decoder gets the last "
       "state of each direction and nothing else: together one vector, however long the sentence "
       "is."),
    N_("Before each token the decoder attends to all states of the encoder, not to the last ones "
       "alone. What it needs no longer has to fit into one vector."),
    N_("The decoder attends to its own earlier states, too. The last state no longer has to carry "
       "all that was written."),
    N_("Once attention carries what the states carried, the recurrent layers can go. Layers of "
       "attention and feed-forward take their place. At first the encoder reads from left to "
       "right only: a causal mask hides what comes later."),
    N_("The whole source is known from the start, so nothing need be hidden in it. Without the "
       "mask each source token attends to all others, before it and after it. This is the "
       "Transformer."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Walking(Forcing):
    """A source, a translation of it that somebody else wrote, and the machines that read both.

    Attributes:
        stops: their ids on the shelf, with a space between; empty for the model alone.
        token: the token of the translation that is looked at; -1 for the first word.
    """

    model: str = model_param(TRANSLATOR)
    stops: str = param(
        "", pattern=r"[\w ]{0,400}", form=N_("names of models"), high=400, label=N_("Machines")
    )
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))

    @property
    def machines(self) -> tuple[str, ...]:
        """The ids, each once; another model than these is alone."""
        named = tuple(dict.fromkeys(self.stops.split()))
        if named and self.model not in named:
            expected = Phrase(N_("names of models, {model} among them"), model=self.model)
            missing("stops", self.stops, expected)
        return named if self.model in named else (self.model,)

    def lacking(self, able: Collection[str]) -> list[Problem]:
        """The machines that are named and are none that translate.

        Args:
            able: the ids of those that do.
        """
        there = [name for name in self.stops.split() if name in able]
        if there == self.stops.split():
            return []
        expected = _("some of {choices}").format(choices=listed(sorted(able)))
        return [Problem("stops", self.stops, expected, " ".join(there))]


def stop_of(blueprint: Blueprint) -> int | None:
    """The number of the stop that a machine is; None for one that makes no target of a source."""
    if len(blueprint.streams) != 2:
        return None
    across = blueprint.across()
    if blueprint.recurrences:
        if across is None:
            return FIXED
        return CROSS if self_attention_of(blueprint, blueprint.stream) is None else LOOKS_BACK
    reads = self_attention_of(blueprint, blueprint.streams[0])
    if across is None or reads is None:
        return None
    return NO_RECURRENCE if reads.causal else BOTH_SIDES


def self_attention_of(blueprint: Blueprint, stream: str) -> Attention | None:
    """The attention of a stream to itself, if there is one."""
    return next(
        (
            attention
            for attention in blueprint.attentions
            if attention.queries == attention.keys == stream
        ),
        None,
    )


def new_at(blueprint: Blueprint) -> Attention | None:
    """The attention that a machine's stop is about; None where nothing attends to anything."""
    stop = stop_of(blueprint)
    if stop == CROSS:
        return blueprint.across()
    if stop == LOOKS_BACK:
        return self_attention_of(blueprint, blueprint.stream)
    if stop in (NO_RECURRENCE, BOTH_SIDES):
        return self_attention_of(blueprint, blueprint.streams[0])
    return None


def in_order(blueprints: Mapping[str, Blueprint], *first: str) -> list[str]:
    """One machine a stop, from the first to the last; of several the one of the example.

    Args:
        blueprints: of machines that translate, by id.
        first: machines that are taken before the others of their stop, the earlier ones first.
    """
    by_stop: dict[int, str] = {}
    named = [name for name in first if name in blueprints]
    others = sorted(blueprints, key=lambda name: (name not in STOPS, name))
    for name in (*named, *others):
        stop = stop_of(blueprints[name])
        if stop is not None:
            by_stop.setdefault(stop, name)
    return [by_stop[stop] for stop in sorted(by_stop)]


# --- BLEU by the length of the source, and how sure it is: recorded, as it takes minutes


STARTS = (1, 4, 6, 8, 10, 12, 15, 18, 21)  # words of the source with which a bin begins
APART = 0.07  # between the machines' intervals, on the axis


@dataclass(frozen=True, eq=False)
class ByLength:
    """What was measured.

    Attributes:
        machines: their ids, in the order of the walk; of those that are asked for the
            measured, and all where none of them was.
        n: ``(B,)`` pairs in each bin.
        scores: ``(M, B)`` BLEU.
        low, high: ``(M, B)``: the ends of its 95 % intervals.
        command, commit: that measured it.
    """

    machines: tuple[str, ...]
    n: NDArray[np.int64]
    scores: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    command: str
    commit: str

    def lost(self, row: int) -> float:
        """BLEU of the shortest sentences minus that of the longest."""
        return float(self.scores[row, 0] - self.scores[row, -1])

    def falls(self, row: int) -> bool:
        """Whether that loss is beyond doubt: the two intervals do not meet."""
        return bool(self.high[row, -1] < self.low[row, 0])


@lru_cache(maxsize=8)
def by_length(machines: tuple[str, ...]) -> ByLength:
    """The scores of some machines, from what was recorded of each sentence."""
    recorded = measured(BY_LENGTH)
    every = recorded["models"]
    models = tuple(machine for machine in machines if machine in every) or tuple(every)
    words, reference_lengths = np.array(recorded["words"]), np.array(recorded["wanted"])
    bins = np.searchsorted(STARTS, words, side="right") - 1
    scores = np.full((len(models), len(STARTS), 3), np.nan)
    for m, model in enumerate(models):
        rows = np.array(recorded["models"][model]["counts"])
        counts = Counts(rows[:, 1:], rows[:, 0], reference_lengths)
        for b in range(len(STARTS)):
            in_bin = counts.only(bins == b)
            scores[m, b] = (bleu(in_bin), *interval(in_bin))
    n = np.bincount(bins, minlength=len(STARTS))
    provenance: dict[str, Any] = {name: recorded[name] for name in ("command", "commit")}
    return ByLength(models, n, scores[..., 0], scores[..., 1], scores[..., 2], **provenance)


class StopsLengthsView(View[Walking, ByLength]):
    """A line for each machine, with an interval at each length."""

    name, Params, needs = "stops.lengths", Walking, NO_MODEL

    def requests(self, params: Walking) -> tuple[Request, ...]:
        return ()

    def compute(self, runs: Sequence[Any], params: Walking) -> ByLength:
        return by_length(params.machines)

    def values(self, record: ByLength) -> Mapping[str, Values]:
        axes = (
            Along("machine", _("machine"), [name_of(machine) for machine in record.machines]),
            Along("words", _("words of the source"), bins()),
        )
        return {
            "bleu": Values(_("BLEU"), record.scores, axes),
            "low": Values(_("BLEU, lower end of the 95 % interval"), record.low, axes),
            "high": Values(_("BLEU, upper end of the 95 % interval"), record.high, axes),
            "pairs": Values(_("sentence pairs"), record.n, axes[1:]),
        }

    def describe(self, record: ByLength) -> Sentence:
        first, last = 0, len(record.machines) - 1
        sentences = [self.fall(record, row) for row in dict.fromkeys((first, last))]
        if first != last and not record.falls(first):
            sentences.append(sentence(_("So these sentences do not settle whether the fixed state "
                                   "falls off with length.")))  # fmt: skip
        elif first != last:
            lost = [round(record.lost(row), 1) for row in (first, last)]
            sentences.append(sentence(
                _("The first loses {first} BLEU with length, the second {second}: {more} more."),
                first=decimal(lost[0], 1), second=decimal(lost[1], 1),
                more=Mark(decimal(lost[0] - lost[1], 1), "strong"),
            ))  # fmt: skip
        return join(sentences)

    def fall(self, record: ByLength, row: int) -> Sentence:
        """What a machine has at either end."""
        names = bins()
        return sentence(
            _("{model} has {short} BLEU on sources of {few} words and {long} on those of {many}."),
            model=Mark(name_of(record.machines[row]), "strong"),
            short=decimal(float(record.scores[row, 0]), 1), few=names[0],
            long=Mark(decimal(float(record.scores[row, -1]), 1), "accent"), many=names[-1],
        )  # fmt: skip

    def draw(self, record: ByLength) -> Plot:
        series = []
        middle = (len(record.machines) - 1) / 2
        for row, model in enumerate(record.machines):
            places = np.arange(len(STARTS)) + (row - middle) * APART
            series.append(Curve(
                x=places, y=record.scores[row], name=name_of(model), markers=6,
                text=[_("{words} words, {n} pairs, 95 % between {low} and {high}").format(
                    words=words, n=n, low=decimal(low, 1), high=decimal(high, 1))
                    for words, n, low, high in zip(
                        bins(), record.n, record.low[row], record.high[row], strict=True)],
                hover="{name}: {y:.1f}\n{text}", **looks(row),
            ))  # fmt: skip
            series.append(Curve(
                x=np.repeat(places, 3), y=_upright(record.low[row], record.high[row]),
                role=looks(row)["role"], width=1, legend=False,
            ))  # fmt: skip
        return Plot(
            title=_("BLEU by the length of the source, with 95 % intervals"),
            x=PlotAxis(title=_("words of the source"), categories=bins()),
            y=PlotAxis(title=_("BLEU"), from_zero=True),
            series=series,
            height=430,
        )

    def notes(self, record: ByLength) -> Sequence[Note]:
        text = sentence(
            _("Recorded by {command} at commit {commit}, from {n} pairs that no machine has read. "
              "The intervals are of 1,000 draws of as many sentences (bootstrap)."),
            command=record.command, commit=record.commit, n=str(int(record.n.sum())),
        )  # fmt: skip
        return (Note("more", text),)


def bins() -> list[str]:
    """The lengths in words: "4–5", "21+"."""
    ends = [start - 1 for start in STARTS[1:]]
    closed = [f"{low}–{high}" for low, high in zip(STARTS, ends, strict=False)]
    return [*closed, f"{STARTS[-1]}+"]


def _upright(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lines from each lower end to its upper end, with gaps between them."""
    return np.stack([low, high, np.full_like(low, np.nan)], axis=1).ravel()


# --- how long a sentence takes to be read, by its length: measured on this machine ----


@dataclass(frozen=True)
class Paces:
    """The machines' times.

    Attributes:
        params: what was asked for.
        machines: their ids.
        paces: of each.
    """

    params: Walking
    machines: tuple[str, ...]
    paces: Sequence[ReadingTimes]

    @property
    def lengths(self) -> tuple[int, ...]:
        """Those that all of them were measured at."""
        return min((pace.lengths for pace in self.paces), key=len)

    def growth(self, row: int) -> float:
        """How many times as long the longest source takes as the shortest."""
        seconds = self.paces[row].source
        return seconds[len(self.lengths) - 1] / seconds[0]


class StopsPaceView(View[Walking, Paces]):
    """A curve for each machine: milliseconds by tokens, of the source and of the target."""

    name, Params, needs = "stops.pace", Walking, Needs("translate")

    def requests(self, params: Walking) -> tuple[Request, ...]:
        return tuple(ReadingTimesRequest(model, params.text) for model in params.machines)

    def compute(self, runs: Sequence[ReadingTimes], params: Walking) -> Paces:
        return Paces(params, params.machines, runs)

    def values(self, record: Paces) -> Mapping[str, Values]:
        n = len(record.lengths)
        axes = (
            Along("machine", _("machine"), [name_of(machine) for machine in record.machines]),
            Along("length", _("tokens"), [str(length) for length in record.lengths]),
        )
        arrays = {name: np.array([getattr(pace, name)[:n] for pace in record.paces])
                  for name in ("source", "target", "source_steps", "target_steps")}  # fmt: skip
        return {
            "source": Values(_("time for the source"), 1000 * arrays["source"], axes, _("ms")),
            "target": Values(_("time for the target"), 1000 * arrays["target"], axes, _("ms")),
            "source_steps": Values(_("steps one after the other, source"), arrays["source_steps"],
                                   axes),
            "target_steps": Values(_("steps one after the other, target"), arrays["target_steps"],
                                   axes),
        }  # fmt: skip

    def describe(self, record: Paces) -> Sentence:
        first, last = 0, len(record.machines) - 1
        n = len(record.lengths) - 1

        def sentence_of(row: int) -> Sentence:
            pace = record.paces[row]
            before, after = pace.source_steps[0], pace.source_steps[n]
            text = _("From {short} to {long} source tokens, the steps of {model} that wait for "
                     "each other go from {before} to {after}. Measured just now, it takes {factor} "
                     "times as long.")  # fmt: skip
            if before == after:
                text = _("From {short} to {long} source tokens, the steps of {model} that wait for "
                         "each other stay at {before}. Measured just now, it takes {factor} times "
                         "as long.")  # fmt: skip
            return sentence(
                text,
                short=str(record.lengths[0]), long=str(record.lengths[n]),
                model=Mark(name_of(record.machines[row]), "strong"),
                factor=Mark(number(record.growth(row)), "accent"),
                before=str(before), after=str(after),
            )  # fmt: skip

        return (
            sentence_of(first) if first == last else join([sentence_of(first), sentence_of(last)])
        )

    def line(self, record: Paces) -> tuple[str, str]:
        return "core/runs/kinds/translation.py", "return sum(tower"

    def draw(self, record: Paces) -> Plot:
        def curves(field: str) -> list[Curve]:
            return [
                Curve(
                    x=record.lengths, y=[1000 * seconds for seconds in getattr(pace, field)[:n]],
                    name=name_of(model), markers=6, legend=field == "source",
                    text=[str(n_steps) for n_steps in getattr(pace, f"{field}_steps")[:n]],
                    hover=_("{name}, {x} tokens: {y:.2f} ms, {text} steps one after the other"),
                    **looks(row),
                )
                for row, (model, pace) in enumerate(zip(record.machines, record.paces, strict=True))
            ]  # fmt: skip

        n = len(record.lengths)
        return Plot(
            title=_("How long a sentence takes to be read"),
            x=PlotAxis(title=_("tokens"), log=True, ticks=record.lengths,
                       labels=[str(length) for length in record.lengths]),
            y=PlotAxis(title=_("source (ms)"), from_zero=True),
            series=curves("source"),
            below=[Panel(y=PlotAxis(title=_("target (ms)"), from_zero=True),
                         series=curves("target"), share=0.5)],
            height=520,
        )  # fmt: skip


# --- two ways to compare a query with a key on one sentence: a small network, a dot product


@dataclass(frozen=True, eq=False)
class AttentionWay:
    """What one machine's attention to the source weighs.

    Attributes:
        model: its id.
        score: how it compares a query with a key.
        weights: ``(T, S)``, of the last layer, the mean over its heads.
        n_heads: how many; None where it is not cut into heads.
    """

    model: str
    score: Score
    weights: NDArray[np.float32]
    n_heads: int | None


@dataclass(frozen=True, eq=False)
class AttentionAndSummary:
    """Both ways on the same tokens.

    Attributes:
        params: what was asked for.
        source: tokens of the source, ``(S,)``.
        target: tokens that the decoder reads, ``(T,)``.
        written: those that it must write there, the end mark last.
        ways: of the machines that attend to the source and cut the sentence alike, one a way.
    """

    params: Walking
    source: Sequence[Token]
    target: Sequence[Token]
    written: Sequence[Token]
    ways: Sequence[AttentionWay]

    @property
    def row(self) -> int:
        """The row that is looked at."""
        last = len(self.target) - 1
        return nearest("token", self.params.token, last) if self.params.token >= 0 else min(1, last)

    def reading(self, row: int) -> Sentence:
        """Where the weights of one row lie."""
        parts = []
        for way in self.ways:
            key = int(way.weights[row].argmax())
            template = _(
                "{way} attention ({model}, last layer, mean of its heads) has {share} on “{key}”"
            )
            parts.append(sentence(
                template, way=Mark(called(way), "strong"), model=name_of(way.model),
                share=Mark(percent(float(way.weights[row, key])), "accent"),
                key=Mark(self.source[key].spoken, "key"),
            ))  # fmt: skip
        start = sentence(_("To write “{token}”:"), token=Mark(self.written[row].spoken, "query"))
        return _join_parts(start, parts)


def _join_parts(start: Sentence, parts: Sequence[Sentence]) -> Sentence:
    if len(parts) == 1:
        return sentence(_("{told} {one}."), told=start, one=parts[0])
    return sentence(_("{told} {one}, and {two}."), told=start, one=parts[0], two=parts[1])


def called(way: AttentionWay) -> str:
    """A way in words."""
    return _("additive") if way.score == "additive" else _("dot-product")


class StopsScoresView(View[Walking, AttentionAndSummary]):
    """Two bars for each token of the source, one a way."""

    name, Params, needs = "stops.scores", Walking, Needs("translate", ("attention",))

    def requests(self, params: Walking) -> tuple[Request, ...]:
        free = OnText(text=params.text).given
        taught = SourceTarget(params.text, params.taught) if params.taught else free
        return tuple(TraceRequest(model, taught, sites=(ATTENTION,)) for model in params.machines)

    def compute(self, runs: Sequence[Run], params: Walking) -> AttentionAndSummary:
        return compared(runs, params)

    def values(self, record: AttentionAndSummary) -> Mapping[str, Values]:
        axes = (Along("token", _("read"), tokens.labels(record.target)),
                Along("source", _("source"), tokens.labels(record.source)))  # fmt: skip
        return {
            way.score: Values(
                _("weights, {way}").format(way=called(way)), way.weights, axes,
                selected=(record.row, int(way.weights[record.row].argmax())),
            )
            for way in record.ways
        }  # fmt: skip

    def describe(self, record: AttentionAndSummary) -> Sentence:
        return record.reading(record.row)

    def draw(self, record: AttentionAndSummary) -> Bars:
        rows = [BarRow(str(n), token.label) for n, token in enumerate(record.source)]
        return Bars(
            title=_("Attention to the source, by how a query is compared with a key"),
            selection={"token": record.row},
            frames=[BarFrame(rows, title=record.reading(row)) for row in range(len(record.target))],
            values=np.stack([way.weights for way in record.ways], axis=1),
            series=[
                Series(_("{way}: {model}").format(way=called(way), model=name_of(way.model)), role)
                for way, role in zip(record.ways, ("key", "accent"), strict=False)
            ],
            follow=Follow("token", first=record.row),
            given=True,
        )


def compared(runs: Sequence[Run], params: Walking) -> AttentionAndSummary:
    """The first machine of either way; those that cut the sentence otherwise are left out.

    Raises:
        AbilityError: one does not translate.
    """
    ways: dict[Score, AttentionWay] = {}
    first = runs[params.machines.index(params.model)]
    stream = first.trace.blueprint.streams[0]
    source = first.trace.streams[stream].ids
    target = first.trace.main.ids
    for model, run in zip(params.machines, runs, strict=True):
        blueprint = run.trace.blueprint
        require(run.trace.model, [head.ability for head in blueprint.heads], "translate")
        across = blueprint.across()
        alike = run.trace.streams[blueprint.streams[0]].ids == source and (
            run.trace.main.ids == target
        )
        if across is None or not alike:
            continue
        weights = run.trace[f"{across.prefix(across.n_layers - 1)}.weights"]
        mean = weights if weights.ndim == 2 else weights.mean(axis=0)
        way = AttentionWay(model, across.score, mean.astype(np.float32), across.n_heads)
        if across.score == "dot" or across.score not in ways:
            ways[across.score] = way  # of dot products the last machine, of the others the first
    trace = first.trace
    following = [*trace.main.ids[1:], trace.config.end_id]
    return AttentionAndSummary(
        params=params,
        source=trace.streams[stream].tokens,
        target=trace.main.tokens,
        written=[first.words(int(id_)) for id_ in following],
        ways=[ways[score] for score in ("additive", "dot") if score in ways],
    )


# --- what each machine makes of a sentence, and what somebody else's translation costs it


@dataclass(frozen=True)
class MachineOnSentence:
    """One machine and the sentence.

    Attributes:
        model: its id.
        stop: its number, see ``core.views.stops``; None for a machine that is at none.
        read: what it writes by itself, and what the reference costs it.
    """

    model: str
    stop: int | None
    read: Forced

    @property
    def text(self) -> str:
        """The translation that the machine writes by itself."""
        return text_of(self.read.writing)

    @property
    def loss(self) -> float:
        """Nats of the whole reference: minus the logarithm of its probability."""
        return float(self.read.loss.sum())


@dataclass(frozen=True)
class Walked:
    """All machines on one sentence.

    Attributes:
        params: what was asked for.
        machines: in the order of the stops.
    """

    params: Walking
    machines: Sequence[MachineOnSentence]

    @property
    def has_reference(self) -> bool:
        """Somebody else wrote a reference; else each machine is measured on its own words."""
        return bool(self.params.taught)

    @property
    def machine(self) -> MachineOnSentence:
        """The machine whose stop the page is at."""
        matching = [machine for machine in self.machines if machine.model == self.params.model]
        return matching[0] if matching else self.machines[-1]


class StopsSentenceView(View[Walking, Walked]):
    """A bar for each machine: what the translation costs it."""

    name, Params, needs = "stops.sentence", Walking, Needs("translate")

    def requests(self, params: Walking) -> tuple[Request, ...]:
        free = OnText(text=params.text).given
        taught = SourceTarget(params.text, params.taught) if params.taught else free
        return tuple(
            TraceRequest(model, input_, sites=(ATTENTION,))
            for model in params.machines
            for input_ in (taught, free)
        )

    def compute(self, runs: Sequence[Run], params: Walking) -> Walked:
        machines = []
        for model, read_run, free_run in zip(params.machines, runs[::2], runs[1::2], strict=True):
            blueprint = read_run.trace.blueprint
            require(read_run.trace.model, [head.ability for head in blueprint.heads], "translate")
            machines.append(
                MachineOnSentence(model, stop_of(blueprint), forced(read_run, free_run, params))
            )
        return Walked(params, machines)

    def values(self, record: Walked) -> Mapping[str, Values]:
        machines = record.machines
        along = (Along("machine", _("machine"), [name_of(machine.model) for machine in machines]),)
        place = (machines.index(record.machine),)
        return {
            "loss": Values(
                _("loss of the whole translation"),
                np.array([machine.loss for machine in machines]),
                along, _("nats"), selected=place,
            ),
            "mean": Values(
                _("loss per token"), np.array([machine.read.loss.mean() for machine in machines]),
                along,
                _("nats"), selected=place,
            ),
            "text": Values(
                _("what it writes"), np.array([machine.text for machine in machines], object),
                along,
                selected=place,
            ),
        }  # fmt: skip

    def describe(self, record: Walked) -> Sentence:
        machine = record.machine
        writes = sentence(
            _("{model} writes nothing.") if not machine.text
            else _("{model} writes: {text}") if ends_itself(machine.text)
            else _("{model} writes {text}."),
            model=Mark(name_of(machine.model), "strong"),
            text=Mark(in_quotes(machine.text), "accent"),
        )  # fmt: skip
        if not record.has_reference:
            cost = sentence(
                _("Its own words cost it {loss} nats. Write a reference: then all machines are "
                  "measured on the same words."),
                loss=decimal(machine.loss, 1),
            )  # fmt: skip
            return join([writes, cost])
        best, worst = min(record.machines, key=_loss), max(record.machines, key=_loss)
        return join([writes, sentence(
            _("The reference costs {model} {loss} nats. It surprises {worst} most, {most} nats, "
              "and {best} least, {least} nats."),
            model=name_of(machine.model), loss=Mark(decimal(machine.loss, 1), "accent"),
            worst=name_of(worst.model), most=decimal(worst.loss, 1),
            best=name_of(best.model), least=decimal(best.loss, 1),
        )])  # fmt: skip

    def draw(self, record: Walked) -> Plot:
        machines = record.machines
        title = _("What the translation costs")
        if not record.has_reference:
            title = _("What its own translation costs")
        roles = ["accent" if machine is record.machine else "residual" for machine in machines]
        places = np.arange(len(machines), dtype=float)
        return Plot(
            title=title,
            x=PlotAxis(title=_("loss of the whole translation (nats)"), from_zero=True),
            y=PlotAxis(
                title="", categories=[name_of(machine.model) for machine in machines],
                range=(len(machines) - 0.5, -0.5), grid=False,
            ),
            series=[
                BarSeries(
                    x=[machine.loss for machine in machines], y=places, role=roles, across=True,
                    labels=[decimal(machine.loss, 1) for machine in machines],
                    text=[sentence_called(machine) for machine in machines], hover="{text}",
                    legend=False,
                )
            ],
            height=90 + 44 * len(machines),
        )  # fmt: skip

    def notes(self, record: Walked) -> Sequence[Note]:
        """What each machine writes."""
        return [Note("more", written_by(machine)) for machine in record.machines]

    def controls(self, record: Walked) -> Sequence[Control]:
        """Which machine is looked at, and what they are measured on."""
        params = record.params
        machines = [(machine, name_of(machine)) for machine in params.machines]
        return (
            Control("model", params.model, options=machines),
            Control("reference", params.reference, "line", placeholder=params.taught),
        )


def _loss(machine: MachineOnSentence) -> float:
    return machine.loss


def written_by(machine: MachineOnSentence) -> Sentence:
    """A machine and what it writes, which may be nothing."""
    return sentence(
        _("{model}: it writes {text}") if machine.text else _("{model}: it writes nothing."),
        model=Mark(name_of(machine.model), "strong"), text=in_quotes(machine.text),
    )  # fmt: skip


def sentence_called(machine: MachineOnSentence) -> str:
    """A machine, its stop and what it writes."""
    stop = "" if machine.stop is None else f" ({_(CALLED[machine.stop])})"
    return _("{label}: {value}").format(label=name_of(machine.model) + stop, value=machine.text)


# --- what a machine of the walk makes of a translation that somebody else wrote -------


@dataclass(frozen=True, slots=True)
class AtStop(AtHead):
    """A head of a machine that reads the translation.

    Attributes:
        reference: the translation; when empty, the target, or that of an example.
    """

    reference: str = param("", label=N_("Reference translation"))

    @property
    def given(self) -> Input:
        """What the machine reads; where there is no translation, it writes its own."""
        target = taught(self.text, self.target, self.reference)
        return SourceTarget(self.text, target) if target else Text(self.text)


class StopsNewView(AttentionWeightsView):
    """The weights of the attention that a machine has and the one before it has not."""

    name, Params, needs = "stops.new", AtStop, Needs("translate", ("attention",))

    def compute(self, runs: Sequence[Run], params: AtHead) -> HeadRun:
        blueprint = runs[0].trace.blueprint
        require(runs[0].trace.model, [head.ability for head in blueprint.heads], "translate")
        new = new_at(blueprint)
        return super().compute(runs, params if new is None else replace(params, attention=new.name))


class StopsTargetView(TranslateTargetView):
    """The translation as the decoder reads it."""

    name, Params = "stops.target", AtStop
