"""What each way of learning costs its model on one text, and which of the numbers compare."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, decimal, join, percent, sentence
from core.figures.values import Values
from core.language import _, name_of, ngettext
from core.locale import grouped
from core.views.objectives.run import Lesson, OfObjectives, Row, named
from core.views.view import Note

ROOM = 190


class Losses(OfObjectives):
    """A line for each way of learning."""

    name = "objectives.losses"

    def values(self, record: Lesson) -> Mapping[str, Values]:
        axes = (record.along_rows,)
        columns = {
            "counted": (_("tokens that count"), [row.n_wanted for row in record.rows], ""),
            "share": (_("share of the text"), [row.share for row in record.rows], ""),
            "loss": (_("mean loss"), [row.mean for row in record.rows], _("nats per token")),
            "bits": (
                _("bits per character"), [row.bits_per_character for row in record.rows], "",
            ),
        }  # fmt: skip
        return {
            name: Values(label, np.array(numbers), axes, unit, selected=(record.at,))
            for name, (label, numbers, unit) in columns.items()
        }

    def describe(self, record: Lesson) -> Sentence:
        row = record.row
        if not row.able:
            return sentence(
                _("“{way}”: no model here learned this way, so there is no loss."),
                way=Mark(row.name, "strong"),
            )
        mean = sentence(
            ngettext("{model} loses {loss} nats on {n} token that counts.",
                     "{model} loses {loss} nats per token, mean over {n} tokens that count.",
                     row.n_wanted),
            model=Mark(name_of(row.model), "strong"), loss=Mark(decimal(row.mean, 2), "weight"),
            n=str(row.n_wanted),
        )  # fmt: skip
        bits = row.bits_per_character
        if math.isnan(bits):
            return join([mean, sentence(_why_not(row))])
        return join([mean, sentence(
            _("It predicts the whole text, token after token. That makes {bits} bits per "
              "character, a number that does not depend on how the text is cut."),
            bits=Mark(decimal(bits, 2), "weight"),
        )])  # fmt: skip

    def draw(self, record: Lesson) -> Matrix:
        title = _("What counts, and what it costs")
        columns = [_("tokens that count"), _("share of the text"), _("nats per token"),
                   _("bits per character")]  # fmt: skip
        texts = [
            [
                grouped(row.n_wanted) if row.lane is not None else "–",
                _share(row),
                "–" if math.isnan(row.mean) else decimal(row.mean, 2),
                "–" if math.isnan(row.bits_per_character) else decimal(row.bits_per_character, 2),
            ]
            for row in record.rows
        ]
        kinds = np.array([[text != "–" for text in line] for line in texts], np.uint8)
        kinds[:, 2:] *= 2
        labels = [named(row) for row in record.rows]
        sheet = Sheet(
            title=title,
            array="kinds",
            texts=texts,
            rows=Axis(labels, "lane", "accent", room=ROOM),
            cols=Axis(columns, "losses_col", "query"),
            scale=Scale("category"),
            categories=[
                Category(_("no such number"), "surface"),
                Category(_("tokens that count"), "accent", share=0.15),
                Category(_("loss"), "weight", share=0.15),
            ],
            least_cell=90,
            max_cell=190,
            row_height=26,
            alt="",
        )
        return Matrix(
            selection=record.selection(), sheets=[sheet],
            arrays={"kinds": kinds},
        )  # fmt: skip

    def notes(self, record: Lesson) -> Sequence[Note]:
        return [Note("more", sentence(_(
            "Nats per token do not compare across models: each tokenizer cuts the text in its own "
            "way, each way of learning asks other questions, and a question is easier when more of "
            "the text can be seen. Bits per character compare two models that predict the whole "
            "text, each token from those on one side of it; marks at its ends are left out. ELMo "
            "reads it in lower case, which is a little easier. A model that sees the answer in "
            "part, as BERT, T5 and BART do, gives the text no probability, so it has no such "
            "number. What does compare is one and the same word: see the bars above."
        )))]  # fmt: skip


def _share(row: Row) -> str:
    """Of the text's tokens those that are predicted."""
    if row.lane is None or not row.exercise.n_tokens:
        return "–"
    return _("{share}, {n} of {all} tokens").format(
        share=percent(row.share), n=row.n_own, all=row.exercise.n_tokens
    )


def _why_not(row: Row) -> str:
    """Why there are no bits per character."""
    if row.kind.objective in ("next_token", "both_ways"):
        return _("A word of this text is not in its vocabulary, so it has no bits per character.")
    if row.kind.objective == "sentence_pairs":
        return _("It answers one question and predicts no word of the text.")
    if row.kind.objective == "denoise":
        return _("It writes the whole text, but it has read most of it before. So its loss says "
                 "nothing about how well it would predict the text.")  # fmt: skip
    return _("It predicts only a part of the text, from all the rest. So there is no probability "
             "of the text, and no bits per character.")  # fmt: skip
