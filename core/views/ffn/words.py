"""The words that what the selected unit writes has most and least to do with.

Where a final norm and the output matrix follow the blocks, by what it adds to
their logits. Elsewhere (BERT: a norm after every sum, and a head of its own) no
logit follows from the column alone, and they go by its cosine with their vectors.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.analysis.distributions import largest
from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.components.matrix import signed_limit
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import _
from core.tracing.trace import Array
from core.views.ffn.unit import OfUnits, Units, direct_path
from core.views.ffn.units import measure

N_WORDS = 8


class WordsWritten(OfUnits):
    """The ends of the list of all words."""

    name = "ffn.words"

    def values(self, record: Units) -> Mapping[str, Values]:
        labels, numbers = _lists(record)
        axes = (
            Along("end", _("end"), _ends()),
            Along("rank", _("rank"), [str(rank) for rank in range(N_WORDS)]),
        )
        return {
            "words": Values(_("token"), np.array(labels), axes, selected=(0, 0)),
            "amounts": Values(measure(record), numbers, axes, selected=(0, 0)),
        }

    def describe(self, record: Units) -> Sentence:
        labels, values = _lists(record)
        unit = Mark(str(record.unit), "strong")
        value, word = Mark(number(float(values[0, 0])), "accent"), labels[0][0].removeprefix("·")
        if not record.to_logits:
            return sentence(
                _("Of all words, the vector of “{word}” is most like what unit {unit} writes, "
                  "with a cosine of {value}. Norms and the model's own head still follow, so "
                  "this is no measure of what the model predicts."),
                unit=unit, value=value, word=word,
            )  # fmt: skip
        given = float(record.site("post")[record.token, record.unit])
        counted = sentence(
            _("On “{token}”, unit {unit} has activation {given}. One unit of activation adds "
              "{value} to the logit of “{word}” as the next token. This holds for this token, "
              "with the scale of the final norm held fixed."),
            unit=unit, value=value, word=word,
            token=Mark(record.name(record.token), "query"),
            given=Mark(number(given), "accent"),
        )  # fmt: skip
        return join([counted, *direct_path(record)])

    def draw(self, record: Units) -> Matrix:
        labels, values = _lists(record)
        title = _title(record)
        sheet = Sheet(
            title=title,
            array="values",
            texts=labels,
            rows=Axis(_ends(), "row", "accent"),
            cols=Axis([str(i) for i in range(N_WORDS)], "col", "residual", hide=True),
            scale=Scale("signed", signed_limit(values)),
            max_cell=130,
            least_cell=66,
            row_height=28,
            alt="",
            axes=Sentence((Mark(_axes(record), "plain"),)),
        )
        return Matrix(sheets=[sheet], arrays={"values": values})


def _title(record: Units) -> str:
    return _("What unit {unit} of layer {layer} writes").format(
        unit=record.unit, layer=record.place
    )


def _ends() -> list[str]:
    return [_("most"), _("least")]


def _axes(record: Units) -> str:
    if not record.to_logits:
        return _("cosine of its column of W₂ with a word's vector in the token table")
    return _("what one unit of activation adds to a word's logit: its column of W₂, through "
             "the final norm (scale held fixed as on “{token}”) and the output matrix").format(
        token=record.name(record.token))  # fmt: skip


def _lists(record: Units) -> tuple[list[list[str]], Array]:
    """Words and numbers: those with the largest, and those with the smallest."""
    own = record.per_word[record.row]
    ids = np.stack([largest(own, N_WORDS), largest(-own, N_WORDS)])
    labels = [[record.run.words(int(i)).label for i in row] for row in ids]
    return labels, np.asarray(own[ids], np.float32)
