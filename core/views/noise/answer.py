"""What a model of text to text answers, when the beginning of its text names the task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.examples import FRENCH
from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, percent, sentence, shortened
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import N_, _
from core.models.abilities import require
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.spelling import visible
from core.units import Token
from core.views.noise.spans import read
from core.views.noise.written import LONG
from core.views.params import OnText, model_param, param
from core.views.view import View

SHOWN, SAID = 40, 80  # characters of a prefix, and of an answer, that a sentence repeats


@dataclass(frozen=True, slots=True)
class Prefixed:
    """A sentence, and what stands before it.

    Attributes:
        model: id on the shelf.
        task_text: the sentence.
        prefix: names the task; empty for none.
    """

    model: str = model_param(OnText().model)
    task_text: str = param(FRENCH, label=N_("Sentence for all tasks"))
    prefix: str = param("", high=200, label=N_("Your own prefix"))


@dataclass(frozen=True)
class Answered:
    """What the model writes.

    Attributes:
        run: of the model.
        params: what was asked for.
        tokens: that it writes; the mark before them is none of them.
        probs: ``(n,)``, the probability of each.
    """

    run: Run
    params: Prefixed
    tokens: Sequence[Token]
    probs: NDArray[np.float64]

    @property
    def text(self) -> str:
        """As it reads."""
        return read([token for token in self.tokens if not token.special])


class Answer(View[Prefixed, Answered]):
    """The likeliest token, one after the other."""

    name, Params, needs = "noise.answer", Prefixed, Needs("fill_spans")

    def requests(self, params: Prefixed) -> tuple[Request, ...]:
        given = Text(params.prefix + params.task_text)
        return (TraceRequest(params.model, given, sites=("@logits",)),)

    def compute(self, runs: Sequence[Run], params: Prefixed) -> Answered:
        trace = runs[0].trace
        require(trace.model, [one.ability for one in trace.blueprint.heads], "fill_spans")
        written = trace.main.tokens[1:]
        probs = softmax(trace[trace.blueprint.head.site])[: len(written)]
        ids = [token.id for token in written]
        return Answered(runs[0], params, written, probs[np.arange(len(ids)), ids])

    def values(self, record: Answered) -> Mapping[str, Values]:
        n = len(record.tokens)
        axes = (Along("token", _("token"), [str(at) for at in range(n)]),)
        return {
            "answer": Values(_("answer"), np.array(record.text, object)),
            "token": Values(_("token"), np.array(tokens.labels(record.tokens), object), axes),
            "probability": Values(_("probability"), record.probs, axes),
        }

    def describe(self, record: Answered) -> Sentence:
        prefix = visible(record.params.prefix.strip()).replace("·", " ")
        said: dict[str, Mark | Sentence | str] = {
            "text": Mark(shortened(record.text, SAID), "accent"),
            "share": percent(float(np.prod(record.probs))),
            "prefix": Mark(shortened(prefix, SHOWN), "strong"),
        }
        if not record.text:
            return sentence(_("The model writes nothing that can be read as a word."))
        if not record.params.prefix.strip():
            return sentence(_("Without a prefix the model writes “{text}”, with {share}."), **said)
        return sentence(_("Behind “{prefix}” the model writes “{text}”, with {share}."), **said)

    def draw(self, record: Answered) -> Strip:
        title = _("What the model writes")
        return Strip(
            title=title,
            tokens=[tokens.chip(token, born=not token.special) for token in record.tokens],
            cut=tokens.cut_text(record.run.cut),
            still=True,
            long=LONG,
            heat=record.probs,
            heat_role="accent",
            heat_limit=1.0,
            heat_unit="share",
            name=title,
            given=[],
        )


class OwnAnswer(Answer):
    """Behind a prefix of the learner's own, if there is one."""

    name = "noise.own"

    def absent(self, record: Answered) -> bool:
        return not record.params.prefix.strip()
