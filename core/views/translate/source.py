"""The source, coloured by how much the selected word of the target looks at each token of it."""

from __future__ import annotations

from collections.abc import Mapping

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Sentence, sentence
from core.figures.values import Values
from core.language import _
from core.views.attention.head import reading
from core.views.attention.one_head import weight_values
from core.views.translate.translation import OfTranslation, Translation
from core.views.view import register


@register
class Source(OfTranslation):
    """What the encoder reads."""

    name = "translate.source"

    def values(self, record: Translation) -> Mapping[str, Values]:
        return weight_values(record.run)

    def describe(self, record: Translation) -> Sentence:
        return reading(record.run, record.at)

    def show(self, record: Translation) -> Strip:
        run = record.run
        about = _("Source: what the encoder reads. Colour: how much the selected target token "
                  "attends to it, layer {layer}, head {head}.")  # fmt: skip
        return Strip(
            title=_("The source"),
            alt=str(self.describe(record)),
            selection=run.selection(),
            name=_("Source"),
            tokens=[tokens.chip(token) for token in record.source.tokens],
            cut=tokens.cut_text(run.cut),
            field="key",
            default=run.key,
            heading=sentence(about, layer=str(run.layer), head=str(run.head)),
            heat=run("weights"),
            heat_role="weight",
            heat_limit=1.0,
            heat_unit="share",
            heat_field="token",
            heat_ids=list(range(len(run.queries))),
        )
