"""The source, coloured by how much the selected word of the target attends to each token of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _, name_of
from core.views.attention.head import reading
from core.views.attention.one_head import weight_values
from core.views.translate.translation import OfTranslation, Translation, no_alignment


class Source(OfTranslation):
    """What the encoder reads."""

    name = "translate.source"

    def values(self, record: Translation) -> Mapping[str, Values]:
        if record.head is not None:
            return weight_values(record.head)
        labels = tokens.labels(record.source.units)
        places = Along("position", _("position"), [str(at) for at in range(len(labels))])
        return {"token": Values(_("token"), np.array(labels, object), (places,))}

    def describe(self, record: Translation) -> Sentence:
        return (
            no_alignment(record.blueprint)
            if record.head is None
            else reading(record.head, record.at)
        )

    def draw(self, record: Translation) -> Strip:
        return Strip(
            title=_("The source"),
            selection=record.selection(),
            name=_("Source"),
            tokens=[tokens.chip(unit) for unit in record.source.units],
            cut=tokens.cut_text(record.run.cut),
            field="key",
            **_coloured(record),
        )  # fmt: skip


def _coloured(record: Translation) -> dict[str, Any]:
    """Its tokens by how much the selected token of the target attends to each, if it does.

    The names of the model and of the token tell two strips beside each other apart.
    """
    head, model = record.head, name_of(record.params.model)
    if head is None:
        about = _("{model}: source, as the encoder reads it")
        return {"heading": sentence(about, model=model)}
    about = _("{model}: source, coloured by the attention of the step after “{token}”")
    named = [
        sentence(about, model=model, token=Mark(unit.spoken, "query"))
        for unit in record.target.units
    ]
    return {
        "default": head.key,
        "heading": named[record.at],
        "headings": named,
        "heat": head("weights"),
        "heat_role": "weight",
        "heat_limit": 1.0,
        "heat_unit": "share",
        "heat_field": "token",
    }
