"""The stations of a run that is told as a story: a sentence for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.figures.components.map.told import Part
from core.figures.text import percent
from core.introductions import has_read
from core.language import _, ngettext
from core.locale import listed
from core.views.attention.head import by_head

if TYPE_CHECKING:
    from core.views.map.flowing import FlowRun


AT_HEAD = {"reached": int(Part.HEAD)}  # how the head is asked for that the story goes into
RESTS = 0.25  # of all attention: below that nothing need be said of the mark


def captions(record: FlowRun, *, zooms: bool) -> dict[str, str]:
    """By station its sentence; those of it that this model does not come to are left out.

    Args:
        record: of the run.
        zooms: a head is gone into.
    """
    found = {
        "text": _text(record),
        "cut": _cut(record),
        "rows": _rows(record),
        "layers": _layers(record),
        **_answered(record),
    }
    if zooms:  # the browser knows the head, and the numbers of each
        found |= {
            "asks": _("Each layer compares the tokens in several ways at once, its heads. This is "
                      "one of layer {layer}. “{token}” has a query: what it looks for. Every token "
                      "has a key: what it can be found by."),
            "fits": _("How well query and key fit is a score. The scores are turned into shares "
                      "of a whole, the weights: “{key}” gets {share}."),
            "takes": _("By these weights “{token}” takes something of each token, its values: "
                       "most from “{key}”. The mix goes into its row. Then a small "
                       "network works on each row by itself."),
        }  # fmt: skip
    return found


def _answered(record: FlowRun) -> dict[str, str]:
    """What the last numbers come to, and what follows it."""
    whole, first = record.whole, record.passes[0]
    row = first.row + whole.first
    token = whole.trace.streams[whole.stream].units[row].spoken
    found = {}
    if record.guesses:
        guesses = [guess for guess, _share in record.guesses[first.row]]
        said = _("After each layer, the row of “{token}” has a best guess: {guesses}.")
        if whole.answering.ability == "next_token":
            said = _("After each layer, the row of “{token}” has a best guess of the next word: "
                     "{guesses}.")  # fmt: skip
        found["guesses"] = said.format(token=token, guesses=", ".join(guesses))
    best, share = record.best(row)
    said = _("The last numbers of “{token}” give every word a probability. “{word}” gets {prob}.")
    if whole.of_all:
        said = _("The last numbers give every label a probability. “{word}” gets {prob}.")
    if (read := has_read(record.params.model)) and whole.answering.ability == "next_token":
        said += " " + _("Nobody wrote a rule for it: the model learned from what it read, "
                        "{read}, by guessing each next word and being corrected.").format(
                            read=read)  # fmt: skip
    found["words"] = said.format(token=token, word=best.removeprefix("·"), prob=percent(share))
    if first.born is not None:
        written = whole.trace.streams[whole.stream].written
        born = _("“{word}” is written down …") if written else _("“{word}” is put after the text …")
        found["born"] = born.format(word=first.born.label.removeprefix("·"))
    if record.passes[1:]:
        found["again"] = _("… and it goes through all layers, too.")
        if (further := record.passes[1].born) is not None:
            said = _("… and all begins again. Now “{word}” is most likely.")
            found["again"] = said.format(word=further.label.removeprefix("·"))
    return found


def _rows(record: FlowRun) -> str:
    if record.params.picture:
        return _("Each patch becomes a row of numbers.")
    said = _("Each token becomes a row of {n} numbers. Some are drawn, as stripes: red is above "
             "zero, blue below.").format(n=record.whole.width)  # fmt: skip
    if len(next((one.terms for one in record.whole.blueprint.embeddings), ())) > 1:
        return said + " " + _("The numbers of its place are added.")
    return said


def _text(record: FlowRun) -> str:
    if record.params.picture:
        return _("A picture. What is on it?")
    if record.whole.answering.ability == "next_token":
        return _("A text. This model does what ChatGPT does: it continues a text, word by word. "
                 "Which one comes next?")  # fmt: skip
    return _("A text.")


def _cut(record: FlowRun) -> str:
    """How many pieces there are, and what is put before them."""
    units = record.whole.trace.streams[record.whole.trace.blueprint.streams[0]].units
    n = len(units) - record.onward.n_written
    if record.params.picture:
        return _("It is cut into patches.")
    marks = [one.label for one in units[:n] if one.special and not getattr(one, "end", 0)]
    text = ngettext("It is cut into {n} piece, a token.", "It is cut into {n} pieces, the tokens.",
                    n - len(marks)).format(n=n - len(marks))  # fmt: skip
    if not marks:
        return text
    return text + " " + _("{marks} is added.").format(marks=listed(marks))


def _layers(record: FlowRun) -> str:
    """What is taken from where."""
    blueprint = record.whole.blueprint
    if not blueprint.attentions:
        return _("Row after row, a state is handed on.")
    if blueprint.recurrences:
        return _("Row after row, a state is handed on, and attends to the rows of the source.")
    if all(attention.causal for attention in blueprint.attentions):
        return _("Layer after layer, each row takes something from the rows above it: the thicker "
                 "a line, the more. This is attention.")  # fmt: skip
    return _("Layer after layer, each row takes something from other rows: the thicker a line, "
             "the more. This is attention.")  # fmt: skip


def resting(record: FlowRun) -> str:
    """How much of all attention goes to the mark at the start; empty where little does."""
    trace = record.whole.trace
    blueprint = trace.blueprint
    if len(blueprint.towers) > 1 or not blueprint.attentions or not trace.units[0].special:
        return ""
    attention = blueprint.attentions[0]
    # The first row has nothing else to attend to; a word that is written behind the text comes and
    # goes with what is changed.
    rows = slice(1, len(trace.units) - record.onward.n_written)
    shares = [by_head(trace, attention, n)[:, rows, 0] for n in range(attention.n_layers)]
    share = float(np.mean(shares)) if shares[0].size else 0.0
    if share < RESTS:
        return ""
    said = _("{share} of all attention goes to {mark}: a head that finds nothing looks there.")
    return said.format(share=percent(share), mark=trace.units[0].label)
