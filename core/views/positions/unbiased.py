"""One head's attention weights, had nothing been added to its scores."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.components import Matrix, Scale
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.views.attention.head import key_name
from core.views.positions.biased_head import Added, OfAdded


class Unbiased(OfAdded):
    """The softmax of the dot products alone."""

    name = "positions.unbiased"

    def values(self, record: Added) -> Mapping[str, Values]:
        run = record.run
        place = (run.query, run.key)
        queries = Along("query", _("query"), run.queries)
        return {
            "unbiased": Values(_("without the bias"), record.without, run.along, selected=place),
            "weights": Values(
                _("Attention weights"), run("weights"), run.along, selected=place,
                site=run.prefix + "weights",
            ),
            "moved": Values(
                _("share of the attention that the bias moves"), record.moved, (queries,)
            ),
            "moved_mean": Values(
                _("mean share of the attention that the bias moves"),
                np.array(float(record.moved.mean())),
            ),
        }  # fmt: skip

    def describe(self, record: Added) -> Sentence:
        run = record.run
        own = run("weights")[run.query]
        key = int(own.argmax())
        return join([
            sentence(
                _("“{query}” gives {share} of its attention to {key}. Without the bias it would "
                  "give {before}."),
                query=Mark(run.query_words[run.query], "query"),
                share=Mark(percent(float(own[key])), "weight"),
                key=key_name(run, run.query, key),
                before=Mark(percent(float(record.without[run.query, key])), "weight"),
            ),
            sentence(
                _("On average, the bias moves {share} of the attention of this head."),
                share=Mark(percent(float(record.moved.mean())), "weight"),
            ),
        ])  # fmt: skip

    def draw(self, record: Added) -> Matrix:
        return record.matrix(
            _("Weights without the bias"), "unbiased", record.without, Scale("weight", 1.0),
            self.describe(record),
        )  # fmt: skip
