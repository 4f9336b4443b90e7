"""What is told of a run that flows, part after part, to somebody who is led through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.figures.components.map.told import Part
from core.figures.text import percent
from core.language import N_, _
from core.models import places
from core.tracing.trace import Trace
from core.views.attention.head import by_head

if TYPE_CHECKING:
    from core.views.map.flowing import FlowRun

SAID = {  # what is shown in each part
    Part.TEXT: N_("The text is “{text}”."),
    Part.TOKENS: N_("The text is cut into {n} tokens."),
    Part.EMBEDDING: N_("Each token becomes a row of numbers, its embedding."),
    Part.PLACE: N_("A row of numbers for its place is added."),
    Part.LAYERS: N_("The rows go through layer after layer, and stop before the last one."),
    Part.HEAD: N_("In layer {layer}, head {head}, “{token}” gives {share} of its attention to "
                  "“{key}”."),
    Part.FFN: N_("Then the feed-forward network works on each row alone."),
    Part.GUESSES: N_("After each layer there is a best guess: {guesses}."),
    Part.WORDS: N_("The most likely next word is “{word}”, with a probability of {prob}."),
    Part.AGAIN: N_("“{word}” is put after the text, and all begins again. “{next}” follows."),
    Part.OFF: N_("One part is switched off, and the probabilities change."),
}  # fmt: skip


def can_be_told(trace: Trace) -> bool:
    """Whether somebody can be led through it: one tower of layers that says what comes next."""
    blueprint = trace.blueprint
    if not blueprint.predicts_words:
        return False
    terms = next((one.terms for one in blueprint.embeddings if one.stream == blueprint.stream), ())
    return (
        len(blueprint.towers) == len(blueprint.stacks) == 1
        and blueprint.head.ability == "next_token"
        and blueprint.head.table is not None
        and len(terms) == len(("token", "place"))
    )


def zoom(record: FlowRun) -> str:
    """The head that is gone into, by its place: of the last layer, the one whose line is strongest.

    Lines from marks and from the row itself do not count, as attention that finds nothing rests
    there. Empty for a model in which no head can be gone into, or a text without another token.
    """
    trace = record.whole.trace
    blueprint = trace.blueprint
    if len(blueprint.towers) > 1 or not blueprint.attentions or blueprint.patches:
        return ""
    attention = blueprint.attentions[0]
    row = record.passes[0].row + record.whole.first
    layer = attention.n_layers - 1
    lines = by_head(trace, attention, layer)[:, row].copy()
    marks = [n for n, unit in enumerate(trace.units) if unit.special]
    lines[:, [*marks, row]] = 0
    return f"layer{layer}.head{int(lines.max(axis=1).argmax())}" if lines.any() else ""


def said(record: FlowRun) -> list[str]:
    """A sentence for each part."""
    whole, row = record.whole, record.answers[0]
    trace = whole.trace
    names = [unit.spoken for unit in trace.units]
    attention = trace.blueprint.attentions[0]
    place = places.read(record.params.place)
    layer = attention.n_layers - 1 if place is None else place.layer
    head = (place.head if place is not None else None) or 0
    weights = by_head(trace, attention, min(layer, attention.n_layers - 1))
    looked = weights[min(head, len(weights) - 1), row]
    word, share = record.best(row)
    further = record.passes[1].born if record.passes[1:] else None
    first = record.whole.first
    known = {
        "text": whole.run.text,
        "n": str(sum(not unit.special for unit in trace.units) - record.onward.n_written),
        "token": names[row], "layer": str(layer), "head": str(head),
        "share": percent(float(looked.max())), "key": names[int(looked.argmax())],
        "guesses": ", ".join(guess for guess, _share in record.guesses[row - first]),
        "word": word.removeprefix("·"), "prob": percent(share),
        "next": "" if further is None else further.label.removeprefix("·"),
    }  # fmt: skip
    return [_(SAID[part]).format(**known) for part in Part]
