"""How alike a word's vectors are in each pair of sentences, in one layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.analysis.contexts import within_and_across
from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, decimal, number, sentence
from core.figures.values import Values
from core.language import _
from core.locale import in_quotes
from core.views.contexts.occurrences import Occurrences, OfOccurrences
from core.views.view import Note


class Distances(OfOccurrences):
    """A cell for each pair."""

    name = "contexts.distances"

    def values(self, record: Occurrences) -> Mapping[str, Values]:
        axes = (record.along("sentence", _("sentence")), record.along("other", _("other sentence")))
        return {"cosine": Values(_("cosine"), record.alike[record.layer], axes)}

    def notes(self, record: Occurrences) -> Sequence[Note]:
        """The sentences that are left out, and what the numbers and the layers mean."""
        if not record.several_layers:
            return super().notes(record)
        said = sentence(
            _("A cosine of 1 means the same direction, 0 a right angle. Static: the word's row "
              "of the embedding table, the same in every sentence. Input: the vector that the "
              "first layer is given.")
        )  # fmt: skip
        return [*super().notes(record), Note("more", said)]

    def compared(self, record: Occurrences) -> Sentence:
        alike = record.alike[record.layer]
        if np.ptp(alike) < 1e-4:
            return sentence(
                _("Layer {layer}: the vector of {word} is the same in all sentences. It does not "
                  "know its context."),
                layer=Mark(record.layer_name, "accent"),
                word=in_quotes(record.params.sought),
            )  # fmt: skip
        within, across = within_and_across(alike, record.senses)
        if not record.several or np.isnan(within):
            return sentence(
                _("Layer {layer}: two vectors of {word} have a cosine of {mean} on average."),
                layer=Mark(record.layer_name, "accent"),
                word=in_quotes(record.params.sought),
                mean=number(float(np.nanmean([within, across])), 2),
            )
        return sentence(
            _("Layer {layer}: in sentences of one group the vectors of {word} have a cosine of "
              "{within} on average, in sentences of two groups {across}."),
            layer=Mark(record.layer_name, "accent"),
            word=in_quotes(record.params.sought),
            within=Mark(number(within, 2), "accent"), across=Mark(number(across, 2), "accent"),
        )  # fmt: skip

    def draw(self, record: Occurrences) -> Matrix:
        alike = record.alike[record.layer].astype(np.float32)
        title = _("Cosine of the vectors of {word} in each pair of sentences").format(
            word=in_quotes(record.params.sought)
        )
        sheet = Sheet(
            title=title,
            array="cosine",
            texts=[[decimal(float(one), 2) for one in row] for row in alike],
            rows=Axis(record.labels, "sentence", "query", room=250, around=record.contexts),
            cols=Axis([str(n) for n in record.numbers], "other", "key"),
            # In one layer all may lie above 0.75: a scale from 0 would be nearly one colour.
            scale=Scale("accent", limit=1.0, zero=record.least),
            least_cell=23,  # each has room for its number, and a phone for eight
            max_cell=56,
            row_height=30,
            axes=sentence(
                _(
                    "rows and columns: sentences · full colour: a cosine of 1 · no colour: {least} "
                    "or less"
                ),
                least=decimal(record.least, 1),
            ),
            alt="",
        )
        return Matrix(
            selection=_numbered(record), sheets=[sheet],
            arrays={"cosine": alike},
        )  # fmt: skip


def _numbered(record: Occurrences) -> dict[str, int]:
    """The layer for the strip above the page: of what stands before the first, none."""
    own = record.layer_name
    return {"layer": int(own)} if own.isdigit() else {}
