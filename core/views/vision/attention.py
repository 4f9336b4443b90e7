"""Where heads look in a picture, one by one and through all layers, and how alike positions are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.patches import rollout
from core.analysis.positions import cosines
from core.figures.components import PictureFigure, Tile, Tiles
from core.figures.payload import as_bytes
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.blueprint import Attention
from core.models.needs import Needs
from core.runs.kinds.trace import ATTENTION, Run
from core.tracing.trace import Array
from core.views.nearest import nearest
from core.views.params import param
from core.views.vision.seen import OnPicture, PictureView, Seen, look

# --- where every head of a model looks in the picture, for each position that can look


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
class PatchAttention:
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
        layers = [trace[f"{prefix}.weights"] for prefix in attention.prefixes]
        return np.stack(layers)

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


def looks(runs: Sequence[Run], params: AtPatch) -> PatchAttention:
    """Who looks where in a run."""
    return PatchAttention(look(runs, params), params)


class VisionAttentionView(PictureView[AtPatch, PatchAttention]):
    """A tile for each layer and head: the picture with the weights over its patches."""

    name, Params, needs, sites = "vision.attention", AtPatch, NEEDS, (ATTENTION,)

    def compute(self, runs: Sequence[Run], params: AtPatch) -> PatchAttention:
        return looks(runs, params)

    def values(self, record: PatchAttention) -> Mapping[str, Values]:
        keys = Along("key", _("key"), record.seen.names)
        place = (record.layer, record.head, record.patch, 0)
        return {
            "weights": Values(
                _("attention weight"), record.weights, (*record.along, keys), selected=place
            )
        }

    def describe(self, record: PatchAttention) -> Sentence:
        return self.reading(record, record.patch)

    @staticmethod
    def reading(record: PatchAttention, query: int) -> Sentence:
        """Which head is the most certain where a position attends to."""
        weights = record.on_patches[:, :, query].max(axis=-1)
        layer, head = np.unravel_index(int(weights.argmax()), weights.shape)
        key = record.first + int(record.on_patches[layer, head, query].argmax())
        return sentence(
            _("Of all heads, head {head} of layer {layer} is the most focused: {query} gives "
              "{share} of its attention to {key}."),
            head=Mark(str(int(head)), "weight"),
            layer=Mark(str(int(layer)), "weight"),
            query=Mark(record.seen.names[query], "query"),
            share=Mark(percent(float(weights.max())), "weight"),
            key=Mark(record.seen.names[key], "key"),
        )  # fmt: skip

    def draw(self, record: PatchAttention) -> Tiles:
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
            alts=[str(self.reading(record, query)) for query in range(n_queries)],
            heads=[_("head {h}").format(h=head) for head in range(n_heads)],
            sides=[_("layer {i}").format(i=layer) for layer in range(n_layers)],
            note=_("The strongest weight of each tile has the full colour."),
        )


# --- one head large: where one position of the picture looks --------------------------


@dataclass(frozen=True, slots=True)
class AtHeadOfPicture(AtPatch):
    """One head, whose numbers come from the server; who looks is chosen in the picture."""

    layer: int = param(5, low=0, high=255, picked=True, label=N_("Layer"))
    head: int = param(3, low=0, high=255, picked=True, label=N_("Head"))


class VisionLooksView(PictureView[AtHeadOfPicture, PatchAttention]):
    """The picture with one head's weights over its patches; a click chooses who looks."""

    name, Params, needs, sites = "vision.looks", AtHeadOfPicture, NEEDS, (ATTENTION,)

    def compute(self, runs: Sequence[Run], params: AtHeadOfPicture) -> PatchAttention:
        return looks(runs, params)

    def values(self, record: PatchAttention) -> Mapping[str, Values]:
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
    def head(record: PatchAttention) -> Array:
        """The weights of the head ``(T, T)``."""
        head: Array = record.weights[record.layer, record.head]
        return head

    def describe(self, record: PatchAttention) -> Sentence:
        return self.reading(record, record.patch)

    def reading(self, record: PatchAttention, query: int) -> Sentence:
        """Where one position looks, in words."""
        row, names = self.head(record)[query], record.seen.names
        best = record.first + int(row[record.first :].argmax())
        summary = sentence(
            _("The strongest attention of {query} goes to {key}, with {share}."),
            query=Mark(names[query], "query"),
            key=Mark(names[best], "key"),
            share=Mark(percent(float(row[best])), "weight"),
        )
        if not record.first:
            return summary
        mark = sentence(
            _("{mark} gets {share}."),
            mark=Mark(names[0], "key"),
            share=Mark(percent(float(row[0])), "weight"),
        )
        return join([summary, mark])

    def site(self, record: PatchAttention) -> str:
        return f"{record.attention.prefix(record.layer)}.weights"

    def draw(self, record: PatchAttention) -> PictureFigure:
        cut, names = record.seen.patches, record.seen.names
        assert cut is not None
        return PictureFigure(
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
            readings=[self.reading(record, query) for query in range(len(names))],
        )


# --- attention rollout: the attention of all layers up to one, multiplied, over the picture


@dataclass(frozen=True)
class AttentionFlow(PatchAttention):
    """What has reached the positions of a run."""

    @cached_property
    def flow(self) -> Array:
        """Of every layer ``(L, T, T)``."""
        return rollout(self.weights).astype(np.float32)


class VisionRolloutView(PictureView[AtPatch, AttentionFlow]):
    """A tile for each layer: what has reached the position that looks, through all layers to it."""

    name, Params, needs, sites = "vision.rollout", AtPatch, NEEDS, (ATTENTION,)

    def compute(self, runs: Sequence[Run], params: AtPatch) -> AttentionFlow:
        return AttentionFlow(look(runs, params), params)

    def values(self, record: AttentionFlow) -> Mapping[str, Values]:
        layers, _heads, queries = record.along
        keys = Along("key", _("key"), record.seen.names)
        row = record.flow[record.layer, record.patch]
        place = (record.layer, record.patch, int(row.argmax()))
        return {"flow": Values(_("rollout"), record.flow, (layers, queries, keys), selected=place)}

    def describe(self, record: AttentionFlow) -> Sentence:
        return self.reading(record, record.patch)

    @staticmethod
    def reading(record: AttentionFlow, query: int) -> Sentence:
        """What has reached a position after the last layer, and how evenly."""
        row, first = record.flow[-1, query], record.first
        on_patches = row[first:]
        best = int(on_patches.argmax())
        summary = sentence(
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
        return join([summary, even])

    def draw(self, record: AttentionFlow) -> Tiles:
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
            alts=[str(self.reading(record, query)) for query in range(n_queries)],
            heads=[_("to layer {i}").format(i=layer) for layer in range(n_layers)],
            note=_("The largest share of each tile has the full colour."),
        )


# --- how alike the learned positions of patches are: a small picture for each patch ---


@dataclass(frozen=True)
class PositionsCompared:
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
        """Names of the patches, without the positions that stand before them."""
        assert self.seen.patches is not None
        return self.seen.names[self.seen.patches.first :]


class VisionPlacesView(PictureView[AtPatch, PositionsCompared]):
    """A picture of pictures: at the place of each patch, how alike its row is to all."""

    name, Params = "vision.places", AtPatch
    needs = Needs("classify_image", ("patches", "positions"))

    def compute(self, runs: Sequence[Run], params: AtPatch) -> PositionsCompared:
        picture = look(runs, params)
        cut = picture.patches
        assert cut is not None
        table = picture.trace.weights[f"{cut.prefix}.positions.weight"][cut.first :]
        last = cut.first + len(table) - 1
        index = nearest("patch", params.patch, last) - cut.first
        return PositionsCompared(picture, cosines(table), max(0, index))

    def values(self, record: PositionsCompared) -> Mapping[str, Values]:
        axes = (
            Along("patch", _("patch"), record.names),
            Along("other", _("other patch"), record.names),
        )
        return {
            "cosine": Values(_("cosine"), record.alike, axes, selected=(record.patch, record.patch))
        }

    def describe(self, record: PositionsCompared) -> Sentence:
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

    def draw(self, record: PositionsCompared) -> Tiles:
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
