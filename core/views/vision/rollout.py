"""Attention rollout: the attention of all layers up to one, multiplied, over the picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.analysis.patches import rollout
from core.figures.components import Tile, Tiles
from core.figures.payload import as_bytes
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.runs.requests import ATTENTION, Request
from core.runs.results import Run
from core.tracing.trace import Array
from core.views.view import View
from core.views.vision.attention import NEEDS, AtPatch, Looks
from core.views.vision.seen import picture_requests, seen


@dataclass(frozen=True)
class Flow(Looks):
    """What has reached the positions of a run."""

    @cached_property
    def flow(self) -> Array:
        """Of every layer ``(L, T, T)``."""
        return rollout(self.weights).astype(np.float32)


class Rollout(View[AtPatch, Flow]):
    """A tile for each layer: what has reached the position that looks, through all layers to it."""

    name, Params, needs = "vision.rollout", AtPatch, NEEDS

    def requests(self, params: AtPatch) -> tuple[Request, ...]:
        return picture_requests(params, ATTENTION)

    def compute(self, runs: Sequence[Run], params: AtPatch) -> Flow:
        return Flow(seen(runs, params), params)

    def values(self, record: Flow) -> Mapping[str, Values]:
        layers, _heads, queries = record.along
        keys = Along("key", _("key"), record.seen.names)
        row = record.flow[record.layer, record.patch]
        place = (record.layer, record.patch, int(row.argmax()))
        return {"flow": Values(_("rollout"), record.flow, (layers, queries, keys), selected=place)}

    def describe(self, record: Flow) -> Sentence:
        return self.said(record, record.patch)

    @staticmethod
    def said(record: Flow, query: int) -> Sentence:
        """What has reached a position after the last layer, and how evenly."""
        row, first = record.flow[-1, query], record.first
        on_patches = row[first:]
        best = int(on_patches.argmax())
        own = sentence(
            _("Followed through {n} layers by attention alone, {share} of what {query} holds comes "
              "from the patches, the largest share from {key}: {most}."),
            n=str(len(record.flow)),
            share=Mark(percent(float(on_patches.sum())), "weight"),
            query=Mark(record.seen.names[query], "query"),
            key=Mark(record.seen.names[first + best], "key"),
            most=Mark(percent(float(on_patches[best])), "weight"),
        )  # fmt: skip
        even = sentence(
            _("Spread evenly, each patch would have {share}."),
            share=percent(float(on_patches.sum()) / len(on_patches)),
        )
        return join([own, even])

    def draw(self, record: Flow) -> Tiles:
        cut = record.seen.patches
        assert cut is not None
        on_patches = record.flow[..., record.first :]
        most = np.maximum(on_patches.max(axis=-1, keepdims=True), 1e-9)
        heat = as_bytes(on_patches / most, 0.0, 1.0)
        n_layers, n_queries, _n = on_patches.shape
        return Tiles(
            title=_("Attention rollout, layer by layer"),
            selection=record.place,
            tiles=[Tile(_("up to layer {i}").format(i=layer)) for layer in range(n_layers)],
            pictures=np.ascontiguousarray(record.seen.pixels[None]),
            columns=n_layers,
            side=84,
            fields=("layer",),
            shape=(n_layers,),
            heat=heat.reshape(n_layers, n_queries, cut.rows, cut.columns),
            heat_field="patch",
            alts=[str(self.said(record, query)) for query in range(n_queries)],
            heads=[_("to layer {i}").format(i=layer) for layer in range(n_layers)],
            note=_("The largest share of each tile has the full colour."),
        )
