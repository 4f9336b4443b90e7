"""The tokens, coloured by how much the selected unit fires on each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Sentence, sentence
from core.figures.values import Values
from core.language import _
from core.views.ffn.unit import OfUnits, Units, entering, reading


class UnitStrip(OfUnits):
    """One unit on every token."""

    name = "ffn.strip"

    def values(self, record: Units) -> Mapping[str, Values]:
        along, at = record.along, (record.token,)

        def of(label: str, site: str) -> Values:
            numbers = record.site(site)[:, record.unit]
            return Values(label, numbers, along, site=record.prefix + site, selected=at)

        positions = np.arange(len(record.tokens))
        return {
            "position": Values(_("position"), positions, along, selected=at),
            "before": of(entering(record), "pre"),
            "after": of(_("after"), "post"),
        }

    def describe(self, record: Units) -> Sentence:
        return reading(record, record.token)

    def draw(self, record: Units) -> Strip:
        heat = record.site("post")[:, record.listed].T
        title = _("Activation of unit {unit} in layer {layer}, for each token").format(
            unit=record.unit, layer=record.place
        )
        return Strip(
            title=title,
            name=title,
            selection=record.selection(),
            tokens=[tokens.chip(token) for token in record.tokens],
            cut=tokens.cut_text(record.run.cut),
            default=record.token,
            heading=sentence(_("Activation of the selected unit for each token")),
            heat=heat,
            heat_field="unit",
            heat_ids=record.listed,
            heat_role="signed",
            heat_limit=float(np.abs(heat).max()) or 1.0,
            heat_digits=2,
            readings=[reading(record, at) for at in range(len(record.tokens))],
        )
