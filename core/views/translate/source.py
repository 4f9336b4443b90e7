"""The source, coloured by how much the selected word of the target looks at each token of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Sentence, sentence
from core.figures.values import Values
from core.language import _
from core.runs.requests import Request
from core.runs.results import Run
from core.views.attention.head import AtHead, reading
from core.views.translate.translation import Translation, translation, translation_requests
from core.views.view import View, register


@register
class Source(View[AtHead, Translation]):
    """What the encoder reads."""

    name, Params, needs = "translate.source", AtHead, "translate"

    def requests(self, params: AtHead) -> tuple[Request, ...]:
        return translation_requests(params)

    def compute(self, runs: Sequence[Run], params: AtHead) -> Translation:
        return translation(runs, params)

    def values(self, record: Translation) -> Mapping[str, Values]:
        run = record.run
        return {
            "weights": Values(
                _("Attention weights"), run("weights"), run.along,
                site=run.prefix + "weights", selected=(run.query, run.key),
            )
        }  # fmt: skip

    def describe(self, record: Translation) -> Sentence:
        return reading(record.run, record.at)

    def show(self, record: Translation) -> Strip:
        run = record.run
        about = _("Source: what the encoder reads. Colour: how much the selected word of the "
                  "target looks at it, layer {layer}, head {head}.")  # fmt: skip
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
