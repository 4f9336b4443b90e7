"""What a model that was fine-tuned says of a text, or of a pair of texts: each label's share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core import inputs
from core.analysis.distributions import softmax
from core.errors import EmptyInputError
from core.examples import SORTER
from core.figures.components import Bars
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Values
from core.language import N_, _, name_of, ngettext
from core.locale import in_quotes
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.views.labels import LABELS, label_bars, label_values
from core.views.params import OnText, model_param, param
from core.views.view import Note, View


@dataclass(frozen=True, slots=True)
class OnOneText(OnText):
    """A text that is given a label."""

    model: str = model_param(SORTER)


@dataclass(frozen=True, slots=True)
class OnTwoTexts:
    """Two texts: does the second follow from the first?

    The first two are lecture 002's.
    """

    model: str = model_param(SORTER)
    premise: str = param("Sam lives in Los Angeles.", label=N_("Premise"))
    hypothesis: str = param("Sam lives in California.", label=N_("Hypothesis"))


@dataclass(frozen=True)
class Sorted:
    """A run, and how likely it makes each label.

    Attributes:
        run: it.
        model: whose.
        given: what it has read.
    """

    run: Run
    model: str
    given: inputs.Input

    @property
    def cut(self) -> str:
        """What of the text did not fit."""
        return self.run.cut

    @property
    def site(self) -> str:
        """Of the logits."""
        return self.run.trace.blueprint.classifier.site

    @property
    def labels(self) -> tuple[str, ...]:
        return self.run.trace.blueprint.classifier.labels

    @property
    def shares(self) -> NDArray[np.float64]:
        """A probability for each label, ``(L,)``."""
        return softmax(self.run.trace[self.site])

    @property
    def best(self) -> int:
        return int(self.shares.argmax())


P = TypeVar("P", OnOneText, OnTwoTexts)


class _Labels(View[P, Sorted]):
    """A bar for each label."""

    def requests(self, params: P) -> tuple[Request, ...]:
        return (TraceRequest(params.model, self.given(params), sites=(LABELS,)),)

    @staticmethod
    @abstractmethod
    def given(params: Any) -> inputs.Input:
        """What the model reads."""

    def compute(self, runs: Sequence[Run], params: P) -> Sorted:
        return Sorted(runs[0], params.model, self.given(params))

    def values(self, record: Sorted) -> Mapping[str, Values]:
        logits = record.run.trace[record.site]
        return label_values(record.labels, record.shares, logits, record.site)

    def describe(self, record: Sorted) -> Sentence:
        return sentence(
            _("{model} chooses {label}, with {share}."),
            model=name_of(record.model),
            label=Mark(in_quotes(record.labels[record.best]), "strong"),
            share=Mark(percent(float(record.shares[record.best])), "accent"),
        )

    def draw(self, record: Sorted) -> Bars:
        return label_bars(record.model, record.labels, record.shares)

    def site(self, record: Sorted) -> str:
        return record.site

    def facts(self, record: Sorted) -> Sequence[str]:
        trace = record.run.trace
        n, ms = len(trace.units), f"{trace.seconds * 1e3:.0f}"
        return (
            name_of(record.model),
            ngettext("{n} token", "{n} tokens", n).format(n=n),
            _("ran in {ms} ms").format(ms=ms),
            _("every number is from this run"),
        )


class OfText(_Labels[OnOneText]):
    """What kind of text a text is."""

    name, Params, needs = "tune.text", OnOneText, Needs("classify_text")

    @staticmethod
    def given(params: OnOneText) -> inputs.Input:
        return inputs.Text(params.text)


class OfPair(_Labels[OnTwoTexts]):
    """How two texts go together."""

    name, Params, needs = "tune.pair", OnTwoTexts, Needs("classify_pair")

    def requests(self, params: OnTwoTexts) -> tuple[Request, ...]:
        whole = params.premise.strip() and params.hypothesis.strip()
        return super().requests(params) if whole else ()

    def compute(self, runs: Sequence[Run], params: OnTwoTexts) -> Sorted:
        if not runs:
            raise EmptyInputError
        return super().compute(runs, params)

    @staticmethod
    def given(params: OnTwoTexts) -> inputs.Input:
        return inputs.Pair(params.premise, params.hypothesis)

    def texts(self, params: OnTwoTexts) -> Sequence[str]:
        """Of our own pair nobody asks what a model reads."""
        own = self.given(params) != self.given(OnTwoTexts())
        return [params.premise, params.hypothesis] if own else []

    def notes(self, record: Sorted) -> Sequence[Note]:
        if record.given != self.given(OnTwoTexts()):
            return ()
        said = _("It follows for whoever knows where Los Angeles is. Small models have read "
                 "little of that.")  # fmt: skip
        return (Note("more", sentence(said)),)
