"""The inside of a place of the flowing picture, down to the operands of one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.figures.components.map.inside import Column, Inside, Mark
from core.figures.components.map.told import Part
from core.figures.text import Sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models import places
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Onward
from core.views.map.flowing import FlowParams, FlowRun
from core.views.map.swapped import OnSwapped
from core.views.map.whole import WholeRun
from core.views.map.within import cell, ends, ffn, head
from core.views.map.within.further import further
from core.views.map.within.layer import layer
from core.views.map.within.made import About, Sheet, Spot
from core.views.params import param
from core.views.view import View


@dataclass(frozen=True, slots=True)
class InsideParams(OnSwapped):
    """A place, and the row that is looked at there.

    Attributes:
        place: that is gone into (``core.models.places``); empty for the whole.
        token: the row that is looked at; -1 for the last one that answers.
        source_token: the same in the encoder; -1 for the last word.
        reached: the last part that is told of the picture around it; -1 for all of it.
    """

    place: str = param("", pattern=places.PATTERN, high=60,
                       form=N_("a place of the model, such as layer3"),
                       picked=True, label=N_("Place"))  # fmt: skip
    token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Token"))
    source_token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Source token"))
    reached: int = param(-1, low=-1, high=max(Part), label=N_("Told as far as part"))

    @property
    def flow(self) -> FlowParams:
        """The same of the whole picture."""
        return FlowParams(
            text=self.text, model=self.model, target=self.target, picture=self.picture,
            off=self.off, swap=self.swap, token=self.token, source_token=self.source_token,
            reached=self.reached, place=self.place,
        )  # fmt: skip


@dataclass(frozen=True)
class PlaceRun:
    """A run, and a place of it.

    Attributes:
        whole: the run.
        place: as it was asked for.
    """

    whole: WholeRun
    place: str

    @property
    def here(self) -> places.Place | None:
        """The place, if the model has it."""
        place = places.read(self.place)
        return place if place is not None and place.is_in(self.whole.blueprint) else None

    @cached_property
    def opened(self) -> Sheet | None:
        """What is in the place; None where the model has none, or nothing more is drawn of it."""
        place = self.here
        return None if place is None else sheet_of(Spot(self.whole, place))

    @cached_property
    def layer_says(self) -> Sentence | None:
        """What a layer says where all of it is open; None for any other place."""
        place = self.here
        return layer(Spot(self.whole, place)) if place is not None and place.whole else None

    @property
    def further(self) -> list[About]:
        """The views whose pages tell more of it."""
        place = self.here
        return [] if place is None else list(further(Spot(self.whole, place), self.opened))

    @property
    def sheet(self) -> Sheet:
        """The same; where nothing is opened, what the whole comes to: the words."""
        return self.opened or ends.end(Spot(self.whole, places.Place("words", "", 0, end=True)))


def sheet_of(spot: Spot) -> Sheet | None:
    """What is in a place, by what it is."""
    blueprint, place = spot.whole.blueprint, spot.place
    if spot.stream not in blueprint.streams:
        return None
    if place.end and spot.stream == blueprint.stream:
        return (ends.end if place.word is None else ends.word)(spot)
    if place.start:
        begun = (one for one in blueprint.embeddings if one.stream == spot.stream)
        cut = (ends.patch(spot, one) for one in blueprint.patches if one.stream == spot.stream)
        return next((ends.start(spot, one) for one in begun), next(cut, None))
    if (attention := place.attention(blueprint)) is not None:
        return (head.head if place.key is None else head.one_weight)(spot, attention)
    if (stack := place.stack(blueprint)) is not None:
        return (ffn.network if place.unit is None else ffn.unit)(spot, stack)
    if (recurrence := place.recurrence(blueprint)) is not None:
        return cell.cell(spot, recurrence)
    return None


class InsidePlace(View[InsideParams, PlaceRun]):
    """Every number of a place, as marks in rows."""

    name, Params, needs = "map.inside", InsideParams, Needs("answers")

    def requests(self, params: InsideParams) -> tuple[Request, ...]:
        return params.flow.runs[:1]

    def compute(self, runs: Sequence[Onward], params: InsideParams) -> PlaceRun:
        run = FlowRun(runs[0], params.flow)
        run.check()
        return PlaceRun(run.whole, params.place)

    def values(self, record: PlaceRun) -> Mapping[str, Values]:
        found: dict[str, Values] = {}
        labels = record.sheet.rows
        for column in record.sheet.columns:
            strip = column.values is not None
            names = [one.says if strip else labels[one.row] for one in column.marks]
            rows = Along("row", _("row"), names)
            found |= _strips(column, rows)
            texts = np.array([_cell(one) for one in column.marks], dtype=np.str_)
            if any(texts):
                found[f"{column.name}_text"] = Values(column.title, texts, (rows,))
        return found

    def describe(self, record: PlaceRun) -> Sentence:
        return record.layer_says or record.sheet.reading

    def absent(self, record: PlaceRun) -> bool:
        return record.opened is None

    def draw(self, record: PlaceRun) -> Inside:
        sheet = record.sheet
        return Inside(
            title=sheet.title, rows=sheet.rows,
            place=record.place if record.opened else "", columns=sheet.columns,
            aligned=sheet.aligned, row=sheet.row, at=record.whole.rows, fan=sheet.fan,
            weights=sheet.weights,
        )  # fmt: skip


def _cell(mark: Mark) -> str:
    """What a mark says in a table: a number as every program reads it."""
    return mark.text if mark.value is None else str(np.float32(mark.value))


def _strips(column: Column, rows: Along) -> dict[str, Values]:
    """The numbers of a column of strips: one table, or of unlike lengths one for each."""
    if column.values is None:
        return {}

    def along(n: int) -> Along:
        return Along("component", _("component"), [str(one) for one in range(n)])

    if not np.isnan(column.values).any():
        axes = rows, along(column.values.shape[1])
        return {column.name: Values(column.title, column.values, axes)}
    own = [one[~np.isnan(one)] for one in column.values]
    return {
        f"{column.name}_{n}": Values(label, one, (along(len(one)),))
        for n, (label, one) in enumerate(zip(rows.labels, own, strict=True))
    }
