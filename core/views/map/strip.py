"""The model folded flat: its places from the text to the prediction, the page's own lit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.figures.payload import Payload
from core.language import N_, Phrase, _
from core.models.blueprint import Attention, Blueprint, Embedding, Norm, Recurrence, Stack, Tower
from core.models.picture_parts import ConvolutionalStem, PatchStem
from core.views.map.parts import kinds, pieces
from core.views.map.run import answer_of
from core.views.parts import NORM_PLACES, NORMS, tower_called

# What has a line of its own; where no layers work on a stream, what it begins in.
Line = Tower | ConvolutionalStem | Embedding | PatchStem


@dataclass(frozen=True, slots=True)
class StripPlace:
    """A place on the way from text to prediction.

    Attributes:
        id: stable; pages say which places they show.
        label: on the strip (translate with ``_``).
        meaning: one line for the hover (translate with ``_``).
        in_block: it belongs to a block.
        across: it belongs to the attention to another stream.
        of: which of several there are it belongs to, by the names of the parameters: "stack",
            "attention". A click on it chooses them.
    """

    id: str
    label: str
    meaning: str
    in_block: bool = False
    across: bool = False
    of: Mapping[str, str] = field(default_factory=dict)


TEXT = StripPlace("text", N_("text"), N_("what you typed"))
TOKENS = StripPlace("tokens", N_("tokens"), N_("the text cut into entries of a fixed vocabulary"))
TARGET = StripPlace("tokens", N_("tokens"), N_("what the decoder has written so far"))
EMBEDDINGS = StripPlace(
    "embeddings", N_("embeddings"), N_("each token and each position as a vector")
)
WORDS = StripPlace("embeddings", N_("embeddings"), N_("each token as a vector"))
# Of a model that reads a text letter by letter, in the places of the two above.
CHARACTERS = StripPlace("tokens", N_("characters"), N_("the text cut into its characters"))
LETTERS = StripPlace("embeddings", N_("embeddings"), N_("each character as a vector"))
RECURRENT = StripPlace(
    "recurrent", N_("state"), N_("a state that reads one position after the other, with gates")
)
EMBED_NORM = StripPlace("embed_norm", N_("norm"), N_("the sum of embeddings, normalised"))
FINAL_NORM = StripPlace("final_norm", N_("norm"), NORM_PLACES["end"])
PICTURE = StripPlace("picture", N_("picture"), N_("the pixels that the model is given"))
PATCHES = StripPlace("patches", N_("patches"), N_("squares of the picture, each as a vector"))
MAPS = StripPlace("maps", N_("feature maps"), N_("what each kernel finds at each place"))
DENSE = StripPlace("dense", N_("hidden units"), N_("units that each read all that they are given"))
OF_MAPS = replace(DENSE, meaning=N_("units that read all of the maps at once"))
LABELS = StripPlace("labels", N_("labels"), N_("the probability of each label"))
LOGITS = StripPlace("logits", N_("logits"), N_("one number for each vocabulary entry"))


def _in_block(id: str, label: str, meaning: str, *, across: bool = False) -> StripPlace:
    return StripPlace(id, label, meaning, in_block=True, across=across)


ATTENTION = (
    _in_block("qkv", N_("q k v"), N_("queries, keys and values")),
    _in_block("scores", N_("scores"), N_("queries against keys, scaled")),
    _in_block("mask", N_("mask"), N_("who may attend to whom")),
    _in_block("weights", N_("weights"), N_("softmax: who attends to whom")),
    _in_block("mix", N_("mix"), N_("the weighted sum of the values, per head, then W_O")),
)
_QKV_ACROSS = _in_block(
    "qkv", N_("q k v"), N_("queries of the target, keys and values of the source"), across=True
)
NOT_SCALED = N_("queries against keys")
ACROSS = (_QKV_ACROSS, *(replace(place, across=True) for place in ATTENTION[1:]))
LOOKING_BACK = tuple(
    replace(place, in_block=False) for place in ACROSS if place.id in ("mask", "weights")
)
PIECES = {  # by their names in a block; attention is several places
    "norm_1": _in_block("norm_1", N_("norm"), NORM_PLACES["attention"]),
    "add_1": _in_block("add_1", "+", N_("the attention's output is added to the residual stream")),
    "norm_cross": _in_block("norm_cross", N_("norm"), NORM_PLACES["cross"], across=True),
    "add_cross": _in_block(
        "add_cross",
        "+",
        N_("the cross-attention's output is added to the residual stream"),
        across=True,
    ),
    "norm_2": _in_block("norm_2", N_("norm"), NORM_PLACES["ffn"]),
    "ffn": _in_block("ffn", N_("feed-forward"), N_("each position by itself")),
    "add_2": _in_block(
        "add_2", "+", N_("the feed-forward network's output is added to the residual stream")
    ),
}


def places(blueprint: Blueprint, tower: Line) -> Iterator[StripPlace]:
    """The places of what has a line of its own, in the order of computation."""
    answers = tower.stream == blueprint.stream
    yield from _beginning(blueprint, tower)
    if isinstance(tower, Stack):
        yield from _of_stack(blueprint, tower)
    elif isinstance(tower, Recurrence):
        yield from _of_recurrence(blueprint, tower)
    elif isinstance(tower, ConvolutionalStem):
        yield MAPS
    if any(part.stream == tower.stream for part in blueprint.dense):
        yield OF_MAPS if isinstance(tower, ConvolutionalStem) else DENSE
    if not isinstance(tower, Stack):  # which says its own
        norms = (norm for norm in blueprint.norms if norm.stream == tower.stream)
        yield from (_last(norm) for norm in norms)
    if answers and any(head.labels for head in blueprint.heads):
        yield LABELS
    if answers and blueprint.predicts_words:
        answer = answer_of(blueprint)
        yield LOGITS
        yield StripPlace("prediction", answer.place, answer.meaning)


def _beginning(blueprint: Blueprint, tower: Line) -> Iterator[StripPlace]:
    """The places where a stream begins: a picture, or a text that becomes vectors."""
    cut = any(part.stream == tower.stream for part in blueprint.patches)
    if cut or isinstance(tower, ConvolutionalStem):
        yield PICTURE
        yield from (PATCHES,) * cut
        return
    several, answers = len(blueprint.streams) > 1, tower.stream == blueprint.stream
    if not answers or not several:
        yield TEXT
    start = blueprint.embedding(tower.stream)
    if start.units == "characters":
        yield from (CHARACTERS, LETTERS)
        return
    yield TARGET if answers and several else TOKENS
    yield EMBEDDINGS if start.positions else WORDS


def _of_recurrence(blueprint: Blueprint, tower: Recurrence) -> Iterator[StripPlace]:
    """The places of recurrent layers and of what attends before and after them."""
    looks = [attention for attention in blueprint.attentions if attention.queries == tower.stream]
    for part in blueprint.parts:
        if part is tower:
            yield replace(RECURRENT, across=tower.told is not None and not looks)
        elif isinstance(part, Attention) and part in looks:
            of = {"attention": part.name} if len(looks) > 1 else {}
            for place in LOOKING_BACK:
                yield replace(place, of=of, across=not part.square)


def _of_stack(blueprint: Blueprint, stack: Stack) -> Iterator[StripPlace]:
    """The places of a stack and of the norms around it."""
    several = len(blueprint.stacks) > 1
    if any(
        embedding.norm for embedding in blueprint.embeddings if embedding.stream == stack.stream
    ):
        yield EMBED_NORM
    for place in _of_block(blueprint, stack):
        yield replace(place, of=place.of or {"stack": stack.name}) if several else place
    if (norm := blueprint.final_norm(stack)) is not None:
        yield _last(norm)


def _last(norm: Norm) -> StripPlace:
    return replace(FINAL_NORM, meaning=Phrase(FINAL_NORM.meaning, norm=NORMS[norm.kind]))


def _of_block(blueprint: Blueprint, stack: Stack) -> Iterator[StripPlace]:
    """The places of one block."""
    several = len(blueprint.stacks) > 1
    heads = dict(zip(("heads", "cross"), kinds(blueprint, stack), strict=False))
    for piece in pieces(stack):
        kind = heads.get(piece.name)
        if kind is None:
            place = PIECES[piece.name]
            yield replace(place, meaning=Phrase(place.meaning, norm=NORMS[stack.norm]))
            continue
        of = {"attention": kind.name} if several else {}
        for step in ATTENTION if kind.square else ACROSS:
            bare = step.id == "scores" and kind.scale is None
            yield replace(step, of=of, meaning=NOT_SCALED if bare else step.meaning)


def strip_payload(
    blueprint: Blueprint,
    current: Sequence[str],
    pages: Mapping[str, str],
    *,
    layer: int = 0,
    chosen: Mapping[str, str] | None = None,
    steps: Sequence[str] = (),
) -> Payload:
    """The you-are-here strip.

    Args:
        blueprint: of the chosen model.
        current: ids of the places that are lit.
        pages: place id -> address of the page that shows it.
        layer: the block that is drawn while nothing on the page says which.
        chosen: the stack and the kind of attention that the page shows, by the names of the
            parameters, of a model that has several.
        steps: the place that each step of the page is at; none where its steps are at no places.
    """
    several = len(blueprint.towers) > 1
    lines = [
        {
            "name": tower_called(tower) if several and isinstance(tower, Tower) else "",
            "parts": [
                _item(place, place.id in current, pages.get(place.id), chosen or {}, steps)
                for place in places(blueprint, tower)
            ],
            "n_layers": 1 if isinstance(tower, Embedding | PatchStem) else tower.n_layers,
        }
        for tower in sorted(_lines(blueprint), key=lambda tower: tower.stream == blueprint.stream)
    ]
    labels = {
        "strip": _("Where you are in the model"),
        "block": _("layer {i} (0 to {last})"),
        "earlier": _("Previous layer"),
        "later": _("Next layer"),
    }
    return Payload({"layer": layer, "lines": lines, "labels": labels})


def _lines(blueprint: Blueprint) -> list[Line]:
    """What has a line of its own: layers, and what a stream begins in that none works on."""
    layers: list[Line] = [*blueprint.towers, *blueprint.convolutions]
    streams = {layer.stream for layer in layers}
    begin: list[Embedding | PatchStem] = [*blueprint.embeddings, *blueprint.patches]
    return [*layers, *(part for part in begin if part.stream not in streams)]


def _item(
    place: StripPlace,
    current: bool,
    page: str | None,
    chosen: Mapping[str, str],
    steps: Sequence[str],
) -> dict[str, Any]:
    """A place as the browser is given it: lit where it is here and of what is chosen."""
    matches = all(chosen.get(name, value) == value for name, value in place.of.items())
    return {
        "id": place.id,
        "label": _(place.label) if place.label != "+" else "+",
        "title": _(place.meaning),
        "page": page,
        "lit": current and matches,
        "steps": [n for n, id in enumerate(steps) if matches and id == place.id],
        "in_block": place.in_block,
        "across": place.across,
        "of": dict(place.of),
    }
