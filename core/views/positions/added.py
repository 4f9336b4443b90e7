"""The bias of one head on every pair of query and key."""

from __future__ import annotations

from collections.abc import Mapping

from core.figures.components import Matrix, Scale
from core.figures.components.matrix.sheet import signed_limit
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Values
from core.language import _
from core.views.positions.biased_head import Added, OfAdded


class AddedBias(OfAdded):
    """The same along each diagonal: only the distance counts."""

    name = "positions.added"

    def values(self, record: Added) -> Mapping[str, Values]:
        run = record.run
        return {
            "bias": Values(
                _("bias"), record.bias, run.along, site=run.attention.bias,
                selected=(run.query, run.key),
            )
        }  # fmt: skip

    def describe(self, record: Added) -> Sentence:
        run = record.run
        if run.attention.bias is None:
            return sentence(_("Nothing is added to the scores of this kind of attention."))
        return sentence(
            _("To the score of “{query}” and “{key}” this head adds {value}, as to every pair at "
              "this distance."),
            query=Mark(run.query_words[run.query], "query"),
            key=Mark(run.key_words[run.key], "key"),
            value=Mark(number(float(record.bias[run.query, run.key])), "position"),
        )  # fmt: skip

    def draw(self, record: Added) -> Matrix:
        scale = Scale("signed", signed_limit(record.bias))
        return record.matrix(
            _("Bias added to the scores"), "bias", record.bias, scale, self.describe(record)
        )
