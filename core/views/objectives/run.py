"""One text as each way of learning has it: what every view of it is computed from."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.figures.values import Along
from core.language import _, name_of
from core.models.needs import Needs
from core.runs.objectives import OBJECTIVES, UNDRAWN, Exercise, ExerciseRequest, Lane, Objective
from core.runs.requests import Request
from core.spelling import visible
from core.text.noise import Noise
from core.units import Token
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.objectives.teaching import FEW, KINDS, WORD, Kind, Teaching
from core.views.view import View

SHORT_SENTINEL = re.compile("<extra_id_")  # a cell has no room for its name


@dataclass(frozen=True, eq=False)
class Row:
    """One way of learning with its example.

    Attributes:
        kind: the way.
        exercise: the text as it has it.
        lane: the direction; None where the text has nothing to learn from.
        model: of whom the loss is, or whose tokens are shown.
    """

    kind: Kind
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
        wanted = () if self.lane is None else self.lane.example.wanted
        return sum(not token.special for token in wanted)

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
        own = [not token.special for token in self.lane.example.wanted]  # others predict no mark
        return float(self.lane.nats[own].sum()) / math.log(2) / self.exercise.n_read

    @property
    def name(self) -> str:
        """The way of learning in words."""
        return _(self.kind.says)


def hides(token: Token) -> bool:
    """Whether a mark stands for what is hidden."""
    return token.piece.startswith(("[MASK", "<mask", "<extra_id"))


@dataclass(frozen=True, eq=False)
class Lesson:
    """All ways of learning, side by side.

    Attributes:
        params: what was asked for.
        text: as much of it as is shown.
        rows: one for each of ``KINDS``.
    """

    params: Teaching
    text: str
    rows: Sequence[Row]

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word of the text stands."""
        return [found.span() for found in WORD.finditer(self.text)]

    @property
    def cut(self) -> str:
        """What of the text is not shown."""
        return self.params.text[len(self.text) :]

    @cached_property
    def columns(self) -> list[str]:
        """The words of the text, and what stands before and after it."""
        words = [visible(self.text[a:b]) for a, b in self.spans]
        return [_("before"), *words, _("after")]

    def column(self, at: int) -> int:
        """The column of a place in the text."""
        if at < 0:
            return 0
        if at >= len(self.text):
            return len(self.spans) + 1
        return max(1, sum(start <= at for start, _end in self.spans))

    def column_of(self, token: Token, at: int) -> int:
        """The column of a token; a blank that is read or hidden belongs to the word after it."""
        if at > 0 and (hides(token) or not token.special):
            at = len(self.text) - len(self.text[at:].lstrip())
        return self.column(at)

    def wanted_in(self, row: Row) -> dict[int, list[int]]:
        """For each column which of the tokens that count belong there."""
        found: dict[int, list[int]] = {}
        if row.lane is None:
            return found
        example = row.lane.example
        for n, (token, at) in enumerate(zip(example.wanted, example.wanted_at, strict=True)):
            found.setdefault(self.column_of(token, int(at)), []).append(n)
        return found

    def costs(self, row: Row) -> NDArray[np.float64]:
        """Nats of each column ``(columns,)``: the sum over its tokens; NaN where none counts."""
        found = np.full(len(self.columns), np.nan)
        for column, places in self.wanted_in(row).items():
            assert row.lane is not None
            found[column] = row.lane.nats[places].sum()
        return found

    def given(self, row: Row) -> list[str]:
        """What is read, in each column."""
        if row.lane is None:
            return [""] * len(self.columns)
        return self._written(row.lane.example.given, row.lane.example.given_at)

    def wanted(self, row: Row) -> list[str]:
        """What is predicted, in each column."""
        if row.lane is None:
            return [""] * len(self.columns)
        if row.exercise.follows is not None:
            return [answer(follows=row.exercise.follows), *[""] * (len(self.columns) - 1)]
        return self._written(row.lane.example.wanted, row.lane.example.wanted_at)

    def _written(self, tokens: Sequence[Token], places: NDArray[np.int64]) -> list[str]:
        by_column: dict[int, list[Token]] = {}
        for token, at in zip(tokens, places.tolist(), strict=True):
            by_column.setdefault(self.column_of(token, at), []).append(token)
        return [written(by_column.get(n, ())) for n in range(len(self.columns))]

    @property
    def at(self) -> int:
        """The row that is looked at."""
        return nearest("lane", self.params.lane, len(KINDS) - 1)

    @property
    def row(self) -> Row:
        """It."""
        return self.rows[self.at]

    @property
    def shown(self) -> list[int]:
        """The rows that the table shows: a few ways of learning and the one looked at, or all."""
        return [
            n
            for n, row in enumerate(self.rows)
            if self.params.ways == "all" or n == self.at or row.kind.objective in FEW
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
        return {"lane": self.at, "text_word": self.word}


def written(several: Sequence[Token]) -> str:
    """Tokens as they read one after the other, marks apart from words."""
    parts: list[str] = []
    for own, some in itertools.groupby(several, key=_is_mark):
        if own:
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


def named(row: Row) -> str:
    """A way of learning with the model that learned it, where there is one."""
    if not row.exercise.able:
        return row.name
    return _("{way}, {model}").format(way=row.name, model=name_of(row.model))


class OfObjectives(View[Teaching, Lesson]):
    """A view of one text as each way of learning has it."""

    Params, needs = Teaching, Needs("words", ("tokens",))

    def requests(self, params: Teaching) -> tuple[Request, ...]:
        """One for each way of learning; what no dice decide is the same after another throw."""
        return tuple(
            ExerciseRequest(
                params.model_of(one),
                one,
                params.read,
                0 if one in UNDRAWN else params.dice_seed,
                cast(Noise, params.noise) if one == "denoise" else "infill",
            )
            for one in OBJECTIVES
        )

    def compute(self, runs: Sequence[Exercise], params: Teaching) -> Lesson:
        found = {run.objective: run for run in runs}
        return Lesson(params, params.read, [_row(kind, found, params) for kind in KINDS])

    def controls(self, record: Lesson) -> Sequence[Control]:
        lanes = [(str(n), row.name) for n, row in enumerate(record.rows)]
        own = [Control("lane", str(record.at), options=lanes)]
        if not any(record.rows[n].kind.objective == "denoise" for n in record.shown):
            own.append(Control.none("noise"))
        return own


def _row(kind: Kind, found: Mapping[Objective, Exercise], params: Teaching) -> Row:
    exercise = found[kind.objective]
    lane = exercise.lanes[int(kind.second)] if exercise.lanes else None
    return Row(kind, exercise, lane, params.model_of(kind.objective))
