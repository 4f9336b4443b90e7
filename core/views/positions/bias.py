"""What each head adds to its scores, by the distance of query and key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import Curve, Panel, Plot, PlotAxis, Rule
from core.figures.text import MINUS, Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import Needs
from core.runs.requests import BiasRequest, Request
from core.runs.results import Biases
from core.views.params import OnText, model_param, param
from core.views.view import View

OWN = 110  # pixels of a head's panel


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


class Bias(View[AtAttention, BiasByDistance]):
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
        distances = Along("distance", _("distance"), [str(one) for one in record.distances])
        heads = Along("head", _("head"), [str(head) for head in range(len(record.values))])
        return {
            "bias": Values(_("bias"), record.values, (heads, distances)),
            "bucket": Values(_("bucket"), record.buckets, (distances,)),
        }

    def describe(self, record: BiasByDistance) -> Sentence:
        head, at = map(int, np.unravel_index(record.values.argmax(), record.values.shape))
        return join([
            sentence(
                _("Head {head} adds most at distance {distance}: {value}. Its smallest bias is "
                  "{least}."),
                head=Mark(str(head), "weight"),
                distance=Mark(_whole(int(record.distances[at])), "position"),
                value=Mark(number(float(record.values[head, at])), "position"),
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
            below=[Panel(y=one.y, series=one.series, share=share) for one in others],
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
                text=[str(one) for one in record.buckets],
                step=True,
                legend=False,
            )
        ],
    )
