"""The one line of attention that matters most to the next word, and what is left without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures import tokens
from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.payload import Payload
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import _
from core.models.needs import Needs
from core.runs.lines import Lines, LinesRequest, change
from core.runs.requests import Request
from core.views.params import OnText
from core.views.view import View, register

MATTERS = 0.03  # of a probability: what a reader would call a change


@register
class StrongestLine(View[OnText, Lines]):
    """Every head's strongest line into the last token, cut by itself."""

    name, Params = "map.line", OnText
    needs = Needs("next_token", ("attention",))

    def requests(self, params: OnText) -> tuple[Request, ...]:
        return (LinesRequest(params.model, Text(params.text)),)

    def compute(self, runs: Sequence[Lines], params: OnText) -> Lines:
        return runs[0]

    def values(self, record: Lines) -> Mapping[str, Values]:
        layers, heads = record.left.shape
        axes = (
            Along("layer", _("layer"), [str(n) for n in range(layers)]),
            Along("head", _("head"), [str(n) for n in range(heads)]),
        )
        labels = [*tokens.labels(record.tokens), ""]
        word, most = record.word.spoken, record.most
        return {
            "left": Values(_("probability of “{word}” without the line").format(word=word),
                           record.left, axes, selected=most),
            "weight": Values(_("attention weight"), record.weights, axes, selected=most),
            "from": Values(_("token that the line comes from"), np.array(labels)[record.keys],
                           axes, selected=most),
        }  # fmt: skip

    def describe(self, record: Lines) -> Sentence:
        word = Mark(record.word.spoken, "accent")
        layer, head = record.most
        left = float(record.left[layer, head])
        last = Mark(record.tokens[-1].spoken, "query")
        if not record.n:
            return sentence(
                _("No single line matters much here: “{last}” has no other word to take from."),
                last=last,
            )
        if record.before - left < MATTERS:
            return sentence(
                _("No single line matters much here: whichever of the {n} strongest into "
                  "“{last}” is cut, “{word}” keeps at least {left} of its {before}."),
                n=str(record.n), last=last, word=word, left=percent(left),
                before=percent(record.before),
            )  # fmt: skip
        return sentence(
            _("One line matters most: in layer {layer}, head {head}, “{last}” takes {share} from "
              "“{key}”. Does the model need it for “{word}”?"),
            layer=str(layer), head=str(head), last=last,
            share=Mark(percent(float(record.weights[layer, head])), "weight"),
            key=Mark(record.tokens[int(record.keys[layer, head])].spoken, "key"), word=word,
        )  # fmt: skip

    def panel(self, record: Lines) -> Payload:
        """The button that cuts the line, and what is said once it is cut."""
        layer, head = record.most
        left = float(record.left[layer, head])
        matters = record.before - left >= MATTERS
        after = sentence(
            _("Cut. Its share goes to the other tokens, and “{word}” falls from {before} to "
              "{left}."),
            word=Mark(record.word.spoken, "accent"), before=Mark(percent(record.before), "accent"),
            left=Mark(percent(left), "accent"),
        )  # fmt: skip
        off = change(layer, head, len(record.tokens) - 1, int(record.keys[layer, head]))
        return Payload({
            "folder": "ending",
            "off": off if matters else "",
            "said": self.describe(record).as_data(),
            "after": after.as_data(),
            "labels": {"cut": _("Cut this line"), "own": _("Now with your own sentence")},
        })  # fmt: skip

    def show(self, record: Lines) -> Matrix:
        title = _("What is left of “{word}” without each head's strongest line").format(
            word=record.word.spoken
        )
        layers, heads = record.left.shape
        layer, head = record.most
        return Matrix(
            title=title,
            alt=str(self.describe(record)),
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
