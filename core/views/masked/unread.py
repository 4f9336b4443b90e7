"""A text as the masked model reads it: its tokens, none of which is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import _, name_of
from core.models.abilities import require
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.text.hiding import is_typed_mask
from core.units import Token
from core.views.masked.gap import Hiding
from core.views.view import View


@dataclass(frozen=True)
class Reading:
    """A text as it is read.

    Attributes:
        tokens: as the model reads it.
        cut: what did not fit.
        model: that reads it, as it is called on screen.
    """

    tokens: Sequence[Token]
    cut: str
    model: str


class UnreadStrip(View[Hiding, Reading]):
    """Chips that cannot be selected."""

    name, Params, needs = "masked.unread", Hiding, Needs("masked_words")

    def requests(self, params: Hiding) -> tuple[Request, ...]:
        return (TraceRequest(params.model, Text(params.text), sites=("@logits",)),)

    def compute(self, runs: Sequence[Run], params: Hiding) -> Reading:
        """The tokens.

        Raises:
            AbilityError: the model does not fill in hidden words.
        """
        trace = runs[0].trace
        require(trace.model, [head.ability for head in trace.blueprint.heads], "masked_words")
        return Reading(trace.tokens, runs[0].cut, name_of(params.model))

    def values(self, record: Reading) -> Mapping[str, Values]:
        labels = tokens.labels(record.tokens)
        axes = (Along("position", _("position"), [str(at) for at in range(len(labels))]),)
        return {"token": Values(_("token"), np.array(labels, object), axes)}

    def describe(self, record: Reading) -> Sentence:
        return sentence(
            _("{model} reads: {list}"),
            model=Mark(record.model, "strong"),
            list=Mark("  ".join(unit.label for unit in record.tokens), "strong"),
        )

    def draw(self, record: Reading) -> Strip:
        title = _("The text as {model} reads it").format(model=record.model)
        return Strip(
            title=title,
            tokens=[tokens.chip(token) for token in record.tokens],
            cut=tokens.cut_text(record.cut),
            still=True,
            name=title,
        )


class WordlessStrip(UnreadStrip):
    """The same of a text in which the model knows no word; of another one it is left out."""

    name = "masked.wordless"

    def absent(self, record: Reading) -> bool:
        return any(is_typed_mask(one) or not (one.special or one.unknown) for one in record.tokens)
