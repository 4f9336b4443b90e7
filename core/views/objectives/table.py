"""What every way of learning makes of one text: given, wanted and lost, word under word."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, decimal, join, sentence
from core.figures.values import Values
from core.language import N_, _, name_of, ngettext
from core.locale import listed
from core.text.sentences import sentence_starts
from core.views.masked.training import two_decimals
from core.views.objectives.run import Lesson, OfObjectives, Row, hides
from core.views.view import Note

NOTHING, READ, HIDDEN, RANDOM, KEPT, PREDICTED, DICE, PARTLY, CHEAP = range(9)
LEVELS = (1.0, 3.0, 6.0)  # nats at which the colour of a loss deepens
ROOM = 190


@dataclass(frozen=True)
class _Line:
    """A line of the table: its label, the texts and the kinds of its cells; slim: for a phone."""

    label: str
    texts: Sequence[str]
    kinds: NDArray[np.uint8]
    slim: str = ""


class Table(OfObjectives):
    """A few lines for each way of learning; columns are the words of the text."""

    name = "objectives.table"

    def values(self, record: Lesson) -> Mapping[str, Values]:
        axes = (record.along_rows, record.along_words)
        given, wanted = (
            np.array([of(row) for row in record.rows], object)
            for of in (record.given, record.wanted)
        )
        costs = np.array([record.costs(row) for row in record.rows])
        counts = np.array([row.n_wanted for row in record.rows])
        means = np.array([row.mean for row in record.rows])
        dice = np.array([_dice(record, row) for row in record.rows])
        at = record.at
        return {
            "reads": Values(_("reads"), given, axes),
            "predicts": Values(_("predicts"), wanted, axes),
            "loss": Values(_("loss"), costs, axes, _("nats"), selected=(at, record.word)),
            "dice": Values(_("dice"), dice, axes),
            "counted": Values(_("tokens that count"), counts, axes[:1], selected=(at,)),
            "mean": Values(_("mean loss"), means, axes[:1], _("nats"), selected=(at,)),
        }

    def describe(self, record: Lesson) -> Sentence:
        rows = [record.rows[n] for n in record.shown if record.rows[n].n_wanted]
        if not rows:
            return sentence(_("This text has no word that a model could learn from."))
        most = max(rows, key=lambda row: row.n_wanted)
        least = min(rows, key=lambda row: row.n_wanted)
        n = len(record.spans)
        return join([
            sentence(
                ngettext("The text has {n} word or sign.", "The text has {n} words and signs.", n),
                n=str(n),
            ),
            sentence(
                ngettext("“{way}” has {n} token to predict in it.",
                         "“{way}” has {n} tokens to predict in it.", most.n_wanted),
                way=Mark(most.name, "strong"), n=Mark(str(most.n_wanted), "accent"),
            ),
            sentence(
                ngettext("“{way}” has {n} answer to give.", "“{way}” has {n} answers to give.",
                         least.n_wanted),
                way=Mark(least.name, "strong"), n=Mark(str(least.n_wanted), "accent"),
            ),
        ])  # fmt: skip

    def draw(self, record: Lesson) -> Matrix:
        title = _("One text, as each way of learning has it")
        lines = [(n, line) for n in record.shown for line in _lines(record, record.rows[n])]
        sheet = Sheet(
            title=title,
            array="kinds",
            texts=[line.texts for _n, line in lines],
            rows=Axis([line.label for _n, line in lines], "lane", "accent",
                      ids=[n for n, _line in lines], room=ROOM),
            cols=Axis(record.columns, "text_word", "query"),
            scale=Scale("category"),
            categories=_categories(),
            least_cell=56,
            max_cell=84,
            row_height=24,
            axes=sentence(
                _("columns: words of the text · orange: hidden or swapped · dice: below 0.8 "
                  "hidden, below 0.9 swapped, else left · violet: loss in nats, the stronger the "
                  "larger, summed over the tokens of a word · <id_0>: the sentinel <extra_id_0>")
            ),
            alt="",
        )  # fmt: skip
        kinds = np.stack([line.kinds for _n, line in lines])
        turned = [_turned(record, n, [line for at, line in lines if at == n])
                  for n in record.shown]  # fmt: skip
        return Matrix(
            selection=record.selection(), sheets=[sheet],
            slim=[one for one, _kinds in turned], slim_field="lane",
            arrays={"kinds": kinds} | {one.array: own for one, own in turned},
        )  # fmt: skip

    def notes(self, record: Lesson) -> Sequence[Note]:
        notes = _without_a_model(record)
        shown = [record.rows[n] for n in record.shown]
        unread = [row.name for row in shown if row.lane is None]
        if unread:
            words = sentence(
                _("This text is no exercise for: {ways}. A row stays empty where the model knows "
                  "no word of it, or where there are no two parts to compare."),
                ways=listed(unread),
            )  # fmt: skip
            notes.append(Note("warning", words))
        pair = next((one for one in shown if one.kind.objective == "sentence_pairs"), None)
        if pair and pair.lane is not None and not sentence_starts(record.text):
            words = sentence(
                _("“{way}” needs two sentences, and this text is one. So it is cut in the middle. "
                  "With two sentences, the cut is where the second one begins."),
                way=pair.name,
            )  # fmt: skip
            notes.append(Note("info", words))
        return notes


def _without_a_model(record: Lesson) -> list[Note]:
    """For which ways of learning the shelf has no model."""
    lacking = [row.name for row in record.rows if not row.exercise.able]
    if not lacking:
        return []
    words = sentence(
        _("No model on the shelf learned this way: {ways}. The table shows what it would be "
          "given and what it would have to predict, in the tokens of {model}. Without a model "
          "there is no loss."),
        ways=listed(lacking), model=name_of(record.params.model),
    )  # fmt: skip
    return [Note("info", words)]


def _turned(record: Lesson, at: int, lines: Sequence[_Line]) -> tuple[Sheet, NDArray[np.uint8]]:
    """One way of learning with the words below each other, as a phone shows it, and its cells."""
    name = record.rows[at].name
    sheet = Sheet(
        title=_("One text, as “{way}” has it").format(way=name),
        tab=name,
        array=f"kinds_{at}",
        texts=[*zip(*(line.texts for line in lines), strict=True)],
        rows=Axis(record.columns, "text_word", "query"),
        cols=Axis([_("reads"), *(line.slim or line.label for line in lines[1:])], "lane", "accent",
                  ids=[at] * len(lines)),
        scale=Scale("category"),
        categories=_categories(),
        least_cell=60,
        max_cell=110,
        row_height=26,
        axes=sentence(
            _("rows: words of the text · orange: hidden or swapped · dice: below 0.8 hidden, below "
              "0.9 swapped, else left · violet: loss in nats, the stronger the larger, summed over "
              "the tokens of a word · <id_0>: the sentinel <extra_id_0>")
        ),
    )  # fmt: skip
    return sheet, np.stack([line.kinds for line in lines], axis=1)


def _categories() -> list[Category]:
    """What the numbers of the cells stand for."""
    low, middle, high = (decimal(one, 0) for one in LEVELS)
    return [
        Category(_("nothing here"), "surface"),
        Category(_("is read"), "residual", share=0.16),
        Category(_("hidden: a mark is read in its place"), "key", share=0.55),
        Category(_("swapped: a random word is read in its place"), "key", share=0.9),
        Category(_("chosen, but read as it is"), "key", share=0.25),
        Category(_("is predicted and counts in the loss"), "accent", share=0.3),
        Category(_("dice: below 0.8 hidden, below 0.9 swapped, else left as it is"), "position",
                 share=0.22),
        Category(_("partly hidden: a mark is read in place of the rest"), "key", share=0.2),
        Category(_("loss below {n} nats").format(n=low), "weight", share=0.12),
        Category(_("loss below {n} nats").format(n=middle), "weight", share=0.32),
        Category(_("loss below {n} nats").format(n=high), "weight", share=0.58),
        Category(_("loss of {n} nats and more").format(n=high), "weight", share=0.95),
    ]  # fmt: skip


FIRST_LINE = N_("{way}: reads")


def _lines(record: Lesson, row: Row) -> list[_Line]:
    """The lines of a way of learning: what is read, the dice, what is predicted, the loss."""
    n = len(record.columns)
    wanted = record.wanted(row)
    lines = [_read(record, row)]
    dice = _dice(record, row)
    if row.exercise.dice:
        texts = ["" if math.isnan(one) else two_decimals(one) for one in dice]
        lines.append(_Line(_("dice"), texts, np.where(np.isnan(dice), NOTHING, DICE)))
    counted = np.full(n, NOTHING)
    counted[list(record.wanted_in(row))] = PREDICTED
    lines.append(_Line(_("predicts"), wanted, counted))
    if row.exercise.able:
        costs = record.costs(row)
        texts = ["" if math.isnan(one) else decimal(one, 2) for one in costs]
        kinds = CHEAP + np.searchsorted(LEVELS, np.nan_to_num(costs), side="right")
        label = _("loss in nats, {model}").format(model=name_of(row.model))
        shown = np.where(np.isnan(costs), NOTHING, kinds)
        lines.append(_Line(label, texts, shown, slim=_("loss, nats")))
    return [replace(line, kinds=line.kinds.astype(np.uint8)) for line in lines]


def _read(record: Lesson, row: Row) -> _Line:
    """What is read, and where it is not what stands in the text."""
    texts = record.given(row)
    kinds = np.array([READ if text else NOTHING for text in texts])
    if row.lane is not None:
        pairs = zip(row.lane.example.given, row.lane.example.given_at, strict=True)
        places = [(record.column_of(token, int(at)), hides(token)) for token, at in pairs]
        seen = {column for column, hidden in places if not hidden}
        for column in {column for column, hidden in places if hidden}:
            kinds[column] = PARTLY if column in seen else HIDDEN
        kinds_of = {"random": RANDOM, "unchanged": KEPT}
        for fate, at in zip(row.exercise.fates, row.lane.example.wanted_at, strict=False):
            if fate in kinds_of:  # what is hidden has a mark
                kinds[record.column(int(at))] = kinds_of[fate]
    return _Line(_(FIRST_LINE).format(way=row.name), texts, kinds)


def _dice(record: Lesson, row: Row) -> NDArray[np.float64]:
    """What was thrown for each column; NaN for no dice."""
    found = np.full(len(record.columns), np.nan)
    if row.lane is not None:
        for thrown, at in zip(row.exercise.dice, row.lane.example.wanted_at, strict=False):
            found[record.column(int(at))] = thrown
    return found
