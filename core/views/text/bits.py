"""What a character of the text costs: by its own frequencies, by a code, by a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.analysis.codes import smoothed_bits
from core.analysis.distributions import order_0_entropy, surprisal
from core.figures.components.plot import BarSeries, Plot, PlotAxis
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import _, name_of
from core.locale import grouped
from core.models.abilities import require
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.text.learning import BPETraining
from core.views.text.tokenizing import Tokenizing
from core.views.view import View


@dataclass(frozen=True)
class Bits:
    """Bits a character of one text under three codes.

    Attributes:
        model: as it is called on screen.
        n_characters: of the text.
        characters: each character by how often it stands in the text.
        learnt: each token of the learnt code by how often it stood in the text it learnt from.
        predicted: each token of the model by its probability.
    """

    model: str
    n_characters: int
    characters: float
    learnt: float
    predicted: float

    def rows(self) -> list[tuple[str, float, str]]:
        """Name, bits a character, and what it is, of each code."""
        return [
            (_("characters"), self.characters,
             _("each character by how often it stands in this text (order-0 entropy)")),
            (_("learned code"), self.learnt,
             _("each token of byte-pair encoding by how often it stands in the training text")),
            (self.model, self.predicted, _("each token as predicted from all tokens before it")),
        ]  # fmt: skip


class BitsPerCharacter(View[Tokenizing, Bits]):
    """A bar for each code."""

    name, Params, needs = "text.bits", Tokenizing, Needs("next_token")

    def requests(self, params: Tokenizing) -> tuple[Request, ...]:
        of_text = TraceRequest(params.model, Text(params.text), sites=("@logits",))
        return (of_text, params.learning())

    def compute(self, runs: Sequence[Any], params: Tokenizing) -> Bits:
        """The bits of each code.

        Raises:
            AbilityError: the model does not predict the next token.
        """
        run: Run = runs[0]
        learning: BPETraining = runs[1]
        trace = run.trace
        require(trace.model, [head.ability for head in trace.blueprint.heads], "next_token")
        n = max(1, len(run.text))
        ids = learning.code.encode(run.text)
        learnt = smoothed_bits(ids, learning.counts, len(learning.code.vocabulary))
        return Bits(
            model=name_of(params.model),
            n_characters=len(run.text),
            characters=order_0_entropy(run.text),
            learnt=learnt / n,
            predicted=float(surprisal(trace[trace.blueprint.head.site], trace.ids).sum()) / n,
        )

    def values(self, record: Bits) -> Mapping[str, Values]:
        rows = record.rows()
        codes = (Along("code", _("code"), [name for name, _bits, _what in rows]),)
        bits = np.array([bits for _name, bits, _what in rows])
        whats = np.array([what for _name, _bits, what in rows], object)
        return {
            "bits": Values(_("bits per character"), bits, codes, selected=(len(rows) - 1,)),
            "what": Values(_("what it measures"), whats, codes),
            "n_characters": Values(_("characters of the text"), np.array(record.n_characters)),
        }

    def describe(self, record: Bits) -> Sentence:
        less = record.predicted < record.characters
        return join(
            [
                sentence(
                    _("{model} predicts the {n} characters with a surprisal of {bits} bits, "
                      "{each} per character."),
                    model=Mark(record.model, "strong"),
                    bits=number(record.predicted * record.n_characters),
                    n=grouped(record.n_characters),
                    each=Mark(number(record.predicted), "accent"),
                ),
                sentence(
                    _("That is less than the {own} per character of the code that knows only "
                      "how often each character stands in this text.")
                    if less
                    else _("A code that knows only how often each character stands in this "
                           "text needs less, {own} per character: it was fitted to this very "
                           "text."),
                    own=Mark(number(record.characters), "residual"),
                ),
                sentence(
                    _("With a code that byte-pair encoding learns from the training text it is "
                      "{learnt}: its tokens cost what they cost in that text."),
                    learnt=Mark(number(record.learnt), "residual"),
                ),
            ]
        )  # fmt: skip

    def draw(self, record: Bits) -> Plot:
        rows = record.rows()[::-1]  # the first place is the lowest
        bits = [bits for _name, bits, _what in rows]
        return Plot(
            title=_("Bits per character of your text"),
            x=PlotAxis(title=_("bits per character")),
            y=PlotAxis(
                title=_("code"), categories=[name for name, _bits, _what in rows], grid=False
            ),
            series=[
                BarSeries(
                    x=bits,
                    y=range(len(rows)),
                    across=True,
                    role=["accent", "residual", "residual"],
                    labels=[*map(number, bits)],
                    text=[what for _name, _bits, what in rows],
                    hover="{text}\n" + _("bits per character: {x}"),
                )
            ],
            height=210,
            gap=0.3,
        )
