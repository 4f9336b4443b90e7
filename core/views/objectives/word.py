"""One word of the text: how likely each model finds it, from what it may see."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.components.bars import Series
from core.figures.components.base import Follow
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Values
from core.language import N_, _, name_of
from core.locale import in_quotes, listed
from core.runs.objectives import UNDRAWN
from core.views.objectives.run import Lesson, OfObjectives, Row

# What each way of learning sees of the text when it predicts a word (translate with ``_``).
SEES = (
    N_("{model}, from the words before"),
    N_("{model}, from the words before"),
    N_("{model}, from the words after"),
    N_("{model}, from all other words"),
    N_("{model}, from the whole text"),
    N_("{model}, from all outside the span"),
    N_("{model}, from the damaged text and the words before"),
)
COPIES = N_("{model}, where it is not hidden")


class OneWord(OfObjectives):
    """A bar for each model that predicts it."""

    name = "objectives.word"

    def values(self, record: Lesson) -> Mapping[str, Values]:
        shares = np.array([_shares(record, row) for row in record.rows])
        axes = (record.along_rows, record.along_words)
        place = (record.at, record.word)
        return {"probability": Values(_("probability"), shares, axes, selected=place)}

    def describe(self, record: Lesson) -> Sentence:
        return _reading(record, record.word)

    def draw(self, record: Lesson) -> Bars:
        rows = _predicting(record)
        shares = np.array([_shares(record, record.rows[n]) for n in rows])
        shares = shares.reshape(len(rows), len(record.columns))
        frames = [
            BarFrame(
                [BarRow(str(n), _sees(record, n, column)) for n in rows],
                title=_title(record, column),
                note=str(_reading(record, column)),
                alt=str(_reading(record, column)),
            )
            for column in range(len(record.columns))
        ]
        return Bars(
            title=_("Probability of one word, by what is seen of the text"),
            selection=record.selection(),
            frames=frames,
            values=shares.T[:, None, :],
            series=[Series(_("probability"), "accent")],
            follow=Follow("text_word", first=record.word),
            wide=True,
            stacked=True,
        )


def _predicting(record: Lesson) -> list[int]:
    """The rows whose model predicts words."""
    return [
        n
        for n, row in enumerate(record.rows)
        if row.able and row.kind.objective != "sentence_pairs"
    ]


def _copies(record: Lesson, row: Row, column: int) -> bool:
    """Whether a model reads the word where it is to predict it: dice left it as it was."""
    drawn = row.kind.objective not in UNDRAWN
    return drawn and record.given(row)[column] == record.wanted(row)[column]


def _sees(record: Lesson, at: int, column: int) -> str:
    row = record.rows[at]
    says = _(COPIES) if _copies(record, row, column) else _(SEES[at])
    return says.format(model=name_of(row.model))


def _shares(record: Lesson, row: Row) -> NDArray[np.float64]:
    """The probability of each column's tokens, each after those before it; NaN for none."""
    if row.kind.objective == "sentence_pairs":
        return np.full(len(record.columns), np.nan)
    return np.asarray(np.exp(-record.costs(row)))


def _title(record: Lesson, column: int) -> Sentence:
    return sentence(
        _("Probability of {word}, by what is seen of the text"),
        word=in_quotes(record.columns[column]),
    )


def _reading(record: Lesson, column: int) -> Sentence:
    """Who finds the word likeliest, and who does not predict it."""
    rows = {n: float(_shares(record, record.rows[n])[column]) for n in _predicting(record)}
    known = {n: share for n, share in rows.items() if not math.isnan(share)}
    copying = [n for n in known if _copies(record, record.rows[n], column)]
    guessed = {n: share for n, share in known.items() if n not in copying}
    word = Mark(in_quotes(record.columns[column]), "query")
    said = []
    if guessed:
        best = max(guessed, key=lambda n: guessed[n])
        said.append(sentence(
            _("{word} is most likely for {model}: {share}."), word=word,
            model=Mark(_sees(record, best, column), "strong"),
            share=Mark(percent(guessed[best]), "accent"),
        ))  # fmt: skip
    else:
        said.append(sentence(_("No model here has to guess {word}."), word=word))
    if copying:
        models = listed([name_of(record.rows[n].model) for n in copying])
        said.append(sentence(_("It is not hidden from {models}, so there it need only be copied."),
                             models=models))  # fmt: skip
    if "masked_words" in {record.rows[n].kind.objective for n in rows.keys() - known.keys()}:
        said.append(sentence(_("The dice did not choose it, so no hidden word is predicted here.")))
    return join(said)
