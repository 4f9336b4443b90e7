"""The run as one flowing picture: from the text through every layer to a word, and to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.figures import tokens
from core.figures.components.map.flow import Flow
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import listed
from core.models import places
from core.models.needs import Needs
from core.runs.requests import OnwardRequest, Request
from core.runs.results import Onward
from core.text.marks import MASK
from core.tracing.trace import Array, Trace
from core.views.map.flowing import SMALL, Change, FlowParams, FlowRun
from core.views.map.run import ModelMap
from core.views.parts import attention_called
from core.views.view import View, register


@register
class ModelFlow(View[FlowParams, FlowRun]):
    """The whole run as a picture that flows, and that can be gone into."""

    name, Params, needs = "map.flow", FlowParams, Needs("answers")

    def requests(self, params: FlowParams) -> tuple[Request, ...]:
        model, given = params.model, params.given
        off = tuple(one.name for one in places.read_several(params.off))
        if not off:
            return (OnwardRequest(model, given),)
        alone = off if len(off) > 1 else ()
        return (
            OnwardRequest(model, given, 0, off),
            OnwardRequest(model, given, 0),
            *(OnwardRequest(model, given, 0, (one,)) for one in alone),
        )

    def compute(self, runs: Sequence[Onward], params: FlowParams) -> FlowRun:
        return FlowRun(runs[0], params, runs[1] if len(runs) > 1 else None, runs[2:])

    def values(self, record: FlowRun) -> Mapping[str, Values]:
        found = dict(ModelMap().values(record.whole))
        if record.change is not None:
            change = record.change
            found["share"] = Values(
                _("probability of “{word}”").format(word=change.word),
                np.array([change.before, change.after], np.float32),
                (Along("run", _("run"), [_("nothing off"), _("switched off")]),), selected=(1,),
            )  # fmt: skip
        if record.guesses:
            labels = tokens.labels(record.whole.trace.units)[-len(record.guesses) :]
            rows = Along("token", _("token"), labels)
            layers = Along("layer", _("layer"), [str(n) for n in range(len(record.guesses[0]))])
            words = np.array([[word for word, _share in one] for one in record.guesses])
            shares: Array = np.array(
                [[share for _word, share in one] for one in record.guesses], np.float32
            )
            found["guesses"] = Values(_("best guess after the layer"), words, (rows, layers))
            found["shares"] = Values(_("its probability"), shares, (rows, layers))
        return found

    def describe(self, record: FlowRun) -> Sentence:
        if record.change is not None and record.off:
            return changed(record, record.change)
        best, share = record.best(record.row)
        known = {
            "word": Mark(best.removeprefix("·"), "accent"),
            "share": Mark(percent(share), "accent"),
        }
        stream = record.whole.trace.streams[record.whole.stream]
        first, *further = record.passes
        if stream.written and record.params.token < 0:
            text = "".join(_line(record.whole.trace, record.whole.stream)).strip()
            return sentence(_("The model writes “{text}”."), text=Mark(text, "accent"))
        if record.whole.answering.ability == "masked_words":
            own = stream.units[record.row]
            text = _("At “{token}”, “{word}” is most likely, with {share}.")
            if own.label != MASK:
                text = _("No word is hidden: at “{token}”, which it can read, “{word}” is most "
                         "likely, with {share}. Write [MASK] to hide one.")  # fmt: skip
            return sentence(text, **known, token=Mark(own.spoken, "query"))
        if record.whole.of_all:
            return sentence(_("“{word}” is most likely, with {share}."), **known)
        if record.row != first.row + record.whole.first or not further or stream.written:
            return sentence(
                _("After “{token}”, “{word}” is most likely, with {share}."),
                **known, token=Mark(stream.units[record.row].spoken, "query"),
            )  # fmt: skip
        assert further[0].born is not None
        return sentence(
            _("“{word}” is most likely next, with {share}; with it behind the text, “{next}” is."),
            **known, next=Mark(further[0].born.label.removeprefix("·"), "accent"),
        )  # fmt: skip

    def show(self, record: FlowRun) -> Flow:
        plain = ModelMap().show(record.whole)
        first = record.whole.trace.streams[plain.towers[0].name].units
        given = {name: getattr(plain, name) for name in _SHARED}
        fields = {tower.field for tower in plain.towers}
        chosen = {name: value for name, value in plain.selection.items() if name in fields}
        return Flow(
            **given,
            alt=str(self.describe(record)),
            selection={"place": record.params.place, **chosen},
            passes=record.passes,
            guesses=record.guesses,
            captions=captions(record),
            off=[one.name for one in record.off],
            was=record.was,
            lines=[_line(record.whole.trace, tower.name)[tower.first :] for tower in plain.towers],
            begins=_("The text is cut into {n} tokens, and each becomes a row of numbers.").format(
                n=sum(not one.special for one in first) - record.onward.n_written
            ),
        )


def captions(record: FlowRun) -> dict[str, str]:
    """A sentence for each part of what is told."""
    blueprint = record.whole.trace.blueprint
    layers = _("Layer after layer, each row takes something from other rows: the thicker a line, "
               "the more.")  # fmt: skip
    if not blueprint.attentions:
        layers = _("Row after row, a state is handed on.")
    elif blueprint.recurrences:
        layers = _("Row after row, a state is handed on, and attends to the rows of the source.")
    return {
        "text": _("A text."),
        "cut": _("It is cut into tokens."),
        "rows": _("Each token becomes a row of numbers."),
        "layers": layers,
        "words": _("From the last numbers come the probabilities of each label.")
        if record.whole.of_all
        else _("From the last numbers come the probabilities of every word."),
        "born": _("The most likely word is written down …")
        if record.whole.trace.streams[record.whole.stream].written
        else _("The most likely word is put behind the text …"),
        "again": _("… and it goes through all layers, too."),
    }


def called(place: places.Place, trace: Trace) -> str:
    """A place inside a sentence: head 3 of layer 5; of a key what is hidden from the head."""
    attention = place.attention(trace.blueprint)
    if attention is not None and place.key is not None:
        return _("“{token}” in {head}").format(
            token=trace.streams[attention.keys].units[place.key].spoken,
            head=called(replace(place, key=None), trace),
        )
    if attention is None:
        text = _("the feed-forward network of layer {layer}")
        return text.format(layer=place.layer)
    if attention.n_heads is None:
        return _("the attention")
    text = _("head {head} of layer {layer}")
    if len(trace.blueprint.attentions) > 1:
        text = _("head {head} of layer {layer} ({attention})")
    return text.format(head=place.head, layer=place.layer,
                       attention=attention_called(trace.blueprint, attention))  # fmt: skip


def changed(record: FlowRun, change: Change) -> Sentence:
    """What switching off has done: the word before and after, in bits, together and one by one."""
    known: dict[str, Mark | Sentence | str] = {
        "what": listed([called(one, record.whole.trace) for one in record.off]),
        "word": Mark(change.word, "accent"),
        "before": Mark(percent(change.before), "accent"),
        "after": Mark(percent(change.after), "accent"),
        "bits": number(abs(change.bits), 2),
    }
    text = _("Without {what}, “{word}” falls from {before} to {after}: {bits} bits less.")
    if abs(change.bits) < SMALL:
        text = _("Without {what}, “{word}” goes from {before} to {after}: hardly a change.")
    elif change.bits > 0:
        text = _("Without {what}, “{word}” rises from {before} to {after}: {bits} bits more.")
    said = [sentence(text, **known)]
    if change.now != change.word:
        said.append(sentence(_("Now “{now}” is most likely."), now=Mark(change.now, "accent")))
    if change.alone:
        each = listed([number(one, 2) for one in change.alone])
        total = number(sum(change.alone), 2)
        text = _("One at a time they change it by {each} bits, which adds up to {total}; together "
                 "by {bits}.")  # fmt: skip
        said.append(sentence(text, each=each, total=total, bits=number(change.bits, 2)))
    return join(said)


def _line(trace: Trace, stream: str) -> list[str]:
    """Each token of a stream as it stands in a text: with the space before it, marks left out."""
    units = trace.streams[stream].units
    spaced = any(unit.label.startswith("·") for unit in units)
    found: list[str] = []
    for unit in units:
        label = "" if unit.special else unit.label.removeprefix("##")
        goes_on = getattr(unit, "continues", False) or label in ".,;:!?'’"
        before = "" if spaced or goes_on or not any(found) else " "
        found.append(label.replace("·", " ") if spaced else before + label)
    return found


_SHARED = ("title", "towers", "answer", "cells", "entries")
