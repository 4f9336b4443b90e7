"""What a model has learned of positions, and other ways to tell them apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.positions import by_distance, cosines, sinusoidal_cosine
from core.figures.components.plot import Curve, Heat, Panel, PlaceWords, Plot, PlotAxis, Rule
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import N_, _, name_of
from core.models.needs import Needs
from core.runs.kinds.positions import PositionsRequest
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.tracing.trace import Array, Trace
from core.views.params import OnText
from core.views.positions.sinusoidal import (
    SPAN,
    WAYS,
    Encoded,
    Floats,
    along_components,
    along_distances,
    along_positions,
)
from core.views.view import View

# --- the position table of a model, where it learned one ------------------------------


# Of the usual cosine between neighbours; and rows at the ends that are like no others.
BREAK, ENDS = 0.75, 4


@dataclass(frozen=True)
class LearnedPositions:
    """A model's position table.

    Attributes:
        table: ``(n_ctx, d_model)``; of fixed sinusoids the rows that the run read.
        model: id on the shelf.
        started_as_sinusoids: its rows were sinusoids before training.
        fixed: they still are: nothing in it was learned.
    """

    table: Floats
    model: str
    started_as_sinusoids: bool
    fixed: bool = False

    @cached_property
    def by_distance(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean cosine of rows at each distance, and how much it differs over the table."""
        return by_distance(cosines(self.table))

    @cached_property
    def neighbours(self) -> NDArray[np.float64]:
        """Cosine of each row with the next, ``(n_ctx - 1,)``."""
        return np.asarray(np.diagonal(cosines(self.table), 1), np.float64)

    @cached_property
    def seam(self) -> int | None:
        """The row where the table breaks: far less like its neighbours than rows are; or None."""
        inner = self.neighbours[ENDS:-ENDS]
        if not len(inner) or inner.min() >= BREAK * np.median(inner):
            return None
        # The first of those that stand out: around a break, both sides do.
        return ENDS + 1 + int(np.argmax(inner < BREAK * np.median(inner)))


def position_requests(params: Encoded) -> tuple[Request, ...]:
    """A run; of a learned table it makes no difference what it is run on."""
    return (TraceRequest(params.model, Text(OnText().text), sites=("@positions",)),)


def position_rows(trace: Trace) -> Array | None:
    """The rows ``(n_ctx, d_model)``; None of a model whose positions are fixed."""
    embedding = trace.blueprint.embeddings[0]
    if embedding.positions != "learned":
        return None
    return trace.weights[f"{embedding.prefix}.positions.weight"]


# --- the position table that a model learned ------------------------------------------


class PositionsLearnedView(View[Encoded, LearnedPositions]):
    """Rows are positions, columns components."""

    name, Params, needs = "positions.learned", Encoded, Needs(parts=("positions",))

    def requests(self, params: Encoded) -> tuple[Request, ...]:
        return position_requests(params)

    def compute(self, runs: Sequence[Run], params: Encoded) -> LearnedPositions:
        trace = runs[0].trace
        embedding, rows = trace.blueprint.embeddings[0], position_rows(trace)
        return LearnedPositions(
            trace[f"{embedding.prefix}.positions"] if rows is None else rows,
            params.model,
            started_as_sinusoids=embedding.learned_from == "sinusoids",
            fixed=rows is None,
        )

    def values(self, record: LearnedPositions) -> Mapping[str, Values]:
        n, width = record.table.shape
        means, spread = record.by_distance
        apart, axes = (along_distances(n),), (along_positions(n), along_components(range(width)))
        pairs = (along_positions(n - 1),)
        return {
            "mean_cosine": Values(_("mean cosine"), means, apart),
            "spread": Values(_("largest difference over starting positions"), spread, apart),
            "neighbours": Values(_("cosine with the next row"), record.neighbours, pairs),
            "table": Values(_("value"), record.table, axes),
        }

    def describe(self, record: LearnedPositions) -> Sentence:
        means, _spread = record.by_distance
        far = len(means) // 2
        values: dict[str, Mark | str] = {
            "next": Mark(number(float(means[min(1, far)])), "position"),
            "far": str(far),
            "away": Mark(number(float(means[far])), "position"),
        }
        if record.fixed:
            return _fixed_sentence(record, values)
        if not record.started_as_sinusoids:
            summary = sentence(
                _("No rule said what a position is; training found these rows. The cosine "
                  "between neighbouring rows is {next} on average, between rows {far} apart "
                  "{away}."),
                **values,
            )  # fmt: skip
            return summary if record.seam is None else join([summary, _seam(record, record.seam)])
        width = record.table.shape[1]
        return sentence(
            _("The rows started as sinusoids, like those above, and were then trained. The "
              "cosine between neighbouring rows was {next_before} and is {next} on average; "
              "between rows {far} apart it was {away_before} and is {away}."),
            next_before=number(sinusoidal_cosine(1, width)),
            away_before=number(sinusoidal_cosine(far, width)),
            **values,
        )  # fmt: skip

    def draw(self, record: LearnedPositions) -> Plot:
        n, width = record.table.shape
        title = (
            _("Fixed in {model}: the first {n} positions × {d}")
            if record.fixed
            else _("Learned by {model}: {n} positions × {d}")
        ).format(model=name_of(record.model), n=n, d=width)
        where = _("position {pos}, component {component}").format(pos="{y}", component="{x}")
        limit = float(np.quantile(np.abs(record.table), 0.995)) or 1.0
        return Plot(
            title=title,
            x=PlotAxis(title=_("component"), grid=False),
            y=PlotAxis(title=_("position"), reversed=True, grid=False),
            series=[Heat(z=record.table, limit=limit, hover=where + "\n{z:.6f}")],
            height=380,
        )


def _seam(record: LearnedPositions, position: int) -> Sentence:
    """What the break in the table is."""
    return sentence(
        _("Rows {before} and {at} are neighbours too, but their cosine is {cosine}. Such a "
          "seam appears when a table is made longer after a first training and the new rows "
          "begin as copies of earlier ones. The model's card says whether this one was."),
        before=str(position - 1),
        at=str(position),
        cosine=Mark(number(float(record.neighbours[position - 1])), "position"),
    )  # fmt: skip


def _fixed_sentence(record: LearnedPositions, values: Mapping[str, Mark | str]) -> Sentence:
    """What is drawn of a model that learned no table."""
    return sentence(
        _("{model} learned no position table: it adds sinusoids, which training does not "
          "change. Its first {n} rows are shown. The cosine between neighbouring rows is "
          "{next} on average, between rows {far} apart {away}."),
        model=name_of(record.model), n=str(len(record.table)), **values,
    )  # fmt: skip


# --- four ways to tell positions apart, compared past the length that a model was trained on


D_HEAD = 64  # rotary turns a head's vectors, not the stream's
BUCKETS = 32  # T5's: half for keys up to the query, half for those after it


@dataclass(frozen=True)
class PositionsInCommon:
    """What two positions have in common under each way, for positions 0 to ``SPAN - 1``.

    Attributes:
        learned: cosines of the model's rows ``(n_ctx, n_ctx)``; ``(0, 0)`` where it has none.
        sinusoidal: cosines of the sinusoidal rows ``(SPAN, SPAN)``.
        rotary: cosines of two equal vectors, all ones, after each was turned to its position.
        buckets: T5's bucket of each distance, key minus query, from 1 - SPAN on.
        n_ctx: positions the model was trained on.
        params: what was asked for.
    """

    learned: Floats
    sinusoidal: Floats
    rotary: Floats
    buckets: Floats
    n_ctx: int
    params: Encoded

    @cached_property
    def curves(self) -> Mapping[str, NDArray[np.float64]]:
        """Means over all pairs at each distance, of the ways that give a cosine."""
        ways = {"learned": self.learned, "sinusoidal": self.sinusoidal, "rotary": self.rotary}
        return {name: by_distance(pairs)[0] for name, pairs in ways.items() if len(pairs)}

    def bucket(self, distance: int) -> int:
        """The bucket of a key ``distance`` positions before its query; after it when negative."""
        return int(self.buckets[SPAN - 1 - distance])

    def last_bucket_from(self) -> int:
        """The nearest distance that falls into the same bucket as the farthest."""
        far = self.buckets[:SPAN][::-1]
        return int(np.argmax(far == far[-1]))


class WaysView(View[Encoded, PositionsInCommon]):
    """A model for its own table, and the three ways that need none."""

    Params, needs = Encoded, Needs(parts=("positions",))

    def requests(self, params: Encoded) -> tuple[Request, ...]:
        return (
            *position_requests(params),
            PositionsRequest("sinusoidal", SPAN, params.width),
            PositionsRequest("rotary", SPAN, D_HEAD),
            PositionsRequest("relative", SPAN, BUCKETS),
        )

    def compute(self, runs: Sequence[Any], params: Encoded) -> PositionsInCommon:
        run, sinusoidal, rotary, buckets = runs
        rows = position_rows(run.trace)
        return PositionsInCommon(
            learned=np.zeros((0, 0)) if rows is None else cosines(rows[:SPAN]),
            sinusoidal=cosines(sinusoidal.values),
            rotary=cosines(rotary.values),
            buckets=buckets.values,
            n_ctx=run.trace.config.n_ctx,
            params=params,
        )


# --- every query position against every key position, under one way of telling them apart


STRIDE = 5  # between the positions that are drawn
DRAWN = range(0, SPAN, STRIDE)


class PositionsPairsView(WaysView):
    """Cosines, or T5's buckets."""

    name = "positions.pairs"

    def values(self, record: PositionsInCommon) -> Mapping[str, Values]:
        axes = (
            Along("query", _("query position"), [str(position) for position in DRAWN]),
            Along(
                "key", _("key position"), [_("key {k}").format(k=position) for position in DRAWN]
            ),
        )
        if record.params.kind == "relative":
            return {"buckets": Values(_("bucket"), _grid(record).astype(int), axes)}
        return {"cosines": Values(_("cosine"), _grid(record), axes)}

    def describe(self, record: PositionsInCommon) -> Sentence:
        kind = record.params.kind
        if kind == "learned":
            return _of_learned(record)
        return _of_buckets(record) if kind == "relative" else _of_formula(record)

    def draw(self, record: PositionsInCommon) -> Plot:
        return Plot(
            title=_(WAYS[record.params.kind]),
            x=PlotAxis(title=_("key position"), range=(0, SPAN), grid=False),
            y=PlotAxis(title=_("query position"), range=(SPAN, 0), grid=False),
            series=[_heat(record)],
            rules=list(_end(record)),
            words=list(_nothing(record)),
            height=300,
        )


def _grid(record: PositionsInCommon) -> Floats:
    """Every ``STRIDE``-th position: cosines, or T5's buckets; NaN where there is nothing."""
    positions = list(DRAWN)
    if record.params.kind == "relative":
        offsets = np.subtract.outer(positions, positions)  # query minus key
        return record.buckets[SPAN - 1 - offsets].astype(np.float32)
    if record.params.kind == "learned":
        whole = np.full((SPAN, SPAN), np.nan, np.float32)
        n = len(record.learned)
        whole[:n, :n] = record.learned
        return whole[np.ix_(positions, positions)]
    values = record.sinusoidal if record.params.kind == "sinusoidal" else record.rotary
    return values[np.ix_(positions, positions)].astype(np.float32)


def _heat(record: PositionsInCommon) -> Heat:
    """The colour of a bucket is how far it reaches, on either side."""
    positions, values = list(DRAWN), _grid(record)
    where = _("query {q}, key {k}").format(q="{y}", k="{x}")
    if record.params.kind == "relative":
        return Heat(
            z=values % (BUCKETS // 2), x=positions, y=positions, kind="position", key=False,
            custom=values,
            hover=where + "\n" + _("bucket {b}").format(b="{custom}"),
        )  # fmt: skip
    return Heat(z=values, x=positions, y=positions, limit=1.0, key=False, hover=where + "\n{z:.6f}")


def _end(record: PositionsInCommon) -> Iterator[Rule]:
    """Where the model's training ended."""
    if record.n_ctx < SPAN:
        yield Rule(x=record.n_ctx, role="text", dash="dot")
        yield Rule(y=record.n_ctx, role="text", dash="dot")


def _nothing(record: PositionsInCommon) -> Iterator[PlaceWords]:
    """Where a learned table has no rows."""
    n = len(record.learned)
    if record.params.kind == "learned" and n < SPAN:
        yield PlaceWords(x=(n + SPAN) / 2, y=(n + SPAN) / 2, text=_("no rows"))


def _of_learned(record: PositionsInCommon) -> Sentence:
    n = Mark(str(record.n_ctx), "position")
    if not len(record.learned):
        return sentence(
            _("One learned vector per position, added to the token's. {model} learned none: "
              "it adds the sinusoids, so there is nothing to compare."),
            model=name_of(record.params.model),
        )  # fmt: skip
    return sentence(
        _("One learned vector per position, added to the token's. The table has {n} rows. "
          "There is none for position {n}, so the text is cut there."),
        n=n,
    )  # fmt: skip


def _of_buckets(record: PositionsInCommon) -> Sentence:
    return sentence(
        _("One learned number per head and distance bucket, added to the score. Keys at or "
          "before the query have buckets 0 to {before}, those after it {first} to {after}. On "
          "each side all distances from {far} on share the last bucket, so a text of any "
          "length fits. (The picture shows which of its {n} numbers each pair gets.)"),
        before=Mark(str(record.bucket(SPAN - 1)), "position"),
        first=Mark(str(record.bucket(-1)), "position"),
        after=Mark(str(record.bucket(1 - SPAN)), "position"),
        far=Mark(str(record.last_bucket_from()), "position"),
        n=str(BUCKETS),
    )  # fmt: skip


def _of_formula(record: PositionsInCommon) -> Sentence:
    """Fixed vectors, and rotation."""
    fixed = record.params.kind == "sinusoidal"
    values = record.sinusoidal if fixed else record.rotary
    template = (
        _("One fixed vector per position, added to the token's. The formula continues past "
          "{n}: positions 0 and 5 have cosine {early}, {a} and {b} have {late}. But a model "
          "trained on {n} positions has never met the vectors past them, and usually gets "
          "worse there.")
        if fixed
        else _("Nothing is added: query and key are turned by an angle that grows with the "
               "position. The formula continues past {n}, and only the distance counts: two "
               "equal vectors ({d} ones) turned to positions 0 and 5 have cosine {early}, "
               "turned to {a} and {b} {late}. But a model trained on {n} positions has never "
               "met larger distances, and usually gets worse there.")
    )  # fmt: skip
    return sentence(
        template,
        n=Mark(str(record.n_ctx), "position"),
        d=str(D_HEAD),
        early=Mark(number(float(values[0, 5])), "position"),
        late=Mark(number(float(values[-6, -1])), "position"),
        a=str(SPAN - 6),
        b=str(SPAN - 1),
    )


# --- what a pair of positions has in common by distance, past the length trained on ---


CALLED = {"learned": N_("learned"), "sinusoidal": N_("sinusoidal"), "rotary": N_("rotary")}
LOOKS: Mapping[str, Mapping[str, Any]] = {
    "learned": {"role": "accent"},
    "sinusoidal": {"role": "position"},
    "rotary": {"role": "key", "dash": "dot"},
}


class PositionsBeyondView(WaysView):
    """Cosines above, T5's bucket below."""

    name = "positions.beyond"

    def values(self, record: PositionsInCommon) -> Mapping[str, Values]:
        axes = (along_distances(SPAN),)
        curves = {}
        for name, curve in record.curves.items():
            padded = np.full(SPAN, np.nan)
            padded[: len(curve)] = curve
            curves[name] = Values(_(CALLED[name]), padded, axes)
        before = np.array([record.bucket(distance) for distance in range(SPAN)])
        after = np.array([record.bucket(-distance) for distance in range(SPAN)])
        return curves | {
            "bucket_before": Values(_("T5 bucket of a key before"), before, axes),
            "bucket_after": Values(_("T5 bucket of a key after"), after, axes),
        }

    def describe(self, record: PositionsInCommon) -> Sentence:
        end = Mark(str(len(record.learned) - 1), "position")
        learned = (
            sentence(_("The learned table ends at distance {end}."), end=end)
            if len(record.learned)
            else sentence(
                _("{model} learned no position table."), model=name_of(record.params.model)
            )
        )
        return join(
            [
                learned,
                sentence(
                    _("The formulas of the sinusoids and of the rotation continue, but a "
                      "model trained on {n} positions has never met what comes then. It "
                      "usually gets worse there (Press et al. 2022)."),
                    n=str(record.n_ctx),
                ),
                sentence(
                    _("T5 puts every distance from {far} on into one bucket: {bucket} for keys "
                      "before the query, {after} for keys after it."),
                    far=Mark(str(record.last_bucket_from()), "position"),
                    bucket=str(record.bucket(SPAN - 1)),
                    after=str(record.bucket(1 - SPAN)),
                ),
            ]
        )  # fmt: skip

    def draw(self, record: PositionsInCommon) -> Plot:
        hover = _("distance {d}").format(d="{x}") + "\n{name}: {y:.6f}"
        buckets = Curve(
            y=[record.bucket(distance) for distance in range(SPAN)],
            name=_("T5's bucket, keys before the query"),
            role="residual",
            step=True,
            hover=_("distance {d}, bucket {b}").format(d="{x}", b="{y}"),
        )
        return Plot(
            title=_("Cosine by distance, beyond the trained {n} positions").format(n=record.n_ctx),
            x=PlotAxis(title=_("distance in positions")),
            y=PlotAxis(title=_("cosine")),
            series=[
                Curve(y=curve, name=_(CALLED[name]), hover=hover, **LOOKS[name])
                for name, curve in record.curves.items()
            ],
            rules=[Rule(x=record.n_ctx, role="text", dash="dot")] * (record.n_ctx < SPAN),
            below=[Panel(y=PlotAxis(title=_("bucket")), series=[buckets], share=0.32)],
            height=400,
        )
