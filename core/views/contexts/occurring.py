"""A word and the sentences it stands in, as they are asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from core.examples import READER
from core.language import N_
from core.senses import in_groups
from core.views.params import model_param, param

MOST = 12  # sentences: each is a run
LONGEST = 400  # characters of one
WORD, EACH = "left", 4  # what is shown first, and sentences of each sense


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence as it was written.

    Attributes:
        at: its number among those that were written, from 1.
        sense: the number of the word's sense in it.
        text: of it, as much as is read.
        place: of the word in it; None where the word is not in it.
    """

    at: int
    sense: int
    text: str
    place: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Occurring:
    """A word, the sentences it stands in, and the layer whose vectors are compared.

    Attributes:
        sought: the word that is looked for, in whatever case.
        sentences: one a line; an empty line before those in which it has another sense.
        layer: 0 is the vector without context, 1 what the first layer is given, and so on.
        model: id on the shelf.
    """

    layers_before: ClassVar[int] = 2  # no other word has been read in them

    sought: str = param(WORD, high=40, label=N_("Word"))
    sentences: str = param(in_groups(WORD, EACH), label=N_("Sentences"))
    layer: int = param(2, low=0, high=255, label=N_("Layer"))
    model: str = model_param(READER)

    @property
    def word(self) -> str:
        """What is looked for, without what stands around it in the field."""
        return self.sought.strip()

    @property
    def lines(self) -> tuple[Line, ...]:
        """The sentences that were written."""
        sense, rows = 0, list[Line]()
        wanted = re.compile(rf"(?<!\w){re.escape(self.word)}(?!\w)", re.IGNORECASE)
        for line in self.sentences.splitlines():
            line = line.strip()[:LONGEST]
            place = wanted.search(line) if self.word else None
            if line:
                rows.append(Line(len(rows) + 1, sense, line, place and place.span()))
            elif rows:
                sense += 1
        return tuple(rows)

    @property
    def found(self) -> tuple[tuple[int, int, str, tuple[int, int]], ...]:
        """The sentences with the word: number, sense, text, where the word is."""
        rows = [
            (one.at, one.sense, one.text, one.place) for one in self.lines if one.place is not None
        ]
        return tuple(rows[:MOST])

    @property
    def n_lines(self) -> int:
        """Sentences that were written."""
        return len(self.lines)
