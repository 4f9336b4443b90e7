"""The model left to itself: what it writes, and where it leaves the reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Sentence, sentence
from core.figures.values import Along, Values
from core.language import _
from core.views.translate.forcing import Forced, OfForcing


class Free(OfForcing):
    """Its own tokens, each read before the next one is written."""

    name = "translate.free"

    def values(self, record: Forced) -> Mapping[str, Values]:
        along = (Along("place", _("position"), [str(at) for at in range(len(record.own))]),)
        parts = len(record.own) if record.parts_at is None else record.parts_at
        return {
            "token": Values(_("token"), np.array(tokens.labels(record.own), object), along),
            "cost": Values(_("loss"), record.own_cost, along, _("nats")),
            "parts_at": Values(_("position where they part"), np.array(parts)),
        }

    def describe(self, record: Forced) -> Sentence:
        return record.compared()

    def draw(self, record: Forced) -> Strip:
        pairs = zip_longest(record.own, record.wanted[: len(record.own)])
        chips = [
            replace(chip, detail=f"≠ {wanted.label if wanted else '–'}")
            if wanted is None or wanted.id != own.id else chip
            for own, wanted in pairs
            for chip in (tokens.chip(own, born=not own.special),)
        ]  # fmt: skip
        return Strip(
            title=_("The model left to itself, loss in nats"),
            selection={"forced": record.at},
            name=_("Written by the model"),
            tokens=chips,
            field="forced",
            default=min(record.at, len(chips) - 1),
            heading=sentence(
                _("Free running: what the model writes when it reads its own tokens, and after ≠ "
                  "what stands there in the reference")
            ),
            heat=record.own_cost,
            heat_role="accent",
            heat_limit=max(1.0, float(record.loss.max())),
            heat_digits=2,
            readings=[record.compared()],
        )  # fmt: skip
