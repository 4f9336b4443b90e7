"""A second target of the same source: the encoder ran once, and nothing of it runs again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.examples import TRANSLATED
from core.figures.components import BarFrame, BarRow, Bars, Series
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.locale import grouped
from core.models.blueprint import ENCODER
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.searched import Part, SecondTarget
from core.runs.translations import SecondTargetRequest
from core.views.controls import Control
from core.views.params import OnText, param
from core.views.view import Note, View

KNOWN = {
    "encoder.embed": N_("encoder: embedding"),
    "decoder.embed": N_("decoder: embedding"),
    "decoder.memory": N_("decoder: made of the source"),
    "decoder.attn": N_("decoder: attention"),
    "decoder.readout": N_("decoder: readout"),
    "logits": N_("logits"),
}


@dataclass(frozen=True, slots=True)
class Again(OnText):
    """A source and two targets.

    Attributes:
        again: the second target; when empty, that of an example, or what the model writes.
    """

    again: str = param("", label=N_("Second target"))

    @property
    def second(self) -> str:
        """The second target; empty for what the model writes."""
        return self.again or TRANSLATED.get(self.text, "")


@dataclass(frozen=True)
class Reused:
    """What each part computes for the first target and for the second.

    Attributes:
        run: both targets.
        params: what was asked for.
    """

    run: SecondTarget
    params: Again

    @property
    def saved(self) -> int:
        """Numbers that were computed for the first target and are not for the second."""
        return sum(part.first for part in self.run.parts if not part.second)


class SecondTargetParts(View[Again, Reused]):
    """A bar for each part and target."""

    name, Params, needs = "translate.second", Again, Needs("translate")

    def requests(self, params: Again) -> tuple[Request, ...]:
        return (SecondTargetRequest(params.model, params.text, params.target, params.second),)

    def compute(self, runs: Sequence[SecondTarget], params: Again) -> Reused:
        return Reused(runs[0], params)

    def values(self, record: Reused) -> Mapping[str, Values]:
        parts, run = record.run.parts, record.run
        along = (Along("part", _("part"), [called(part) for part in parts]),)
        runs = (Along("run", _("run"), [_("first target"), _("second target"),
                                        _("second, source read again")]),)  # fmt: skip
        first, second = (sum(getattr(part, name) for part in parts) for name in ("first", "second"))
        return {
            "sites": Values(_("sites"), np.array([part.sites for part in parts]), along),
            "first": Values(_("numbers computed for the first target"),
                            np.array([part.first for part in parts]), along),
            "second": Values(_("numbers computed for the second target"),
                             np.array([part.second for part in parts]), along),
            "milliseconds": Values(_("time"), 1000 * np.array(run.seconds), runs, _("ms")),
            "all_first": Values(_("all numbers of the first target"), np.array(first)),
            "all_second": Values(_("all numbers of the second target"), np.array(second)),
            "difference": Values(_("largest difference of a logit"), np.array(run.difference)),
        }  # fmt: skip

    def describe(self, record: Reused) -> Sentence:
        run = record.run
        sites = sum(part.sites for part in run.parts)
        kept = sum(part.sites for part in run.parts if not part.second)
        whole = sum(part.first for part in run.parts)
        counted = sentence(
            _("For the first target ({n} tokens) the model computes {sites} sites. For the second "
              "({m} tokens) {kept} of them are not computed again: the encoder's, and what the "
              "decoder made of the source. That is {numbers} numbers, {share} of the first run."),
            n=str(run.n_first), m=str(run.n_second), sites=str(sites),
            kept=Mark(str(kept), "accent"), numbers=grouped(record.saved),
            share=Mark(percent(record.saved / whole), "accent"),
        )  # fmt: skip
        same = sentence(
            _("A run that reads the source again gives the same logits: the largest difference is "
              "{difference}."),
            difference=number(run.difference),
        )  # fmt: skip
        return join([counted, same])

    def draw(self, record: Reused) -> Bars:
        parts = record.run.parts
        title = _("Numbers that each part computes, for two targets of one source")
        rows = [
            BarRow(part.name, called(part), titles=[_("first target"), _("second target")])
            for part in parts
        ]
        values = np.array([[part.first for part in parts], [part.second for part in parts]], float)
        return Bars(
            title=title,
            frames=[BarFrame(rows, title=sentence(title))],
            values=values[None],
            series=[Series(_("first target"), "residual"), Series(_("second target"), "accent")],
            unit="count",
            wide=True,
        )

    def controls(self, record: Reused) -> Sequence[Control]:
        params = record.params
        return (Control("again", params.again, "line", placeholder=params.second),)

    def notes(self, record: Reused) -> Sequence[Note]:
        first, second, again = (1000 * one for one in record.run.seconds)
        said = sentence(
            _("Measured here, the shortest of several runs: {first} ms for the first target, "
              "{second} ms for the second, {again} ms for the second with the source read again."),
            first=number(first), second=number(second), again=number(again),
        )  # fmt: skip
        return (Note("more", said),)


def called(part: Part) -> str:
    """A part in words."""
    if part.name in KNOWN:
        return _(KNOWN[part.name])
    tower, _dot, rest = part.name.partition(".")
    at = rest.rpartition(".")[2]
    if at.isdecimal():
        said = _("encoder: layer {n}") if tower == ENCODER else _("decoder: layer {n}")
        return said.format(n=at)
    return part.name
