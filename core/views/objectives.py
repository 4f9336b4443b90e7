"""One text as each way of learning has it."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import (
    Axis,
    BarFrame,
    BarRow,
    Bars,
    Category,
    Matrix,
    Scale,
    Sheet,
    Strip,
)
from core.figures.components.bars import Series
from core.figures.components.base import Follow
from core.figures.text import Mark, Sentence, decimal, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of, ngettext
from core.locale import grouped, in_quotes, listed
from core.models.needs import Needs
from core.runs.kinds.objectives import (
    OBJECTIVES,
    UNDRAWN,
    Exercise,
    ExerciseRequest,
    Lane,
    Objective,
)
from core.runs.request import Request
from core.spelling import visible
from core.text.noise import Noise
from core.text.sentences import sentence_starts
from core.units import Token
from core.views.controls import Control
from core.views.masked.training import two_decimals
from core.views.nearest import nearest
from core.views.noise.damage import NOISES
from core.views.params import MAX_SEED, OnText, model_param, param
from core.views.view import Note, View

# --- the ways of learning, and what is asked for: a text, and the model of each way ---


MOST = 40  # words of a text that the table has columns for
# A word with what an apostrophe joins to it, or a sign.
WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class ObjectiveKind:
    """A row of the table: a way of learning, in one direction where it has two.

    Attributes:
        objective: the way of learning.
        says: what it is called (translate with ``_``).
        second: it is the second direction.
    """

    objective: Objective
    says: str
    second: bool = False


KINDS: tuple[ObjectiveKind, ...] = (
    ObjectiveKind("next_token", N_("Next token")),
    ObjectiveKind("both_ways", N_("Word after")),
    ObjectiveKind("both_ways", N_("Word before"), second=True),
    ObjectiveKind("masked_words", N_("Masked words")),
    ObjectiveKind("sentence_pairs", N_("Sentence pair")),
    ObjectiveKind("fill_spans", N_("Spans")),
    ObjectiveKind("denoise", N_("Noise")),
)
FEW = ("next_token", "masked_words", "fill_spans")  # of a machine each: all at once are a wall
# The parameter that names the model of each way of learning.
PARTNERS: Mapping[Objective, str] = {
    "both_ways": "reader",
    "masked_words": "guesser",
    "sentence_pairs": "judge",
    "fill_spans": "filler",
    "denoise": "mender",
}


@dataclass(frozen=True, slots=True)
class Teaching(OnText):
    """A text, and the model of each way of learning.

    Attributes:
        model: the one that continues a text; where another model is missing it lends its tokens.
        reader, guesser, judge, filler, mender: those that predict in both directions, fill in
            hidden words, judge pairs, fill in spans, mend a damaged text; empty for none.
        dice_seed: of all draws.
        noise: the way of damage that is drawn.
        ways: whether the table shows all ways of learning, or three and the one looked at.
        lane: the row of the table that is looked at.
        text_word: the column; -1 for the first word that dice have chosen.
    """

    reader: str = model_param("", N_("Model that predicts in both directions"))
    guesser: str = model_param("", N_("Model that fills in hidden words"))
    judge: str = model_param("", N_("Model that judges pairs"))
    filler: str = model_param("", N_("Model that fills in spans"))
    mender: str = model_param("", N_("Model that mends a damaged text"))
    dice_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    noise: str = param("infill", choices=NOISES, label=N_("Noise"))
    ways: str = param(
        "few", choices={"few": N_("Three"), "all": N_("All")}, label=N_("Ways of learning")
    )
    lane: int = param(0, low=0, high=len(KINDS) - 1, picked=True, label=N_("Way of learning"))
    text_word: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Word of the text"))

    def model_of(self, objective: Objective) -> str:
        """The model of a way of learning: its own, or the one that lends its tokens."""
        partner = PARTNERS.get(objective)
        return (getattr(self, partner) if partner else "") or self.model

    @property
    def read(self) -> str:
        """As much of the text as the table has columns for."""
        words = list(WORD.finditer(self.text))
        return self.text[: words[MOST - 1].end()] if len(words) > MOST else self.text


# --- one text as each way of learning has it: what every view of it is computed from --


SHORT_SENTINEL = re.compile("<extra_id_")  # a cell has no room for its name


@dataclass(frozen=True, eq=False)
class ObjectiveRow:
    """One way of learning with its example.

    Attributes:
        kind: the way.
        exercise: the text as it has it.
        lane: the direction; None where the text has nothing to learn from.
        model: of whom the loss is, or whose tokens are shown.
    """

    kind: ObjectiveKind
    exercise: Exercise
    lane: Lane | None
    model: str

    @property
    def able(self) -> bool:
        """Whether the loss of a model is known."""
        return self.exercise.able and self.lane is not None and len(self.lane.nats) > 0

    @property
    def n_wanted(self) -> int:
        """Tokens that count in the loss."""
        return 0 if self.lane is None else len(self.lane.example.wanted)

    @property
    def share(self) -> float:
        """The share of the text's tokens that are predicted; marks are none of them."""
        if self.lane is None or not self.exercise.n_tokens:
            return math.nan
        return self.n_own / self.exercise.n_tokens

    @property
    def n_own(self) -> int:
        """Tokens of the text that are predicted; marks are none of them."""
        targets = () if self.lane is None else self.lane.example.wanted
        return sum(not token.special for token in targets)

    @property
    def mean(self) -> float:
        """The loss: nats per token that counts."""
        return float(self.lane.nats.mean()) if self.able and self.lane else math.nan

    @property
    def bits_per_character(self) -> float:
        """Of what is predicted as a whole, from nothing but itself; NaN where no such thing is."""
        one_by_one = self.kind.objective in ("next_token", "both_ways")
        if not self.able or not one_by_one or self.lane is None or not self.exercise.n_read:
            return math.nan
        if any(token.unknown for token in self.lane.example.wanted):
            return math.nan  # what was there instead of [UNK] would have to be said, too
        counted = [
            not token.special for token in self.lane.example.wanted
        ]  # others predict no mark
        return float(self.lane.nats[counted].sum()) / math.log(2) / self.exercise.n_read

    @property
    def name(self) -> str:
        """The way of learning in words."""
        return _(self.kind.says)


def hides(token: Token) -> bool:
    """Whether a mark stands for what is hidden."""
    return token.piece.startswith(("[MASK", "<mask", "<extra_id"))


@dataclass(frozen=True, eq=False)
class AllObjectives:
    """All ways of learning, side by side.

    Attributes:
        params: what was asked for.
        text: as much of it as is shown.
        rows: one for each of ``KINDS``.
    """

    params: Teaching
    text: str
    rows: Sequence[ObjectiveRow]

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word of the text stands."""
        return [match.span() for match in WORD.finditer(self.text)]

    @property
    def cut(self) -> str:
        """What of the text is not shown."""
        return self.params.text[len(self.text) :]

    @cached_property
    def columns(self) -> list[str]:
        """The words of the text, and what stands before and after it."""
        words = [visible(self.text[a:b]) for a, b in self.spans]
        return [_("before"), *words, _("after")]

    def column(self, offset: int) -> int:
        """The column of a place in the text."""
        if offset < 0:
            return 0
        if offset >= len(self.text):
            return len(self.spans) + 1
        return max(1, sum(start <= offset for start, _end in self.spans))

    def column_of(self, token: Token, offset: int) -> int:
        """The column of a token; a blank that is read or hidden belongs to the word after it."""
        if offset > 0 and (hides(token) or not token.special):
            offset = len(self.text) - len(self.text[offset:].lstrip())
        return self.column(offset)

    def wanted_in(self, row: ObjectiveRow) -> dict[int, list[int]]:
        """For each column which of the tokens that count belong there."""
        by_column: dict[int, list[int]] = {}
        if row.lane is None:
            return by_column
        example = row.lane.example
        for n, (token, offset) in enumerate(zip(example.wanted, example.wanted_at, strict=True)):
            by_column.setdefault(self.column_of(token, int(offset)), []).append(n)
        return by_column

    def costs(self, row: ObjectiveRow) -> NDArray[np.float64]:
        """Nats of each column ``(columns,)``: the sum over its tokens; NaN where none counts."""
        costs = np.full(len(self.columns), np.nan)
        for column, places in self.wanted_in(row).items():
            assert row.lane is not None
            costs[column] = row.lane.nats[places].sum()
        return costs

    def read_texts(self, row: ObjectiveRow) -> list[str]:
        """What is read, in each column."""
        if row.lane is None:
            return [""] * len(self.columns)
        return self._written(row.lane.example.given, row.lane.example.given_at)

    def predicted_texts(self, row: ObjectiveRow) -> list[str]:
        """What is predicted, in each column."""
        if row.lane is None:
            return [""] * len(self.columns)
        if row.exercise.follows is not None:
            return [answer(follows=row.exercise.follows), *[""] * (len(self.columns) - 1)]
        return self._written(row.lane.example.wanted, row.lane.example.wanted_at)

    def _written(self, tokens: Sequence[Token], places: NDArray[np.int64]) -> list[str]:
        by_column: dict[int, list[Token]] = {}
        for token, offset in zip(tokens, places.tolist(), strict=True):
            by_column.setdefault(self.column_of(token, offset), []).append(token)
        return [written(by_column.get(n, ())) for n in range(len(self.columns))]

    @property
    def lane(self) -> int:
        """The row that is looked at."""
        return nearest("lane", self.params.lane, len(KINDS) - 1)

    @property
    def row(self) -> ObjectiveRow:
        """The way of learning that is looked at."""
        return self.rows[self.lane]

    @property
    def shown(self) -> list[int]:
        """The rows that the table shows: a few ways of learning and the one looked at, or all."""
        return [
            n
            for n, row in enumerate(self.rows)
            if self.params.ways == "all" or n == self.lane or row.kind.objective in FEW
        ]

    @property
    def word(self) -> int:
        """The column that is looked at: as asked, or the first that the dice have chosen."""
        if self.params.text_word >= 0:
            return nearest("text_word", self.params.text_word, len(self.columns) - 1)
        masked = next(row for row in self.rows if row.kind.objective == "masked_words")
        return min(self.wanted_in(masked), default=min(1, len(self.columns) - 1))

    @property
    def along_rows(self) -> Along:
        """The ways of learning, for the numbers."""
        return Along("lane", _("way of learning"), [row.name for row in self.rows])

    @property
    def along_words(self) -> Along:
        """The columns, for the numbers."""
        return Along("word", _("word"), self.columns)

    def selection(self) -> dict[str, int | None]:
        """By the names of the parameters."""
        return {"lane": self.lane, "text_word": self.word}


def written(several: Sequence[Token]) -> str:
    """Tokens as they read one after the other, marks apart from words."""
    parts: list[str] = []
    for is_mark, some in itertools.groupby(several, key=_is_mark):
        if is_mark:
            parts += [SHORT_SENTINEL.sub("<id_", token.label) for token in some]
        else:
            data = b"".join((b"" if token.continues else b" ") + token.data for token in some)
            parts.append(data.decode(errors="replace"))
    return visible(" ".join(" ".join(parts).split())).replace("·", " ")


def _is_mark(token: Token) -> bool:
    return token.special or (token.unknown and not token.data)


def answer(*, follows: bool) -> str:
    """What is to be said of two parts of a text."""
    return _("is next") if follows else _("not next")


def named(row: ObjectiveRow) -> str:
    """A way of learning with the model that learned it, where there is one."""
    if not row.exercise.able:
        return row.name
    return _("{way}, {model}").format(way=row.name, model=name_of(row.model))


class ObjectivesView(View[Teaching, AllObjectives]):
    """A view of one text as each way of learning has it."""

    Params, needs = Teaching, Needs("words", ("tokens",))

    def requests(self, params: Teaching) -> tuple[Request, ...]:
        """One for each way of learning; what no dice decide is the same after another throw."""
        return tuple(
            ExerciseRequest(
                params.model_of(objective),
                objective,
                params.read,
                0 if objective in UNDRAWN else params.dice_seed,
                cast(Noise, params.noise) if objective == "denoise" else "infill",
            )
            for objective in OBJECTIVES
        )

    def compute(self, runs: Sequence[Exercise], params: Teaching) -> AllObjectives:
        exercises = {run.objective: run for run in runs}
        return AllObjectives(params, params.read, [_row(kind, exercises, params) for kind in KINDS])

    def controls(self, record: AllObjectives) -> Sequence[Control]:
        lanes = [(str(n), row.name) for n, row in enumerate(record.rows)]
        controls = [Control("lane", str(record.lane), options=lanes)]
        if not any(record.rows[n].kind.objective == "denoise" for n in record.shown):
            controls.append(Control.none("noise"))
        return controls


def _row(
    kind: ObjectiveKind, exercises: Mapping[Objective, Exercise], params: Teaching
) -> ObjectiveRow:
    exercise = exercises[kind.objective]
    lane = exercise.lanes[int(kind.second)] if exercise.lanes else None
    return ObjectiveRow(kind, exercise, lane, params.model_of(kind.objective))


# --- what each way of learning costs its model on one text, and which of the numbers compare


ROOM = 190


class ObjectivesLossesView(ObjectivesView):
    """A line for each way of learning."""

    name = "objectives.losses"

    def values(self, record: AllObjectives) -> Mapping[str, Values]:
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
            name: Values(label, np.array(numbers), axes, unit, selected=(record.lane,))
            for name, (label, numbers, unit) in columns.items()
        }

    def describe(self, record: AllObjectives) -> Sentence:
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

    def draw(self, record: AllObjectives) -> Matrix:
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

    def notes(self, record: AllObjectives) -> Sequence[Note]:
        return [Note("more", sentence(_(
            "Nats per token do not compare across models: each tokenizer cuts the text in its own "
            "way, each way of learning asks other questions, and a question is easier when more of "
            "the text can be seen. Bits per character compare two models that predict the whole "
            "text, each token from those on one side of it; marks at its ends are left out. ELMo "
            "reads it in lower case, which is a little easier. A model that sees the answer in "
            "part, as BERT, T5 and BART do, gives the text no probability, so it has no such "
            "number. What does compare is one and the same word: see the bars above."
        )))]  # fmt: skip


def _share(row: ObjectiveRow) -> str:
    """Of the text's tokens those that are predicted."""
    if row.lane is None or not row.exercise.n_tokens:
        return "–"
    return _("{share}, {n} of {all} tokens").format(
        share=percent(row.share), n=row.n_own, all=row.exercise.n_tokens
    )


def _why_not(row: ObjectiveRow) -> str:
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


# --- the tokens that count in one way of learning, each with its own loss -------------


LIMIT = 8.0  # nats at which the colour is full


class ObjectivesPiecesView(ObjectivesView):
    """Chips with the nats of each."""

    name = "objectives.pieces"

    def values(self, record: AllObjectives) -> Mapping[str, Values]:
        targets, nats = _targets_and_nats(record.row)
        axes = (Along("place", _("place"), [str(n) for n in range(len(targets))]),)
        return {
            "token": Values(_("token"), np.array(_labels(targets, record.row), object), axes),
            "loss": Values(_("loss"), nats, axes, _("nats")),
            "mean": Values(_("mean loss"), np.array(record.row.mean), unit=_("nats")),
        }

    def describe(self, record: AllObjectives) -> Sentence:
        row = record.row
        targets, nats = _targets_and_nats(row)
        if not targets:
            return sentence(
                _("“{way}”: this text has nothing to predict."), way=Mark(row.name, "strong")
            )
        if not row.able:
            return sentence(
                ngettext("“{way}”: {n} token would count. No model here predicts it.",
                         "“{way}”: {n} tokens would count. No model here predicts them.",
                         len(targets)),
                way=Mark(row.name, "strong"), n=Mark(str(len(targets)), "accent"),
            )  # fmt: skip
        worst = int(nats.argmax())
        return sentence(
            _("“{way}”: the mean of these losses is {mean} nats. The largest is that of "
              "“{token}”, {loss} nats: it gets {share}."),
            way=Mark(row.name, "strong"), mean=Mark(decimal(row.mean, 2), "weight"),
            token=Mark(_labels(targets, row)[worst], "query"),
            loss=Mark(decimal(float(nats[worst]), 2), "weight"),
            share=Mark(percent(float(np.exp(-nats[worst]))), "accent"),
        )  # fmt: skip

    def draw(self, record: AllObjectives) -> Strip:
        row = record.row
        targets, nats = _targets_and_nats(row)
        title = _("What counts for “{way}”, each token with its loss in nats").format(
            way=named(row)
        )
        pairs = zip(targets, _labels(targets, row), strict=True)
        chips = [replace(tokens.chip(token, group=None), label=label) for token, label in pairs]
        return Strip(
            title=title,
            tokens=chips,
            field="nth",
            heat=nats if row.able else None,
            heat_role="weight",
            heat_limit=LIMIT,
            heat_unit="",
            still=True,
            heading=sentence(title),
            lines=[self.describe(record)],
            cut=tokens.cut_text(record.cut) if record.cut else None,
            name=title,
        )


def _targets_and_nats(row: ObjectiveRow) -> tuple[tuple[Token, ...], NDArray[np.float64]]:
    """What counts, and the nats of each."""
    if row.lane is None:
        return (), np.zeros(0)
    return row.lane.example.wanted, row.lane.nats


def _labels(targets: tuple[Token, ...], row: ObjectiveRow) -> list[str]:
    if row.exercise.follows is not None:
        return [answer(follows=row.exercise.follows)]
    return tokens.labels(targets)


# --- what every way of learning makes of one text: given, wanted and lost, word under word


NOTHING, READ, HIDDEN, RANDOM, KEPT, PREDICTED, DICE, PARTLY, CHEAP = range(9)
LEVELS = (1.0, 3.0, 6.0)  # nats at which the colour of a loss deepens


@dataclass(frozen=True)
class _TableLine:
    """A line of the table: its label, the texts and the kinds of its cells; slim: for a phone."""

    label: str
    texts: Sequence[str]
    kinds: NDArray[np.uint8]
    slim: str = ""


class ObjectivesTableView(ObjectivesView):
    """A few lines for each way of learning; columns are the words of the text."""

    name = "objectives.table"

    def values(self, record: AllObjectives) -> Mapping[str, Values]:
        axes = (record.along_rows, record.along_words)
        reads, predicts = (
            np.array([of(row) for row in record.rows], object)
            for of in (record.read_texts, record.predicted_texts)
        )
        costs = np.array([record.costs(row) for row in record.rows])
        counts = np.array([row.n_wanted for row in record.rows])
        means = np.array([row.mean for row in record.rows])
        dice = np.array([_dice(record, row) for row in record.rows])
        lane = record.lane
        return {
            "reads": Values(_("reads"), reads, axes),
            "predicts": Values(_("predicts"), predicts, axes),
            "loss": Values(_("loss"), costs, axes, _("nats"), selected=(lane, record.word)),
            "dice": Values(_("dice"), dice, axes),
            "counted": Values(_("tokens that count"), counts, axes[:1], selected=(lane,)),
            "mean": Values(_("mean loss"), means, axes[:1], _("nats"), selected=(lane,)),
        }

    def describe(self, record: AllObjectives) -> Sentence:
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

    def draw(self, record: AllObjectives) -> Matrix:
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
        turned = [_phone_sheet(record, n, [line for row, line in lines if row == n])
                  for n in record.shown]  # fmt: skip
        return Matrix(
            selection=record.selection(), sheets=[sheet],
            slim=[sheet for sheet, _kinds in turned], slim_field="lane",
            arrays={"kinds": kinds} | {sheet.array: cells for sheet, cells in turned},
        )  # fmt: skip

    def notes(self, record: AllObjectives) -> Sequence[Note]:
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
        pair = next((row for row in shown if row.kind.objective == "sentence_pairs"), None)
        if pair and pair.lane is not None and not sentence_starts(record.text):
            words = sentence(
                _("“{way}” needs two sentences, and this text is one. So it is cut in the middle. "
                  "With two sentences, the cut is where the second one begins."),
                way=pair.name,
            )  # fmt: skip
            notes.append(Note("info", words))
        return notes


def _without_a_model(record: AllObjectives) -> list[Note]:
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


def _phone_sheet(
    record: AllObjectives, row: int, lines: Sequence[_TableLine]
) -> tuple[Sheet, NDArray[np.uint8]]:
    """One way of learning with the words below each other, as a phone shows it, and its cells."""
    name = record.rows[row].name
    sheet = Sheet(
        title=_("One text, as “{way}” has it").format(way=name),
        tab=name,
        array=f"kinds_{row}",
        texts=[*zip(*(line.texts for line in lines), strict=True)],
        rows=Axis(record.columns, "text_word", "query"),
        cols=Axis([_("reads"), *(line.slim or line.label for line in lines[1:])], "lane", "accent",
                  ids=[row] * len(lines)),
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
    low, middle, high = (decimal(level, 0) for level in LEVELS)
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


def _lines(record: AllObjectives, row: ObjectiveRow) -> list[_TableLine]:
    """The lines of a way of learning: what is read, the dice, what is predicted, the loss."""
    n = len(record.columns)
    targets = record.predicted_texts(row)
    lines = [_reading_line(record, row)]
    dice = _dice(record, row)
    if row.exercise.dice:
        texts = ["" if math.isnan(roll) else two_decimals(roll) for roll in dice]
        lines.append(_TableLine(_("dice"), texts, np.where(np.isnan(dice), NOTHING, DICE)))
    counted = np.full(n, NOTHING)
    counted[list(record.wanted_in(row))] = PREDICTED
    lines.append(_TableLine(_("predicts"), targets, counted))
    if row.exercise.able:
        costs = record.costs(row)
        texts = ["" if math.isnan(cost) else decimal(cost, 2) for cost in costs]
        kinds = CHEAP + np.searchsorted(LEVELS, np.nan_to_num(costs), side="right")
        label = _("loss in nats, {model}").format(model=name_of(row.model))
        shown = np.where(np.isnan(costs), NOTHING, kinds)
        lines.append(_TableLine(label, texts, shown, slim=_("loss, nats")))
    return [replace(line, kinds=line.kinds.astype(np.uint8)) for line in lines]


def _reading_line(record: AllObjectives, row: ObjectiveRow) -> _TableLine:
    """What is read, and where it is not what stands in the text."""
    texts = record.read_texts(row)
    kinds = np.array([READ if text else NOTHING for text in texts])
    if row.lane is not None:
        pairs = zip(row.lane.example.given, row.lane.example.given_at, strict=True)
        places = [(record.column_of(token, int(offset)), hides(token)) for token, offset in pairs]
        readable = {column for column, hidden in places if not hidden}
        for column in {column for column, hidden in places if hidden}:
            kinds[column] = PARTLY if column in readable else HIDDEN
        kinds_of = {"random": RANDOM, "unchanged": KEPT}
        for fate, offset in zip(row.exercise.fates, row.lane.example.wanted_at, strict=False):
            if fate in kinds_of:  # what is hidden has a mark
                kinds[record.column(int(offset))] = kinds_of[fate]
    return _TableLine(_(FIRST_LINE).format(way=row.name), texts, kinds)


def _dice(record: AllObjectives, row: ObjectiveRow) -> NDArray[np.float64]:
    """What was thrown for each column; NaN for no dice."""
    dice = np.full(len(record.columns), np.nan)
    if row.lane is not None:
        for thrown, offset in zip(row.exercise.dice, row.lane.example.wanted_at, strict=False):
            dice[record.column(int(offset))] = thrown
    return dice


# --- one word of the text: how likely each model finds it, from what it may see -------


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


class ObjectivesWordView(ObjectivesView):
    """A bar for each model that predicts it."""

    name = "objectives.word"

    def values(self, record: AllObjectives) -> Mapping[str, Values]:
        shares = np.array([_shares(record, row) for row in record.rows])
        axes = (record.along_rows, record.along_words)
        place = (record.lane, record.word)
        return {"probability": Values(_("probability"), shares, axes, selected=place)}

    def describe(self, record: AllObjectives) -> Sentence:
        return _reading(record, record.word)

    def draw(self, record: AllObjectives) -> Bars:
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


def _predicting(record: AllObjectives) -> list[int]:
    """The rows whose model predicts words."""
    return [
        n
        for n, row in enumerate(record.rows)
        if row.able and row.kind.objective != "sentence_pairs"
    ]


def _copies(record: AllObjectives, row: ObjectiveRow, column: int) -> bool:
    """Whether a model reads the word where it is to predict it: dice left it as it was."""
    drawn = row.kind.objective not in UNDRAWN
    return drawn and record.read_texts(row)[column] == record.predicted_texts(row)[column]


def _sees(record: AllObjectives, lane: int, column: int) -> str:
    row = record.rows[lane]
    says = _(COPIES) if _copies(record, row, column) else _(SEES[lane])
    return says.format(model=name_of(row.model))


def _shares(record: AllObjectives, row: ObjectiveRow) -> NDArray[np.float64]:
    """The probability of each column's tokens, each after those before it; NaN for none."""
    if row.kind.objective == "sentence_pairs":
        return np.full(len(record.columns), np.nan)
    return np.asarray(np.exp(-record.costs(row)))


def _title(record: AllObjectives, column: int) -> Sentence:
    return sentence(
        _("Probability of {word}, by what is seen of the text"),
        word=in_quotes(record.columns[column]),
    )


def _reading(record: AllObjectives, column: int) -> Sentence:
    """Who finds the word likeliest, and who does not predict it."""
    rows = {n: float(_shares(record, record.rows[n])[column]) for n in _predicting(record)}
    shares = {n: share for n, share in rows.items() if not math.isnan(share)}
    copying = [n for n in shares if _copies(record, record.rows[n], column)]
    guessed = {n: share for n, share in shares.items() if n not in copying}
    word = Mark(in_quotes(record.columns[column]), "query")
    sentences = []
    if guessed:
        best = max(guessed, key=lambda n: guessed[n])
        sentences.append(sentence(
            _("{word} is most likely for {model}: {share}."), word=word,
            model=Mark(_sees(record, best, column), "strong"),
            share=Mark(percent(guessed[best]), "accent"),
        ))  # fmt: skip
    else:
        sentences.append(sentence(_("No model here has to guess {word}."), word=word))
    if copying:
        models = listed([name_of(record.rows[n].model) for n in copying])
        only_copied = _("It is not hidden from {models}, so there it need only be copied.")
        sentences.append(sentence(only_copied, models=models))
    if "masked_words" in {record.rows[n].kind.objective for n in rows.keys() - shares.keys()}:
        sentences.append(
            sentence(_("The dice did not choose it, so no hidden word is predicted here."))
        )
    return join(sentences)
