"""What a lesson file says, as data: the reader makes it from Markdown.

Every text may hold ``{{weights[query, key] | %}}``, which the run at hand fills in, and glossary
terms as ``[[term]]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

MIN_STEPS, MAX_STEPS, MIN_PROBE, HINTS = 4, 16, 3, 3
Text = Annotated[str, Field(min_length=1, max_length=2000)]
Formula = Annotated[str, Field(min_length=1, max_length=400)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,20}$")]
Ident = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{1,40}$")]


class Part(BaseModel):
    """What all parts have in common: nothing unknown goes in, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(Part):
    """Where a lecture says it.

    Attributes:
        document: its number, "002".
        section: in words.
    """

    document: str
    section: str


class Figure(Part):
    """A live view of a step.

    Attributes:
        view: its name.
        name: under which expressions have its values; only needed beside a second one.
        params: what it shows, as a link would say it.
        select: parameters that are selected in it, each an expression; it may name drawn places.
        own: it shows the learner's own text, once she has typed one.
        cover: nothing of it reaches the browser before the answer but its labels; "rows" covers
            the rows of a matrix that ``rows`` names, "place" the labels and the title, too, "ahead"
            of a map with a way (``reached``) what its last part opens.
        rows: an expression, the covered rows.
        offers: parameters that the learner may change once she has answered.
        reading: the sentence of the figure is shown, too.
        wide: it stands below the text, as wide as the page.
        beside: it stands beside the other one, to be compared with it, both below the text.
        follows: another figure of the step, whose selection it shares: what is clicked in one is
            marked in the other. What that one selects is selected here, too.
        play: above it stands the player of its steps, if it has any.
    """

    view: str
    name: Name = "a"
    params: dict[str, str | int | float | bool] = {}
    select: dict[str, Formula] = {}
    own: bool = False
    cover: Literal["", "all", "rows", "place", "ahead"] = ""
    rows: Formula | None = None
    offers: tuple[str, ...] = ()
    reading: bool = False
    wide: bool = False
    beside: bool = False
    follows: Name | None = None
    play: bool = True

    @model_validator(mode="after")
    def _rows_are_named(self) -> Figure:
        if (self.cover == "rows") != (self.rows is not None):
            raise ValueError("rows: say which rows are covered, with cover: rows")
        return self


class Wrong(Part):
    """What somebody with a misconception would answer.

    Attributes:
        answer: a text (choice), an expression (number, tokens, cells), or an order.
        says: what the feedback says to her here; else what the misconception says everywhere.
    """

    answer: str | tuple[int, ...]
    says: Text | None = None


class Question(Part):
    """What is asked, and how the run at hand answers it.

    Attributes:
        id: in the lesson.
        kind: how it is answered.
        at_once: of a choice, a click is the answer.
        ask: the question.
        figure: in which tokens or cells are picked; without one tokens are picked below
            the question.
        draw: names, and an expression for each that gives the places it may take.
        where: which of the drawn places make a clear question; all when None.
        needs: what to say where the data allow none.
        answer: an expression (number, tokens, cells), the right text (choice), or the items in
            their order. Of tokens and cells it is true where one is to be picked.
        over: for tokens: an expression for the labels to pick from; for cells: for those of the
            columns, or of rows and columns.
        row: for cells: an expression, the only row that is asked about; all of them when None.
        one: of tokens and cells one is picked, and another pick takes its place; a pick among
            those of an idea shows the idea.
        number: what kind of one the answer is: a "share" of a whole, which may be given in per
            cent; a "whole" number, which has no tolerance; or one that is "measured", whole or not.
        tolerance: for a number, relative to the answer.
        unit: written behind the field.
        wrong: by the misconception's id, what it would answer.
        hints: where to look; what to compute; all but the last step. None are needed where a
            click is the answer.
        solution: worked, with the run's own numbers.
    """

    id: Ident
    kind: Literal["choice", "number", "tokens", "cells", "order", "bet"]
    at_once: bool = False
    ask: Text
    draw: dict[str, Formula] = {}
    where: Formula | None = None
    needs: Text | None = None
    answer: str | tuple[Text, ...]
    figure: Name | None = None
    over: Formula | None = None
    row: Formula | None = None
    one: bool = False
    number: Literal["", "share", "whole", "measured"] = ""
    tolerance: float = Field(0.02, ge=0, le=0.5)
    unit: str = ""
    wrong: dict[str, Wrong] = {}
    hints: tuple[Text, ...] = ()
    solution: Text

    @field_validator("wrong", mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        """``id: answer`` is short for ``id: {answer: ...}``."""
        if not isinstance(value, dict):
            return value
        return {name: one if isinstance(one, dict) else {"answer": _plain(one)}
                for name, one in value.items()}  # fmt: skip

    @field_validator("answer", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int | float) else value

    @model_validator(mode="before")
    @classmethod
    def _whole_is_exact(cls, given: Any) -> Any:
        """A whole number has no tolerance, and needs not say so."""
        if not isinstance(given, dict) or given.get("number") != "whole":
            return given
        if given.get("tolerance"):
            raise ValueError("tolerance: a whole number has none")
        return {**given, "tolerance": 0.0}

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Question:
        if self.number and self.kind != "number":
            raise ValueError("number: for kind number alone")
        if (self.kind == "order") != isinstance(self.answer, tuple):
            raise ValueError("answer: a list of items for kind order, else one text")
        if (self.kind in ("tokens", "cells")) != (self.over is not None):
            raise ValueError("over: the labels to pick from, for kinds tokens and cells alone")
        if self.figure is not None and self.over is None:
            raise ValueError("figure: tokens or cells are picked on a figure, nothing else")
        if self.kind == "cells" and (self.figure is None or {"i", "j"} & self.draw.keys()):
            raise ValueError(
                "figure: cells are picked on a figure; i and j are their row and column"
            )
        if self.one and self.over is None:
            raise ValueError("one: for kinds tokens and cells alone")
        if self.row is not None and self.kind != "cells":
            raise ValueError("row: for kind cells alone")
        if self.kind in ("choice", "bet") and not 2 <= len(self.wrong) <= 4:
            raise ValueError("wrong: a choice needs two to four wrong options")
        if len(self.hints) != HINTS and (self.hints or not self.at_once):
            raise ValueError("hints: three of them, or none where a click is the answer")
        if not self.wrong:
            raise ValueError("wrong: name at least one misconception and what it would answer")
        return self


class Step(Part):
    """One screen.

    Attributes:
        id: in the lesson, and in the link.
        title: a question as a rule.
        line: of the file, where it begins.
        before: Markdown, above the question.
        figures: at most two.
        question: what she commits to before she sees.
        after: Markdown, once she has answered.
        items: of the curriculum that it teaches.
    """

    id: Ident
    title: Text
    line: int
    before: str = ""
    figures: tuple[Figure, ...] = ()
    question: Question | None = None
    after: str = ""
    items: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _figures_have_names(self) -> Step:
        names = [one.name for one in self.figures]
        if len(names) > 2 or len(set(names)) < len(names):
            raise ValueError("figures: at most two, with different names")
        for n, one in enumerate(self.figures):
            if one.follows is not None and one.follows not in names[:n]:
                raise ValueError(f"follows: no figure before it is called {one.follows}")
        if self.question is not None and self.question.figure not in (None, *names):
            raise ValueError(f"figure: no figure is called {self.question.figure}")
        return self


class Lesson(Part):
    """A lesson.

    Attributes:
        id: in the link; the file's name.
        language: of the file.
        title: in the list.
        able: what she will be able to do, a sentence each.
        items: of the curriculum.
        sources: where the lectures say it.
        minutes: it takes.
        after: ids of the lessons that it builds on.
        probe: ids of the questions that are asked before and after, on other data; none for a tour.
        sums_up: what is said at the end, a sentence each.
        steps: in order.
    """

    id: Ident
    language: str
    title: Text
    able: tuple[Text, ...] = Field(min_length=1, max_length=6)
    items: tuple[Annotated[str, Field(pattern=r"^C([1-9]|1\d|2\d)$")], ...]
    sources: tuple[Source, ...]
    minutes: int = Field(ge=3, le=90)
    after: tuple[Ident, ...] = ()
    probe: tuple[Ident, ...] = Field((), max_length=5)
    sums_up: tuple[Text, ...] = Field((), max_length=4)
    steps: tuple[Step, ...] = Field(min_length=MIN_STEPS, max_length=MAX_STEPS)

    def asking(self, question: str) -> Step:
        """The step that asks a question.

        Raises:
            KeyError: none does.
        """
        for one in self.steps:
            if one.question is not None and one.question.id == question:
                return one
        raise KeyError(question)

    @model_validator(mode="after")
    def _ids_are_different(self) -> Lesson:
        asked = [one.question.id for one in self.steps if one.question is not None]
        for name, ids in (("step", [one.id for one in self.steps]), ("question", asked)):
            if len(set(ids)) < len(ids):
                raise ValueError(f"two {name}s have the same id")
        if 0 < len(self.probe) < MIN_PROBE:
            raise ValueError(f"probe: {MIN_PROBE} questions at least, or none for a tour")
        unknown = _missing(self.probe, asked)
        if unknown:
            raise ValueError(f"probe: no question is called {unknown[0]}")
        asks = [self.asking(one).question for one in self.probe]
        if any(one is not None and one.kind == "cells" and one.row is None for one in asks):
            raise ValueError("probe: it shows no figure, so it can ask about cells of one row only")
        return self


def _plain(answer: Any) -> Any:
    """An answer as text; an order stays a list."""
    return answer if isinstance(answer, list) else str(answer)


def _missing(ids: Sequence[str], known: Sequence[str]) -> list[str]:
    return [one for one in ids if one not in known]
