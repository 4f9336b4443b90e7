"""What a pair of positions has in common by distance, past the length trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.figures.components.plot import Curve, Panel, Plot, PlotAxis, Rule
from core.figures.text import Mark, Sentence, join, sentence
from core.figures.values import Values
from core.language import N_, _, name_of
from core.models.needs import Needs
from core.runs.requests import Request
from core.views.positions.positional import SPAN, Encoded, along_distances
from core.views.positions.ways import Ways, way_requests, ways
from core.views.view import View

CALLED = {"learned": N_("learned"), "sinusoidal": N_("sinusoidal"), "rotary": N_("rotary")}
LOOKS: Mapping[str, Mapping[str, Any]] = {
    "learned": {"role": "accent"},
    "sinusoidal": {"role": "position"},
    "rotary": {"role": "key", "dash": "dot"},
}


class PastTheEnd(View[Encoded, Ways]):
    """Cosines above, T5's bucket below."""

    name, Params, needs = "positions.beyond", Encoded, Needs(parts=("positions",))

    def requests(self, params: Encoded) -> tuple[Request, ...]:
        return way_requests(params)

    def compute(self, runs: Sequence[Any], params: Encoded) -> Ways:
        return ways(runs, params)

    def values(self, record: Ways) -> Mapping[str, Values]:
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

    def describe(self, record: Ways) -> Sentence:
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

    def draw(self, record: Ways) -> Plot:
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
