"""How long the residual vectors are after each layer, broken and healthy."""

from __future__ import annotations

from collections.abc import Mapping

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import _
from core.views.bench.run import ROLES, Broken, OfBench, OfSides


class SizesOfSides(OfSides):
    """A line for each run that may be seen."""

    def values(self, record: Broken) -> Mapping[str, Values]:
        axes = (Along("place", _("after"), _places(record)),)
        names = {"broken": _("length of the residual vector, broken"),
                 "healthy": _("length of the residual vector, healthy"),
                 "again": _("length of the residual vector, broken, run again")}  # fmt: skip
        last = (record.stack.n_layers,)
        return {
            side: Values(names[side], record.sizes(side), axes, selected=last)
            for side in record.sides
        }

    def describe(self, record: Broken) -> Sentence:
        broken = record.sizes("broken")
        said = [sentence(
            _("In the broken machine the mean length of the residual vectors is {start} at first "
              "and {end} after the last layer."),
            start=number(float(broken[0])), end=Mark(number(float(broken[-1])), ROLES["broken"]),
        )]  # fmt: skip
        if "healthy" in record.sides:
            whole = record.sizes("healthy")
            said.append(sentence(
                _("In the healthy one it is {start} and {end}."),
                start=number(float(whole[0])), end=Mark(number(float(whole[-1])), "accent"),
            ))  # fmt: skip
        return join(said)

    def draw(self, record: Broken) -> Plot:
        return Plot(
            title=_("Mean length of the residual vectors"),
            x=PlotAxis(title=_("after which layer"), categories=_places(record)),
            y=PlotAxis(title=_("length of the vector"), from_zero=True),
            series=[
                Curve(y=record.sizes(side), role=ROLES[side], name=record.called(side), markers=6,
                      dash="dash" if side == "again" else "solid", hover="{name}: {y:.4g}")
                for side in reversed(record.sides)
            ],
            height=300,
        )  # fmt: skip


class BenchSizes(OfBench, SizesOfSides):
    """Those of the fault that is chosen."""

    name = "bench.sizes"


def _places(record: Broken) -> list[str]:
    return [_("embeddings"), *map(str, range(record.stack.n_layers))]
