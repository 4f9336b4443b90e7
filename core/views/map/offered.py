"""The panel "What if": what can be changed where somebody is, and the page that tells more of it.

What a change makes of the state the browser knows (``assets/components/whatif/changes.js``).
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np

from core.analysis.aligned import numbers
from core.figures.payload import Payload
from core.figures.text import number
from core.language import N_, _
from core.models.blueprint import Attention
from core.models.places import Place
from core.models.what_if import HEAT, MOST, SCORES, Change, read, sums
from core.text import swaps
from core.tracing.trace import Array
from core.units import Unit
from core.views.map import towers
from core.views.map.called import part_called, where
from core.views.map.flowing import FlowRun
from core.views.map.inside import PlaceRun
from core.views.map.what_if import alone, best, in_short, joint, places_in
from core.views.parts import attention_called

_AROUND = {
    "attn": N_("What if the attention of {where} replaced the row, not added to it?"),
    "cross": N_("What if the cross-attention of {where} replaced the row, not added to it?"),
    "ffn": N_("What if the feed-forward network of {where} replaced the row, not added to it?"),
    "": N_("What if {where} replaced the row, not added to it?"),
}
MASKED = -1e9  # in the place of a weight and a score that the mask forbids


def panel(record: FlowRun, here: Place | None) -> Payload:
    """What the panel shows where somebody has gone; of the whole run where nobody has."""
    head = None if here is None else here.attention(record.whole.trace.blueprint)
    row, arrays = (
        _row(record, here, head) if here and head and not _is_off(record, here) else (None, {})
    )
    header = {
        "folder": "whatif",
        **_place(record),
        "ones": _ones(record),
        "joint": "" if record.effect is None else " ".join(map(str, joint(record.effect))),
        "effect": "" if record.effect is None else str(in_short(record.effect)),
        "best": best(record),
        "turns": [] if here is None else _turns(record, here),
        "heads": [] if here is None else _heads(record, here),
        "notes": _notes(record, here),
        "words": _words(record),
        "heats": list(HEAT),
        "row": row,
        "names": [one.name for one in record.changes],
        "most": {"off": MOST, "swap": swaps.MOST},
        "labels": _labels(),
    }
    return Payload(header, arrays)


def _place(record: FlowRun) -> dict[str, Any]:
    """What the numbers of the place say, and the views that show more of it with what is asked."""
    run = PlaceRun(record.whole, record.params.place)
    said = run.layer_says  # of what opens in the picture it is said there
    text = {"text": record.params.text}  # another page may open on an example of its own
    return {
        "reading": said.as_data() if said else [],
        "about": [
            [view, text | {name: str(one) for name, one in asked.items()}]
            for view, asked in run.further
        ],
    }


def _ones(record: FlowRun) -> list[dict[str, Any]]:
    """Each change, as its chip says it."""
    if record.effect is None:
        return []
    return [
        {"name": one.name, "label": one.called, "alone": alone(record.effect, one)}
        for one in record.effect.ones
    ]


def _turns(record: FlowRun, here: Place) -> list[dict[str, Any]]:
    """What can be taken away here; what is away is given back by its chip."""
    trace = record.whole.trace
    found = [read(re.split(r"\.(?:key|unit)", here.name)[0])]
    away = {one.name for one in record.changes}
    every = [one for one in found if one is not None and one.edit(trace.blueprint) is not None]
    every += sums(here, trace.blueprint)
    return [
        {"name": one.name, "label": _asked(one, record), "on": one.name in away} for one in every
    ]


def _heads(record: FlowRun, here: Place) -> list[dict[str, Any]]:
    """The heads of a layer by kind of attention, each to be switched off and on."""
    blueprint = record.whole.trace.blueprint
    away = {one.name for one in record.changes}
    stream = here.stream or blueprint.stream
    found = []
    for kind in blueprint.attentions if of_layer(here) else ():
        if kind.queries != stream or here.layer >= kind.n_layers or kind.n_heads is None:
            continue
        start = f"{here.name}.{'' if kind.square else 'cross.'}head"
        each = [
            {"name": f"{start}{head}", "label": _("head {h}").format(h=head),
             "on": f"{start}{head}" in away}
            for head in range(kind.n_heads)
        ]  # fmt: skip
        text = _("Switch off a head of this layer:")
        if len(blueprint.attentions) > 1:
            text = _("Switch off a head of this layer ({attention}):")
        found.append({"says": text.format(attention=attention_called(blueprint, kind)),
                      "each": each})  # fmt: skip
    return found


def _is_off(record: FlowRun, here: Place) -> bool:
    """Whether the head that somebody has gone into is switched off."""
    return any(one.name == here.name.partition(".key")[0] for one in record.changes)


def of_layer(here: Place) -> bool:
    """Whether a place is the whole of a layer."""
    return bool(re.fullmatch(r"(.+\.)?layer\d+", here.name))


def _asked(change: Change, record: FlowRun) -> str:
    """What a button asks: what if head 3 of layer 5 were off?"""
    trace, place = record.whole.trace, change.place
    assert place is not None
    if change.kind == "off":
        return _("What if {what} were off?").format(what=part_called(place, trace))
    return _(_AROUND[change.part]).format(where=where(place, trace))


def _notes(record: FlowRun, here: Place | None) -> list[str]:
    """What cannot be changed here, and why; and what the numbers of the place do not say."""
    found = []
    blueprint = record.whole.trace.blueprint
    if not record.params.picture and not swaps.words(record.params.text):
        found.append(_("This text has no word that could be swapped."))
    if here is not None and of_layer(here) and not sums(here, blueprint):
        found.append(_("Nothing leads round this layer: what it reads is not added to what it "
                       "gives."))  # fmt: skip
    if here is not None and here.head is not None:
        head = here.name.partition(".key")[0]
        if _is_off(record, here):
            found.append(_("This head is off, so its weights move nothing. Undo that to set one."))
        elif any(one.name.startswith(f"{head}.") for one in record.changes):
            found.append(_("What you have set in this head does not follow from the steps before "
                           "it; all that comes after it is computed anew."))  # fmt: skip
    if len(record.params.changes) >= MOST:
        text = _("{n} changes at once are the most. Undo one to make another.")
        found.append(text.format(n=MOST))
    if len(record.params.swapped_words) >= swaps.MOST:
        text = _("{n} swapped words at once are the most. Undo one to swap another.")
        found.append(text.format(n=swaps.MOST))
    return found


def _words(record: FlowRun) -> dict[str, Any]:
    """The words of the first text as they stand now, and for each token that is shown its word."""
    params, trace = record.params, record.first.run.trace
    stream = trace.blueprint.streams[0]
    spans = [] if params.picture else swaps.words(params.text)
    new = {one.n: one.new for one in params.swapped_words}

    def word_of(unit: Unit) -> int:
        start = getattr(unit, "start", 0)
        end = getattr(unit, "end", start + 1)
        return next((n for n, (a, b) in enumerate(spans) if start < b and end > a), -1)

    own = [word_of(unit) for unit in trace.streams[stream].units]
    shown = places_in(record.onward, record.first, stream)
    return {
        "field": towers.field_of(trace.blueprint, stream),
        "of": [own[at] for at in shown],
        "all": [new.get(n, params.text[a:b]) for n, (a, b) in enumerate(spans)],
        "was": [params.text[a:b] for a, b in spans],
        "most": swaps.LONGEST,
    }


def _row(
    record: FlowRun, here: Place, attention: Attention
) -> tuple[dict[str, Any], dict[str, Array]]:
    """A head's weights and scores, so that one of a row can be set."""
    trace = record.whole.trace
    prefix, mask = attention.prefix(here.layer), trace.masks[attention.name]

    def of_head(site: str) -> Array:
        values = trace[f"{prefix}.{site}"]
        own = values if values.ndim == 2 else values[here.head or 0]
        return np.where(mask, own, MASKED).astype(np.float32)

    queries, keys = attention.queries, attention.keys
    whole = replace(here, name=here.name.partition(".key")[0])
    header = {
        "place": whole.name,
        "key": here.key,
        "field": towers.field_of(trace.blueprint, queries),
        "queries": [unit.spoken for unit in trace.streams[queries].units],
        "keys": [unit.spoken for unit in trace.streams[keys].units],
        "named": [numbers(record.places[one]) for one in (queries, keys)],
        "title": _("Row of “{query}” in {head}"),
        "head": part_called(replace(here, key=None), trace),
        "ranges": {"weight": [0, 1, 0.01], "score": [*SCORES, 0.1]},
    }
    return header, {"weight": of_head("weights"), "score": of_head("scores")}


def _labels() -> dict[str, str]:
    return {
        "title": _("What if"),
        "undo": _("Undo: {what}"),
        "all": _("Undo all"),
        "hide": _("What if it could not attend to “{key}”?"),
        "swap": _("Swap the word"),
        "new": _("for"),
        "do": _("Swap"),
        "heat": _("Temperature"),
        "heat_how": _("Higher: unlikely words get more. It acts after the last layer, and changes "
                      "none of them."),
        "weight": _("Weights"),
        "score": _("Scores"),
        "weight_how": _("Drag a weight: the others of the row share what is left."),
        "score_how": _("Drag a score: the weights come from the softmax of the row."),
        "of_key": _("{kind} of “{key}”"),
        "more": _("and {n} others with less"),
        "about": _("More about this: {page}"),
        "masked": _("{value} (masked)").format(value=number(-math.inf)),
    }  # fmt: skip
