"""What all places are made of: the run, the row that is looked at, and how a strip is written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.figures.components.map.inside import Column, Mark, Term, limit_of
from core.figures.text import Sentence, number
from core.language import _
from core.models.places import Place
from core.tracing.trace import Array
from core.views.map.whole import WholeRun

About = tuple[str, dict[str, str | int]]  # a view, and what it is asked for


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a run.

    Attributes:
        whole: the run.
        place: that is gone into.
    """

    whole: WholeRun
    place: Place

    @property
    def stream(self) -> str:
        """That it works on."""
        return self.place.stream or self.whole.stream

    @property
    def row(self) -> int:
        """The position that is looked at."""
        return self.whole.row(self.stream)

    @property
    def token(self) -> str:
        """What stands there, inside a sentence."""
        return self.whole.trace.streams[self.stream].units[self.row].spoken

    def deeper(self, name: str) -> str:
        """The name of a place in this one."""
        return f"{self.place.name}.{name}"


@dataclass(frozen=True, eq=False, kw_only=True)
class Sheet:
    """What is in a place.

    Attributes:
        title: names it.
        reading: what its numbers say.
        rows: what each row of marks is called.
        columns: of marks.
        row: that is looked at; -1 for none.
        aligned: the rows are the tokens of the picture around it.
        fan: two columns between which the weights are drawn as lines.
        weights: of each row.
        about: the view whose page tells more of it, and what is asked for there.
    """

    title: str
    reading: Sentence
    rows: Sequence[str]
    columns: Sequence[Column]
    row: int = -1
    aligned: bool = False
    fan: Sequence[str] = ()
    weights: Sequence[float] = ()
    about: About | None = None


@dataclass(slots=True)
class Ladder:
    """Rows one below the other, each a strip or a number made from those above it.

    Attributes:
        rows: what each is called.
        strips: numbers of the rows that have some, in their order; behind a short one is none.
        marks: of those, and what is said beside them.
        texts: what is written beside, or in place of, a strip.
    """

    rows: list[str] = field(default_factory=list)
    strips: list[Array] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    texts: list[Mark] = field(default_factory=list)

    def strip(
        self, label: str, values: Array, sign: str = "", of: Sequence[int] = (), text: str = "",
        times: str = "", like: int | None = None, says: str = "",
    ) -> int:  # fmt: skip
        """A row of numbers, each made of those of the rows ``of``. Gives its place.

        Args:
            label: what it is.
            values: the numbers.
            sign: between the terms of each.
            of: the rows that they stand in.
            text: that is written beside it.
            times: what each term is multiplied by, in words.
            like: a row in whose shades it is drawn; its own where None.
            says: the same in more words.
        """
        row = len(self.rows)
        self.rows.append(label)
        self.strips.append(np.asarray(values, np.float32))
        terms = tuple(Term("strip", one, times) for one in of)
        limit = limit_of(self.strips[-1])
        if like is not None:
            limit = next(one.limit for one in self.marks if one.row == like) or limit
        self.marks.append(Mark(row=row, says=says or label, sign=sign, terms=terms, limit=limit))
        if text:
            self.texts.append(Mark(row=row, text=text, says=named(label, text)))
        return row

    def number(
        self, label: str, value: float, *, text: str = "", says: str = "",
        share: float | None = None, strong: bool = False, goes: str = "",
    ) -> int:  # fmt: skip
        """A row with one number, or a bar; ``text`` where it is not written as a number is."""
        row = len(self.rows)
        self.rows.append(label)
        text = text or number(value)
        self.texts.append(Mark(row=row, text=text, says=says or named(label, text), share=share,
                               strong=strong, goes=goes, value=value))  # fmt: skip
        return row

    def columns(self, role: str = "weight") -> list[Column]:
        """The strips, and the numbers beside them."""
        found = []
        widths = {len(one) for one in self.strips}
        if self.strips:
            values = np.full((len(self.strips), max(widths)), np.nan, np.float32)
            for at, one in enumerate(self.strips):
                values[at, : len(one)] = one
            found.append(Column(name="strip", title=_("component by component"),
                                says=_("each shade is one number"), kind="strip", role="signed",
                                marks=self.marks, values=values))  # fmt: skip
        if self.texts:
            found.append(Column(name="number", title=_("number"), says=_("what comes out"),
                                kind="bar", role=role, marks=self.texts))  # fmt: skip
        return found


def begun(text: str) -> str:
    """A sentence up to its colon, as the name of a row."""
    return text.partition(":")[0].rstrip(" .\u00a0\u202f")


def strips(
    name: str, title: str, says: str, rows: Sequence[int], values: Array, labels: Sequence[str],
    *, spare: bool = False, goes: Sequence[str] = (),
) -> Column:  # fmt: skip
    """A column of strips, one for each row; ``goes`` says where each leads."""
    marks = [
        Mark(row=row, says=label, goes=goes[n] if goes else "")
        for n, (row, label) in enumerate(zip(rows, labels, strict=True))
    ]
    return Column(name=name, title=title, says=says, kind="strip", role="signed", marks=marks,
                  values=np.asarray(values, np.float32), spare=spare)  # fmt: skip


def named(label: str, value: str) -> str:
    """What a mark says: its row and what stands there, with the language's colon between."""
    return _("{label}: {value}").format(label=label, value=value)


def numbers(
    name: str, title: str, says: str, values: Iterable[float], labels: Sequence[str], *,
    goes: Sequence[str] = (), hidden: Sequence[bool] = (), spare: bool = False,
    faint: bool = False,
) -> Column:  # fmt: skip
    """A column of numbers; of what is hidden it says so."""
    marks = []
    for row, value in enumerate(values):
        masked = bool(hidden) and hidden[row]
        value = -math.inf if masked else float(value)
        text = said = number(value)
        if masked:
            said = _("{value} (masked)").format(value=text)
        marks.append(Mark(row=row, text=text, says=named(f"{title}, {labels[row]}", said),
                          goes=goes[row] if goes else "", value=value))  # fmt: skip
    return Column(name=name, title=title, says=says, kind="text", role="text", marks=marks,
                  spare=spare, faint=faint)  # fmt: skip
