"""The probability that the second of two sentences follows the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core import inputs
from core.analysis.distributions import softmax
from core.examples import GUESSER
from core.figures.components import BarFrame, BarRow, Bars
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.spelling import visible
from core.views.params import model_param, param
from core.views.view import Note, View

SITE = "nsp.logits"
SHOWN = 120  # characters of a sentence
OWN = "-1"  # the learner's pair: examples are counted from 0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences for a model that judges whether the second follows the first."""

    model: str = model_param(GUESSER)
    first: str = param("The dog heard a knock at the door.", label=N_("First sentence"))
    second: str = param("It ran to the hall and began to bark.", label=N_("Second sentence"))

    @property
    def whole(self) -> bool:
        """Whether there are two sentences to judge."""
        return bool(self.first.strip() and self.second.strip())


@dataclass(frozen=True, slots=True)
class PairExample:
    """Two sentences of an author; ``follows`` says whether the second was written to follow."""

    first: str
    second: str
    follows: bool


PAIR_EXAMPLES = (
    PairExample("The boy was very hungry.", "His mother gave him some bread and soup.", True),
    PairExample("Lily lost her red ball in the park.", "She looked for it under every tree.", True),
    PairExample("The boy was very hungry.", "The river is 90 km long and flows to the sea.", False),
    PairExample("Lily lost her red ball in the park.", "He was elected to the council in 1998.",
                False),
)  # fmt: skip
Judgement = tuple[str, str, bool | None]  # the sentences; written to follow, None: nobody knows


@dataclass(frozen=True)
class Judged:
    """Pairs and what the model says of them.

    Attributes:
        pairs: the learner's first, if it is whole, then the examples.
        probs: that the second follows, one a pair.
        cut: what of the first pair did not fit.
        params: what was asked for.
    """

    pairs: list[Judgement]
    probs: list[float]
    cut: str
    params: Pair


class Follows(View[Pair, Judged]):
    """A bar for each pair; an example is loaded by a click."""

    name, Params, needs = "masked.follows", Pair, Needs("sentence_pairs")

    def requests(self, params: Pair) -> tuple[Request, ...]:
        return tuple(
            TraceRequest(params.model, inputs.Pair(first, second), sites=(SITE,))
            for first, second, _follows in _pairs(params)
        )

    def compute(self, runs: Sequence[Run], params: Pair) -> Judged:
        return Judged(
            pairs=_pairs(params),
            probs=[float(softmax(run.trace[SITE])[0]) for run in runs],
            cut=runs[0].cut,
            params=params,
        )

    def values(self, record: Judged) -> Mapping[str, Values]:
        pairs = record.pairs
        written = [None if follows is None else str(follows) for _one, _two, follows in pairs]
        axes = (Along("pair", _("pair"), [str(n) for n in range(len(pairs))]),)
        return {
            "first": Values(_("first"), np.array([p[0] for p in pairs], object), axes),
            "second": Values(_("second"), np.array([p[1] for p in pairs], object), axes),
            "written": Values(_("written to follow"), np.array(written, object), axes),
            "follows": Values(
                _("probability that it follows"), np.array(record.probs), axes, site=SITE,
                selected=(0,),
            ),
        }  # fmt: skip

    def texts(self, params: Pair) -> Sequence[str]:
        return [params.first, params.second]

    def notes(self, record: Judged) -> Sequence[Note]:
        return () if record.params.whole else [Note("info", self.describe(record))]

    def acts(self, record: Judged) -> Mapping[str, Mapping[str, Mapping[str, str | None]]]:
        loads: dict[str, Mapping[str, str | None]] = {
            str(n): {"first": one.first, "second": one.second}
            for n, one in enumerate(PAIR_EXAMPLES)
        }
        return {"pick": {OWN: {}, **loads}}

    def describe(self, record: Judged) -> Sentence:
        if not record.params.whole:
            return sentence(_("Type two sentences, and the model judges them too."))
        share = record.probs[0]
        return sentence(
            _("{model} gives {share} to “the second follows the first” and {other} to “it does "
              "not”."),
            model=Mark(name_of(record.params.model), "strong"),
            share=Mark(percent(share), "accent"),
            other=percent(1 - share),
        )  # fmt: skip

    def draw(self, record: Judged) -> Bars:
        title = _("Probability that the second sentence follows the first")
        start = int(OWN) if record.params.whole else 0
        rows = [
            BarRow(str(i), _label(pair), chosen=pair[2] is None)
            for i, pair in enumerate(record.pairs, start=start)
        ]
        return Bars(
            title=title,
            frames=[BarFrame(rows, title=sentence(title))],
            values=np.array([[record.probs]]),
            stacked=True,
            pick=True,
        )


def _pairs(params: Pair) -> list[Judgement]:
    own: list[Judgement] = [(params.first, params.second, None)] if params.whole else []
    return [*own, *((e.first, e.second, e.follows) for e in PAIR_EXAMPLES)]


def _label(pair: Judgement) -> str:
    first, second, follows = pair
    kind = {None: _("yours"), True: _("follows"), False: _("does not follow")}[follows]
    shown = [visible(one)[:SHOWN].replace("·", " ") for one in (first, second)]
    return _("{kind}: {first} → {second}").format(kind=kind, first=shown[0], second=shown[1])
