"""A question of a lesson on the page: posed on the run at hand, marked on the server."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

import streamlit as st

from core.figures.payload import Payload
from core.figures.text import number, percent
from core.language import _
from core.lessons.asking_again import pose_another
from core.lessons.checking import as_given
from core.lessons.inline import Parts
from core.lessons.marking import mark, said_to
from core.lessons.posing import Posed
from core.lessons.schema import Question
from core.lessons.study import Answered, Key
from core.locale import in_quotes
from pages.parts import state
from pages.parts.components import mount
from pages.parts.figure import Handlers
from pages.parts.study import STUDY, own_study

Asked = Literal["lesson", "before", "after"]
ASKED, MOST_ASKED = "asked", 12  # questions that an answer may still name


def question(
    lesson: str,
    ident: str,
    posed: Posed,
    *,
    key: str,
    when: Asked = "lesson",
    picks: Mapping[str, Any] | None = None,
) -> None:
    """Mount a question.

    Args:
        lesson: that asks it.
        ident: under which its answers are kept.
        posed: on the run at hand.
        key: keeps it mounted from run to run.
        when: in a probe there is one try and no hint, and before the lesson no answer either.
        picks: the figure in which tokens or cells are picked; without one they are picked here.
    """
    hints, own = when == "lesson", posed.question
    answered = own_study().of(lesson, ident)
    own_study().posed(answered, posed.about)
    shown = min(answered.hints, len(own.hints)) if hints else 0
    header: dict[str, Any] = {
        "id": ident,
        "asks": _name(ident, answered),
        "kind": own.kind,
        "sort": own.number or None,
        "at_once": own.at_once or None,
        "one": own.one or None,
        "ask": posed.parts(own.ask),
        "options": list(posed.options),
        "unit": own.unit or None,
        "hints": [posed.parts(one) for one in own.hints[:shown]],
        "more_hints": hints and shown < len(own.hints),
        "given_up": answered.given_up,
        "done": finished(own, answered) or (not hints and answered.tries > 0),
        "may_repeat": bool(own.draw) and hints,
        "labels": _labels(own, hints=hints),
        **_marked(posed, answered, when),
    }
    if header["done"] and when != "before":
        header["answer"] = as_given(posed, posed.right) if own.kind != "bet" else posed.right
        header["solution"] = posed.parts(own.solution)
    if picks:
        header["picks"] = {**picks, "given": answered.given, "one": own.one,
                           "labels": _labels_of_picks(own)}  # fmt: skip
    mount("question", Payload(header), key=key, on=_handlers((lesson, ident), posed, answered))


def _handlers(key: Key, posed: Posed, answered: Answered) -> Handlers:
    """What is done for a question; a click on another one, before it went, does nothing here."""
    name = _name(key[1], answered)
    _keep_asked(name, key, posed)
    return {
        "answer": _answer,
        "hint": lambda said: _hint(answered) if said == name else None,
        "give": lambda said: _give(answered) if said == name else None,
        "again": lambda said: _again(posed, answered) if said == name else None,
    }


def _name(ident: str, answered: Answered) -> str:
    """What an answer names: a question as it was asked, on these data."""
    return f"{ident} {answered.seed} {answered.about}"


def _keep_asked(name: str, key: Key, posed: Posed) -> None:
    """Keep what an answer is marked by: one may come when the next question is on the screen."""
    kept: dict[str, tuple[Key, Posed]] = st.session_state.setdefault(ASKED, {})
    kept.pop(name, None)
    kept[name] = key, dataclasses.replace(posed, names={})  # without the runs behind it
    for old in list(kept)[:-MOST_ASKED]:
        del kept[old]


def finished(question: Question, answered: Answered) -> bool:
    """Whether what it covers is shown: after the right answer, or the one try that there is."""
    return answered.done or (question.at_once and answered.tries > 0)


def _labels(own: Question, *, hints: bool) -> dict[str, str]:
    share = _("Type a share, like 0.5, 50 % or 1/2.")
    number = _("Type a number, like 0.5, −1/3, √64 or 1.2e-3.")
    return {
        "check": _("Check") if hints else _("Answer"),
        "hint": _("Hint"),
        "give": _("Show the answer") if hints else _("I do not know"),
        "again": _("Another one"),
        "wanted": _("Give an answer first."),
        "a_number": share if own.number == "share" else number,
        "no_share": _("This is no share of a whole, so it is not given in per cent."),
        "read": _("Read as {number}."),
        "read_not": _("Read as {number}, not as {other}."),
        "up": _("One place up"),
        "down": _("One place down"),
    }


def _labels_of_picks(own: Question) -> dict[str, str]:
    several = _("Click in the figure. A second click takes it back.")
    return {
        "pick": _("Click in the figure. Another pick takes its place.") if own.one else several,
        "picked": _("Picked in the figure: {n}"),
        "grid": _("Cells to pick: the arrow keys move, Enter picks"),
        "legend": _("In the figure, what you picked has a frame, and what is right has a ✓."),
        "yours": _("your pick"),
        "right": _("part of the answer"),
        "both": _("your pick, and part of the answer"),
    }


def _marked(posed: Posed, answered: Answered, when: Asked) -> dict[str, Any]:
    """What became of the answer; nothing while there is none."""
    said = _to_answer(posed, answered, when)
    right = answered.right and when != "before"
    return {"marked": {"right": right, "says": said, "given": answered.given}} if said else {}


def _to_answer(posed: Posed, answered: Answered, when: Asked) -> Parts:
    """What is said to an answer; nothing to one that was asked for, or while there is none."""
    if when == "before":
        return _plain(_("Noted.")) if answered.tries or answered.given_up else []
    if not answered.tries or (answered.given_up and answered.bits is None):
        return []
    return feedback(posed, answered, hints=when == "lesson")


def _plain(text: str) -> Parts:
    return [[text, ""]] if text else []


def feedback(posed: Posed, answered: Answered, *, hints: bool = True) -> Parts:
    """What is said to an answer.

    Args:
        posed: the question.
        answered: what was answered.
        hints: there are some, and a further try.
    """
    if answered.bits is not None:
        return _of_a_bet(posed, answered)
    if answered.right:
        again = answered.tries > 1
        right = _("Right, at try {n}.").format(n=answered.tries) if again else _("Right.")
        return _plain(right)
    if answered.idea:
        return said_to(posed, answered.idea)
    if not hints:
        return _plain(_("That is not it."))
    return _plain(_("That is not it yet. A hint says where to look."))


def _of_a_bet(posed: Posed, answered: Answered) -> Parts:
    """How much was on what is right, and how surprising that makes it."""
    surprise = _("You ruled it out, so nothing could be more surprising to you.")
    if answered.bits != float("inf"):
        bits = answered.bits or 0.0
        surprise = _(
            "You gave the right answer {share}. That is a surprise of {bits} bits: 0 would be "
            "certainty, and each halving of a bet adds 1."
        )
        surprise = surprise.format(share=percent(2**-bits), bits=number(bits))
    what = _("Right: it is {option}.") if answered.right else _("It is {option}.")
    said = what.format(option=in_quotes(posed.options[posed.right]))
    idea = said_to(posed, answered.idea) if answered.idea else []
    return [*_plain(f"{said} "), *idea, *_plain(f" {surprise}" if idea else surprise)]


def _answer(said: Any) -> None:
    """Mark an answer, for the question that it names."""
    name = said.get("id") if isinstance(said, dict) else None
    if not isinstance(name, str) or name not in st.session_state.get(ASKED, {}):
        return
    (lesson, ident), posed = st.session_state[ASKED][name]
    answered = own_study().of(lesson, ident)
    if _name(ident, answered) != name or finished(posed.question, answered):
        return
    marked = mark(posed, said.get("value"), in_percent=said.get("percent") is True)
    if marked is not None:
        own_study().take(answered, marked, said["value"], posed.question.wrong)
        state.touch(STUDY)


def _hint(answered: Answered) -> None:
    answered.hints = min(3, answered.hints + 1)
    state.touch(STUDY)


def _give(answered: Answered) -> None:
    answered.given_up = True
    state.touch(STUDY)


def _again(posed: Posed, answered: Answered) -> None:
    own_study().again(answered)
    fresh = pose_another(posed.question, posed.names, answered.seed, {posed.about})
    answered.seed = fresh.seed
    state.touch(STUDY)


def solved(n: int, of: int) -> None:
    """How many of a few questions were right."""
    st.progress(n / of if of else 0.0, text=_("{n} of {of} right").format(n=n, of=of))
