"""How alike the learned positions of patches are: a small picture for each patch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.positions import cosines
from core.figures.components import Tile, Tiles
from core.figures.payload import as_bytes
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import _
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.views.nearest import nearest
from core.views.view import View
from core.views.vision.attention import AtPatch
from core.views.vision.seen import Seen, picture_requests, seen


@dataclass(frozen=True)
class Places:
    """The rows of the position table, compared.

    Attributes:
        seen: the run.
        alike: the cosine of each patch's row with each ``(N, N)``.
        patch: the patch that is selected, counted from 0.
    """

    seen: Seen
    alike: NDArray[np.float64]
    patch: int

    @property
    def names(self) -> list[str]:
        """Of the patches."""
        assert self.seen.patches is not None
        return self.seen.names[self.seen.patches.first :]


class PositionsAlike(View[AtPatch, Places]):
    """A picture of pictures: at the place of each patch, how alike its row is to all."""

    name, Params = "vision.places", AtPatch
    needs = Needs("classify_image", ("patches", "positions"))

    def requests(self, params: AtPatch) -> tuple[Request, ...]:
        return picture_requests(params)

    def compute(self, runs: Sequence[Run], params: AtPatch) -> Places:
        found = seen(runs, params)
        cut = found.patches
        assert cut is not None
        table = found.trace.weights[f"{cut.prefix}.positions.weight"][cut.first :]
        last = cut.first + len(table) - 1
        at = nearest("patch", params.patch, last) - cut.first
        return Places(found, cosines(table), max(0, at))

    def values(self, record: Places) -> Mapping[str, Values]:
        axes = (
            Along("patch", _("patch"), record.names),
            Along("other", _("other patch"), record.names),
        )
        return {
            "cosine": Values(_("cosine"), record.alike, axes, selected=(record.patch, record.patch))
        }

    def describe(self, record: Places) -> Sentence:
        cut = record.seen.patches
        assert cut is not None
        row, column = np.divmod(np.arange(len(record.alike)), cut.columns)
        steps = np.abs(row[:, None] - row[None]) + np.abs(column[:, None] - column[None])
        same_row = (steps > 1) & (row[:, None] == row[None])
        other = (steps > 1) & (row[:, None] != row[None]) & (column[:, None] != column[None])

        def mean(where: NDArray[np.bool_]) -> str:
            return number(float(record.alike[where].mean()) if where.any() else 0.0, 2)

        return sentence(
            _("The rows of neighbouring patches have a cosine of {near} on average, of patches "
              "further away in the same row {row}, in neither the same row nor column {other}. No "
              "rule told the model which patches are neighbours."),
            near=Mark(mean(steps == 1), "position"), row=Mark(mean(same_row), "position"),
            other=Mark(mean(other), "position"),
        )  # fmt: skip

    def draw(self, record: Places) -> Tiles:
        cut = record.seen.patches
        assert cut is not None
        n = len(record.alike)
        apart = record.alike - np.eye(n) * 2  # not the 1 of each with itself
        low, high = float(record.alike.min()), float(apart.max()) if n > 1 else 1.0
        pictures = as_bytes(record.alike, low, max(high, low + 1e-6))
        return Tiles(
            title=_("Positions that the model learned: how alike each is to all"),
            tiles=[Tile(name) for name in record.names],
            pictures=pictures.reshape(n, cut.rows, cut.columns),
            columns=cut.columns,
            side=44,
            role="position",
            note=_("Each small picture belongs to the patch at its place. Full colour: {high}; no "
                   "colour: {low}.").format(high=number(high, 2), low=number(low, 2)),
        )  # fmt: skip
