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
    """The head that attends to one token most, at the row that is looked at.

    Of a model in which nothing attends, what a layer knows of another stream; None for nothing.
    """
    blueprint, at = spot.whole.blueprint, spot.row
    if not blueprint.attentions:
        return next(told(blueprint, spot.stream), None)
    attention = replace(spot.place, head=0).attention(blueprint)
    if attention is None or not attention.square or (attention.n_heads or 1) < 2:
        return None
    weights = head_of(spot, attention).weights(spot.place.layer)[:, at]
    head, key = np.unravel_index(int(weights.argmax()), weights.shape)
    if not weights[head, key] > 0:
        return None
    record = head_of(replace(spot, place=replace(spot.place, head=int(head))), attention)
    text = _("In layer {layer}, head {head} is the surest one: “{query}” gives {share} of its "
             "attention there to {key}.")  # fmt: skip
    said = sentence(
        text, layer=str(spot.place.layer), head=str(int(head)),
        query=Mark(record.query_words[at], "query"), key=key_name(record, at, int(key)),
        share=Mark(percent(float(weights[head, key])), "weight"),
    )  # fmt: skip
    if replace(spot.place, ffn=True).stack(blueprint) is None:
        return said
    then = _("The feed-forward network then works on each token by itself.")
    return join([said, sentence(then)])
