"""The key-value cache: what each step multiplies with it and without, and that both agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.tokens import labels
from core.figures.values import Along, Values
from core.language import _
from core.locale import grouped
from core.models.needs import Needs
from core.runs.costed import Cached
from core.runs.requests import CachedRequest, Request
from core.views.cost.bill import large
from core.views.cost.growth import split
from core.views.params import OnText
from core.views.view import Note, View


@dataclass(frozen=True)
class Steps:
    """One text in both ways, and what was asked for."""

    params: OnText
    run: Cached

    @property
    def n(self) -> int:
        """Steps: one a token."""
        return len(self.run.tokens)

    @property
    def with_cache(self) -> NDArray[np.int64]:
        """Multiplications of each step: one position, and its scores on all up to it."""
        one = split(self.run.machine, 1)
        return one.linear + one.squared * np.arange(1, self.n + 1)

    @property
    def without(self) -> NDArray[np.int64]:
        """The same where every position is computed again."""
        return np.array([split(self.run.machine, n).both for n in range(1, self.n + 1)])


class Same(View[OnText, Steps]):
    """Two curves over the steps."""

    name, Params, needs = "cost.same", OnText, Needs("next_token", ("blocks",))

    def requests(self, params: OnText) -> tuple[Request, ...]:
        return (CachedRequest(params.model, params.text),)

    def compute(self, runs: Sequence[Cached], params: OnText) -> Steps:
        return Steps(params, runs[0])

    def values(self, record: Steps) -> Mapping[str, Values]:
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

    def describe(self, record: Steps) -> Sentence:
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

    def draw(self, record: Steps) -> Plot:
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

    def notes(self, record: Steps) -> Sequence[Note]:
        run = record.run
        quick, slow = (1000 * one for one in run.seconds)
        said = sentence(
            _("Measured here: {quick} ms with the cache, {slow} ms without. After the last token "
              "the cache holds {bytes} bytes."),
            quick=number(quick), slow=number(slow), bytes=grouped(run.kept[-1]),
        )  # fmt: skip
        return (Note("more", said),)


def _factor(record: Steps) -> float:
    return float(record.without.sum() / record.with_cache.sum())
