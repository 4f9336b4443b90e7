"""What a question says to its learner, in each state of her answer: what its component is given.

The app makes it while she answers; a book has all of it prepared (``core/lessons/book``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from core.figures.components import Component
from core.figures.text import number, percent, sentence
from core.language import _
from core.lessons.answered import QuestionRecord
from core.lessons.checking import as_given
from core.lessons.doing import Attempt, AttemptStanding
from core.lessons.hands import how_to_try, is_closed, is_typed
from core.lessons.inline import Parts
from core.lessons.marking import said_to
from core.lessons.picking import shape_in
from core.lessons.posing import Posed
from core.lessons.schema import Question
from core.locale import in_quotes

Asked = Literal["lesson", "before", "after"]


def header(
    ident: str,
    posed: Posed,
    answered: QuestionRecord,
    when: Asked = "lesson",
    picks: Mapping[str, Any] | None = None,
    stands: AttemptStanding | None = None,
) -> dict[str, Any]:
    """What the question's component is given.

    Args:
        ident: under which its answers are kept.
        posed: on the run at hand.
        answered: what she has answered.
        when: in a probe there is one try and no hint, and before the lesson no answer either.
        picks: the figure in which tokens or cells are picked; without one they are picked here.
        stands: of a goal, where her attempt stands.
    """
    hints, question = when == "lesson", posed.question
    n_hints = min(answered.hints, len(question.hints)) * hints
    header_: dict[str, Any] = {
        "id": ident,
        "asks": asks(ident, answered),
        "kind": question.kind,
        "sort": question.number or None,
        "at_once": question.at_once or None,
        "taps": question.at_once or (hints and (question.kind == "choice" or question.one)) or None,
        "typed": any(is_typed(name, hand) for name, hand in question.hands.items()) or None,
        "one": question.one or None,
        "nears": bool(question.near) or None,
        "counts": (question.kind == "do" and is_closed(question)) or None,
        "ask": posed.parts(question.ask),
        "options": list(posed.options),
        "unit": question.unit or None,
        "numbers": posed.numbers(question.ask) if question.kind == "number" else None,
        "hints": [posed.parts(hint) for hint in question.hints[:n_hints]],
        "more_hints": hints and n_hints < len(question.hints),
        "given_up": answered.given_up,
        "done": finished(question, answered) or (not hints and answered.tries > 0),
        "may_repeat": bool(question.draw or stands) and hints,
        "labels": _labels(question, hints=hints),
        **_marked(posed, answered, when, stands),
        **_standing(stands),
    }
    if header_["done"] and when != "before":
        solution = [*posed.parts(question.solution), *_rounded(question)]
        header_ |= {"answer": _right(posed), "solution": solution}
    if picks:
        header_["picks"] = _picks(picks, answered, question, taps=hints and question.one)
    return header_


def _picks(
    picks: Mapping[str, Any], answered: QuestionRecord, question: Question, *, taps: bool
) -> dict[str, Any]:
    """What the figure is given in which tokens or cells are picked."""
    labels = _labels_of_picks(question, taps=taps)
    return {**picks, "given": answered.given, "one": question.one, "labels": labels}


def _standing(stands: AttemptStanding | None) -> dict[str, Any]:
    """Where an attempt at a goal stands."""
    return {} if stands is None else {"near": stands.near, "moved": stands.moved}


def _rounded(question: Question) -> Parts:
    """That a sum is one of the numbers that are shown, as the figure has the model's own."""
    if (
        question.kind != "number"
        or "shown(" not in f"{question.answer}{list(question.let.values())}"
    ):
        return []
    return _plain(" " + _("(With the rounded numbers shown here. The model uses more digits.)"))


def _right(posed: Posed) -> Any:
    """The answer, as the browser has it; a goal has none but what the figure shows."""
    if posed.question.kind in ("do", "bet"):
        return posed.right if posed.question.kind == "bet" else None
    return as_given(posed, posed.right)


def asks(ident: str, answered: QuestionRecord) -> str:
    """What an answer names: a question as it was asked, on these data."""
    return f"{ident} {answered.seed} {answered.about}"


def finished(question: Question, answered: QuestionRecord) -> bool:
    """Whether what it covers is shown: after the right answer, or the one try that there is."""
    return answered.done or (question.at_once and answered.tries > 0)


def _labels(question: Question, *, hints: bool) -> dict[str, str]:
    do = question.kind == "do"
    share = _("Type a share, like 0.5, 50 % or 1/2.")
    number = _("Type a number, like 0.5, −1/3, √64 or 1.2e-3.")
    return {
        "check": _("Check") if hints else _("Answer"),
        "hint": _("Hint"),
        "give": _("Show the answer") if hints else _("I do not know"),
        "again": _("Start again") if do else _("Another one"),
        "wanted": how_to_try(question) if do else _("Give an answer first."),
        "a_number": share if question.number == "share" else number,
        "no_share": _("This is no share of a whole, so it is not given in per cent."),
        "calculator": _("Calculator"),
        "read": _("Read as {number}."),
        "read_not": _("Read as {number}, not as {other}."),
        "up": _("One place up"),
        "down": _("One place down"),
    }


def _labels_of_picks(question: Question, *, taps: bool) -> dict[str, str]:
    several = _("Click in the figure. A second click takes it back.")
    single = _("Click in the figure. Another pick takes its place.")
    if taps:
        single = _("Click in the figure. The click is your answer.")
    return {
        "pick": single if question.one else several,
        "picked": _("Picked in the figure: {n}"),
        "to_figure": _("To the figure"),
        "grid": _("Cells to pick: the arrow keys move, Enter picks"),
        "legend": _("In the figure, what you picked has a frame, and what is right has a ✓."),
        "yours": _("your pick"),
        "right": _("part of the answer"),
        "both": _("your pick, and part of the answer"),
    }


def _marked(
    posed: Posed, answered: QuestionRecord, when: Asked, stands: AttemptStanding | None
) -> dict[str, Any]:
    """What became of the answer; nothing while there is none."""
    sentence = _to_answer(posed, answered, when, stands)
    right = answered.right and when != "before"
    return (
        {"marked": {"right": right, "says": sentence, "given": answered.given}} if sentence else {}
    )


def _to_answer(
    posed: Posed, answered: QuestionRecord, when: Asked, stands: AttemptStanding | None
) -> Parts:
    """What is said to an answer; nothing to one that was asked for, or while there is none."""
    if when == "before":
        return _plain(_("Noted.")) if answered.tries or answered.given_up else []
    if stands is not None:
        return _to_attempt(posed, answered, stands)
    if not answered.tries or (answered.given_up and answered.bits is None):
        return []
    return feedback(posed, answered, hints=when == "lesson")


def _to_attempt(posed: Posed, answered: QuestionRecord, stands: AttemptStanding) -> Parts:
    """What is said to an attempt at a goal; how many there were, where each was a choice."""
    if answered.right:
        return at_try(answered.tries if is_closed(posed.question) else 1)
    if answered.given_up or not stands.moved or stands.attempt is None:
        return []
    return said_of(posed, stands.attempt)


def said_of(posed: Posed, tried: Attempt) -> Parts:
    """What is said to an attempt at a goal that has not reached it."""
    if tried.idea:
        return said_to(dataclasses.replace(posed, names=tried.names), tried.idea)
    return _plain(_("That is not it yet. A hint says where to look."))


def _plain(text: str) -> Parts:
    return [[text, ""]] if text else []


def feedback(posed: Posed, answered: QuestionRecord, *, hints: bool = True) -> Parts:
    """What is said to an answer.

    Args:
        posed: the question.
        answered: what was answered.
        hints: there are some, and a further try.
    """
    if answered.bits is not None:
        surprise_ = surprise(answered.bits)
        return of_a_bet(posed, right=answered.right, idea=answered.idea, surprise=surprise_)
    if answered.right:
        return at_try(answered.tries)
    if answered.idea:
        return [[_("Not that:"), "strong"], [" ", ""], *said_to(posed, answered.idea)]
    other = _("That is not it yet. A hint says where to look.")
    return _plain(other if hints else _("That is not it."))


def at_try(n: int | str) -> Parts:
    """What is said to a right answer.

    Args:
        n: which try it was; a hole where that is not known yet.
    """
    if n == 1:
        return _plain(_("Right."))
    return _plain(_("Right on try {n}. Only the first try is counted.").format(n=n))


def surprise(bits: float) -> tuple[str, str] | None:
    """The share that was on what is right, and its bits, in words; None for what was ruled out."""
    if bits == float("inf"):
        return None
    share, n = numbers_of(bits)
    return share, str(sentence(_("{n} bits"), n=n))


def numbers_of(bits: float) -> tuple[str, str]:
    """What a surprise is said with: the share, and its bits."""
    return percent(2**-bits), number(bits)


def of_a_bet(posed: Posed, *, right: bool, idea: str, surprise: tuple[str, str] | None) -> Parts:
    """How much was on what is right, and how surprising that makes it.

    Args:
        posed: the bet.
        right: most was on the right option.
        idea: that most was on; empty for none.
        surprise: share and bits, in words; None for what was ruled out.
    """
    surprising = _("You ruled it out, so nothing could be more surprising to you.")
    if surprise is not None:
        surprising = _(
            "You gave the right answer {share}. That is a surprise of {bits}: 0 would be "
            "certainty, and each halving of a bet adds 1."
        ).format(share=surprise[0], bits=surprise[1])
    what = _("Right: it is {option}.") if right else _("It is {option}.")
    sentence = what.format(option=in_quotes(posed.options[posed.right]))
    parts = said_to(posed, idea) if idea else []
    return [*_plain(f"{sentence} "), *parts, *_plain(f" {surprising}" if parts else surprising)]


def picks(posed: Posed, component: Component | None, key: str) -> dict[str, Any] | None:
    """The figure in which the answer is picked; None where it is picked below the question.

    Args:
        posed: the question, which names a figure.
        component: what can be seen of that.
        key: keeps it mounted.
    """
    shape = shape_in(component, len(posed.options), posed.grid)
    row = None if posed.grid is None else posed.grid.row
    return shape and {"figure": key, "shape": shape, "row": row}


def labels_of_progress() -> dict[str, str]:
    """What is said where progress is saved, loaded and deleted."""
    return {
        "name": _("Name in the saved file"),
        "save": _("Save my progress"),
        "load": _("Load saved progress"),
        "wipe": _("Delete my progress"),
        "sure": _("Really delete all of it?"),
        "whose": _("The progress of {name} is kept in this browser (answers: {n})."),
        "somebody": _("Your progress is kept in this browser (answers: {n})."),
        "anew": _("Begin anew"),
        "more": _("More"),
        "loaded": _("Loaded."),
        "partly": _("Loaded, but part of the file could not be read and was left out."),
        "wiped": _("Deleted."),
        "unreadable": _("This is no file of saved progress. Choose the one that was saved "
                        "here (glassformer-lessons-….json)."),
    }  # fmt: skip


def labels_of_result() -> dict[str, str]:
    """What is said in the result of the last test."""
    return {
        "name": _("Name in the saved file"),
        "lesson": _("Lesson"),
        "right": _("Right"),
        "again": _("Worth another look"),
        "save": _("Save my result"),
    }
