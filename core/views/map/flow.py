"""The run as one flowing picture: its stations, its numbers, and what can be changed in it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.analysis.aligned import numbers
from core.data.introductions import has_read
from core.figures import tokens
from core.figures.components.map import CutPicture, Flow, OpenedPlace, TowerAnswer
from core.figures.components.map.told import StoryPart
from core.figures.payload import Payload
from core.figures.text import Mark, Sentence, ends_itself, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.locale import listed
from core.models.blueprint import Attention
from core.models.needs import Needs
from core.models.places import Place
from core.models.what_if import HEAT, MOST, SCORES, Change, read, sums
from core.runs.kinds.continuation import ContinuedRun
from core.runs.request import Request
from core.text import swaps
from core.text.marks import MASK
from core.tracing.trace import Array, Trace
from core.units import Token, Unit
from core.views.attention.head import by_head
from core.views.given import picture_of
from core.views.map.inside import PlaceRun, head_of
from core.views.map.marks import Spot
from core.views.map.parts import first_shown, picture
from core.views.map.run import (
    WholeRun,
    cells_drawn,
    drawn_tower,
    entries_drawn,
    field_of,
    part_called,
    stream_order,
    tower_numbers,
    units_above,
    where,
)
from core.views.map.story import (
    Effect,
    FlowParams,
    FlowRun,
    alone,
    best,
    changed,
    in_bits,
    in_short,
    joint,
    lines_cut,
    places_in,
    story,
    story_zoom,
)
from core.views.parts import attention_called
from core.views.view import Note, View
from core.views.vision.seen import pixels_of
from core.views.weak import line_break, no_idea

# --- the stations of a run that is told as a story: a sentence for each ---------------


AT_HEAD = {"reached": int(StoryPart.HEAD)}  # how the head is asked for that the story goes into
RESTS = 0.25  # of all attention: below that nothing need be said of the mark


def captions(record: FlowRun, *, zooms: bool) -> dict[str, str]:
    """By station its sentence; those of it that this model does not come to are left out.

    Args:
        record: of the run.
        zooms: a head is gone into.
    """
    texts = {
        "text": _text(record),
        "cut": _cut(record),
        "rows": _rows(record),
        "layers": _layers(record),
        **_answer_captions(record),
    }
    if zooms:  # the browser knows the head, and the numbers of each
        texts |= {
            "asks": _("Each layer compares the tokens in several ways at once, its heads. This is "
                      "one of layer {layer}. “{token}” has a query: what it looks for. Every token "
                      "has a key: what it can be found by."),
            "fits": _("How well query and key fit is a score. The scores are turned into shares "
                      "of a whole, the weights: “{key}” gets {share}."),
            "takes": _("By these weights “{token}” takes something of each token, its values: "
                       "most from “{key}”. The mix goes into its row. Then a small "
                       "network works on each row by itself."),
        }  # fmt: skip
    return texts


def _answer_captions(record: FlowRun) -> dict[str, str]:
    """What the last numbers come to, and what follows it."""
    whole, first = record.whole, record.passes[0]
    row = first.row + whole.first
    token = whole.trace.streams[whole.stream].units[row].spoken
    texts = {}
    if record.guesses:
        guesses = [guess for guess, _share in record.guesses[first.row]]
        template = _("After each layer, the row of “{token}” has a best guess: {guesses}.")
        if whole.answering.ability == "next_token":
            template = _(
                "After each layer, the row of “{token}” has a best guess of the next word: "
                "{guesses}."
            )
        texts["guesses"] = template.format(token=token, guesses=", ".join(guesses))
    best, share = record.best(row)
    template = _(
        "The last numbers of “{token}” give every word a probability. “{word}” gets {prob}."
    )
    if whole.of_all:
        template = _("The last numbers give every label a probability. “{word}” gets {prob}.")
    if (read := has_read(record.params.model)) and whole.answering.ability == "next_token":
        template += " " + _("Nobody wrote a rule for it: the model learned from what it read, "
                            "{read}, by guessing each next word and being corrected.").format(
                            read=read)  # fmt: skip
    texts["words"] = template.format(token=token, word=best.removeprefix("·"), prob=percent(share))
    if first.born is not None:
        station, template = _writing_caption(record)
        texts[station] = template.format(
            word=first.born.label.removeprefix("·"), next=record.follows
        )
    return texts


def _writing_caption(record: FlowRun) -> tuple[str, str]:
    """The station at which a word is put into what the model goes on with, and its sentence."""
    whole = record.whole
    written = whole.trace.streams[whole.stream].written
    if not record.passes[1:]:
        if written:
            return "born", _("“{word}” is written down.")
        return "born", _("“{word}” is put after the text.")
    if not record.follows:
        if written:
            return "again", _("“{word}” is written down and goes through all layers, too.")
        return "again", _("“{word}” is put after the text and goes through all layers, too.")
    if written:
        return "again", _("“{word}” is written down, and all begins again. “{next}” follows.")
    return "again", _("“{word}” is put after the text, and all begins again. “{next}” follows.")


def _rows(record: FlowRun) -> str:
    if record.params.picture:
        return _("Each patch becomes a row of numbers.")
    text = _("Each token becomes a row of {n} numbers. Some are drawn, as stripes: red is above "
             "zero, blue below.").format(n=record.whole.width)  # fmt: skip
    if len(next((embedding.terms for embedding in record.whole.blueprint.embeddings), ())) > 1:
        return text + " " + _("The numbers of its place are added.")
    return text


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
    marks = [unit.label for unit in units[:n] if unit.special and not getattr(unit, "end", 0)]
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
    template = _("{share} of all attention goes to {mark}: a head that finds nothing looks there.")
    return template.format(share=percent(share), mark=trace.units[0].label)


# --- the numbers of a run that flows, as tables: words, guesses, and what a change makes of them


Named = Iterator[tuple[str, Values]]


def run_numbers(record: FlowRun) -> Named:
    """Each table with its name; the weights are those of the head that is gone into."""
    whole = record.whole
    yield from _words(whole)
    yield from _weights(whole, record.params.place)
    for tower in whole.blueprint.towers:
        name, numbers = tower_numbers(whole.trace, tower)
        yield (name if tower.stream == whole.stream else f"{name}_{tower.name}"), numbers
    if record.effect is not None:
        yield from _effect(record.effect)
    yield from _beside(record)
    yield from _guesses(record)


def _words(whole: WholeRun) -> Named:
    """The likeliest words of each token, or labels of all, and how likely they are."""
    guesses, probs = whole.words()
    words, best = np.array(guesses), (whole.row(whole.stream), 0)
    along: tuple[Along, ...] = (_tokens(whole, len(guesses)), _ranks(probs))
    if whole.of_all:
        words, probs, along = words[0], probs[0], along[1:]
    selected = best[1:] if whole.of_all else best
    yield "words", Values(_("word"), words, along, selected=selected)
    yield "probabilities", Values(_("probability"), probs, along, selected=selected)


def _weights(whole: WholeRun, place: str) -> Named:
    location = PlaceRun(whole, place).known_place
    attention = None if location is None else location.attention(whole.blueprint)
    if location is None or attention is None:
        return
    head = head_of(Spot(whole, location), attention)
    yield "weights", Values(
        _("Attention weights"), head("weights"), head.along, site=f"{head.prefix}weights",
        selected=(head.query, head.key),
    )  # fmt: skip


def _effect(effect: Effect) -> Named:
    """What became of the word that was likeliest, and how much each change did."""
    both = (Along("run", _("run"), [_("nothing changed"), _("changed")]),)
    label = _("probability of “{word}”").format(word=effect.word)
    share = np.array([effect.before, effect.after], np.float32)
    yield "share", Values(label, share, both, selected=(1,))
    yield "likeliest", Values(_("most likely word"), np.array([effect.word, effect.now]), both)
    names = [_("together"), *(change.called for change in effect.ones)]
    bits = np.array([effect.bits, *(change.bits for change in effect.ones)], np.float32)
    along = (Along("change", _("change"), names),)
    yield "bits", Values(_("bits"), bits, along, selected=(0,))


def _beside(record: FlowRun) -> Named:
    """The words that are drawn where something is changed, with how likely they were."""
    beside = record.beside
    if beside is None:
        return
    along = (_tokens(record.whole, len(beside.was)), _ranks(beside.was))
    yield "words_beside", Values(_("word"), np.array(beside.words), along)
    yield "now", Values(_("probability"), beside.now, along)
    yield "was", Values(_("probability with nothing changed"), beside.was, along)


def _guesses(record: FlowRun) -> Named:
    """What each token, or all of it, would say after each layer."""
    guesses = record.guesses
    if not guesses:
        return
    layers = Along("layer", _("layer"), [str(n) for n in range(len(guesses[0]))])
    along = (_tokens(record.whole, len(guesses)), layers)
    words = np.array([[word for word, _share in row] for row in guesses])
    shares: Array = np.array([[share for _word, share in row] for row in guesses], np.float32)
    yield "guesses", Values(_("best guess after the layer"), words, along)
    yield "shares", Values(_("its probability"), shares, along)


def _tokens(whole: WholeRun, n: int) -> Along:
    """Along the last tokens, or along all of them at once where one answer is of all."""
    labels = [_("all")] if whole.of_all else tokens.labels(whole.trace.units)[-n:]
    return Along("token", _("token"), labels)


def _ranks(probs: Array) -> Along:
    return Along("rank", _("rank"), [str(n) for n in range(probs.shape[1])])


# --- the panel "What if": what can be changed where somebody is, and the page that tells more of it


_AROUND = {
    "attn": N_("What if the attention of {where} replaced the row, not added to it?"),
    "cross": N_("What if the cross-attention of {where} replaced the row, not added to it?"),
    "ffn": N_("What if the feed-forward network of {where} replaced the row, not added to it?"),
    "": N_("What if {where} replaced the row, not added to it?"),
}
MASKED = -1e9  # in the place of a weight and a score that the mask forbids


def offers(record: FlowRun, place: Place | None) -> Payload:
    """What the panel shows where somebody has gone; of the whole run where nobody has."""
    head = None if place is None else place.attention(record.whole.trace.blueprint)
    row, arrays = (
        _row(record, place, head) if place and head and not _is_off(record, place) else (None, {})
    )
    header = {
        "folder": "whatif",
        **_place(record),
        "ones": _ones(record),
        "joint": "" if record.effect is None else " ".join(map(str, joint(record.effect))),
        "effect": "" if record.effect is None else str(in_short(record.effect)),
        "best": best(record),
        "turns": [] if place is None else _turns(record, place),
        "heads": [] if place is None else _heads(record, place),
        "notes": _notes(record, place),
        "words": _offered_words(record),
        "heats": list(HEAT),
        "row": row,
        "names": [change.name for change in record.changes],
        "most": {"off": MOST, "swap": swaps.MOST},
        "labels": _labels(),
    }
    return Payload(header, arrays)


def _place(record: FlowRun) -> dict[str, Any]:
    """What the numbers of the place say, and the views that show more of it with what is asked."""
    run = PlaceRun(record.whole, record.params.place)
    reading = run.layer_says  # of what opens in the picture it is said there
    text = {"text": record.params.text}  # another page may open on an example of its own
    return {
        "reading": reading.as_data() if reading else [],
        "about": [
            [view, text | {name: str(value) for name, value in query.items()}]
            for view, query in run.more_views
        ],
    }


def _ones(record: FlowRun) -> list[dict[str, Any]]:
    """Each change, as its chip says it."""
    if record.effect is None:
        return []
    return [
        {"name": change.name, "label": change.called, "alone": alone(record.effect, change)}
        for change in record.effect.ones
    ]


def _turns(record: FlowRun, place: Place) -> list[dict[str, Any]]:
    """What can be taken away here; what is away is given back by its chip."""
    trace = record.whole.trace
    changes = [read(re.split(r"\.(?:key|unit)", place.name)[0])]
    away = {change.name for change in record.changes}
    every = [
        change
        for change in changes
        if change is not None and change.edit(trace.blueprint) is not None
    ]
    every += sums(place, trace.blueprint)
    return [
        {"name": change.name, "label": _button_label(change, record), "on": change.name in away}
        for change in every
    ]


def _heads(record: FlowRun, place: Place) -> list[dict[str, Any]]:
    """The heads of a layer by kind of attention, each to be switched off and on."""
    blueprint = record.whole.trace.blueprint
    away = {change.name for change in record.changes}
    stream = place.stream or blueprint.stream
    rows = []
    for kind in blueprint.attentions if of_layer(place) else ():
        if kind.queries != stream or place.layer >= kind.n_layers or kind.n_heads is None:
            continue
        start = f"{place.name}.{'' if kind.square else 'cross.'}head"
        heads = [
            {"name": f"{start}{head}", "label": _("head {h}").format(h=head),
             "on": f"{start}{head}" in away}
            for head in range(kind.n_heads)
        ]  # fmt: skip
        text = _("Switch off a head of this layer:")
        if len(blueprint.attentions) > 1:
            text = _("Switch off a head of this layer ({attention}):")
        rows.append({"says": text.format(attention=attention_called(blueprint, kind)),
                     "each": heads})  # fmt: skip
    return rows


def _is_off(record: FlowRun, place: Place) -> bool:
    """Whether the head that somebody has gone into is switched off."""
    return any(change.name == place.name.partition(".key")[0] for change in record.changes)


def of_layer(place: Place) -> bool:
    """Whether a place is the whole of a layer."""
    return bool(re.fullmatch(r"(.+\.)?layer\d+", place.name))


def _button_label(change: Change, record: FlowRun) -> str:
    """What a button asks: what if head 3 of layer 5 were off?"""
    trace, place = record.whole.trace, change.place
    assert place is not None
    if change.kind == "off":
        return _("What if {what} were off?").format(what=part_called(place, trace))
    return _(_AROUND[change.part]).format(where=where(place, trace))


def _notes(record: FlowRun, place: Place | None) -> list[str]:
    """What cannot be changed here, and why; and what the numbers of the place do not say."""
    notes = []
    blueprint = record.whole.trace.blueprint
    if not record.params.picture and not swaps.words(record.params.text):
        notes.append(_("This text has no word that could be swapped."))
    if place is not None and of_layer(place) and not sums(place, blueprint):
        notes.append(_("Nothing leads round this layer: what it reads is not added to what it "
                       "gives."))  # fmt: skip
    if place is not None and place.head is not None:
        head = place.name.partition(".key")[0]
        if _is_off(record, place):
            notes.append(_("This head is off, so its weights move nothing. Undo that to set one."))
        elif any(change.name.startswith(f"{head}.") for change in record.changes):
            notes.append(_("What you have set in this head does not follow from the steps before "
                           "it; all that comes after it is computed anew."))  # fmt: skip
    if len(record.params.changes) >= MOST:
        text = _("{n} changes at once are the most. Undo one to make another.")
        notes.append(text.format(n=MOST))
    if len(record.params.swapped_words) >= swaps.MOST:
        text = _("{n} swapped words at once are the most. Undo one to swap another.")
        notes.append(text.format(n=swaps.MOST))
    return notes


def _offered_words(record: FlowRun) -> dict[str, Any]:
    """The words of the first text as they stand now, and for each token that is shown its word."""
    params, trace = record.params, record.first.run.trace
    stream = trace.blueprint.streams[0]
    spans = [] if params.picture else swaps.words(params.text)
    new = {swap.n: swap.new for swap in params.swapped_words}

    def word_of(unit: Unit) -> int:
        start = getattr(unit, "start", 0)
        end = getattr(unit, "end", start + 1)
        return next((n for n, (a, b) in enumerate(spans) if start < b and end > a), -1)

    words = [word_of(unit) for unit in trace.streams[stream].units]
    shown = places_in(record.onward, record.first, stream)
    return {
        "field": field_of(trace.blueprint, stream),
        "of": [words[position] for position in shown],
        "all": [new.get(n, params.text[a:b]) for n, (a, b) in enumerate(spans)],
        "was": [params.text[a:b] for a, b in spans],
        "most": swaps.LONGEST,
    }


def _row(
    record: FlowRun, place: Place, attention: Attention
) -> tuple[dict[str, Any], dict[str, Array]]:
    """A head's weights and scores, so that one of a row can be set."""
    trace = record.whole.trace
    prefix, mask = attention.prefix(place.layer), trace.masks[attention.name]

    def of_head(site: str) -> Array:
        values = trace[f"{prefix}.{site}"]
        of_head = values if values.ndim == 2 else values[place.head or 0]
        return np.where(mask, of_head, MASKED).astype(np.float32)

    queries, keys = attention.queries, attention.keys
    whole = replace(place, name=place.name.partition(".key")[0])
    header = {
        "place": whole.name,
        "key": place.key,
        "field": field_of(trace.blueprint, queries),
        "queries": [unit.spoken for unit in trace.streams[queries].units],
        "keys": [unit.spoken for unit in trace.streams[keys].units],
        "named": [numbers(record.places[stream]) for stream in (queries, keys)],
        "title": _("Row of “{query}” in {head}"),
        "head": part_called(replace(place, key=None), trace),
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


# --- the run as one flowing picture: from the text through every layer to a word, and to the next


class MapFlowView(View[FlowParams, FlowRun]):
    """The whole run as a picture that flows, and that can be gone into."""

    name, Params, needs, kept = "map.flow", FlowParams, Needs("answers"), True

    def requests(self, params: FlowParams) -> tuple[Request, ...]:
        return params.runs

    def compute(self, runs: Sequence[ContinuedRun], params: FlowParams) -> FlowRun:
        record = FlowRun(runs[0], params, runs[1] if len(runs) > 1 else None, runs[2:])
        record.check()
        return record

    def values(self, record: FlowRun) -> Mapping[str, Values]:
        return dict(run_numbers(record))

    def describe(self, record: FlowRun) -> Sentence:
        if record.effect is not None:
            return changed(record.effect)
        guess = _expectation(record)
        written = record.whole.trace.streams[record.whole.stream].written
        if record.whole.of_all or (written and record.params.token < 0):
            return guess
        best, share = record.best(record.row)
        more = no_idea(record.params.model, share), line_break(best)
        return join([guess, *filter(None, more)])

    def notes(self, record: FlowRun) -> Sequence[Note]:
        return _flow_notes(record)

    def facts(self, record: FlowRun) -> Sequence[str]:
        whole = record.whole
        rows = " + ".join(str(len(stream.units)) for stream in whole.trace.streams.values())
        template = _("{n} rows in {ms} ms") if record.params.picture else _("{n} tokens in {ms} ms")
        ran = template.format(n=rows, ms=f"{whole.trace.seconds * 1e3:.0f}")
        bits = [] if record.effect is None else [in_bits(record.effect)]
        return [ran, drawn_of(whole), *bits]

    def panel(self, record: FlowRun) -> Payload:
        return offers(record, PlaceRun(record.whole, record.params.place).known_place)

    def draw(self, record: FlowRun) -> Flow:
        whole, trace = record.whole, record.whole.trace
        drawn = [drawn_tower(trace, stream) for stream in stream_order(trace.blueprint)]
        head, rests = "" if record.changes else story_zoom(record), resting(record)
        return Flow(
            title=_("The whole run, from picture to label")
            if trace.blueprint.patches
            else _("The whole run, from text to prediction"),
            selection={
                "place": record.params.place,
                "aside": int(record.params.aside),
                **whole.rows,
            },
            towers=drawn,
            answer=answer(record),
            cells=drawn_of(whole),
            entries="" if whole.of_all else entries_drawn(whole.logits.shape[-1]),
            opened=opened(record),
            passes=record.passes,
            guesses=record.guesses,
            guesses_before=record.guesses_before,
            captions=captions(record, zooms=bool(head)),
            zoom=head,
            resting="" if whole.first else rests,  # the mark is not drawn, so it cannot be left out
            off=[change.name for change in record.changes],
            lines_cut=lines_cut(record),
            was=None if record.beside is None else record.beside.was,
            reached=record.reached,
            told=() if record.reached is None else story(record),
            rows=0
            if record.reached is None
            else len(drawn[-1].tokens) - record.onward.n_written + 2,
            lines=[_line(trace, tower.name, tower.first) for tower in drawn],
            begins=begins(record),
            above=[units_above(trace.streams[part.name].units, part.first) for part in drawn],
            picture=seen_as(record),
        )


def _flow_notes(record: FlowRun) -> list[Note]:
    """Which words the model reads others for."""
    swapped = record.params.swapped_words
    if not swapped:
        return []
    pairs = listed([f"{swap.old} → {swap.new}" for swap in swapped])
    text = _("The model reads it with what you swapped: {pairs}.")
    return [Note("info", sentence(text, pairs=pairs))]


def drawn_of(whole: WholeRun) -> str:
    """How many components of a vector are drawn."""
    return cells_drawn(whole.width, patches=bool(whole.blueprint.patches))


def answer(record: FlowRun) -> TowerAnswer:
    """What the last tower says, with nothing changed and with all that is."""
    whole, beside = record.whole, record.beside
    words, probs = whole.shown_words if beside is None else (beside.words, beside.now)
    return TowerAnswer(
        heading=_(whole.answer.heading), at=_(whole.answer.at),
        logits=picture(whole.logits[whole.first :]), words=words, probs=probs,
    )  # fmt: skip


def opened(record: FlowRun) -> OpenedPlace:
    """What a file draws large: the layer that is gone into, and its head."""
    blueprint = record.whole.blueprint
    place = PlaceRun(record.whole, record.params.place).known_place
    if place is None:
        return OpenedPlace(blueprint.stream)
    attention = place.attention(blueprint)
    return OpenedPlace(
        place.stream or blueprint.stream,
        place.layer,
        attention.name if attention else "",
        place.head,
    )


def _expectation(record: FlowRun) -> Sentence:
    """What is likeliest at the row that is looked at."""
    best, share = record.best(record.row)
    values = {
        "word": Mark(best.removeprefix("·"), "accent"),
        "share": Mark(percent(share), "accent"),
    }
    stream = record.whole.trace.streams[record.whole.stream]
    first, *rest = record.passes
    if stream.written and record.params.token < 0:
        text = "".join(_line(record.whole.trace, record.whole.stream)).strip()
        writes = _("The model writes “{text}”.")
        if ends_itself(text):
            writes = _("The model writes: “{text}”")
        return sentence(writes, text=Mark(text, "accent"))
    if record.whole.answering.ability == "masked_words":
        token = stream.units[record.row]
        text = _("At “{token}”, “{word}” is most likely, with {share}.")
        if token.label != MASK:
            text = _("No word is hidden: at “{token}”, which it can read, “{word}” is most "
                     "likely, with {share}. Write [MASK] to hide one.")  # fmt: skip
        return sentence(text, **values, token=Mark(token.spoken, "query"))
    if record.whole.of_all:
        return sentence(_("“{word}” is most likely, with {share}."), **values)
    if record.row != first.row + record.whole.first or not rest or stream.written:
        return sentence(
            _("After “{token}”, “{word}” is most likely, with {share}."),
            **values, token=Mark(stream.units[record.row].spoken, "query"),
        )  # fmt: skip
    assert rest[0].born is not None
    return sentence(
        _("“{word}” is most likely next, with {share}. After it, “{next}” is most likely."),
        **values, next=Mark(rest[0].born.label.removeprefix("·"), "accent"),
    )  # fmt: skip


def begins(record: FlowRun) -> str:
    """How many pieces the input becomes, how many rows with the marks, and what is not drawn."""
    trace = record.whole.trace
    stream = stream_order(trace.blueprint)[0]
    units = trace.streams[stream].units
    n = len(units) - record.onward.n_written
    marks = [unit.label for unit in units if not _is_input(unit)]
    text = ngettext("The text is cut into {n} token, and it becomes a row of numbers.",
                    "The text is cut into {n} tokens, and each becomes a row of numbers.",
                    n - len(marks))  # fmt: skip
    if record.params.picture:
        text = _("The picture is cut into {n} patches, and each becomes a row of numbers.")
    phrases = [text.format(n=n - len(marks))]
    if marks:
        with_marks = _("With {marks} there are {rows} rows.")
        phrases.append(with_marks.format(marks=listed(marks), rows=n))
    if hidden := units_above(units, first_shown(trace, stream)):
        phrases.append(f"{hidden}.")
    return " ".join(phrases)


def seen_as(record: FlowRun) -> CutPicture | None:
    """The picture in its pixels, and how it is cut; None of a text."""
    if not record.params.picture:
        return None
    part = record.whole.blueprint.patches[0]
    return CutPicture(pixels_of(picture_of(record.params.picture)), part.size, part.first)


def _is_input(unit: Unit) -> bool:
    """Whether it stands for some of the input, as [MASK] does: what the model adds does not."""
    return not unit.special or getattr(unit, "end", 0) > getattr(unit, "start", 0)


def _line(trace: Trace, stream: str, first: int = 0) -> list[str]:
    """Each token of a stream from ``first`` on as it stands in a text, with the space before it.

    What the model adds stands in no text; before a token that is not the first is an ellipsis.
    """
    units = trace.streams[stream].units
    if trace.blueprint.patches:
        return [""] * len(units[first:])  # they stand in no text
    labels = [unit.label.removeprefix("##") if _is_input(unit) else "" for unit in units]
    pieces: list[str] = []
    if any(unit.label.startswith("·") for unit in units):  # spaces are in the tokens
        spelt = [label.replace("·", " ") for label in labels]
        of_bytes = [unit for unit in units if isinstance(unit, Token)]
        if len(of_bytes) == len(units):  # a character's may lie in several
            texts = tokens.prose(of_bytes)
            spelt = [a if "\n" in b else b for a, b in zip(spelt, texts, strict=True)]
        for unit, label, text in zip(units, labels, spelt, strict=True):
            mark = f" {label}" if label and any(pieces) else label
            pieces.append(mark if unit.special else text)
    else:
        for unit, label in zip(units, labels, strict=True):
            goes_on = getattr(unit, "continues", False) or label in ".,;:!?'’"
            pieces.append(("" if goes_on or not any(pieces) else " ") + label)
    return [f"…{pieces[first]}", *pieces[first + 1 :]] if first else pieces
