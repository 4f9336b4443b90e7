"""A question of a lesson on the page: posed on the run at hand, marked on the server."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import streamlit as st

from core.figures.payload import Payload
from core.figures.text import number
from core.language import _, language
from core.lessons import misconceptions
from core.lessons.checking import as_given
from core.lessons.posing import Posed, mark
from core.lessons.study import Answered
from pages.parts import state
from pages.parts.components import mount
from pages.parts.figure import Handlers
from pages.parts.study import STUDY, own_study

Asked = Literal["lesson", "before", "after"]


def question(lesson: str, ident: str, posed: Posed, *, key: str, when: Asked = "lesson") -> None:
    """Mount a question.

    Args:
        lesson: that asks it.
        ident: under which its answers are kept.
        posed: on the run at hand.
        key: keeps it mounted from run to run.
        when: in a probe there is one try and no hint, and before the lesson no answer either.
    """
    hints = when == "lesson"
    answered = own_study().of(lesson, ident)
    own = posed.question
    shown = min(answered.hints, len(own.hints)) if hints else 0
    header: dict[str, Any] = {
        "id": ident,
        "seed": answered.seed,
        "kind": own.kind,
        "ask": posed.say(own.ask),
        "options": list(posed.options),
        "unit": own.unit or None,
        "hints": [posed.say(one) for one in own.hints[:shown]],
        "more_hints": hints and shown < len(own.hints),
        "done": answered.done or (not hints and answered.tries > 0),
        "may_repeat": bool(own.draw) and hints,
        "labels": _labels(hints),
    }
    if answered.tries:
        said = _("Noted.") if when == "before" else feedback(posed, answered)
        header["marked"] = {"right": answered.right and when != "before", "says": said,
                            "given": answered.given}  # fmt: skip
    if header["done"] and when != "before":
        header["answer"] = as_given(posed, posed.right) if own.kind != "bet" else posed.right
        header["solution"] = posed.say(own.solution)
    handlers: Handlers = {
        "answer": partial(_answer, posed, answered),
        "hint": partial(_hint, answered),
        "give": partial(_give, answered),
        "again": partial(_again, answered),
    }
    mount("question", Payload(header), key=key, on=handlers)


def _labels(hints: bool) -> dict[str, str]:
    return {
        "check": _("Check") if hints else _("Answer"),
        "hint": _("Hint"),
        "give": _("Show the answer") if hints else _("I do not know"),
        "again": _("Another one"),
        "wanted": _("Give an answer first."),
        "up": _("One place up"),
        "down": _("One place down"),
    }


def feedback(posed: Posed, answered: Answered) -> str:
    """What is said to an answer."""
    question = posed.question
    if answered.bits is not None:
        bet = _("Your bet on what was right costs you {bits} bits.").format(
            bits=number(answered.bits)
        )
        if answered.right:
            return f"{_('Right.')} {bet}"
        return f"{_said(posed, answered.idea)} {bet}".strip()
    if answered.right:
        return (
            _("Right.") if answered.tries == 1 else _("Right, at try {n}.").format(n=answered.tries)
        )
    if answered.idea:
        return _said(posed, answered.idea)
    return posed.say(question.hints[0])


def _said(posed: Posed, idea: str) -> str:
    """What is said to somebody who holds an idea."""
    wrong = posed.question.wrong.get(idea)
    if wrong is None:
        return ""
    return posed.say(wrong.says) if wrong.says else misconceptions(language()).get(idea, "")


def _answer(posed: Posed, answered: Answered, said: Any) -> None:
    if not isinstance(said, dict) or answered.done:
        return
    marked = mark(posed, said.get("value"))
    if marked is not None:
        own_study().take(answered, marked, said["value"], posed.question.wrong)
        state.touch(STUDY)


def _hint(answered: Answered, _id: Any) -> None:
    answered.hints = min(3, answered.hints + 1)
    state.touch(STUDY)


def _give(answered: Answered, _id: Any) -> None:
    answered.given_up = True
    state.touch(STUDY)


def _again(answered: Answered, _id: Any) -> None:
    own_study().again(answered)
    state.touch(STUDY)


def solved(n: int, of: int) -> None:
    """How many of a few questions were right."""
    st.progress(n / of if of else 0.0, text=_("{n} of {of} right").format(n=n, of=of))
