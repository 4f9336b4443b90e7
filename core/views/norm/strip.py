"""The tokens, with the spread of each one's vector before the norm brings them to one size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import _
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.tracing.trace import Array
from core.views.norm.sentences import clean
from core.views.norm.vector import NormRun, OneVector, vector_requests, vector_run
from core.views.parts import norm_called
from core.views.view import View, register


@register
class NormStrip(View[OneVector, NormRun]):
    """A standard deviation under each token."""

    name, Params, needs = "norm.strip", OneVector, Needs(parts=("blocks", "layer_norm"))

    def requests(self, params: OneVector) -> tuple[Request, ...]:
        return vector_requests(replace(params, source="text"))

    def compute(self, runs: Sequence[Run], params: OneVector) -> NormRun:
        return replace(vector_run(runs, replace(params, source="text")), params=params)

    def absent(self, record: NormRun) -> bool:
        return record.params.source == "worked"

    def values(self, record: NormRun) -> Mapping[str, Values]:
        site, place = record.at.site, (record.token,)
        along = (Along("token", _("token"), tokens.labels(record.tokens)),)
        mean, var = (record.trace[f"{site}.{name}"][:, 0] for name in ("mean", "var"))
        return {
            "position": Values(_("position"), np.arange(len(mean)), along, selected=place),
            "mean": Values(_("mean"), mean, along, site=f"{site}.mean", selected=place),
            "var": Values(_("variance"), var, along, site=f"{site}.var", selected=place),
            "spread": Values(_("standard deviation"), _spread(record), along, selected=place),
        }

    def describe(self, record: NormRun) -> Sentence:
        return _reading(record, record.token)

    def draw(self, record: NormRun) -> Strip:
        assert record.run is not None
        spread = _spread(record)
        title = _(
            "Spread √σ² (standard deviation) of each token's vector before the {norm}"
        ).format(norm=norm_called(record.at))
        return Strip(
            title=title,
            selection=record.selection(),
            tokens=[tokens.chip(token) for token in record.tokens],
            cut=tokens.cut_text(record.run.cut),
            default=record.token,
            heading=sentence(title),
            heat=spread,
            heat_role="residual",
            heat_limit=float(spread.max()) or 1.0,
            heat_digits=3,
            readings=[_reading(record, at) for at in range(len(spread))],
            name=title,
        )


def _spread(record: NormRun) -> Array:
    return np.asarray(np.sqrt(record.trace[f"{record.at.site}.var"][:, 0]))


def _reading(record: NormRun, at: int) -> Sentence:
    trace, site = record.trace, record.at.site
    out = trace[f"{site}.normalized"][at]
    return sentence(
        _("“{token}” enters this LayerNorm with mean {mean} and variance {var}. After the "
          "division it has mean {then} and variance {one}."),
        token=Mark(record.tokens[at].spoken, "query"),
        mean=Mark(number(float(trace[f"{site}.mean"][at, 0])), "strong"),
        var=Mark(number(float(trace[f"{site}.var"][at, 0])), "strong"),
        then=number(clean(float(out.mean()))),
        one=number(float(out.var())),
    )  # fmt: skip
