"""Where every head of a model looks in the picture, for each position that can look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.figures.components import Tile, Tiles
from core.figures.payload import as_bytes
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.blueprint import Attention
from core.models.needs import Needs
from core.runs.requests import ATTENTION, Request
from core.runs.results import Run
from core.tracing.trace import Array
from core.views.nearest import nearest
from core.views.params import param
from core.views.view import View
from core.views.vision.seen import OnPicture, Seen, picture_requests, seen

NEEDS = Needs("classify_image", ("patches", "attention"))


@dataclass(frozen=True, slots=True)
class AtPatch(OnPicture):
    """One head, and one position of the picture that looks.

    Attributes:
        layer, head: counted from 0.
        patch: the position that looks, counted with the mark before the patches.
    """

    layer: int = param(5, low=0, high=255, lives="browser", label=N_("Layer"))
    head: int = param(3, low=0, high=255, lives="browser", label=N_("Head"))
    patch: int = param(0, low=0, high=100_000, lives="browser", label=N_("Patch"))


@dataclass(frozen=True)
class Looks:
    """Who looks where.

    Attributes:
        seen: the run.
        params: what was asked for.
    """

    seen: Seen
    params: AtPatch

    @property
    def attention(self) -> Attention:
        """The model's attention over the patches."""
        return self.seen.trace.attention("")

    @property
    def first(self) -> int:
        """The position of the first patch."""
        assert self.seen.patches is not None
        return self.seen.patches.first

    @cached_property
    def weights(self) -> Array:
        """Of every layer and head ``(L, H, T, T)``."""
        trace, attention = self.seen.trace, self.attention
        each = [trace[f"{prefix}.weights"] for prefix in attention.prefixes]
        return np.stack(each)

    @property
    def on_patches(self) -> Array:
        """The weights on the patches alone, ``(L, H, T, N)``."""
        return self.weights[..., self.first :]

    @property
    def layer(self) -> int:
        return nearest("layer", self.params.layer, len(self.weights) - 1)

    @property
    def head(self) -> int:
        return nearest("head", self.params.head, self.weights.shape[1] - 1)

    @property
    def patch(self) -> int:
        """The position that looks."""
        return nearest("patch", self.params.patch, len(self.seen.names) - 1)

    @property
    def place(self) -> dict[str, int]:
        """What is selected, by the names of the parameters."""
        return {"layer": self.layer, "head": self.head, "patch": self.patch}

    @property
    def along(self) -> tuple[Along, Along, Along]:
        """Layers, heads, and who looks."""
        n_layers, n_heads = self.weights.shape[:2]
        return (
            Along("layer", _("layer"), [str(n) for n in range(n_layers)]),
            Along("head", _("head"), [str(n) for n in range(n_heads)]),
            Along("query", _("query"), self.seen.names),
        )


def looks(runs: Sequence[Run], params: AtPatch) -> Looks:
    """Who looks where in a run."""
    return Looks(seen(runs, params), params)


class OverPatches(View[AtPatch, Looks]):
    """A tile for each layer and head: the picture with the weights over its patches."""

    name, Params, needs = "vision.attention", AtPatch, NEEDS

    def requests(self, params: AtPatch) -> tuple[Request, ...]:
        return picture_requests(params, ATTENTION)

    def compute(self, runs: Sequence[Run], params: AtPatch) -> Looks:
        return looks(runs, params)

    def values(self, record: Looks) -> Mapping[str, Values]:
        keys = Along("key", _("key"), record.seen.names)
        place = (record.layer, record.head, record.patch, 0)
        return {
            "weights": Values(
                _("attention weight"), record.weights, (*record.along, keys), selected=place
            )
        }

    def describe(self, record: Looks) -> Sentence:
        return self.said(record, record.patch)

    @staticmethod
    def said(record: Looks, query: int) -> Sentence:
        """Which head is the most certain where a position attends to."""
        own = record.on_patches[:, :, query].max(axis=-1)
        layer, head = np.unravel_index(int(own.argmax()), own.shape)
        key = record.first + int(record.on_patches[layer, head, query].argmax())
        return sentence(
            _("Of all heads, head {head} of layer {layer} is the most focused: {query} gives "
              "{share} of its attention to {key}."),
            head=Mark(str(int(head)), "weight"),
            layer=Mark(str(int(layer)), "weight"),
            query=Mark(record.seen.names[query], "query"),
            share=Mark(percent(float(own.max())), "weight"),
            key=Mark(record.seen.names[key], "key"),
        )  # fmt: skip

    def draw(self, record: Looks) -> Tiles:
        cut = record.seen.patches
        assert cut is not None
        n_layers, n_heads, n_queries, _n = record.on_patches.shape
        most = record.on_patches.max(axis=-1, keepdims=True)
        heat = as_bytes(record.on_patches / np.maximum(most, 1e-9), 0.0, 1.0)
        tiles = [
            Tile(_("layer {layer}, head {head}").format(layer=layer, head=head))
            for layer in range(n_layers)
            for head in range(n_heads)
        ]
        return Tiles(
            title=_("Attention over the patches, every layer and head"),
            selection=record.place,
            tiles=tiles,
            pictures=np.ascontiguousarray(record.seen.pixels[None]),
            columns=n_heads,
            side=84,
            fields=("layer", "head"),
            shape=(n_layers, n_heads),
            heat=heat.reshape(len(tiles), n_queries, cut.rows, cut.columns),
            heat_field="patch",
            alts=[str(self.said(record, query)) for query in range(n_queries)],
            heads=[_("head {h}").format(h=head) for head in range(n_heads)],
            sides=[_("layer {i}").format(i=layer) for layer in range(n_layers)],
            note=_("The strongest weight of each tile has the full colour."),
        )
