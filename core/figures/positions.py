"""Views of order: the sinusoidal table, other ways to tell positions apart, and a shuffle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from core.analysis.positions import (
    by_distance,
    cosines,
    flips,
    moved,
    sinusoidal_cosine,
    wavelength,
)
from core.figures import svg, tokens
from core.figures.params import MAX_SEED, OnText, param
from core.figures.payload import Payload
from core.figures.text import Mark, Sentence, join, number, percent, sentence, token_label
from core.figures.theme import PALETTES, Mode, Palette, positive_scale, signed_scale, styled
from core.figures.view import ComponentView, PlotView, Table, register
from core.language import _, ngettext
from core.requests import MaskSpec, PositionsRequest, Request, TraceRequest
from core.runs import PositionTable, Run
from core.text.tokenizer import Token
from core.tracing.run import Edit

Floats = NDArray[np.floating]
SPAN = 640  # positions that the ways of telling order apart are compared over: past GPT's 512
STRIDE = 5  # between those that are drawn
D_HEAD = 64  # rotary turns a head's vectors, not the stream's
BUCKETS = 32  # T5's: half for keys up to the query, half for those after it


@dataclass(frozen=True, slots=True)
class Positional(OnText):
    """A sinusoidal table, a pair of its components, and a shuffle.

    Attributes:
        d_model: components; an odd number counts as the even one below it.
        positions: rows of the table.
        pair: which sine and cosine are drawn, counted from 0.
        kind: a way of telling positions apart.
        shuffle_seed: of the shuffle.
        apart: draw all sines, then all cosines, in place of turn and turn about.
    """

    d_model: int = param(512, low=2, high=1024)
    positions: int = param(50, low=2, high=SPAN)
    pair: int = param(16, low=0, high=511)
    kind: str = param("learned", choices=("learned", "sinusoidal", "rotary", "t5"))
    shuffle_seed: int = param(0, low=0, high=MAX_SEED)
    apart: bool = param(False)

    @property
    def width(self) -> int:
        return self.d_model // 2 * 2

    @property
    def shown_pair(self) -> int:
        return min(self.pair, self.width // 2 - 1)

    def sinusoidal(self) -> PositionsRequest:
        """The table that this page's controls ask for."""
        return PositionsRequest("sinusoidal", self.positions, self.width)


@dataclass(frozen=True)
class Sines:
    """The record of the sinusoidal views: the table ``(n, d_model)``."""

    table: Floats
    params: Positional

    @cached_property
    def inner_products(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean inner product of rows at each distance, and how much it differs over the table."""
        rows = self.table.astype(np.float64)
        return by_distance(rows @ rows.T)

    @property
    def last(self) -> int:
        """The last position of the table."""
        return len(self.table) - 1

    @property
    def pair_of_last(self) -> tuple[str, str]:
        """Sine and cosine of the shown pair at the last position."""
        at = 2 * self.params.shown_pair
        return number(float(self.table[-1, at])), number(float(self.table[-1, at + 1]))


class _OfSines(PlotView[Positional, Sines]):
    Params = Positional
    needs = "none"

    def requests(self, params: Positional) -> tuple[Request, ...]:
        return (params.sinusoidal(),)

    def compute(self, runs: Sequence[PositionTable], params: Positional) -> Sines:
        return Sines(runs[0].values, params)


def _heatmap(
    values: Floats, palette: Palette, limit: float, *, hover: str, **more: Any
) -> go.Heatmap:
    """Signed numbers, row 0 on top."""
    return go.Heatmap(
        z=np.asarray(values, np.float32),
        zmin=-limit,
        zmax=limit,
        colorscale=signed_scale(palette),
        hovertemplate=hover + "<extra></extra>",
        colorbar={"thickness": 10, "outlinewidth": 0},
        **more,
    )


@register
class SinusoidalTable(_OfSines):
    """The table of Vaswani et al. 2017: one row a position, sines and cosines in turn."""

    name = "positions.sinusoidal"
    EXPORTED = 10_000  # numbers
    FEW = 16  # components

    def title(self, record: Sines) -> str:
        n, width = record.table.shape
        return _("Sinusoidal: {n} positions × {d}").format(n=n, d=width)

    def describe(self, record: Sines) -> Sentence:
        n, width = record.table.shape
        pairs = width // 2
        turning = sum(wavelength(pair, width) <= n for pair in range(pairs))
        how_many = (
            ngettext(
                "Every row is different. Of {pairs} pairs of sine and cosine, the first makes at "
                "least one whole turn within {n} positions; the last takes {longest}.",
                "Every row is different. Of {pairs} pairs of sine and cosine, the first {turning} "
                "make at least one whole turn within {n} positions; the last takes {longest}.",
                turning,
            )
            if turning
            else _("Every row is different. Of {pairs} pairs of sine and cosine, none makes a "
                   "whole turn within {n} positions; the last takes {longest}.")
        )  # fmt: skip
        return sentence(
            how_many,
            pairs=str(pairs),
            turning=Mark(str(turning), "position"),
            n=str(n),
            longest=Mark(f"{wavelength(pairs - 1, width):,.0f}", "position"),
        )  # fmt: skip

    def table(self, record: Sines) -> Table:
        n, width = record.table.shape
        shown = min(width, max(16, self.EXPORTED // n))  # the export travels with the page
        return Table(
            (_("position"), *(_("component {i}").format(i=i) for i in range(shown))),
            [
                (pos, *(round(float(value), 7) for value in row[:shown]))
                for pos, row in enumerate(record.table)
            ],
        )

    def figure(self, record: Sines, mode: Mode) -> go.Figure:
        hover = (
            _("position {pos}, component {component}").format(pos="%{y}", component="%{customdata}")
            + "<br>%{z:.6f}"
        )
        width = record.table.shape[1]
        shown = np.arange(width)
        if record.params.apart:
            shown = np.concatenate([shown[::2], shown[1::2]])
        figure = go.Figure(
            _heatmap(
                record.table[:, shown], PALETTES[mode], 1.0, hover=hover,
                customdata=np.broadcast_to(shown, record.table.shape),
            )
        )  # fmt: skip
        axis = _("component (sines, then cosines)") if record.params.apart else _("component")
        styled(figure, mode, title=self.title(record), x=axis, y=_("position"))
        figure.update_yaxes(autorange="reversed", showgrid=False)
        figure.update_xaxes(showgrid=False)
        if record.params.apart or width <= self.FEW:
            # A column's name is its component: not its place, and no place between two columns.
            places = np.unique(np.linspace(0, width - 1, min(width, 9)).astype(int))
            figure.update_xaxes(tickvals=places, ticktext=[str(shown[i]) for i in places])
        figure.update_layout(height=420)
        return figure


@register
class Curves(_OfSines):
    """Two components of the table along the positions: one pair of sine and cosine."""

    name = "positions.curves"

    def title(self, record: Sines) -> str:
        pair = record.params.shown_pair
        return _("Components {a} and {b}, pair i = {i}").format(a=2 * pair, b=2 * pair + 1, i=pair)

    def describe(self, record: Sines) -> Sentence:
        pair, width = record.params.shown_pair, record.table.shape[1]
        return sentence(
            _("Pair {i} turns once in {length} positions; the first pair in {first}, the last in "
              "{last}."),
            i=Mark(str(pair), "strong"),
            length=Mark(number(wavelength(pair, width)), "position"),
            first=number(wavelength(0, width)),
            last=number(wavelength(width // 2 - 1, width)),
        )  # fmt: skip

    def table(self, record: Sines) -> Table:
        pair = record.params.shown_pair
        own = record.table[:, 2 * pair : 2 * pair + 2]
        return Table(
            (_("position"), *(_("component {i}").format(i=i) for i in (2 * pair, 2 * pair + 1))),
            [(pos, *map(float, row)) for pos, row in enumerate(own)],
        )

    def figure(self, record: Sines, mode: Mode) -> go.Figure:
        palette, pair = PALETTES[mode], record.params.shown_pair
        figure = go.Figure()
        for name, column, dash in (
            (_("sine, component {i}"), 2 * pair, "solid"),
            (_("cosine, component {i}"), 2 * pair + 1, "dot"),
        ):
            figure.add_scatter(
                y=record.table[:, column].astype(float),
                name=name.format(i=column),
                mode="lines+markers",
                marker={"size": 5},
                line={"color": palette.position, "dash": dash, "width": 2},
                hovertemplate=_("position {pos}").format(pos="%{x}") + "<br>%{y:.6f}"
                "<extra>%{fullData.name}</extra>",
            )
        styled(figure, mode, title=self.title(record), x=_("position"), y=_("value"))
        figure.update_yaxes(range=[-1.1, 1.1])
        figure.update_layout(height=320, legend={"orientation": "h", "y": -0.3, "x": 0})
        return figure


@register
class Similarity(_OfSines):
    """The inner product of two rows depends on how far apart they are, and on nothing else."""

    name = "positions.similarity"

    def title(self, record: Sines) -> str:
        return _("Inner product by distance")

    def describe(self, record: Sines) -> Sentence:
        means, spread = record.inner_products
        return sentence(
            _("A position with itself: {own}. With its neighbour: {next}, wherever the two stand: "
              "over all starting positions no distance differs by more than {spread}."),
            own=Mark(number(float(means[0])), "position"),
            next=Mark(number(float(means[1])), "position"),
            spread=number(float(spread.max()) or 0.0, 2),
        )  # fmt: skip

    def table(self, record: Sines) -> Table:
        means, spread = record.inner_products
        return Table(
            (_("distance"), _("inner product"), _("largest difference over starting positions")),
            [(d, float(m), float(s)) for d, (m, s) in enumerate(zip(means, spread, strict=True))],
        )

    def figure(self, record: Sines, mode: Mode) -> go.Figure:
        palette = PALETTES[mode]
        means, _spread = record.inner_products
        figure = go.Figure(
            go.Scatter(
                y=means,
                mode="lines+markers",
                marker={"size": 5},
                line={"color": palette.position, "width": 2},
                hovertemplate=_("distance {d}").format(d="%{x}") + "<br>%{y:.6f}<extra></extra>",
            )
        )
        styled(
            figure, mode, title=self.title(record), x=_("distance in positions"),
            y=_("inner product"),
        )  # fmt: skip
        figure.update_layout(height=300)
        return figure


# --- counting in binary --------------------------------------------------------------------------


@dataclass(frozen=True)
class Binary:
    """The record of ``positions.binary``: 0 to 15 in four bits, the highest first."""

    table: Floats


@register
class BinaryTable(ComponentView[Positional, Binary]):
    """Counting in binary: the picture behind the sinusoids."""

    name = "positions.binary"
    component = "matrix"
    Params = Positional
    needs = "none"
    N, BITS = 16, 4

    def title(self, record: Binary) -> str:
        return _("Counting in binary, 0 to {last}").format(last=len(record.table) - 1)

    def requests(self, params: Positional) -> tuple[Request, ...]:
        return (PositionsRequest("binary", self.N, self.BITS),)

    def compute(self, runs: Sequence[PositionTable], params: Positional) -> Binary:
        return Binary(runs[0].values)

    def describe(self, record: Binary) -> Sentence:
        *slower, last = flips(record.table)
        return sentence(
            _("The last digit changes {last} times, the ones before it {slower} times: fast and "
              "slow digits together tell every position apart. Sines do the same without jumps."),
            last=Mark(str(last), "position"),
            slower=Mark(", ".join(str(n) for n in reversed(slower)), "position"),
        )  # fmt: skip

    def _labels(self, record: Binary) -> tuple[list[str], list[str]]:
        n, bits = record.table.shape
        return [str(i) for i in range(n)], [str(2**bit) for bit in reversed(range(bits))]

    def payload(self, record: Binary) -> Payload:
        rows, columns = self._labels(record)
        return Payload(
            {
                "sheets": [
                    {
                        "title": self.title(record),
                        "array": "bits",
                        "rows": {"labels": rows, "field": "place", "role": "position"},
                        "cols": {"labels": columns, "field": "bit", "role": "position"},
                        "scale": {"kind": "position", "limit": 1.6},
                        "texts": [[f"{bit:.0f}" for bit in row] for row in record.table],
                        "max_cell": 40,
                        "row_height": 21,
                        "alt": str(self.describe(record)),
                        "axes": [[_("rows: positions · columns: what a digit is worth"), "plain"]],
                    }
                ],
                "labels": tokens.matrix_labels(),
            },
            {"bits": np.asarray(record.table, np.float32)},
        )

    def table(self, record: Binary) -> Table:
        _rows, columns = self._labels(record)
        return Table(
            (_("position"), *columns),
            [(pos, *(int(bit) for bit in row)) for pos, row in enumerate(record.table)],
        )

    def svg(self, record: Binary, mode: Mode) -> str:
        rows, columns = self._labels(record)
        texts = [[f"{bit:.0f}" for bit in row] for row in record.table]
        return svg.matrix(
            self.title(record), rows, columns, record.table, mode,
            role="position", limit=1.6, texts=texts, alt=str(self.describe(record)),
        )  # fmt: skip


# --- the model's own table -----------------------------------------------------------------------


@dataclass(frozen=True)
class Learned:
    """The record of ``positions.learned``: the table ``(n_ctx, d_model)`` of a model."""

    table: Floats
    model: str
    started_as_sinusoids: bool

    # Of the usual cosine between neighbours; and rows at the ends that are like no others.
    BREAK, ENDS = 0.75, 4

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
        inner = self.neighbours[self.ENDS : -self.ENDS]
        if not len(inner) or inner.min() >= self.BREAK * np.median(inner):
            return None
        # The first of those that stand out: around a break, both sides do.
        return self.ENDS + 1 + int(np.argmax(inner < self.BREAK * np.median(inner)))


@register
class LearnedTable(PlotView[Positional, Learned]):
    """The position table that the model learnt."""

    name = "positions.learned"
    Params = Positional
    sites = ("embed.positions",)

    def title(self, record: Learned) -> str:
        n, width = record.table.shape
        return _("Learned by {model}: {n} positions × {d}").format(
            model=record.model.upper(), n=n, d=width
        )

    def requests(self, params: Positional) -> tuple[Request, ...]:
        return (TraceRequest(params.model, params.text, sites=self.sites),)

    def compute(self, runs: Sequence[Run], params: Positional) -> Learned:
        trace = runs[0].trace
        return Learned(
            trace.weights["embed.positions.weight"],
            params.model,
            started_as_sinusoids=trace.topology.positions_start == "sinusoids",
        )

    def describe(self, record: Learned) -> Sentence:
        means, _spread = record.by_distance
        far = len(means) // 2
        found: dict[str, Mark | str] = {
            "next": Mark(number(float(means[1])), "position"),
            "far": str(far),
            "away": Mark(number(float(means[far])), "position"),
        }
        if not record.started_as_sinusoids:
            own = sentence(
                _("Nobody told it what a position is: the cosine between neighbouring rows is "
                  "{next} on average, between rows {far} apart {away}."),
                **found,
            )  # fmt: skip
            return own if record.seam is None else join([own, self._seam(record)])
        width = record.table.shape[1]
        return sentence(
            _("Its rows started as sinusoids, like those above, and were then trained: the cosine "
              "between neighbouring rows was {next_before} and is {next} on average, between rows "
              "{far} apart it was {away_before} and is {away}."),
            next_before=number(sinusoidal_cosine(1, width)),
            away_before=number(sinusoidal_cosine(far, width)),
            **found,
        )  # fmt: skip

    def _seam(self, record: Learned) -> Sentence:
        """What the break in the table is."""
        at = record.seam
        assert at is not None
        return sentence(
            _("Rows {before} and {at} are neighbours too, but theirs is {cosine}: a seam, as a "
              "table has that was made longer after a first training, with copies of earlier rows "
              "to begin with. The model's card says whether this one was."),
            before=str(at - 1),
            at=str(at),
            cosine=Mark(number(float(record.neighbours[at - 1])), "position"),
        )  # fmt: skip

    def table(self, record: Learned) -> Table:
        means, spread = record.by_distance
        return Table(
            (_("distance"), _("mean cosine"), _("largest difference over starting positions")),
            [(d, float(m), float(s)) for d, (m, s) in enumerate(zip(means, spread, strict=True))],
        )

    def figure(self, record: Learned, mode: Mode) -> go.Figure:
        limit = float(np.quantile(np.abs(record.table), 0.995)) or 1.0
        hover = (
            _("position {pos}, component {component}").format(pos="%{y}", component="%{x}")
            + "<br>%{z:.6f}"
        )
        figure = go.Figure(_heatmap(record.table, PALETTES[mode], limit, hover=hover))
        styled(figure, mode, title=self.title(record), x=_("component"), y=_("position"))
        figure.update_yaxes(autorange="reversed", showgrid=False)
        figure.update_xaxes(showgrid=False)
        figure.update_layout(height=380)
        return figure


# --- four ways, and what lies past the trained length ---------------------------------------------


@dataclass(frozen=True)
class Kinds:
    """What two positions have in common under each way, for positions 0 to ``SPAN - 1``.

    Attributes:
        learned: cosines of the model's rows ``(n_ctx, n_ctx)``.
        sinusoidal: cosines of the sinusoidal rows ``(SPAN, SPAN)``.
        rotary: cosines of two equal vectors, all ones, after each was turned to its position.
        buckets: T5's bucket of each distance, key minus query, from 1 - SPAN on.
        n_ctx: positions the model was trained on.
    """

    learned: Floats
    sinusoidal: Floats
    rotary: Floats
    buckets: Floats
    n_ctx: int
    params: Positional

    @cached_property
    def curves(self) -> dict[str, NDArray[np.float64]]:
        """Means over all pairs at each distance, of the ways that give a cosine."""
        return {
            _("learned"): by_distance(self.learned)[0],
            _("sinusoidal"): by_distance(self.sinusoidal)[0],
            _("rotary"): by_distance(self.rotary)[0],
        }

    def bucket(self, distance: int) -> int:
        """The bucket of a key ``distance`` positions before its query; after it when negative."""
        return int(self.buckets[SPAN - 1 - distance])

    def last_bucket_from(self) -> int:
        """The nearest distance that falls into the same bucket as the farthest."""
        far = self.buckets[:SPAN][::-1]
        return int(np.argmax(far == far[-1]))


class _OfKinds(PlotView[Positional, Kinds]):
    Params = Positional
    sites = ("embed.positions",)

    def requests(self, params: Positional) -> tuple[Request, ...]:
        return (
            TraceRequest(params.model, params.text, sites=self.sites),
            PositionsRequest("sinusoidal", SPAN, params.width),
            PositionsRequest("rotary", SPAN, D_HEAD),
            PositionsRequest("t5", SPAN, BUCKETS),
        )

    def compute(self, runs: Sequence[Any], params: Positional) -> Kinds:
        run, sinusoidal, rotary, buckets = runs
        learned = run.trace.weights["embed.positions.weight"]
        return Kinds(
            learned=cosines(learned[:SPAN]),
            sinusoidal=cosines(sinusoidal.values),
            rotary=cosines(rotary.values),
            buckets=buckets.values,
            n_ctx=len(learned),
            params=params,
        )


@register
class PairsOfPositions(_OfKinds):
    """Every query position against every key position, under one way of telling them apart."""

    name = "positions.pairs"

    def title(self, record: Kinds) -> str:
        return {
            "learned": _("Learned"),
            "sinusoidal": _("Sinusoidal"),
            "rotary": _("Rotary"),
            "t5": _("T5's relative bias"),
        }[record.params.kind]

    def describe(self, record: Kinds) -> Sentence:
        n = Mark(str(record.n_ctx), "position")
        if record.params.kind == "learned":
            return sentence(
                _("One learned vector a position, added to the token's. The table has {n} rows: "
                  "for position {n} there is none, and the text is cut."),
                n=n,
            )  # fmt: skip
        if record.params.kind == "t5":
            return sentence(
                _("One learned number a head and bucket of distance, added to the score. Keys at "
                  "or before the query have buckets 0 to {before}, those after it {first} to "
                  "{after}; on each side all distances from {far} on share the last one, so any "
                  "length goes. (No T5 ships yet: the picture shows which of its {n} numbers a "
                  "pair gets.)"),
                before=Mark(str(record.bucket(SPAN - 1)), "position"),
                first=Mark(str(record.bucket(-1)), "position"),
                after=Mark(str(record.bucket(1 - SPAN)), "position"),
                far=Mark(str(record.last_bucket_from()), "position"),
                n=str(BUCKETS),
            )  # fmt: skip
        values = record.sinusoidal if record.params.kind == "sinusoidal" else record.rotary
        early, late = float(values[0, 5]), float(values[-6, -1])
        template = {
            "sinusoidal": _("A fixed vector a position, added to the token's. Past {n} the formula "
                            "goes on: positions 0 and 5 have cosine {early}, {a} and {b} have "
                            "{late}. But a model trained on {n} positions has never met the "
                            "vectors past them, and usually gets worse there."),
            "rotary": _("Nothing is added: query and key are turned by an angle that grows with "
                        "the position. Past {n} the formula goes on, and only the distance counts: "
                        "two equal vectors ({d} ones) turned to positions 0 and 5 have cosine "
                        "{early}, turned to {a} and {b} {late}. But a model trained on {n} "
                        "positions has never met larger distances, and usually gets worse there."),
        }[record.params.kind]  # fmt: skip
        return sentence(
            template,
            n=n,
            d=str(D_HEAD),
            early=Mark(number(early), "position"),
            late=Mark(number(late), "position"),
            a=str(SPAN - 6),
            b=str(SPAN - 1),
        )

    def _grid(self, record: Kinds) -> tuple[Floats, list[int]]:
        """Every ``STRIDE``-th position: cosines, or T5's buckets; NaN where there is nothing."""
        at = list(range(0, SPAN, STRIDE))
        if record.params.kind == "t5":
            offsets = np.subtract.outer(at, at)  # query minus key
            return record.buckets[SPAN - 1 - offsets].astype(np.float32), at
        if record.params.kind == "learned":
            whole = np.full((SPAN, SPAN), np.nan, np.float32)
            n = len(record.learned)
            whole[:n, :n] = record.learned
            return whole[np.ix_(at, at)], at
        values = record.sinusoidal if record.params.kind == "sinusoidal" else record.rotary
        return values[np.ix_(at, at)].astype(np.float32), at

    def table(self, record: Kinds) -> Table:
        values, at = self._grid(record)
        some = slice(None, None, 4)  # the export travels with the page
        return Table(
            (_("query position"), *(_("key {k}").format(k=key) for key in at[some])),
            [
                (query, *("" if np.isnan(v) else float(v) for v in row))
                for query, row in zip(at[some], values[some, some], strict=True)
            ],
        )

    def figure(self, record: Kinds, mode: Mode) -> go.Figure:
        palette = PALETTES[mode]
        values, at = self._grid(record)
        where = _("query {q}, key {k}").format(q="%{y}", k="%{x}")
        if record.params.kind == "t5":
            bucket = _("bucket {b}").format(b="%{customdata}")
            trace = go.Heatmap(
                z=values % (BUCKETS // 2), customdata=values, x=at, y=at,
                colorscale=positive_scale(palette, palette.position),
                hovertemplate=where + "<br>" + bucket + "<extra></extra>",
                showscale=False,
            )  # fmt: skip
        else:
            trace = _heatmap(values, palette, 1.0, hover=where + "<br>%{z:.6f}", x=at, y=at,
                             showscale=False)  # fmt: skip
        figure = go.Figure(trace)
        styled(figure, mode, title=self.title(record), x=_("key position"), y=_("query position"))
        if record.n_ctx < SPAN:
            end = {"color": palette.text, "width": 1, "dash": "dot"}
            figure.add_shape(type="line", x0=0, x1=SPAN, y0=record.n_ctx, y1=record.n_ctx, line=end)
            figure.add_shape(type="line", y0=0, y1=SPAN, x0=record.n_ctx, x1=record.n_ctx, line=end)
            if record.params.kind == "learned":
                figure.add_annotation(
                    x=(record.n_ctx + SPAN) / 2, y=(record.n_ctx + SPAN) / 2, showarrow=False,
                    text=_("no rows"), font={"color": palette.muted},
                )  # fmt: skip
        figure.update_yaxes(range=[SPAN, 0], showgrid=False)
        figure.update_xaxes(range=[0, SPAN], showgrid=False)
        figure.update_layout(height=300)
        return figure


@register
class PastTheEnd(_OfKinds):
    """What a pair of positions has in common by distance, past the length trained on."""

    name = "positions.beyond"

    def title(self, record: Kinds) -> str:
        return _("By distance, past the trained {n}").format(n=record.n_ctx)

    def describe(self, record: Kinds) -> Sentence:
        return join(
            [
                sentence(
                    _("The learned table ends at distance {end}."),
                    end=Mark(str(len(record.learned) - 1), "position"),
                ),
                sentence(
                    _("The formulas of sines and rotation go on, but a model trained on {n} "
                      "positions has never met what comes then, and usually gets worse there "
                      "(Press et al. 2022)."),
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

    def table(self, record: Kinds) -> Table:
        curves = record.curves
        return Table(
            (_("distance"), *curves, _("T5 bucket of a key before"), _("T5 bucket of a key after")),
            [
                (
                    d,
                    *(float(curve[d]) if d < len(curve) else "" for curve in curves.values()),
                    record.bucket(d),
                    record.bucket(-d),
                )
                for d in range(SPAN)
            ],
        )

    def figure(self, record: Kinds, mode: Mode) -> go.Figure:
        palette = PALETTES[mode]
        figure = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.68, 0.32],
                               vertical_spacing=0.06)  # fmt: skip
        hover = _("distance {d}").format(d="%{x}") + "<br>%{y:.6f}<extra>%{fullData.name}</extra>"
        looks = zip(
            (palette.accent, palette.position, palette.key), ("solid", "solid", "dot"), strict=True
        )
        for (name, curve), (colour, dash) in zip(record.curves.items(), looks, strict=True):
            figure.add_scatter(
                y=curve, name=name, mode="lines", hovertemplate=hover,
                line={"color": colour, "dash": dash, "width": 2}, row=1, col=1,
            )  # fmt: skip
        figure.add_scatter(
            y=[record.bucket(d) for d in range(SPAN)],
            name=_("T5's bucket, keys before the query"),
            mode="lines",
            hovertemplate=_("distance {d}, bucket {b}").format(d="%{x}", b="%{y}")
            + "<extra></extra>",
            line={"color": palette.residual, "width": 2, "shape": "hv"},
            row=2,
            col=1,
        )
        styled(figure, mode, title=self.title(record), x=_("distance in positions"), y=_("cosine"))
        figure.update_xaxes(title="", row=1)
        figure.update_yaxes(title=_("bucket"), row=2)
        if record.n_ctx < SPAN:
            figure.add_vline(
                x=record.n_ctx, line={"color": palette.text, "width": 1, "dash": "dot"}
            )
        figure.update_layout(height=400, legend={"orientation": "h", "y": -0.2, "x": 0})
        return figure


# --- a shuffle ------------------------------------------------------------------------------------

NO_POSITIONS = (Edit("embed.positions"),)
ALL_SEE_ALL = MaskSpec("none")


@dataclass(frozen=True)
class Shuffled:
    """The record of ``positions.shuffle``.

    Attributes:
        tokens: of the text, in its order.
        order: which token stood at each place of the shuffled run.
        names: of the conditions.
        change: ``(conditions, T)`` how far each token's output moved, as a share of its length.
        keeps: for each condition whether nothing in it can tell the order.
    """

    tokens: tuple[Token, ...]
    order: tuple[int, ...]
    names: list[str]
    change: NDArray[np.float64]
    keeps: list[bool]
    model: str
    cut: str

    @property
    def same_order(self) -> bool:
        """Whether the shuffle left everything where it was."""
        return list(self.order) == list(range(len(self.order)))


@register
class Shuffle(ComponentView[Positional, Shuffled]):
    """The same tokens in another order: with and without positions, with and without a mask."""

    name = "positions.shuffle"
    component = "matrix"
    Params = Positional
    sites = ("*_[2n]*.out",)  # ln_2.out and final_norm.out, which a post-norm stack does not have

    def title(self, record: Shuffled) -> str:
        return _("{model}: how far each token's output moves when the order changes").format(
            model=record.model.upper()
        )

    def requests(self, params: Positional) -> tuple[Request, ...]:
        settings: tuple[dict[str, Any], ...] = (
            {"edits": NO_POSITIONS, "mask": ALL_SEE_ALL},
            {"edits": NO_POSITIONS},
            {},
        )
        return tuple(
            TraceRequest(params.model, params.text, sites=self.sites, shuffle=seed, **setting)
            for setting in settings
            for seed in (None, params.shuffle_seed)
        )

    def compute(self, runs: Sequence[Run], params: Positional) -> Shuffled:
        trace = runs[0].trace
        causal = trace.topology.causal
        names = [
            _("no mask, no positions") if causal else _("no positions"),
            _("causal mask alone"),
            _("mask and positions") if causal else _("with positions"),
        ]
        last = f"blocks.{trace.topology.n_layers - 1}.ln_2.out"
        site = "final_norm.out" if trace.topology.final_norm else last
        change = [
            moved(before.trace[site], after.trace[site], after.order)
            for before, after in zip(runs[::2], runs[1::2], strict=True)
        ]
        # Without a mask of its own, a model has one condition less.
        kept = [0, 1, 2] if causal else [0, 2]
        return Shuffled(
            tokens=trace.tokens,
            order=runs[1].order,
            names=[names[i] for i in kept],
            change=np.stack([change[i] for i in kept]),
            keeps=[i == 0 for i in kept],
            model=params.model,
            cut=runs[0].cut,
        )

    def shuffled_text(self, record: Shuffled) -> str:
        """The tokens as the second run reads them."""
        shown = [token_label(record.tokens[at]) for at in record.order[:40]]
        return " ".join(shown) + " …" * (len(record.order) > 40)

    def describe(self, record: Shuffled) -> Sentence:
        if record.same_order:
            return sentence(
                _("This shuffle leaves every token in its place: write a longer text, or draw "
                  "another one.")
            )  # fmt: skip
        read = Mark(self.shuffled_text(record), "strong")
        parts = [sentence(_("The shuffled text: “{read}”."), read=read)]
        for name, change, keeps in zip(record.names, record.change, record.keeps, strict=True):
            if keeps:
                parts.append(
                    sentence(
                        _("{model}, {name}: the same vectors in the new order. The largest change "
                          "is {most} of a vector's length: rounding."),
                        model=record.model.upper(),
                        name=Mark(name, "strong"),
                        most=Mark(number(float(change.max()), 2), "position"),
                    )
                )  # fmt: skip
            else:
                parts.append(
                    sentence(
                        _("{name}: the vectors move by {mean} of their length on average."),
                        name=Mark(name[:1].upper() + name[1:], "strong"),
                        mean=Mark(percent(float(change.mean())), "position"),
                    )
                )
        return join(parts)

    def payload(self, record: Shuffled) -> Payload:
        return Payload(
            {
                "sheets": [
                    {
                        "title": self.title(record),
                        "array": "change",
                        "rows": {
                            "labels": record.names,
                            "field": "condition",
                            "role": "position",
                            "room": 200,
                        },
                        "cols": {
                            "labels": tokens.labels(record.tokens),
                            "field": "token",
                            "role": "query",
                        },
                        "scale": {
                            "kind": "position",
                            "limit": float(max(1.0, record.change.max())),
                        },
                        "numbers": True,
                        "max_cell": 52,
                        "row_height": 26,
                        "alt": str(self.describe(record)),
                        "axes": [[_("columns: tokens of the text · a cell: length of the change "
                                    "over length of the vector"), "plain"]],
                    }
                ],
                "labels": tokens.matrix_labels(),
            },
            {"change": record.change.astype(np.float32)},
        )  # fmt: skip

    def table(self, record: Shuffled) -> Table:
        place = {at: n for n, at in enumerate(record.order)}
        return Table(
            (_("position"), _("token"), _("position after the shuffle"), *record.names),
            [
                (at, token_label(token), place[at], *map(float, record.change[:, at]))
                for at, token in enumerate(record.tokens)
            ],
        )

    def svg(self, record: Shuffled, mode: Mode) -> str:
        return svg.matrix(
            self.title(record),
            record.names,
            tokens.labels(record.tokens),
            record.change,
            mode,
            role="position",
            limit=float(max(1.0, record.change.max())),
            texts=[[number(float(v), 2) for v in row] for row in record.change],
            alt=str(self.describe(record)),
        )
