"""The one line of attention that matters most to the next word, and what is left without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.payload import Payload
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import N_, _
from core.models.needs import Needs
from core.models.what_if import MOST
from core.runs.kinds.lines import LineCuts, LineCutsRequest, change
from core.runs.request import Request
from core.views.map.run import OnSwapped, standing_in
from core.views.view import View

MATTERS = 0.2  # of what a word had: whoever loses less of it has hardly changed
STRONGER = 0.1  # of a row's attention: a line that looks thicker
AGAINST = 0.05  # of what a word had, that it wins without a line
NEEDED = 0.5  # of what a word had: whoever loses more of it has needed the line
# Does the model need the line? By how much the word has lost, and whether it is still likeliest.
_ANSWERS = {
    "lost": N_(
        "Yes: without it, “{word}” falls from {before} to {left}, and “{then}” comes first."
    ),
    "yes": N_("Yes: without it, “{word}” falls from {before} to {left}, though it is still first."),
    "partly": N_("Partly: without it, “{word}” falls from {before} to {left}, and is still first."),
    "hardly": N_("Hardly: without it, “{word}” goes from {before} to {left}, and is still first."),
}


class MapLineView(View[OnSwapped, LineCuts]):
    """Every head's strongest line into the last token, cut by itself."""

    name, Params = "map.line", OnSwapped
    needs = Needs("next_token", ("attention",))

    def requests(self, params: OnSwapped) -> tuple[Request, ...]:
        off = tuple(change.name for change in params.changes)
        first = Text(params.text) if params.swapped_words else None
        return (LineCutsRequest(params.model, Text(params.read_text), off, first),)

    def compute(self, runs: Sequence[LineCuts], params: OnSwapped) -> LineCuts:
        return runs[0]

    def values(self, record: LineCuts) -> Mapping[str, Values]:
        layers, heads = record.left.shape
        axes = (
            Along("layer", _("layer"), [str(n) for n in range(layers)]),
            Along("head", _("head"), [str(n) for n in range(heads)]),
        )
        labels = [*(standing_in(record.tokens, positions) for positions in record.places), ""]
        word, most = record.word.spoken, record.most
        return {
            "left": Values(_("probability of “{word}” without the line").format(word=word),
                           record.left, axes, selected=most),
            "weight": Values(_("attention weight"), record.weights, axes, selected=most),
            "from": Values(_("token that the line comes from"), np.array(labels)[record.keys],
                           axes, selected=most),
        }  # fmt: skip

    def describe(self, record: LineCuts) -> Sentence:
        word = Mark(record.word.spoken, "accent")
        layer, head = record.most
        last = Mark(record.tokens[-1].spoken, "query")
        if record.is_cut:
            return _answer(record)
        if not record.n:
            return sentence(
                _("No single line matters much here: “{last}” has no other word to take from."),
                last=last,
            )
        if not _matters(record):
            return sentence(
                _("No single line matters much here: whichever of the {n} strongest into "
                  "“{last}” is cut, “{word}” never falls below {left} (from {before})."),
                n=str(record.n), last=last, word=word, left=percent(record.least),
                before=percent(record.before),
            )  # fmt: skip
        return sentence(
            _("One line matters most: in layer {layer}, head {head}, “{last}” takes {share} from "
              "“{key}”. Does the model need it for “{word}”?"),
            layer=str(layer), head=str(head), last=last,
            share=Mark(percent(float(record.weights[layer, head])), "weight"),
            key=Mark(standing_in(record.tokens, record.places[record.key]), "key"), word=word,
        )  # fmt: skip

    def panel(self, record: LineCuts) -> Payload:
        """The button that cuts the line, and where it is drawn until then."""
        offered = record.is_cut or _matters(record)
        cut = record.name if offered else ""
        lit = change(*record.most, len(record.tokens) - 1, record.at)
        return Payload({
            "folder": "ending",
            "off": cut,
            "is_cut": record.is_cut,
            "lit": lit if offered and not record.is_cut else "",
            "most": MOST,
            "said": self.describe(record).as_data(),
            "labels": {"cut": _("Cut this line"), "own": _("Now with your own sentence"),
                       "another": _("Another sentence")},
        })  # fmt: skip

    def draw(self, record: LineCuts) -> Matrix:
        title = _("What is left of “{word}” without each head's strongest line").format(
            word=record.word.spoken
        )
        layers, heads = record.left.shape
        layer, head = record.most
        return Matrix(
            title=title,
            selection={"layer": layer, "head": head},
            sheets=[
                Sheet(
                    title=title,
                    array="left",
                    rows=Axis([_("layer {i}").format(i=i) for i in range(layers)], "layer",
                              "accent"),
                    cols=Axis([_("head {h}").format(h=i) for i in range(heads)], "head", "accent"),
                    scale=Scale("value", record.before),
                )
            ],
            arrays={"left": record.left},
        )  # fmt: skip


def _matters(record: LineCuts) -> bool:
    """Whether a reader would call it a change when the line is cut, at any temperature."""
    return record.n > 0 and record.kept[record.most] <= 1 - MATTERS


def _need_text(record: LineCuts) -> str:
    """Whether the model needs the line that is cut."""
    if record.then.id != record.word.id:
        return "lost"
    if record.kept[record.most] < NEEDED:
        return "yes"
    return "partly" if _matters(record) else "hardly"


def _answer(record: LineCuts) -> Sentence:
    """Whether the model needed the line that is cut, by what the word has lost."""
    question = sentence(
        _("The line from “{key}” is cut. Does the model need it?"),
        key=Mark(standing_in(record.tokens, record.places[record.key]), "key"),
    )
    answer = sentence(
        _(_ANSWERS[_need_text(record)]),
        word=Mark(record.word.spoken, "accent"), before=Mark(percent(record.before), "accent"),
        left=Mark(percent(record.least), "accent"), then=Mark(record.then.spoken, "accent"),
    )  # fmt: skip
    return join([question, answer, *_stronger(record)])


def _stronger(record: LineCuts) -> list[Sentence]:
    """That attention is no importance: a much stronger line, if one is, without which less is lost.

    Or nothing at all: some lines work against the word.
    """
    layer, head = np.unravel_index(int(record.weights.argmax()), record.weights.shape)
    weight, remaining = float(record.weights[layer, head]), record.kept[layer, head]
    stronger = weight >= float(record.weights[record.most]) + STRONGER
    if not (stronger and _matters(record) and remaining > 1 - MATTERS):
        return []
    text = _("A stronger line, {share} from “{key}” (layer {layer}, head {head}), matters less: "
             "with that one cut instead, “{word}” has {left}.")  # fmt: skip
    after = float(record.left[layer, head])
    if min(remaining, after / record.before) > 1 + AGAINST:
        text = _("A stronger line, {share} from “{key}” (layer {layer}, head {head}), works "
                 "against it: with that one cut instead, “{word}” has {left}.")  # fmt: skip
    return [sentence(
        text, share=Mark(percent(weight), "weight"), layer=str(layer), head=str(head),
        key=Mark(standing_in(record.tokens, record.places[record.keys[layer, head]]), "key"),
        word=Mark(record.word.spoken, "accent"),
        left=Mark(percent(after), "accent"),
    )]  # fmt: skip
