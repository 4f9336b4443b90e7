"""What is added to scores by the distance of query and key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.errors import NoPartError
from core.figures.components import Matrix, Scale, Sheet
from core.figures.components.matrix.sheet import signed_limit
from core.figures.components.plot import Curve, Panel, Plot, PlotAxis, Rule
from core.figures.text import MINUS, Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import Needs
from core.runs.kinds.positions import Biases, BiasRequest
from core.runs.kinds.trace import Run
from core.runs.request import Request
from core.tracing.trace import Array
from core.views.attention.head import (
    AtHead,
    HeadRun,
    head_controls,
    head_requests,
    head_run,
    key_name,
)
from core.views.controls import Control
from core.views.params import OnText, model_param, param
from core.views.parts import head_at, titled
from core.views.view import View

# --- what each head adds to its scores, by the distance of query and key --------------


OWN = 110  # pixels of a head's panel


NO_BIAS = N_("bias by distance in this attention")


@dataclass(frozen=True, slots=True)
class AtAttention:
    """A kind of attention.

    Attributes:
        model: id on the shelf.
        attention: which, in a model that has several.
    """

    model: str = model_param(OnText().model)
    attention: str = param("", part="attention", picked=True, label=N_("Attention"))


@dataclass(frozen=True)
class BiasByDistance:
    """What a kind of attention adds.

    Attributes:
        distances: ``(N,)``, key position minus query position; those that a mask forbids are none.
        values: ``(H, N)``.
        buckets: ``(N,)``, which number of its table each head adds.
        run: all of it.
        params: what was asked for.
    """

    distances: NDArray[np.int64]
    values: NDArray[np.float32]
    buckets: NDArray[np.int64]
    run: Biases
    params: AtAttention

    @property
    def borders(self) -> NDArray[np.float64]:
        """Between the distances of two buckets."""
        return self.distances[:-1][np.diff(self.buckets) != 0] + 0.5


class PositionsBiasView(View[AtAttention, BiasByDistance]):
    """A step for each bucket of distances."""

    name, Params, needs = "positions.bias", AtAttention, Needs(parts=("relative_bias",))

    def requests(self, params: AtAttention) -> tuple[Request, ...]:
        return (BiasRequest(params.model, params.attention),)

    def compute(self, runs: Sequence[Biases], params: AtAttention) -> BiasByDistance:
        run = runs[0]
        # Where later keys have no buckets of their own, they are masked.
        may = (run.distances <= 0) | run.bidirectional
        return BiasByDistance(
            run.distances[may], run.values[:, may], run.buckets[may], run, params
        )  # fmt: skip

    def absent(self, record: BiasByDistance) -> bool:
        return not record.run.site

    def site(self, record: BiasByDistance) -> str:
        return record.run.site

    def values(self, record: BiasByDistance) -> Mapping[str, Values]:
        distances = Along(
            "distance", _("distance"), [str(distance) for distance in record.distances]
        )
        heads = Along("head", _("head"), [str(head) for head in range(len(record.values))])
        return {
            "bias": Values(_("bias"), record.values, (heads, distances)),
            "bucket": Values(_("bucket"), record.buckets, (distances,)),
        }

    def describe(self, record: BiasByDistance) -> Sentence:
        if self.absent(record):
            raise NoPartError(NO_BIAS)
        head, column = map(int, np.unravel_index(record.values.argmax(), record.values.shape))
        return join([
            sentence(
                _("Head {head} adds most at distance {distance}: {value}. Its smallest bias is "
                  "{least}."),
                head=Mark(str(head), "weight"),
                distance=Mark(_whole(int(record.distances[column])), "position"),
                value=Mark(number(float(record.values[head, column])), "position"),
                least=number(float(record.values[head].min())),
            ),
            sentence(
                _("{n} learned numbers per head cover all distances. Each near distance has its "
                  "own number. On each side, all distances from {far} on share one."),
                n=Mark(str(len(np.unique(record.buckets))), "strong"),
                far=Mark(str(record.run.furthest), "strong"),
            ),
        ])  # fmt: skip

    def draw(self, record: BiasByDistance) -> Plot:
        if self.absent(record):
            raise NoPartError(NO_BIAS)
        reach = float(np.abs(record.values).max()) or 1.0
        panels = [_panel(record, head, reach) for head in range(len(record.values))]
        first, *others = panels
        share = 1 / len(panels)
        return Plot(
            title=_("Bias per head, by distance"),
            x=PlotAxis(
                title=_("distance: key position minus query position"),
                range=(float(record.distances[0]), float(record.distances[-1]) + 0.5),
                grid=False,
            ),
            y=first.y,
            series=first.series,
            rules=[Rule(x=float(x), role="border") for x in record.borders],
            below=[Panel(y=panel.y, series=panel.series, share=share) for panel in others],
            legend="none",
            height=110 + OWN * len(panels),
        )


def _whole(distance: int) -> str:
    return f"{distance}".replace("-", MINUS)


def _panel(record: BiasByDistance, head: int, reach: float) -> Panel:
    """The steps of one head."""
    return Panel(
        y=PlotAxis(title=_("head {head}").format(head=head), range=(-1.1 * reach, 1.1 * reach)),
        series=[
            Curve(
                x=record.distances,
                y=record.values[head],
                role="position",
                name=_("head {head}").format(head=head),
                hover=_("distance {d}, bucket {b}").format(d="{x}", b="{text}") + "\n{y:.4f}",
                text=[str(bucket) for bucket in record.buckets],
                step=True,
                legend=False,
            )
        ],
    )


# --- what a distance adds to the scores of one head, and its weights without that -----


@dataclass(frozen=True)
class Added:
    """A head with the bias on its scores, and without it.

    Attributes:
        run: the head.
        bias: ``(Tq, Tk)``; zeros where the model adds none to this kind of attention.
        without: ``(Tq, Tk)``, the softmax of the scores before the bias is added.
    """

    run: HeadRun
    bias: Array
    without: Array

    @property
    def moved(self) -> Array:
        """For each query the share of its attention that the bias moves: ``(Tq,)``."""
        return np.asarray(np.abs(self.run("weights") - self.without).sum(axis=-1) / 2, np.float32)

    def sheet(self, title: str, array: str, scale: Scale) -> Sheet:
        """Queries down, keys across."""
        return Sheet(
            title=title,
            array=array,
            rows=self.run.rows,
            cols=self.run.columns,
            scale=scale,
            mask="may",
            axes=self.run.of_pairs(),
        )

    def matrix(self, title: str, array: str, values: Array, scale: Scale) -> Matrix:
        """The one sheet of a view."""
        return Matrix(
            selection=self.run.selection(),
            sheets=[self.sheet(titled(title, head_at(self.run)), array, scale)],
            arrays={array: values, "may": self.run.mask.astype(np.uint8)},
        )


class BiasedHeadView(View[AtHead, Added]):
    """A view of a head with a bias on its scores."""

    Params, needs = AtHead, Needs(parts=("relative_bias",))

    def controls(self, record: Added) -> Sequence[Control]:
        return head_controls(record.run)

    def requests(self, params: AtHead) -> tuple[Request, ...]:
        return head_requests(params)

    def compute(self, runs: Sequence[Run], params: AtHead) -> Added:
        run = head_run(runs, params)
        bias = np.zeros_like(run("scores")) if run.bias is None else run.bias
        without = softmax(run("scores") - bias, run.mask)
        return Added(run, np.asarray(bias, np.float32), without.astype(np.float32))


# --- the bias of one head on every pair of query and key ------------------------------


class PositionsAddedView(BiasedHeadView):
    """The same along each diagonal: only the distance counts."""

    name = "positions.added"

    def values(self, record: Added) -> Mapping[str, Values]:
        run = record.run
        return {
            "bias": Values(
                _("bias"), record.bias, run.along, site=run.attention.bias,
                selected=(run.query, run.key),
            )
        }  # fmt: skip

    def describe(self, record: Added) -> Sentence:
        run = record.run
        if run.attention.bias is None:
            return sentence(_("Nothing is added to the scores of this kind of attention."))
        return sentence(
            _("To the score of “{query}” and “{key}” this head adds {value}, as to every pair at "
              "this distance."),
            query=Mark(run.query_words[run.query], "query"),
            key=Mark(run.key_words[run.key], "key"),
            value=Mark(number(float(record.bias[run.query, run.key])), "position"),
        )  # fmt: skip

    def draw(self, record: Added) -> Matrix:
        scale = Scale("signed", signed_limit(record.bias))
        return record.matrix(_("Bias added to the scores"), "bias", record.bias, scale)


# --- one head's attention weights, had nothing been added to its scores ---------------


class PositionsUnbiasedView(BiasedHeadView):
    """The softmax of the dot products alone."""

    name = "positions.unbiased"

    def values(self, record: Added) -> Mapping[str, Values]:
        run = record.run
        place = (run.query, run.key)
        queries = Along("query", _("query"), run.queries)
        return {
            "unbiased": Values(_("without the bias"), record.without, run.along, selected=place),
            "weights": Values(
                _("Attention weights"), run("weights"), run.along, selected=place,
                site=run.prefix + "weights",
            ),
            "moved": Values(
                _("share of the attention that the bias moves"), record.moved, (queries,)
            ),
            "moved_mean": Values(
                _("mean share of the attention that the bias moves"),
                np.array(float(record.moved.mean())),
            ),
        }  # fmt: skip

    def describe(self, record: Added) -> Sentence:
        run = record.run
        weights = run("weights")[run.query]
        key = int(weights.argmax())
        return join([
            sentence(
                _("“{query}” gives {share} of its attention to {key}. Without the bias it would "
                  "give {before}."),
                query=Mark(run.query_words[run.query], "query"),
                share=Mark(percent(float(weights[key])), "weight"),
                key=key_name(run, run.query, key),
                before=Mark(percent(float(record.without[run.query, key])), "weight"),
            ),
            sentence(
                _("On average, the bias moves {share} of the attention of this head."),
                share=Mark(percent(float(record.moved.mean())), "weight"),
            ),
        ])  # fmt: skip

    def draw(self, record: Added) -> Matrix:
        return record.matrix(
            _("Weights without the bias"), "unbiased", record.without, Scale("weight", 1.0)
        )  # fmt: skip
