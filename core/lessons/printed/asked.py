"""A question on paper: room to answer it, and for who marks it the answer and what leads astray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from core.figures.text import percent
from core.language import _
from core.lessons.filling import written
from core.lessons.hands import called, label
from core.lessons.marking import said_to
from core.lessons.naming import Names
from core.lessons.picking import PickGrid
from core.lessons.posing import Posed
from core.lessons.printed.sheet import line, styled
from core.lessons.schema import Lesson, LessonStep
from core.locale import listed

LINE = "<span class='line'></span>"


@dataclass(frozen=True, slots=True)
class Blanks:
    """What an answer is written on, as HTML.

    Attributes:
        number: for a number.
        single: before each option of which one is right.
        several: before each option of which several are.
        place: before each item that gets its place in an order.
        share: before each option that gets a share of a bet.
        working: for who works it out.
    """

    number: str
    single: str
    several: str
    place: str
    share: str
    working: bool


_BOX = "<span class='box'></span>"
ON_PAPER = Blanks(LINE, _BOX, _BOX, _BOX, "<span class='line short'></span>", working=True)
IN_FILE = Blanks(
    number="<input class='line' inputmode='decimal' autocomplete='off'>",
    single="<input type='radio' name='answer'>",
    several="<input type='checkbox'>",
    place="<input class='short' inputmode='numeric' autocomplete='off'>",
    share="<input class='short' inputmode='decimal' autocomplete='off'>",
    working=False,
)  # fmt: skip


def question_html(posed: Posed, blanks: Blanks) -> str:
    """A question with room for its answer."""
    ask = styled(posed.parts(posed.question.ask), "ask")
    return f"<div class='question'>{ask}{_room(posed, blanks)}</div>"


def _room(posed: Posed, blanks: Blanks) -> str:
    """What is written on, for each kind of question."""
    question = posed.question
    tick = _("Tick what you would click.") if question.one else _("Tick all that you would click.")
    how, several = line(tick, "how"), blanks.single if question.one else blanks.several
    match question.kind:
        case "number":
            working = line(_("Your working:"), "working") if blanks.working else ""
            answer, unit = line(_("Answer:"), tag="span"), escape(question.unit)
            return f"{working}<p class='answer'><label>{answer} {blanks.number} {unit}</label></p>"
        case "choice":
            return line(_("Tick one."), "how") + _items(posed, blanks.single)
        case "order":
            return line(_("Number them in the right order."), "how") + _items(posed, blanks.place)
        case "bet":
            spread = line(_("Spread 100 % over these options."), "how")
            return spread + _items(posed, f"{blanks.share} % &ensp;")
        case "do":
            return line(_("What I changed:"), "working") if blanks.working else ""
        case "cells" if posed.grid is not None and posed.grid.row is None:
            return how + _cells(posed.grid, several)
    return how + _items(posed, several, "chips")


def where(lesson: Lesson, step: LessonStep) -> str:
    """The place in the app where a goal is reached; nothing of another question."""
    if step.in_hand is None:
        return ""
    index = lesson.steps.index(step) + lesson.first
    sentence = _("Do this in the app: {address}")
    return line(sentence.format(address=f"…/lessons?lesson={lesson.id}&lesson_at={index}"), "how")


def _items(posed: Posed, before: str, kind: str = "options") -> str:
    """The options in a list, each with what is written on before it."""
    items = (line(option, tag="code" if kind == "chips" else "span") for option in posed.options)
    rows = "".join(f"<li><label>{before} {item}</label></li>" for item in items)
    return f"<ul class='{kind} {posed.question.kind}'>{rows}</ul>"


def _cells(grid: PickGrid, box: str) -> str:
    """A box for each cell, under the names of the columns."""
    head = "".join(line(label, tag="th") for label in ("", *grid.cols))
    boxes = f"<td>{box}</td>" * len(grid.cols)
    rows = "".join(f"<tr>{line(label, tag='th')}{boxes}</tr>" for label in grid.rows)
    return f"<table class='cells'><tr>{head}</tr>{rows}</table>"


def solved(posed: Posed) -> str:
    """The answer, and how it comes about."""
    right = _("Answer: {answer}").format(answer=in_words(posed, posed.right))
    if posed.question.kind == "number" and posed.question.tolerance:
        within = percent(posed.question.tolerance)
        right = _("Answer: {answer} (within {share})").format(
            answer=in_words(posed, posed.right), share=within
        )
    return line(right, "right") + styled(posed.parts(posed.question.solution), "solution")


def astray(posed: Posed) -> str:
    """The wrong answers that the question knows, each with what is said to it."""
    pairs = (
        (line(in_words(posed, value), tag="b"), styled(said_to(posed, idea), tag="span"))
        for idea, value in posed.wrong.items()
    )
    rows = (f"<li>{answer} {says}</li>" for answer, says in pairs)
    return f"<ul class='astray'>{''.join(rows)}</ul>"


def hints(posed: Posed) -> str:
    """The three hints, in their order."""
    items = "".join(styled(posed.parts(hint), tag="li") for hint in posed.question.hints)
    return f"<ol class='hints'>{items}</ol>"


def in_words(posed: Posed, value: Any) -> str:
    """An answer, the right one or another, as people write it."""
    match posed.question.kind:
        case "number":
            unit = posed.question.unit
            return f"{written(value)} {unit}" if unit else written(value)
        case "tokens" | "cells":
            return listed(_labels(posed, sorted(value))) or _("none of them")
        case "order":
            return " → ".join(_labels(posed, value))
        case "do":
            return listed([_hand(posed, name, hand) for name, hand in value.items()])
    return posed.options[value]


def _hand(posed: Posed, name: str, value: Any) -> str:
    """What a hand is made, as its control says it."""
    question, names = posed.question, posed.names
    values = question.hands[name].values or ()
    text = called(question, name, values.index(value)) if value in values else str(value)
    shown = names.shown if isinstance(names, Names) else ()
    shown_ = next(figure for figure in shown if question.figure in (None, figure.figure.name))
    return _("{label}: {value}").format(label=label(shown_.params, name), value=text)


def _labels(posed: Posed, places: Sequence[int]) -> list[str]:
    """The options at some places; of equal ones it is said which."""
    options = posed.options
    twice = {option for option in options if options.count(option) > 1}
    which = _("{token} (box {n})")
    return [
        which.format(token=options[n], n=n + 1) if options[n] in twice else options[n]
        for n in places
    ]
