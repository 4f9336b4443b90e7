"""Word alignment: which row of the attention says where a word comes from, with a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Axis, By, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, decimal, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import Needs
from core.runs.kinds.trace import ATTENTION, Run, TraceRequest
from core.runs.kinds.translation import SourceCosts, SourceCostsRequest
from core.runs.request import Request
from core.units import Token
from core.views.attention.head import by_head
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.view import View

ENOUGH = 0.5  # nats: a token that costs less when all of the source is there needs none of it


@dataclass(frozen=True, slots=True)
class Aligning(OnText):
    """A translation, and a layer of the attention from target to source.

    Attributes:
        cross_layer: the layer; -1 for the last one.
        reading: the sheet that is shown: the row before, the own row, what hiding costs.
        token: the token of the target that is written; -1 for the last one that is a word.
        origin: the token of the source; -1 for the one that the step before attends to most.
    """

    cross_layer: int = param(-1, low=-1, high=255, label=N_("Layer"))
    reading: int = param(0, low=0, high=2, lives="browser", label=N_("Reading"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    origin: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Source token"))


@dataclass(frozen=True)
class Aligned:
    """Three ways to say where each written token comes from; rows are written tokens.

    Attributes:
        params: what was asked for.
        source: tokens that are attended to.
        written: tokens of the target; the end mark is not one of them.
        layer, n_layers: of the attention, and how many there are.
        before: ``(W, S)``: weights of the step that writes the token, mean over the heads.
        after: ``(W, S)``: weights of the row that reads the token.
        costs: ``(W, S)`` nats: what hiding a token of the source costs this one.
        traced: for each layer how many tokens ``before`` and ``after`` trace to what they need.
        prefix: of the sites of the layer's attention.
    """

    params: Aligning
    source: Sequence[Token]
    written: Sequence[Token]
    layer: int
    n_layers: int
    before: NDArray[np.float32]
    after: NDArray[np.float32]
    costs: NDArray[np.float32]
    traced: Sequence[tuple[int, int]]
    prefix: str

    @property
    def needs(self) -> NDArray[np.bool_]:
        """Which tokens need a token of the source: hiding it costs them something."""
        return needing(self.costs)

    @property
    def row(self) -> int:
        """The row of the written token that is looked at; the start mark is not written."""
        token = self.params.token
        if token < 0:
            token = 1 + tokens.last_word(self.written)
        return nearest("token", token, len(self.written)) - 1 if token else 0

    def selection(self) -> dict[str, int | str | By | None]:
        """By the names of the parameters; without a chosen source token the row's largest."""
        most = self.before.argmax(axis=1).tolist()
        chosen = nearest("origin", self.params.origin, len(self.source) - 1)
        return {
            "token": self.row + 1,
            "origin": By("token", [most[0], *most]) if self.params.origin < 0 else chosen,
            "reading": self.params.reading,
        }


class TranslateAlignmentView(View[Aligning, Aligned]):
    """The row before, the own row, and what hiding costs, as sheets of one matrix."""

    name, Params = "translate.alignment", Aligning
    needs = Needs("translate", ("attention",))

    def requests(self, params: Aligning) -> tuple[Request, ...]:
        return (
            TraceRequest(params.model, params.given, sites=(ATTENTION,)),
            SourceCostsRequest(params.model, params.given),
        )

    def compute(self, runs: Sequence[Run | SourceCosts], params: Aligning) -> Aligned:
        run, hidden = runs
        assert isinstance(run, Run)
        assert isinstance(hidden, SourceCosts)
        return aligned(run, hidden, params)

    def values(self, record: Aligned) -> Mapping[str, Values]:
        rows = Along("written", _("written token"), tokens.labels(record.written))
        axes = (rows, Along("key", _("source"), tokens.labels(record.source)))
        layers = (Along("layer", _("layer"), [str(n) for n in range(record.n_layers)]),)
        n = max(1, int(record.needs.sum()))
        shares = np.array(record.traced, np.float64).reshape(-1, 2) / n
        place = (record.layer,)
        return {
            "before": Values(_("weight of the step that writes it"), record.before, axes),
            "own": Values(_("weight of its own row"), record.after, axes),
            "cost": Values(_("cost of hiding it"), record.costs, axes, _("nats")),
            "traced_before": Values(_("tokens traced by the step before"), shares[:, 0], layers,
                                    selected=place),
            "traced_own": Values(_("tokens traced by their own row"), shares[:, 1], layers,
                                 selected=place),
        }  # fmt: skip

    def describe(self, record: Aligned) -> Sentence:
        return join([_word(record), _count_sentence(record)])

    def controls(self, record: Aligned) -> Sequence[Control]:
        return (Control.numbered("cross_layer", record.layer, record.n_layers),)

    def site(self, record: Aligned) -> str:
        return f"{record.prefix}.weights"

    def draw(self, record: Aligned) -> Matrix:
        places = list(range(1, len(record.written) + 1))
        rows = Axis(tokens.labels(record.written), "token", "query", ids=places, found=True)
        cols = Axis(tokens.labels(record.source), "origin", "key")
        limit = max(1.0, float(record.costs.max(initial=0.0)))
        titles = (
            (_("Attention of the step that writes each token, layer {layer}, mean over heads"),
             _("row before"), "before", Scale("weight", 1.0)),
            (_("Attention of each token's own row, layer {layer}, mean over heads"),
             _("own row"), "own", Scale("weight", 1.0)),
            (_("What hiding a source token costs each written token, in nats"),
             _("hiding"), "cost", Scale("signed", limit)),
        )  # fmt: skip
        return Matrix(
            title=_("Where each written token comes from"),
            selection=record.selection(),
            sheets=[
                Sheet(
                    title=title.format(layer=record.layer), tab=tab, array=array, rows=rows,
                    cols=cols, scale=scale, numbers=array == "cost" or None,
                    axes=sentence(_("rows: written tokens · columns: source tokens")),
                )
                for title, tab, array, scale in titles
            ],
            sheet_field="reading",
            sheet_tabs=True,
            arrays={"before": record.before, "own": record.after, "cost": record.costs},
        )  # fmt: skip


def aligned(run: Run, hidden: SourceCosts, params: Aligning) -> Aligned:
    """The record, from a traced run and from what hiding costs."""
    trace = run.trace
    attention = trace.blueprint.across()
    assert attention is not None  # it is what the view needs
    layers = [by_head(trace, attention, n).mean(axis=0) for n in range(attention.n_layers)]
    costs = hidden.costs[:-1]
    best, needed = costs.argmax(axis=1), needing(costs)
    counts = [
        (int((layer[:-1].argmax(axis=1) == best)[needed].sum()),
         int((layer[1:].argmax(axis=1) == best)[needed].sum()))
        for layer in layers
    ]  # fmt: skip
    last = attention.n_layers - 1
    layer = nearest("cross_layer", params.cross_layer, last) if params.cross_layer >= 0 else last
    return Aligned(
        params=params,
        source=[run.words(int(i)) for i in trace.streams[attention.keys].ids],
        written=[run.words(int(i)) for i in trace.streams[attention.queries].ids[1:]],
        layer=layer,
        n_layers=attention.n_layers,
        before=layers[layer][:-1],
        after=layers[layer][1:],
        costs=costs,
        traced=counts,
        prefix=attention.prefix(layer),
    )


def needing(costs: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which rows of costs ``(W, S)`` have one that is worth to be called one: ``(W,)``."""
    return np.asarray(costs.max(axis=1, initial=0.0) >= ENOUGH)


def _word(record: Aligned) -> Sentence:
    """Both rows and the check, for the selected token."""
    row = record.row
    before, own_key, needed = (
        int(table[row].argmax()) for table in (record.before, record.after, record.costs)
    )
    summary = sentence(
        _("In layer {layer} the step that writes “{word}” gives most of its attention to "
          "“{source}” ({share}). The row of “{word}” itself, one step later, gives most to "
          "“{other}”."),
        layer=str(record.layer), word=Mark(record.written[row].spoken, "query"),
        source=Mark(record.source[before].spoken, "key"),
        share=Mark(percent(float(record.before[row, before])), "weight"),
        other=Mark(record.source[own_key].spoken, "key"),
    )  # fmt: skip
    cost = float(record.costs[row, needed])
    if cost < ENOUGH:
        none = _("Hiding any single token of the source costs “{word}” less than {least} nats: it "
                 "follows from the target, or from several tokens of the source that replace each "
                 "other.")  # fmt: skip
        return join([summary, sentence(none, word=record.written[row].spoken,
                                       least=decimal(ENOUGH, 1))])  # fmt: skip
    check = sentence(
        _("Hiding “{source}” costs “{word}” the most: {cost} nats."),
        source=Mark(record.source[needed].spoken, "key"), word=record.written[row].spoken,
        cost=Mark(decimal(cost, 2), "strong"),
    )  # fmt: skip
    return join([summary, check])


def _count_sentence(record: Aligned) -> Sentence:
    """How often each reading finds the token that is needed."""
    n = int(record.needs.sum())
    if not n:
        return sentence(_("No token of this target needs a single token of the source."))
    before, own_hits = record.traced[record.layer]
    return sentence(
        _("{n} of the written tokens need a token of the source. In this layer, the row before "
          "the token finds it for {before} of them, and the token's own row for {own}."),
        n=str(n), before=Mark(str(before), "weight"), own=Mark(str(own_hits), "weight"),
    )  # fmt: skip
