"""The inner product of two rows depends on how far apart they are, and on nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Values
from core.language import _
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.runs.results import PositionTable
from core.views.positions.positional import Sinusoidal, along_distances
from core.views.positions.sines import Sines, sine_requests, sines
from core.views.view import View


class Similarity(View[Sinusoidal, Sines]):
    """The mean over all pairs of rows at each distance."""

    name, Params, needs = "positions.similarity", Sinusoidal, NO_MODEL

    def requests(self, params: Sinusoidal) -> tuple[Request, ...]:
        return sine_requests(params)

    def compute(self, runs: Sequence[PositionTable], params: Sinusoidal) -> Sines:
        return sines(runs, params)

    def values(self, record: Sines) -> Mapping[str, Values]:
        means, spread = record.inner_products
        axes = (along_distances(len(means)),)
        return {
            "inner_product": Values(_("inner product"), means, axes),
            "spread": Values(_("largest difference over starting positions"), spread, axes),
        }

    def describe(self, record: Sines) -> Sentence:
        means, spread = record.inner_products
        return sentence(
            _("A position with itself: {own}. With its neighbour: {next}, wherever the two stand: "
              "over all starting positions no distance differs by more than {spread}."),
            own=Mark(number(float(means[0])), "position"),
            next=Mark(number(float(means[1])), "position"),
            spread=number(float(spread.max()) or 0.0, 2),
        )  # fmt: skip

    def draw(self, record: Sines) -> Plot:
        means, _spread = record.inner_products
        hover = _("distance {d}").format(d="{x}") + "\n{y:.6f}"
        return Plot(
            title=_("Inner product by distance"),
            x=PlotAxis(title=_("distance in positions")),
            y=PlotAxis(title=_("inner product")),
            series=[Curve(y=means, role="position", markers=5, hover=hover)],
            height=300,
        )
