"""The way of the token that is looked at through the map: the numbers that are shown of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.distributions import softmax
from core.analysis.lens import layer_logits
from core.figures import tokens
from core.figures.components.map import Part, Way
from core.figures.payload import as_shares
from core.figures.text import percent
from core.figures.values import Along, Values
from core.language import N_, _
from core.locale import in_quotes, listed
from core.tracing.trace import Array, Trace
from core.units import Token
from core.views.map.drawn import first_shown, picture

if TYPE_CHECKING:
    from core.views.map.run import WholeRun

SAID = {  # what the way does in each part
    Part.TEXT: N_("The way begins at the text “{text}”."),
    Part.TOKENS: N_("The text is cut into {n} tokens; the line follows the last one, “{token}”."),
    Part.EMBEDDING: N_("“{token}” becomes a row of numbers, its embedding."),
    Part.PLACE: N_("A row of numbers for its place is added."),
    Part.LAYERS: N_("It goes through layer after layer; after them the best guess is “{guess}”."),
    Part.LOOKS: N_("In layer {layer}, head {head}, it gives {share} of its attention to "
                   "“{key}”."),
    Part.HEADS: N_("The heads of the layer look most at {tops}."),
    Part.FFN: N_("Then the feed-forward network works on “{token}” alone."),
    Part.SUMS: N_("What both have found is added to its numbers."),
    Part.WORDS: N_("The next word is “{word}”, with a probability of {prob}."),
    Part.AGAIN: N_("“{word}” is put behind the text, and all begins again."),
}  # fmt: skip


def _terms(trace: Trace) -> tuple[str, ...]:
    """The sites that are added up to the embedding."""
    blueprint = trace.blueprint
    own = (one.terms for one in blueprint.embeddings if one.stream == blueprint.stream)
    return next(own, ())


def has_way(trace: Trace) -> bool:
    """Whether a token's way can be shown: one tower that says what comes next."""
    if not trace.blueprint.predicts_words:
        return False
    head = trace.blueprint.head
    return (
        len(trace.blueprint.towers) == len(trace.blueprint.stacks) == 1
        and head.ability == "next_token"
        and head.table is not None
        and len(_terms(trace)) == len(("token", "place"))
    )


def guesses(record: WholeRun, row: int) -> tuple[list[Token], list[float]]:
    """For each layer, the word that would follow it at a row, and how likely that is."""
    probs = softmax(layer_logits(record.trace, row))[1:]
    best = probs.argmax(axis=-1)
    return [record.run.words(int(one)) for one in best], [float(one) for one in probs.max(axis=-1)]


def guess_values(way: Way) -> Mapping[str, Values]:
    """What would follow each layer, as values."""
    words, shares = zip(*way.guesses, strict=True)
    axes = (Along("layer", _("layer"), [str(layer) for layer in range(len(words))]),)
    return {
        "guess": Values(_("next word after this layer"), np.array(words, object), axes),
        "guess_share": Values(_("its probability"), as_shares(np.array(shares)), axes),
    }


def way(record: WholeRun) -> Way:
    """The way of the row that is looked at, as far as it was asked for."""
    trace, head = record.trace, record.head
    assert head is not None
    first, row = first_shown(trace, record.stream), record.row(record.stream)
    words, shares = guesses(record, record.row(record.stream))
    looks = head.weights(head.layer)[:, row, first:]
    names = [token.spoken for token in trace.units[first:]]
    own, place = (picture(trace[site][first:]) for site in _terms(trace))
    return Way(
        reached=record.params.reached,
        text=record.run.text,
        row=row - first,
        layer=head.layer,
        head=head.head,
        own=own,
        place=place,
        looks=looks,
        tops=[names[int(one)] for one in looks.argmax(axis=-1)],
        guesses=[(word.spoken, share) for word, share in zip(words, shares, strict=True)],
        born=tokens.chip(words[-1], born=True),
        said=_said(record, names, looks, words, shares),
    )


def _said(
    record: WholeRun, names: list[str], looks: Array, words: list[Token], shares: list[float]
) -> list[str]:
    """A sentence for each part."""
    head, word = record.head, words[-1].spoken
    assert head is not None
    key = int(looks[head.head].argmax())
    known = {
        "text": record.run.text,
        "n": str(len(record.trace.units)),
        "token": names[record.row(record.stream) - len(record.trace.units)],
        "guess": words[max(0, head.layer - 1)].spoken,
        "layer": str(head.layer),
        "head": str(head.head),
        "share": percent(float(looks[head.head][key])),
        "key": names[key],
        "tops": listed([in_quotes(names[int(one)]) for one in looks.argmax(axis=-1)]),
        "word": word,
        "prob": percent(shares[-1]),
    }
    return [_(SAID[part]).format(**known) for part in Part]
