"""Two ways to compare a query with a key on one sentence: a small network, a dot product."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import BarFrame, BarRow, Bars, Follow
from core.figures.components.bars import Series
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.inputs import SourceTarget
from core.language import _, name_of
from core.models.abilities import require
from core.models.needs import Needs
from core.models.parts import Score
from core.runs.requests import ATTENTION, Request, TraceRequest
from core.runs.results import Run
from core.units import Token
from core.views.nearest import nearest
from core.views.params import OnText
from core.views.stops.walk import Walking
from core.views.view import View


@dataclass(frozen=True, eq=False)
class Way:
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
class Compared:
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
    ways: Sequence[Way]

    @property
    def at(self) -> int:
        """The row that is looked at."""
        last = len(self.target) - 1
        return nearest("token", self.params.token, last) if self.params.token >= 0 else min(1, last)

    def reading(self, at: int) -> Sentence:
        """Where the weights of one row lie."""
        parts = []
        for way in self.ways:
            key = int(way.weights[at].argmax())
            template = _(
                "{way} attention ({model}, last layer, mean of its heads) has {share} on “{key}”"
            )
            parts.append(sentence(
                template, way=Mark(called(way), "strong"), model=name_of(way.model),
                share=Mark(percent(float(way.weights[at, key])), "accent"),
                key=Mark(self.source[key].spoken, "key"),
            ))  # fmt: skip
        told = sentence(_("To write “{token}”:"), token=Mark(self.written[at].spoken, "query"))
        return _joined(told, parts)


def _joined(told: Sentence, parts: Sequence[Sentence]) -> Sentence:
    if len(parts) == 1:
        return sentence(_("{told} {one}."), told=told, one=parts[0])
    return sentence(_("{told} {one}, and {two}."), told=told, one=parts[0], two=parts[1])


def called(way: Way) -> str:
    """A way in words."""
    return _("additive") if way.score == "additive" else _("dot-product")


class Scores(View[Walking, Compared]):
    """Two bars for each token of the source, one a way."""

    name, Params, needs = "stops.scores", Walking, Needs("translate", ("attention",))

    def requests(self, params: Walking) -> tuple[Request, ...]:
        free = OnText(text=params.text).given
        given = SourceTarget(params.text, params.taught) if params.taught else free
        return tuple(TraceRequest(model, given, sites=(ATTENTION,)) for model in params.machines)

    def compute(self, runs: Sequence[Run], params: Walking) -> Compared:
        return compared(runs, params)

    def values(self, record: Compared) -> Mapping[str, Values]:
        axes = (Along("token", _("read"), tokens.labels(record.target)),
                Along("source", _("source"), tokens.labels(record.source)))  # fmt: skip
        return {
            way.score: Values(
                _("weights, {way}").format(way=called(way)), way.weights, axes,
                selected=(record.at, int(way.weights[record.at].argmax())),
            )
            for way in record.ways
        }  # fmt: skip

    def describe(self, record: Compared) -> Sentence:
        return record.reading(record.at)

    def draw(self, record: Compared) -> Bars:
        rows = [BarRow(str(n), token.label) for n, token in enumerate(record.source)]
        frames = [BarFrame(rows, title=record.reading(at)) for at in range(len(record.target))]
        return Bars(
            title=_("Attention to the source, by how a query is compared with a key"),
            selection={"token": record.at},
            frames=frames,
            values=np.stack([way.weights for way in record.ways], axis=1),
            series=[
                Series(_("{way}: {model}").format(way=called(way), model=name_of(way.model)), role)
                for way, role in zip(record.ways, ("key", "accent"), strict=False)
            ],
            follow=Follow("token", first=record.at),
            given=True,
        )


def compared(runs: Sequence[Run], params: Walking) -> Compared:
    """The first machine of either way; those that cut the sentence otherwise are left out.

    Raises:
        AbilityError: one does not translate.
    """
    ways: dict[Score, Way] = {}
    first = runs[params.machines.index(params.model)]
    stream = first.trace.blueprint.streams[0]
    source = first.trace.streams[stream].ids
    target = first.trace.main.ids
    for model, run in zip(params.machines, runs, strict=True):
        blueprint = run.trace.blueprint
        require(run.trace.model, [one.ability for one in blueprint.heads], "translate")
        across = blueprint.across()
        alike = run.trace.streams[blueprint.streams[0]].ids == source and (
            run.trace.main.ids == target
        )
        if across is None or not alike:
            continue
        weights = run.trace[f"{across.prefix(across.n_layers - 1)}.weights"]
        mean = weights if weights.ndim == 2 else weights.mean(axis=0)
        way = Way(model, across.score, mean.astype(np.float32), across.n_heads)
        if across.score == "dot" or across.score not in ways:
            ways[across.score] = way  # of dot products the last machine, of the others the first
    trace = first.trace
    following = [*trace.main.ids[1:], trace.config.end_id]
    return Compared(
        params=params,
        source=trace.streams[stream].tokens,
        target=trace.main.tokens,
        written=[first.words(int(one)) for one in following],
        ways=[ways[score] for score in ("additive", "dot") if score in ways],
    )
