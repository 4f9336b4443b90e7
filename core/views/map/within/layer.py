"""In a layer: what its numbers say; its parts are drawn in the picture itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.figures.text import Mark, Sentence, join, percent, sentence
from core.language import _
from core.views.attention.head import key_name
from core.views.map.towers import told
from core.views.map.within.head import head_of
from core.views.map.within.made import Spot


def layer(spot: Spot) -> Sentence | None:
    """The strongest line to another token, at the row that is looked at, and the head that has it.

    Lines to marks do not count, as attention that finds nothing rests there. Of a model in which
    nothing attends, what a layer knows of another stream; None for nothing.
    """
    blueprint, at = spot.whole.blueprint, spot.row
    if not blueprint.attentions:
        return next(told(blueprint, spot.stream), None)
    attention = replace(spot.place, head=0).attention(blueprint)
    if attention is None or not attention.square or (attention.n_heads or 1) < 2:
        return None
    weights = head_of(spot, attention).weights(spot.place.layer)[:, at].copy()
    units = spot.whole.trace.streams[attention.keys].units
    marks = [n for n, unit in enumerate(units) if unit.special and not getattr(unit, "end", 0)]
    weights[:, [*marks, at]] = 0
    head, key = np.unravel_index(int(weights.argmax()), weights.shape)
    record = head_of(replace(spot, place=replace(spot.place, head=int(head))), attention)
    text = _("In layer {layer}, head {head} has the strongest line into “{query}” from elsewhere: "
             "it takes {share} from {key}.")  # fmt: skip
    if not weights[head, key] > 0:
        text = _("In layer {layer}, “{query}” has no other word to attend to.")
    said = sentence(
        text, layer=str(spot.place.layer), head=str(int(head)),
        query=Mark(record.query_words[at], "query"), key=key_name(record, at, int(key)),
        share=Mark(percent(float(weights[head, key])), "weight"),
    )  # fmt: skip
    if replace(spot.place, ffn=True).stack(blueprint) is None:
        return said
    then = _("The feed-forward network then works on each token by itself.")
    return join([said, sentence(then)])
