"""The run as one flowing picture: from the text through every layer to a word, and to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.analysis.distributions import softmax
from core.analysis.lens import layer_logits
from core.figures import tokens
from core.figures.components.map import Tower
from core.figures.components.map.flow import Flow, Pass
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import Needs
from core.runs.requests import OnwardRequest, Request
from core.runs.results import Onward
from core.tracing.trace import Array, Trace
from core.units import Token
from core.views.map import places
from core.views.map.drawn import first_shown
from core.views.map.run import MapParams, ModelMap, WholeRun
from core.views.params import OnText, param
from core.views.view import View, register


@dataclass(frozen=True, slots=True)
class FlowParams(OnText):
    """Where somebody is in the picture.

    Attributes:
        place: that is gone into (``core.views.map.places``); empty for the whole.
        token: the row that is looked at; -1 for the last one that answers.
        source_token: the same in the encoder; -1 for the last word.
    """

    place: str = param("", pattern=places.PATTERN, form=N_("a place of the model, such as layer3"),
                       lives="browser", label=N_("Place"))  # fmt: skip
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    source_token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Source token"))


@dataclass(frozen=True)
class FlowRun:
    """A run and what it has written.

    Attributes:
        onward: the run.
        params: what was asked for.
    """

    onward: Onward
    params: FlowParams

    @cached_property
    def whole(self) -> WholeRun:
        """The same as a map has it, at the row that is looked at."""
        own = self.params
        row = own.token if own.token >= 0 or not self.answers else self.answers[0]
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
        if not self.onward.n_written:
            return []
        return list(range(len(units) - 1 - self.onward.n_written, len(units)))

    @cached_property
    def passes(self) -> list[Pass]:
        """The times through the layers, each up to a word."""
        whole = self.whole
        rows = self.answers or [whole.row(whole.stream)]
        first = first_shown(whole.trace, whole.stream)
        return [self._pass(row, row - first) for row in rows if row >= first]

    def _pass(self, row: int, at: int) -> Pass:
        whole = self.whole
        born = self._born(row)
        best, share = self.best(row)
        text = _("The model says “{word}” with {share}.")
        if born is not None:
            text = _("The model says “{word}” with {share}, and it is put behind the text.")
        return Pass(
            row=at,
            born=None if born is None else tokens.chip(born, born=True),
            guesses=list(self._guesses(row)) if _has_lens(whole) else [],
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
        at = 0 if whole.of_all else row - first_shown(whole.trace, whole.stream)
        return labels[at][0], float(probs[at, 0])

    def _guesses(self, row: int) -> Iterator[tuple[str, float]]:
        probs = softmax(layer_logits(self.whole.trace, row))[1:]
        for of_layer in probs:
            best = int(of_layer.argmax())
            yield self.whole.run.words(best).spoken, float(of_layer[best])


def _has_lens(whole: WholeRun) -> bool:
    """Whether what each layer hands on can be read as words."""
    blueprint = whole.trace.blueprint
    if not blueprint.predicts_words or blueprint.head.table is None:
        return False
    return any(one.stream == blueprint.stream for one in blueprint.stacks)


@register
class ModelFlow(View[FlowParams, FlowRun]):
    """The whole run as a picture that flows, and that can be gone into."""

    name, Params, needs = "map.flow", FlowParams, Needs("answers")

    def requests(self, params: FlowParams) -> tuple[Request, ...]:
        return (OnwardRequest(params.model, params.given),)

    def compute(self, runs: Sequence[Onward], params: FlowParams) -> FlowRun:
        return FlowRun(runs[0], params)

    def values(self, record: FlowRun) -> Mapping[str, Values]:
        passes = record.passes
        rows = Along("pass", _("time through the layers"), [str(n) for n in range(len(passes))])
        found = dict(ModelMap().values(record.whole))
        if passes and passes[0].guesses:
            layers = Along("layer", _("layer"), [str(n) for n in range(len(passes[0].guesses))])
            words = np.array([[word for word, _share in one.guesses] for one in passes])
            shares: Array = np.array(
                [[share for _word, share in one.guesses] for one in passes], np.float32
            )
            found["guesses"] = Values(_("best guess after the layer"), words, (rows, layers))
            found["shares"] = Values(_("its probability"), shares, (rows, layers))
        return found

    def describe(self, record: FlowRun) -> Sentence:
        words = [one.born.label.removeprefix("·") for one in record.passes if one.born is not None]
        best, share = record.best(record.passes[0].row + _first(record))
        known = {
            "word": Mark(best.removeprefix("·"), "accent"),
            "share": Mark(percent(share), "accent"),
        }
        if len(words) < 2 or record.whole.trace.streams[record.whole.stream].written:
            return sentence(_("The model’s first word is “{word}”, with {share}."), **known)
        return sentence(
            _("“{word}” follows with {share}; with it behind the text, “{next}” comes next."),
            **known, next=Mark(words[1], "accent"),
        )  # fmt: skip

    def show(self, record: FlowRun) -> Flow:
        plain = ModelMap().show(record.whole)
        given = {name: getattr(plain, name) for name in _SHARED}
        fields = {tower.field for tower in plain.towers}
        chosen = {name: value for name, value in plain.selection.items() if name in fields}
        return Flow(
            **given,
            alt=str(self.describe(record)),
            selection={"place": record.params.place, **chosen},
            passes=record.passes,
            lines=[_line(record.whole.trace, tower) for tower in plain.towers],
            begins=_("The text is cut into {n} tokens, and each becomes a row of numbers.").format(
                n=len(plain.towers[0].tokens) - record.onward.n_written
            ),
        )


def _line(trace: Trace, tower: Tower) -> list[str]:
    """Each token of a tower as it stands in a text: with the space before it, marks left out."""
    units = trace.streams[tower.name].units[tower.first :]
    spaced = any(unit.label.startswith("·") for unit in units)
    found: list[str] = []
    for unit in units:
        label = "" if unit.special else unit.label.removeprefix("##")
        goes_on = getattr(unit, "continues", False) or label in ".,;:!?'’"
        before = "" if spaced or goes_on or not any(found) else " "
        found.append(label.replace("·", " ") if spaced else before + label)
    return found


_SHARED = ("title", "towers", "answer", "cells", "entries")


def _first(record: FlowRun) -> int:
    return first_shown(record.whole.trace, record.whole.stream)
