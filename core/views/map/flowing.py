"""What the flowing picture of a run shows: its words one after the other, and what if."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.analysis.distributions import largest, softmax
from core.figures import tokens
from core.figures.components.map.flow import Pass
from core.figures.components.map.told import Part
from core.figures.text import percent
from core.language import N_, _
from core.models import places, what_if
from core.runs.requests import OnwardRequest
from core.runs.results import Onward
from core.text import swaps
from core.tracing.trace import Array
from core.units import Token
from core.views.map import told
from core.views.map import what_if as effects
from core.views.map.called import Places
from core.views.map.drawn import first_shown
from core.views.map.lens import guesses
from core.views.map.whole import N_WORDS, AtRow, WholeRun
from core.views.nearest import missing
from core.views.params import Problem, at_rest, param


@dataclass(frozen=True, slots=True)
class FlowParams(AtRow):
    """Where somebody is in the picture.

    Attributes:
        place: that is gone into (``core.models.places``); empty for the whole.
        aside: lines from the mark at the start are not drawn, and the others rescaled.
        reached: the last part that is told, and nothing of what lies ahead; -1 for all of it.
    """

    place: str = param("", pattern=places.PATTERN, high=60,
                       form=N_("a place of the model, such as layer3"),
                       lives="browser", label=N_("Place"))  # fmt: skip
    aside: bool = param(False, lives="browser", label=N_("Start put aside"))
    reached: int = param(-1, low=-1, high=max(Part), label=N_("Told as far as part"))

    @property
    def layer(self) -> int:
        """That is gone into; the first one of the whole."""
        place = places.read(self.place)
        return 0 if place is None else place.layer

    @property
    def every(self) -> list[what_if.Change | swaps.Swap]:
        """Both, in the order in which each is run alone."""
        return [*self.changes, *self.swapped_words]

    @property
    def runs(self) -> tuple[OnwardRequest, ...]:
        """With all that is changed; then, if anything is, with nothing, and with each alone."""
        if not self.every:
            written = self.reached in (-1, Part.AGAIN)  # a word stands behind the text
            return (OnwardRequest(self.model, self.given, int(written)),)
        alone = [
            *(self._run([one], []) for one in self.changes),
            *(self._run([], [one]) for one in self.swapped_words),
        ]
        together = self._run(self.changes, self.swapped_words)
        return (together, self._run([], []), *(alone if len(alone) > 1 else ()))

    def _run(
        self, changes: Sequence[what_if.Change], swapped: Sequence[swaps.Swap]
    ) -> OnwardRequest:
        names = tuple(one.name for one in changes if one.kind != "temperature")
        first = self.given if swapped else None
        return OnwardRequest(self.model, self.reads(swapped), 0, names, first)


@dataclass(frozen=True, slots=True)
class Beside:
    """The likeliest words of each row that is drawn, and the one that was: now and before.

    Attributes:
        words: of each row.
        now, was: how likely each is, and was, ``(rows, words)``.
    """

    words: list[list[str]]
    now: Array
    was: Array


@dataclass(frozen=True)
class FlowRun:
    """A run and what it has written.

    Attributes:
        onward: the run, with all that is changed.
        params: what was asked for.
        before: the same with nothing changed; None where nothing is.
        alone: the same with one thing changed, for each of several.
    """

    onward: Onward
    params: FlowParams
    before: Onward | None = None
    alone: Sequence[Onward] = ()

    @cached_property
    def whole(self) -> WholeRun:
        """All of it, at the row that is looked at."""
        own = self.params
        last = own.reached == Part.AGAIN  # what follows the word that it wrote is what is told
        first = self.answers[-1 if last else 0] if self.onward.continues else -1
        asked = replace(own, token=own.token if own.token >= 0 else first)
        return WholeRun(self.onward.run, asked, what_if.temperature(own.changes))

    @property
    def cut(self) -> str:
        """What of the text did not fit."""
        return self.whole.cut

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
    def first(self) -> Onward:
        """The run with nothing changed."""
        return self.before or self.onward

    @cached_property
    def places(self) -> dict[str, Places]:
        """By stream, for each position of the first text what stands there now."""
        return effects.places_now(self.first, self.onward)

    @cached_property
    def changes(self) -> list[what_if.Change | swaps.Swap]:
        """What is changed, of what the model and its text have."""
        return effects.there(self)

    def check(self) -> None:
        """See that all that a program asks for is there.

        Raises:
            ParameterError: it is not.
        """
        for one in self.lacking():
            missing(one.name, one.got, one.wanted)

    def lacking(self) -> list[Problem]:
        """What is asked for and the model, or its text, does not have; what is there is used."""
        own, found = self.params, []
        kept = [one.name for one in self.changes if not isinstance(one, swaps.Swap)]
        if len(kept) < len(own.changes):
            wanted = _("changes of what this model has, such as layer0.ffn")
            found.append(Problem("off", own.off, wanted, "+".join(kept)))
        swapped = own.swapped_words
        if own.swap and len(swapped) < len(own.swap.split("~~")):
            wanted = _("words of the text by their numbers, and what replaces each")
            found.append(Problem("swap", own.swap, wanted, swaps.written(swapped)))
        place = places.read(own.place)
        if place is not None and not place.is_in(self.whole.blueprint):
            wanted = _("a place that this model has, such as layer0")
            found.append(Problem("place", own.place, wanted, ""))
        return found

    @cached_property
    def effect(self) -> effects.Effect | None:
        """What became of the word that was likeliest, at the row that is looked at."""
        return effects.effect(self)

    @cached_property
    def rows_before(self) -> list[int]:
        """For each row that is drawn, where it stands in the run with nothing changed."""
        whole = self.whole
        if whole.of_all:
            return [0]
        return effects.places_in(self.onward, self.first, whole.stream)[whole.first :]

    @cached_property
    def beside(self) -> Beside | None:
        """The words that are drawn where something is changed; None where nothing is."""
        if self.before is None or not self.changes:
            return None
        whole = self.whole
        probs = softmax(whole.logits[whole.first :] / whole.temperature)
        before = softmax(
            np.atleast_2d(self.before.run.trace[whole.answering.site])[self.rows_before]
        )
        best = largest(probs, min(N_WORDS, probs.shape[-1]))
        was_best = before.argmax(axis=-1)
        lost = ~(best == was_best[:, None]).any(axis=1)
        best[lost, -1] = was_best[lost]
        own = whole.labels
        labels = [[own[n] if own else whole.run.words(int(n)).label for n in row] for row in best]
        now, was = (
            np.take_along_axis(one, best, axis=1).astype(np.float32) for one in (probs, before)
        )
        return Beside(labels, now, was)

    @property
    def reached(self) -> Part | None:
        """The last part that is told; None where all is, or it cannot be told so."""
        asked = self.params.reached
        return Part(asked) if asked >= 0 and told.can_be_told(self.whole.trace) else None

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
        if self.params.picture:
            text = _("The model sees “{word}”, with {share}.")
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
        return self.whole.likeliest(row)

    @cached_property
    def guesses(self) -> list[list[tuple[str, float]]]:
        """For each row that is drawn, the word that would follow each layer; none without a lens.

        A machine may have no lens: its answer is not one table of what a layer hands on.
        """
        return guesses(self.whole)

    @cached_property
    def guesses_before(self) -> list[list[tuple[str, float]]]:
        """The same with nothing changed, where another word was the guess; else an empty word."""
        if self.before is None or not self.changes or not self.guesses:
            return []
        whole = replace(self.whole, run=self.before.run)
        rows = guesses(whole, self.rows_before)
        return [
            [was if was[0] != now[0] else ("", 0.0) for was, now in zip(*both, strict=True)]
            for both in zip(rows, self.guesses, strict=True)
        ]
