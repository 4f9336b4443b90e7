"""The table of Vaswani et al. 2017: one row a position, sines and cosines in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.analysis.positions import wavelength
from core.figures.components.plot import Heat, Plot, PlotAxis
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Values
from core.language import _, ngettext
from core.locale import spelt
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.runs.results import PositionTable
from core.views.positions.positional import Sinusoidal, along_components, along_positions
from core.views.positions.sines import Sines, sine_requests, sines
from core.views.view import View

FEW = 16  # components, which are all named
NAMED = 9  # of more


class SinusoidalTable(View[Sinusoidal, Sines]):
    """Rows are positions, columns components."""

    name, Params, needs = "positions.sinusoidal", Sinusoidal, NO_MODEL

    def requests(self, params: Sinusoidal) -> tuple[Request, ...]:
        return sine_requests(params)

    def compute(self, runs: Sequence[PositionTable], params: Sinusoidal) -> Sines:
        return sines(runs, params)

    def values(self, record: Sines) -> Mapping[str, Values]:
        n, width = record.table.shape
        axes = (along_positions(n), along_components(range(width)))
        return {"table": Values(_("value"), record.table, axes)}

    def describe(self, record: Sines) -> Sentence:
        n, width = record.table.shape
        pairs = width // 2
        if pairs == 1:
            return sentence(
                _("Every row is different. The only pair of sine and cosine makes one whole turn "
                  "in {longest} positions."),
                longest=Mark(number(wavelength(0, width)), "position"),
            )  # fmt: skip
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
            longest=Mark(spelt(f"{wavelength(pairs - 1, width):,.0f}"), "position"),
        )  # fmt: skip

    def line(self, record: Sines) -> tuple[str, str]:
        return "core/nn/positions.py", "angles = "

    def draw(self, record: Sines) -> Plot:
        n, width = record.table.shape
        apart = record.params.apart
        shown = np.arange(width)
        if apart:
            shown = np.concatenate([shown[::2], shown[1::2]])
        where = _("position {pos}, component {component}").format(
            pos="{y}", component="{custom}" if apart else "{x}"
        )
        heat = Heat(
            z=record.table[:, shown],
            limit=1.0,
            custom=np.broadcast_to(shown, record.table.shape) if apart else None,
            hover=where + "\n{z:.6f}",
        )
        title = _("component (sines, then cosines)") if apart else _("component")
        x = PlotAxis(title=title, grid=False)
        if apart or width <= FEW:
            # A column's name is its component: not its place, and no place between two columns.
            places = np.unique(np.linspace(0, width - 1, min(width, NAMED)).astype(int))
            labels = [str(shown[at]) for at in places]
            x = PlotAxis(title=title, grid=False, ticks=places.tolist(), labels=labels)
        return Plot(
            title=_("Sinusoidal: {n} positions × {d}").format(n=n, d=width),
            x=x,
            y=PlotAxis(title=_("position"), reversed=True, grid=False),
            series=[heat],
            height=420,
        )
