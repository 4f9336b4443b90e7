"""What is changed in a run, in words: a part of the model, a word, a weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.text import MINUS, percent
from core.language import N_, _
from core.locale import spelt
from core.models.places import Place
from core.models.what_if import Change
from core.text.swaps import Swap
from core.tracing.trace import Trace
from core.units import Unit
from core.views.parts import attention_called, tower_called

Places = Sequence[Sequence[int]]
_AROUND = {
    "attn": N_("the attention of {where} replaces the row"),
    "cross": N_("the cross-attention of {where} replaces the row"),
    "ffn": N_("the feed-forward network of {where} replaces the row"),
    "": N_("{where} replaces the row"),
}


def standing_in(units: Sequence[Unit], places: Sequence[int]) -> str:
    """The word that stands in the place of a token: all of its own tokens."""
    if len(places) == 1:
        return units[places[0]].spoken
    pieces = (units[place].label.removeprefix("##") for place in places)
    return "".join(pieces).removeprefix("·").replace("·", " ")


def where(place: Place, trace: Trace) -> str:
    """A layer inside a sentence: layer 3, layer 3 of the encoder."""
    towers, stream = trace.blueprint.towers, place.stream or trace.blueprint.stream
    tower = next((one for one in towers if one.stream == stream), None)
    if len(towers) > 1 and tower is not None:
        text = _("layer {layer} of the {tower}")
        return text.format(layer=place.layer, tower=tower_called(tower))
    return _("layer {layer}").format(layer=place.layer)


def part_called(place: Place, trace: Trace) -> str:
    """A head or a feed-forward network inside a sentence: head 3 of layer 5."""
    attention = place.attention(trace.blueprint)
    if attention is None:
        return _("the feed-forward network of {where}").format(where=where(place, trace))
    if attention.n_heads is None:
        return _("the attention")
    text = _("head {head} of layer {layer}")
    if len(trace.blueprint.attentions) > 1:
        text = _("head {head} of layer {layer} ({attention})")
    return text.format(head=place.head, layer=place.layer,
                       attention=attention_called(trace.blueprint, attention))  # fmt: skip


def called(change: Change | Swap, trace: Trace, places: Mapping[str, Places]) -> str:
    """A change in words, after which a colon may stand.

    Args:
        change: with positions of the text as it was before words were swapped.
        trace: of the text as it is read now.
        places: by stream, what stands there now for each position.
    """
    if isinstance(change, Swap):
        text = _("“{new}” in the place of “{old}”")
        return text.format(new=change.new, old=change.old)
    place = change.place
    if place is None:
        return _("temperature {value}").format(value=set_to(change.value))
    if change.kind == "sum":
        return _(_AROUND[change.part]).format(where=where(place, trace))
    part = part_called(place, trace)
    attention = place.attention(trace.blueprint)
    if change.kind == "off" and (attention is None or place.key is None):
        return _("{part} off").format(part=part)
    assert attention is not None
    units = {name: one.units for name, one in trace.streams.items()}
    keys, those = units[attention.keys], places[attention.keys]
    if change.kind == "off":
        token = standing_in(keys, those[place.key or 0])
        return _("“{token}” hidden from {head}").format(token=token, head=part)
    text, value = _("score {value} from “{query}” to “{key}” in {head}"), set_to(change.value)
    if change.kind == "weight":
        value = percent(change.value)
        text = _("weight {value} from “{query}” to “{key}” in {head}")
    query = units[attention.queries][places[attention.queries][change.query][-1]].spoken
    own = those[change.key]
    key = standing_in(keys, own if change.cuts else own[-1:])
    if change.cuts:
        text = _("line from “{key}” to “{query}” cut in {head}")
    return text.format(value=value, query=query, key=key, head=part)


def set_to(value: float) -> str:
    """A number as somebody has set it."""
    return spelt(f"{value:g}").replace("-", MINUS)
