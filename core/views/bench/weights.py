"""One head's attention weights, broken and healthy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.figures.components import Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Values
from core.language import _
from core.views.attention.head import reading
from core.views.bench.run import Broken, OfBench, OfSides
from core.views.parts import head_at, titled

OFF = 0.005  # so far from 1 a sum is no rounding


class WeightsOfSides(OfSides):
    """A sheet for each run that may be seen."""

    def values(self, record: Broken) -> Mapping[str, Values]:
        run = record.broken
        names = {"broken": _("attention weight, broken"), "healthy": _("attention weight, healthy"),
                 "again": _("attention weight, broken, run again")}  # fmt: skip
        place = (run.query, run.key)
        found = {
            side: Values(names[side], record.head(side)("weights"), run.along, selected=place)
            for side in record.sides
        }
        sums = Values(_("sum of the row, broken"), _sums(record), run.along[:1],
                      selected=(run.query,))  # fmt: skip
        return {**found, "sum": sums}

    def describe(self, record: Broken) -> Sentence:
        said = [reading(record.broken, record.broken.query)]
        sums = _sums(record)
        worst = int(np.abs(sums - 1).argmax())
        if abs(sums[worst] - 1) > OFF:
            said.append(sentence(
                _("The weights of “{query}” add up to {sum}."),
                query=Mark(record.broken.query_words[worst], "query"),
                sum=Mark(number(float(sums[worst])), "warning"),
            ))  # fmt: skip
        return join(said)

    def draw(self, record: Broken) -> Matrix:
        return Matrix(
            title=titled(_("Attention weights"), head_at(record.broken)),
            selection=record.selection(),
            sheets=[_sheet(record, side) for side in record.sides],
            sheet=0,
            sheet_field="sheet" if len(record.sides) > 1 else None,
            sheet_tabs=len(record.sides) > 1 or None,
            arrays=_arrays(record),
        )


class BenchWeights(OfBench, WeightsOfSides):
    """Those of the fault that is chosen."""

    name = "bench.weights"


def _sums(record: Broken) -> NDArray[np.float64]:
    sums: NDArray[np.float64] = record.broken("weights").sum(axis=1, dtype=np.float64)
    return sums


def _sheet(record: Broken, side: str) -> Sheet:
    run = record.head(side)
    return Sheet(
        title=titled(_("Attention weights, {side}").format(side=record.called(side)), head_at(run)),
        tab=record.called(side),
        array=f"weights_{side}",
        rows=run.rows,
        cols=run.columns,
        scale=Scale("weight", 1.0),
        mask=f"may_{side}",
        axes=run.of_pairs(),
    )


def _arrays(record: Broken) -> dict[str, NDArray[np.float32] | NDArray[np.uint8]]:
    found: dict[str, NDArray[np.float32] | NDArray[np.uint8]] = {}
    for side in record.sides:
        run = record.head(side)
        found[f"weights_{side}"] = np.ascontiguousarray(run("weights"), np.float32)
        found[f"may_{side}"] = run.mask.astype(np.uint8)
    return found
