"""The reference under teacher forcing: at each place the loss, and what the model would choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Sentence, sentence
from core.figures.values import Along, Values
from core.language import _
from core.views.translate.forcing import Forced, OfForcing


class Taught(OfForcing):
    """What must be predicted, token by token."""

    name = "translate.taught"

    def values(self, record: Forced) -> Mapping[str, Values]:
        place = (record.at,)
        along = (Along("place", _("position"), [str(at) for at in range(len(record.wanted))]),)
        said = {"read": record.read, "wanted": record.wanted, "chosen": record.chosen}
        labels = {"read": _("read"), "wanted": _("to predict"), "chosen": _("most probable")}
        found = {
            name: Values(labels[name], np.array(tokens.labels(row), object), along, selected=place)
            for name, row in said.items()
        }
        loss = Values(_("loss"), record.loss, along, _("nats"), selected=place)
        return {"loss": loss, **found}

    def describe(self, record: Forced) -> Sentence:
        return record.reading(record.at)

    def draw(self, record: Forced) -> Strip:
        chips = [
            replace(tokens.chip(wanted), detail=f"≠ {chosen.label}")
            if chosen.id != wanted.id else tokens.chip(wanted)
            for wanted, chosen in zip(record.wanted, record.chosen, strict=True)
        ]  # fmt: skip
        return Strip(
            title=_("The reference under teacher forcing, loss in nats"),
            selection={"forced": record.at},
            name=_("Reference"),
            tokens=chips,
            field="forced",
            default=record.at,
            heading=sentence(
                _("Teacher forcing: under each token of the reference its loss in nats, and after "
                  "≠ what the model would choose instead")
            ),
            heat=record.loss,
            heat_role="accent",
            heat_limit=max(1.0, float(record.loss.max())),
            heat_digits=2,
            readings=[record.reading(at) for at in range(len(record.wanted))],
        )  # fmt: skip
