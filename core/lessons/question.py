"""What a question of a lesson says, as data, and whether that fits how it is answered."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

HINTS, FREE = 3, "free"
OF_A_GOAL = ("hands", "offered", "goal", "near", "done")
NOT_OF_A_GOAL = ("draw", "where", "answer", "over", "row", "number", "unit", "one", "at_once")
Text = Annotated[str, Field(min_length=1, max_length=2000)]
Formula = Annotated[str, Field(min_length=1, max_length=400)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,20}$")]
Ident = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{1,40}$")]
Value = str | int | float | bool


class QuestionPart(BaseModel):
    """What all parts have in common: nothing unknown goes in, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Wrong(QuestionPart):
    """What somebody with a misconception would answer.

    Attributes:
        answer: a text (choice), an expression (number, tokens, cells), or an order; of a goal an
            expression that is true of an attempt that shows the idea. An answer may stand alone.
        says: the feedback here; without it, what the misconception says everywhere.
        attempt: at a goal, parameters with which the expression is true.
    """

    answer: str | tuple[int, ...]
    says: Text | None = None
    attempt: dict[str, Value] = {}


class ParameterHand(QuestionPart):
    """What a parameter may be made.

    Attributes:
        values: that it may have; None for all that its view takes.
        words: what each is called; empty where the values speak for themselves.
    """

    values: tuple[Value, ...] | None = Field(None, min_length=2, max_length=24)
    words: tuple[Text, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        """``free``, a list of values, or values with what they are called."""
        if value == FREE:
            return {}
        if isinstance(value, list):
            return {"values": value}
        if isinstance(value, dict):
            return {"values": tuple(value), "words": tuple(map(str, value.values()))}
        raise ValueError("free, a list of values, or each value with what it is called")


class Question(QuestionPart):
    """What is asked, and how the run at hand answers it.

    Attributes:
        id: in the lesson.
        kind: how it is answered.
        at_once: of a choice, a click is the answer.
        ask: the question.
        figure: in which tokens or cells are picked; without one tokens are picked below
            the question. Of a goal, the one whose parameters are changed: the first without one.
        let: names, and an expression for each, worked out at the drawn places: steps of the
            arithmetic that the answer and all texts may name.
        draw: names, and an expression for each that gives the places it may take.
        where: which of the drawn places make a clear question; all without it.
        needs: what a learner's own text lacks where it allows none: a whole sentence.
        answer: an expression (number, tokens, cells), the right text (choice), or the items in
            their order. Of tokens and cells it is true where one is to be picked.
        over: for tokens: an expression for the labels to pick from; for cells: for those of the
            columns, or of rows and columns.
        row: for cells: the only row that is asked about; all of them without it.
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
        hands: parameters of the figure that the learner may change, to reach a goal.
        offered: of those that are free, what a book that runs no model offers to choose from.
        goal: over what the figures show as the learner has made them; true when reached.
        near: a text on where an attempt stands.
        done: parameters that reach the goal.
    """

    id: Ident
    kind: Literal["choice", "number", "tokens", "cells", "order", "bet", "do"]
    at_once: bool = False
    ask: Text
    draw: dict[str, Formula] = {}
    let: dict[str, Formula] = {}
    where: Formula | None = None
    needs: Text | None = None
    answer: str | tuple[Text, ...] = ""
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
    hands: dict[Name, ParameterHand] = {}
    offered: dict[Name, ParameterHand] = {}
    goal: Formula | None = None
    near: Text | None = None
    done: dict[str, Value] = {}

    @field_validator("wrong", mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        """``id: answer`` is short for ``id: {answer: ...}``."""
        if not isinstance(value, dict):
            return value
        return {name: entry if isinstance(entry, dict) else {"answer": _plain(entry)}
                for name, entry in value.items()}  # fmt: skip

    @field_validator("answer", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int | float) else value

    @model_validator(mode="before")
    @classmethod
    def _whole_is_exact(cls, data: Any) -> Any:
        """A whole number has no tolerance, and needs not say so."""
        if not isinstance(data, dict) or data.get("number") != "whole":
            return data
        if data.get("tolerance"):
            raise ValueError("tolerance: a whole number has none")
        return {**data, "tolerance": 0.0}

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Question:
        if self.number and self.kind != "number":
            raise ValueError("number: for kind number alone")
        if (self.kind == "order") != isinstance(self.answer, tuple):
            raise ValueError("answer: a list of items for kind order, else one text")
        if self.kind in ("choice", "bet") and not 2 <= len(self.wrong) <= 4:
            raise ValueError("wrong: a choice needs two to four wrong options")
        if len(self.hints) != HINTS and (self.hints or not self.at_once):
            raise ValueError("hints: three of them, or none where a click is the answer")
        return self

    @model_validator(mode="after")
    def _can_be_picked(self) -> Question:
        if (self.kind in ("tokens", "cells")) != (self.over is not None):
            raise ValueError("over: the labels to pick from, for kinds tokens and cells alone")
        if self.figure is not None and self.over is None and self.kind != "do":
            raise ValueError("figure: tokens or cells are picked on a figure, nothing else")
        if self.kind == "cells" and (self.figure is None or {"i", "j"} & self.draw.keys()):
            raise ValueError(
                "figure: cells are picked on a figure; i and j are their row and column"
            )
        if self.one and self.over is None:
            raise ValueError("one: for kinds tokens and cells alone")
        if self.row is not None and self.kind != "cells":
            raise ValueError("row: for kind cells alone")
        return self

    @model_validator(mode="after")
    def _is_a_goal_or_has_an_answer(self) -> Question:
        names = {name for name in (*OF_A_GOAL, *NOT_OF_A_GOAL) if getattr(self, name)}
        if self.kind == "do":
            if lacking := {"hands", "goal", "done"} - names:
                raise ValueError(f"kind do: say {', '.join(sorted(lacking))}, too")
            others = {name for wrong in self.wrong.values() for name in wrong.attempt} | {
                *self.done
            }
            if unknown := others - self.hands.keys():
                raise ValueError(f"hands: {min(unknown)} is not among them")
            free = {name for name, hand in self.hands.items() if hand.values is None}
            if unknown := self.offered.keys() - free:
                raise ValueError(f"offered: {min(unknown)} is not free in hands")
            if misplaced := names.intersection(NOT_OF_A_GOAL):
                raise ValueError(f"{min(misplaced)}: not for kind do")
            return self
        if misplaced := names.intersection(OF_A_GOAL):
            raise ValueError(f"{min(misplaced)}: for kind do alone")
        if not self.answer:
            raise ValueError("answer: there must be one")
        if not self.wrong:
            raise ValueError("wrong: name at least one misconception and what it would answer")
        return self


def _plain(answer: Any) -> Any:
    """An answer as text; an order stays a list."""
    return answer if isinstance(answer, list) else str(answer)
