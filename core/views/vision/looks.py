"""One head large: where one position of the picture looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.figures.components import Picture
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.runs.requests import ATTENTION, Request
from core.runs.results import Run
from core.tracing.trace import Array
from core.views.params import param
from core.views.view import View
from core.views.vision.attention import NEEDS, AtPatch, Looks, looks
from core.views.vision.seen import picture_requests


@dataclass(frozen=True, slots=True)
class AtHeadOfPicture(AtPatch):
    """One head, whose numbers come from the server; who looks is chosen in the picture."""

    layer: int = param(5, low=0, high=255, picked=True, label=N_("Layer"))
    head: int = param(3, low=0, high=255, picked=True, label=N_("Head"))


class Large(View[AtHeadOfPicture, Looks]):
    """The picture with one head's weights over its patches; a click chooses who looks."""

    name, Params, needs = "vision.looks", AtHeadOfPicture, NEEDS

    def requests(self, params: AtHeadOfPicture) -> tuple[Request, ...]:
        return picture_requests(params, ATTENTION)

    def compute(self, runs: Sequence[Run], params: AtHeadOfPicture) -> Looks:
        return looks(runs, params)

    def values(self, record: Looks) -> Mapping[str, Values]:
        names = record.seen.names
        axes = (Along("query", _("query"), names), Along("key", _("key"), names))
        most = int(self.head(record)[record.patch].argmax())
        return {
            "weights": Values(
                _("attention weight"), self.head(record), axes, selected=(record.patch, most),
                site=self.site(record),
            )
        }  # fmt: skip

    @staticmethod
    def head(record: Looks) -> Array:
        """The weights of the head ``(T, T)``."""
        head: Array = record.weights[record.layer, record.head]
        return head

    def describe(self, record: Looks) -> Sentence:
        return self.said(record, record.patch)

    def said(self, record: Looks, query: int) -> Sentence:
        """Where one position looks, in words."""
        row, names = self.head(record)[query], record.seen.names
        best = record.first + int(row[record.first :].argmax())
        said = sentence(
            _("The strongest attention of {query} goes to {key}, with {share}."),
            query=Mark(names[query], "query"),
            key=Mark(names[best], "key"),
            share=Mark(percent(float(row[best])), "weight"),
        )
        if not record.first:
            return said
        mark = sentence(
            _("{mark} gets {share}."),
            mark=Mark(names[0], "key"),
            share=Mark(percent(float(row[0])), "weight"),
        )
        return join([said, mark])

    def site(self, record: Looks) -> str:
        return f"{record.attention.prefix(record.layer)}.weights"

    def draw(self, record: Looks) -> Picture:
        cut, names = record.seen.patches, record.seen.names
        assert cut is not None
        return Picture(
            title=_("Attention weights, layer {layer}, head {head}").format(
                layer=record.layer, head=record.head
            ),
            selection=record.place,
            pixels=record.seen.pixels,
            patch=cut.size,
            names=names,
            first=record.first,
            heat=self.head(record)[:, record.first :],
            heat_words=_("{name}: attention weight {value}"),
            field="patch",
            readings=[self.said(record, query) for query in range(len(names))],
        )
