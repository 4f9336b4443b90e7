"""The circuits of block shapes: where attention, feed-forward, norms and sums stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components import Circuit, Joined, Stage, Wired
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.records import AtInit
from core.models.block_shapes import SHAPES, BlockShape
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import param
from core.views.shapes.shaping import NAMES, Shaped, Shaping, all_requests, all_shaped
from core.views.view import View

# What a shape is, after its name.
ABOUT = {
    "a": N_("Each part has a sum of its own, so each can learn by itself. It is what GPT-2 and "
            "most models since have."),
    "b": N_("One sum stands around both parts. The feed-forward network reads what attention "
            "gives, without the token's own vector."),
    "c": N_("The same parts in the other order, each with a sum of its own."),
    "d": N_("Both parts read the same norm, and one sum adds both. They can run at the same time, "
            "as in GPT-J and PaLM."),
    "post": N_("The norm stands on the stream, behind each sum, as in the Transformer of 2017."),
    "qk_norm": N_("LayerNorm stands on each head's queries and keys, so that their dot products "
                  "cannot grow without bound."),
    "squared": N_("The feed-forward network squares what ReLU gives. The search behind Primer "
                  "found it."),
    "dconv": N_("Each head's queries, keys and values are mixed with those of the two tokens "
                "before: Primer's multi-dconv-head attention."),
}  # fmt: skip


# Which circuits stand side by side; the chosen one is always among them.
DRAWN = {
    "few": N_("A, D, post-norm"),
    "all": N_("all eight"),
    "placed": N_("A to D"),
    "two": N_("A and the chosen one"),
}
AMONG = {
    "few": ("a", "d", "post"),
    "all": tuple(ABOUT),
    "placed": ("a", "b", "c", "d"),
    "two": ("a",),
}


@dataclass(frozen=True, slots=True)
class InLayer(Shaping):
    """The same, and the layer whose numbers are on the circuits, and which are drawn."""

    shape_layer: int = param(0, low=0, high=23, label=N_("Layer whose numbers are shown"))
    circuits_drawn: str = param("few", choices=DRAWN, label=N_("Circuits"))


class ShapesCircuit(View[InLayer, Shaped]):
    """All circuits, the chosen one marked, with the numbers of one layer."""

    name, Params, needs = "shapes.circuit", InLayer, NO_MODEL

    def requests(self, params: InLayer) -> tuple[Request, ...]:
        return all_requests(params)

    def compute(self, runs: Sequence[AtInit], params: InLayer) -> Shaped:
        return all_shaped(runs, params)

    def values(self, record: Shaped) -> Mapping[str, Values]:
        parts, layer = record.chosen.parts, _layer(record)
        along = Along("part", _("part"), list(parts))
        sizes = np.array([parts[name][layer] for name in parts])
        return {"size": Values(_("root mean square"), sizes, (along,))}

    def describe(self, record: Shaped) -> Sentence:
        shape, parts, layer = record.params.shape, record.chosen.parts, _layer(record)
        return sentence(
            _("{shape}. {about} In layer {layer} the stream enters with size {before} and the last "
              "sum has size {after}."),
            shape=Mark(_(NAMES[shape]), "strong"),
            about=_(ABOUT[shape]),
            layer=str(layer),
            before=Mark(number(float(parts["resid_pre"][layer])), "residual"),
            after=Mark(number(float(parts["resid_post"][layer])), "residual"),
        )  # fmt: skip

    def controls(self, record: Shaped) -> Sequence[Control]:
        layer, last = str(_layer(record)), record.n - 1
        return (Control("shape_layer", layer, "range", low=0, high=last),)

    def draw(self, record: Shaped) -> Circuit:
        layer = _layer(record)
        assert isinstance(record.params, InLayer)
        return Circuit(
            title=_("How a layer is wired, and how large its numbers are: root mean squares"),
            selection={"shape": record.params.shape},
            circuits=[
                _circuit(name, one, layer)
                for name, one in record.stacks.items()
                if name in (*AMONG[record.params.circuits_drawn], record.params.shape)
            ],
            field="shape",
            note=_(
                "The numbers are root mean squares in layer {layer} of a fresh stack. Where two "
                "vectors have nothing in common, their squares add up: √(a² + b²)."
            ).format(layer=layer),
        )


def _layer(record: Shaped) -> int:
    assert isinstance(record.params, InLayer)
    return nearest("shape_layer", record.params.shape_layer, record.n - 1)


def _circuit(name: str, measured: AtInit, layer: int) -> Wired:
    sizes = {site: number(float(line[layer]), 2) for site, line in measured.parts.items()}
    return Wired(
        id=name,
        name=_(NAMES[name]),
        start=sizes["resid_pre"],
        sums=list(_sums(SHAPES[name], sizes)),
        says=_(ABOUT[name]),
    )


def _sums(shape: BlockShape, sizes: Mapping[str, str]) -> Iterator[Joined]:
    """The sums of a block, in the order of computation."""
    attention, feed_forward = list(_attention(shape, sizes)), [_feed_forward(shape, sizes)]
    branches: list[list[list[Stage]]] = {
        "serial": [[attention], [feed_forward]],
        "one_sum": [[[*attention, *feed_forward]]],
        "ffn_first": [[feed_forward], [attention]],
        "parallel": [[attention, feed_forward]],
    }[shape.placement]
    for n, branch in enumerate(branches, 1):
        norm = None
        if shape.norm != "none":
            marked = shape.norm == "post"
            norm = Stage(_("LayerNorm"), "residual", sizes[f"ln_{n}.out"], marked)
        yield Joined(
            first=norm if shape.norm == "pre" else None,
            branches=branch,
            last=norm if shape.norm == "post" else None,
            note=sizes["resid_post" if n == len(branches) else "resid_mid"],
        )


def _attention(shape: BlockShape, sizes: Mapping[str, str]) -> Iterator[Stage]:
    """The boxes of attention; what stands between projection and dot products has its own."""
    if shape.qk_norm or shape.dconv:
        yield Stage(_("make q, k, v"), "weight")
    if shape.dconv:
        yield Stage(_("mix 3 tokens"), "position", sizes["attn.q"], marked=True)
    if shape.qk_norm:
        yield Stage(_("norm q and k"), "residual", sizes["attn.q"], marked=True)
    yield Stage(_("attention"), "weight", sizes["attn.out"])


def _feed_forward(shape: BlockShape, sizes: Mapping[str, str]) -> Stage:
    squared = shape.activation == "relu_squared"
    label = _("FFN, ReLU²") if squared else _("FFN, ReLU")
    return Stage(label, "value", sizes["ffn.out"], marked=squared)
