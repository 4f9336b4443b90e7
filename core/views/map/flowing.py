"""What the flowing picture of a run shows: its words one after the other, and what if."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.analysis.distributions import largest, softmax
from core.figures import tokens
from core.figures.components.map.flow import Pass
from core.figures.text import percent
from core.language import N_, _
from core.models import places
from core.runs.results import Onward
from core.tracing.trace import Array
from core.units import Token, Unit
from core.views.attention.head import by_head
from core.views.map import way as ways
from core.views.map.drawn import first_shown
from core.views.map.run import N_WORDS, MapParams, WholeRun
from core.views.params import OnText, at_rest, param


@dataclass(frozen=True, slots=True)
class FlowParams(OnText):
    """Where somebody is in the picture.

    Attributes:
        place: that is gone into (``core.models.places``); empty for the whole.
        off: places that are switched off, joined by "+".
        token: the row that is looked at; -1 for the last one that answers.
        source_token: the same in the encoder; -1 for the last word.
    """

    place: str = param("", pattern=places.PATTERN, form=N_("a place of the model, such as layer3"),
                       lives="browser", label=N_("Place"))  # fmt: skip
    off: str = param("", pattern=places.SEVERAL, label=N_("Switched off"),
                     form=N_("places of the model, such as layer3.head1"))  # fmt: skip
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    source_token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Source token"))


TINY = 1e-30  # of a probability, so that it has bits
SMALL = 0.1  # bits: what nobody would notice


@dataclass(frozen=True, slots=True)
class Change:
    """What switching off has done to one word.

    Attributes:
        word: that was likeliest.
        now: that is.
        before, after: how likely the word was, and is.
        bits: how many bits it has won; less than none where it has lost.
        alone: the same of each place by itself, where several are off.
    """

    word: str
    now: str
    before: float
    after: float
    bits: float
    alone: Sequence[float]


@dataclass(frozen=True)
class FlowRun:
    """A run and what it has written.

    Attributes:
        onward: the run, with what is off.
        params: what was asked for.
        before: the same with nothing off; None where nothing is.
        alone: the same with one place off, for each of several.
    """

    onward: Onward
    params: FlowParams
    before: Onward | None = None
    alone: Sequence[Onward] = ()

    @cached_property
    def whole(self) -> WholeRun:
        """The same as a map has it, at the row that is looked at."""
        own = self.params
        first = self.answers[0] if self.onward.continues else -1
        row = own.token if own.token >= 0 else first
        return WholeRun(self.onward.run, MapParams(
            text=own.text, model=own.model, target=own.target, token=row,
            source_token=own.source_token,
        ))  # fmt: skip

    @cached_property
    def answers(self) -> list[int]:
        """The rows whose answers stand behind them, or will: none where nothing is written."""
        trace = self.onward.run.trace
        units = trace.streams[trace.blueprint.stream].units
        if trace.streams[trace.blueprint.stream].written:
            return list(range(max(1, len(units) - 1)))
        if not self.onward.continues:
            return []
        return list(range(len(units) - 1 - self.onward.n_written, len(units)))

    @property
    def off(self) -> list[places.Place]:
        """What is off, of what the model has."""
        found = places.outputs(places.read_several(self.params.off), self.whole.trace.blueprint)
        return [one for one in found if one.key is None or one.key < len(self.keys_of(one))]

    def keys_of(self, place: places.Place) -> Sequence[Unit]:
        """What a head attends to; none where the place is of no head."""
        trace = self.whole.trace
        attention = place.attention(trace.blueprint)
        return () if attention is None else trace.streams[attention.keys].units

    def strongest(self, place: places.Place) -> int:
        """The key that a head attends to most at the row that is looked at."""
        trace = self.whole.trace
        attention = place.attention(trace.blueprint)
        assert attention is not None
        weights = by_head(trace, attention, place.layer)[place.head or 0]
        return int(weights[min(self.whole.row(attention.queries), len(weights) - 1)].argmax())

    @cached_property
    def change(self) -> Change | None:
        """What became of the word that is likeliest with nothing off, at the row looked at."""
        if self.before is None:
            return None
        row = 0 if self.whole.of_all else self.row
        site = self.whole.answering.site
        every = [self.before, self.onward, *self.alone]
        probs = [
            softmax(np.atleast_2d(one.run.trace[site])[row].astype(np.float64)) for one in every
        ]
        best, now = (int(one.argmax()) for one in probs[:2])
        own = self.whole.answering.labels
        words = [own[one] if own else self.whole.run.words(one).spoken for one in (best, now)]
        shares = [float(one[best]) for one in probs]
        bits = [math.log2(max(one, TINY) / shares[0]) for one in shares[1:]]
        return Change(words[0], words[1], shares[0], shares[1], bits[0], bits[1:])

    @cached_property
    def was(self) -> Array | None:
        """How likely the words that are drawn are with nothing off, ``(rows, words)``."""
        if self.before is None:
            return None
        site, first = self.whole.answering.site, self.whole.first
        now, before = (softmax(np.atleast_2d(one.run.trace[site])[first:])
                       for one in (self.onward, self.before))  # fmt: skip
        best = largest(now, min(N_WORDS, now.shape[-1]))
        return np.take_along_axis(before, best, axis=1).astype(np.float32)

    @property
    def row(self) -> int:
        """The row that is looked at."""
        return self.whole.row(self.whole.stream)

    @cached_property
    def passes(self) -> list[Pass]:
        """The times through the layers, each up to a word."""
        whole = self.whole
        rows = self.answers or [replace(self, params=at_rest(self.params)).row]
        first = first_shown(whole.trace, whole.stream)
        return [self._pass(row, row - first) for row in rows if row >= first]

    def _pass(self, row: int, at: int) -> Pass:
        born = self._born(row)
        best, share = self.best(row)
        text = _("The model says “{word}” with {share}.")
        if born is not None:
            text = _("The model says “{word}” with {share}, and it is written down.")
        return Pass(
            row=at,
            born=None if born is None else tokens.chip(born, born=True),
            said=text.format(word=best.removeprefix("·"), share=percent(share)),
        )

    def _born(self, row: int) -> Token | None:
        """The token that is put behind a row: the one that stands there, or the likeliest."""
        if not self.answers:
            return None
        whole = self.whole
        units = whole.trace.streams[whole.stream].units
        if row + 1 < len(units):
            return units[row + 1]  # type: ignore[return-value]
        return whole.run.words(int(whole.logits[row].argmax()))

    def best(self, row: int) -> tuple[str, float]:
        """What is likeliest at a row, and how likely."""
        whole = self.whole
        labels, probs = whole.shown_words
        at = 0 if whole.of_all else row - whole.first
        return labels[at][0], float(probs[at, 0])

    @cached_property
    def guesses(self) -> list[list[tuple[str, float]]]:
        """For each row that is drawn, the word that would follow each layer; none without a lens.

        A machine may have no lens: its answer is not one table of what a layer hands on.
        """
        whole = self.whole
        if not has_lens(whole):
            return []
        n, first = len(whole.trace.streams[whole.stream].units), whole.first
        each = (ways.guesses(whole, row) for row in range(first, n))
        return [
            [(word.spoken, share) for word, share in zip(words, shares, strict=True)]
            for words, shares in each
        ]


def has_lens(whole: WholeRun) -> bool:
    """Whether what each layer hands on can be read as words."""
    blueprint = whole.trace.blueprint
    if not blueprint.predicts_words or blueprint.head.table is None:
        return False
    return any(one.stream == blueprint.stream for one in blueprint.stacks)
