"""The position table that a model learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.analysis.positions import sinusoidal_cosine
from core.figures.components.plot import Heat, Plot, PlotAxis
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Values
from core.language import _, name_of
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.views.positions.positional import (
    Encoded,
    along_components,
    along_distances,
    along_positions,
)
from core.views.positions.table import Learned, position_requests, position_rows
from core.views.view import View


class LearnedTable(View[Encoded, Learned]):
    """Rows are positions, columns components."""

    name, Params, needs = "positions.learned", Encoded, Needs(parts=("positions",))

    def requests(self, params: Encoded) -> tuple[Request, ...]:
        return position_requests(params)

    def compute(self, runs: Sequence[Run], params: Encoded) -> Learned:
        trace = runs[0].trace
        embedding, rows = trace.blueprint.embeddings[0], position_rows(trace)
        return Learned(
            trace[f"{embedding.prefix}.positions"] if rows is None else rows,
            params.model,
            started_as_sinusoids=embedding.learned_from == "sinusoids",
            fixed=rows is None,
        )

    def values(self, record: Learned) -> Mapping[str, Values]:
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

    def describe(self, record: Learned) -> Sentence:
        means, _spread = record.by_distance
        far = len(means) // 2
        found: dict[str, Mark | str] = {
            "next": Mark(number(float(means[min(1, far)])), "position"),
            "far": str(far),
            "away": Mark(number(float(means[far])), "position"),
        }
        if record.fixed:
            return _fixed(record, found)
        if not record.started_as_sinusoids:
            own = sentence(
                _("No rule said what a position is; training found these rows. The cosine "
                  "between neighbouring rows is {next} on average, between rows {far} apart "
                  "{away}."),
                **found,
            )  # fmt: skip
            return own if record.seam is None else join([own, _seam(record, record.seam)])
        width = record.table.shape[1]
        return sentence(
            _("The rows started as sinusoids, like those above, and were then trained. The "
              "cosine between neighbouring rows was {next_before} and is {next} on average; "
              "between rows {far} apart it was {away_before} and is {away}."),
            next_before=number(sinusoidal_cosine(1, width)),
            away_before=number(sinusoidal_cosine(far, width)),
            **found,
        )  # fmt: skip

    def draw(self, record: Learned) -> Plot:
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


def _seam(record: Learned, at: int) -> Sentence:
    """What the break in the table is."""
    return sentence(
        _("Rows {before} and {at} are neighbours too, but their cosine is {cosine}. Such a "
          "seam appears when a table is made longer after a first training and the new rows "
          "begin as copies of earlier ones. The model's card says whether this one was."),
        before=str(at - 1),
        at=str(at),
        cosine=Mark(number(float(record.neighbours[at - 1])), "position"),
    )  # fmt: skip


def _fixed(record: Learned, found: Mapping[str, Mark | str]) -> Sentence:
    """What is drawn of a model that learned no table."""
    return sentence(
        _("{model} learned no position table: it adds sinusoids, which training does not "
          "change. Its first {n} rows are shown. The cosine between neighbouring rows is "
          "{next} on average, between rows {far} apart {away}."),
        model=name_of(record.model), n=str(len(record.table)), **found,
    )  # fmt: skip
