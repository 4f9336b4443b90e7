"""The tokens that count in one way of learning, each with its own loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, decimal, percent, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.units import Token
from core.views.objectives.run import Lesson, OfObjectives, Row, answer, named

LIMIT = 8.0  # nats at which the colour is full


class Pieces(OfObjectives):
    """Chips with the nats of each."""

    name = "objectives.pieces"

    def values(self, record: Lesson) -> Mapping[str, Values]:
        wanted, nats = _wanted(record.row)
        axes = (Along("place", _("place"), [str(n) for n in range(len(wanted))]),)
        return {
            "token": Values(_("token"), np.array(_labels(wanted, record.row), object), axes),
            "loss": Values(_("loss"), nats, axes, _("nats")),
            "mean": Values(_("mean loss"), np.array(record.row.mean), unit=_("nats")),
        }

    def describe(self, record: Lesson) -> Sentence:
        row = record.row
        wanted, nats = _wanted(row)
        if not wanted:
            return sentence(
                _("“{way}”: this text has nothing to predict."), way=Mark(row.name, "strong")
            )
        if not row.able:
            return sentence(
                ngettext("“{way}”: {n} token would count. No model here predicts it.",
                         "“{way}”: {n} tokens would count. No model here predicts them.",
                         len(wanted)),
                way=Mark(row.name, "strong"), n=Mark(str(len(wanted)), "accent"),
            )  # fmt: skip
        worst = int(nats.argmax())
        return sentence(
            _("“{way}”: the mean of these losses is {mean} nats. The largest is that of "
              "“{token}”, {loss} nats: it gets {share}."),
            way=Mark(row.name, "strong"), mean=Mark(decimal(row.mean, 2), "weight"),
            token=Mark(_labels(wanted, row)[worst], "query"),
            loss=Mark(decimal(float(nats[worst]), 2), "weight"),
            share=Mark(percent(float(np.exp(-nats[worst]))), "accent"),
        )  # fmt: skip

    def draw(self, record: Lesson) -> Strip:
        row = record.row
        wanted, nats = _wanted(row)
        title = _("What counts for “{way}”, each token with its loss in nats").format(
            way=named(row)
        )
        pairs = zip(wanted, _labels(wanted, row), strict=True)
        chips = [replace(tokens.chip(token, group=None), label=label) for token, label in pairs]
        return Strip(
            title=title,
            tokens=chips,
            field="nth",
            heat=nats if row.able else None,
            heat_role="weight",
            heat_limit=LIMIT,
            heat_unit="",
            still=True,
            heading=sentence(title),
            lines=[self.describe(record)],
            cut=tokens.cut_text(record.cut) if record.cut else None,
            name=title,
        )


def _wanted(row: Row) -> tuple[tuple[Token, ...], NDArray[np.float64]]:
    """What counts, and the nats of each."""
    if row.lane is None:
        return (), np.zeros(0)
    return row.lane.example.wanted, row.lane.nats


def _labels(wanted: tuple[Token, ...], row: Row) -> list[str]:
    if row.exercise.follows is not None:
        return [answer(follows=row.exercise.follows)]
    return tokens.labels(wanted)
