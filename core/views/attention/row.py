"""The keys as a text, coloured by how much the selected query attends to each."""

from __future__ import annotations

from collections.abc import Mapping

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Sentence, sentence
from core.figures.values import Values
from core.language import _
from core.models.needs import Needs
from core.views.attention.head import HeadRun, reading
from core.views.attention.one_head import OfHead, weight_values


class Row(OfHead):
    """One row of the weights, on the tokens themselves."""

    name = "attention.row"
    needs = Needs(parts=("attention",))

    def values(self, record: HeadRun) -> Mapping[str, Values]:
        return weight_values(record)

    def describe(self, record: HeadRun) -> Sentence:
        return reading(record, record.query)

    def draw(self, record: HeadRun) -> Strip:
        own, n = record.trace.streams[record.attention.queries], len(record.queries)
        title = _("What “{query}” attends to").format(query=record.query_words[record.query])
        square = record.attention.square
        heading = _("Queries: tokens of the {stream}").format(stream=_(record.attention.queries))
        return Strip(
            title=title,
            selection=record.selection(),
            tokens=[tokens.chip(token) for token in own.tokens],
            cut=tokens.cut_text(record.cut),
            default=record.query,
            heading=None if square else sentence(heading),
            heat_role="weight",
            heat_limit=1.0,
            heat_unit="share",
            # Where the keys are other tokens, their weights stand in the matrix.
            heat=record("weights") if square else None,
            may=record.mask if square else None,
            readings=[reading(record, at) for at in range(n)],
        )
