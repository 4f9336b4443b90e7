"""A question of a lesson on the page: posed on the run at hand, marked on the server."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from core.figures.payload import Payload
from core.language import _
from core.lessons.answered import Answered, Key
from core.lessons.asking_again import pose_another
from core.lessons.marking import mark
from core.lessons.player import Asked, asks, finished, header
from core.lessons.posing import Posed, pose
from core.lessons.question import Question
from pages.parts import state
from pages.parts.components import mount
from pages.parts.doing import Acts, Attempted
from pages.parts.figure import Handlers
from pages.parts.study import STUDY, follow, own_study

ASKED, MOST_ASKED = "asked", 12  # questions that an answer may still name


def question(
    lesson: str,
    ident: str,
    posed: Posed,
    *,
    key: str,
    when: Asked = "lesson",
    picks: Mapping[str, Any] | None = None,
    attempt: Attempted | None = None,
    again: Callable[[], None] | None = None,
    then: Callable[[], None] | None = None,
) -> None:
    """Mount a question.

    Args:
        lesson: that asks it.
        ident: under which its answers are kept.
        posed: on the run at hand.
        key: keeps it mounted from run to run.
        when: in a probe there is one try and no hint, and before the lesson no answer either.
        picks: the figure in which tokens or cells are picked; without one they are picked here.
        attempt: of a goal, where hers stands.
        again: what else is done before another one is posed.
        then: what is done once it has been answered.
    """
    answered = own_study().of(lesson, ident)
    own_study().posed(answered, posed.about)
    given = header(ident, posed, answered, when, picks, attempt.stands if attempt else None)
    if state.lecture():
        given["lecture"] = True  # a key shows the answer, and nobody types
    acts = {} if again is None else {"again": again}
    on = _handlers((lesson, ident), posed, answered, attempt.acts if attempt else acts)
    if then is not None:
        on |= {"answer": partial(_answer, then=then)}
    mount("question", Payload(given), key=key, on=on)


def asked(page: str, own: Question, names: Mapping[str, Any] | None = None) -> None:
    """Mount a question of a page, which needs no figure: its answers are kept as a lesson's are.

    Args:
        page: under which they are kept.
        own: the question.
        names: what it knows of the run on the page.
    """
    posed = pose(own, dict(names or {}), follow().of(page, own.id).seed)
    question(page, own.id, posed, key=f"question-{own.id}")


def _handlers(key: Key, posed: Posed, answered: Answered, acts: Acts) -> Handlers:
    """What is done for a question; a click on another one, before it went, does nothing here."""
    name = asks(key[1], answered)
    _keep_asked(name, key, posed)
    own: Handlers = {
        "hint": lambda _said: _hint(answered),
        "give": lambda _said: _give(answered),
        "again": lambda _said: _again(posed, answered),
    }

    def hear(what: str, said: Any) -> None:
        if said != name:
            return
        if what in own:
            own[what](said)
        if what in acts:
            acts[what]()
            state.touch(STUDY)

    on = {what: partial(hear, what) for what in own}
    if "answer" not in acts:
        return {"answer": _answer, **on}
    return {"answer": lambda said: hear("answer", _named(said)), **on}


def _named(said: Any) -> Any:
    """The question that an answer names."""
    return said.get("id") if isinstance(said, dict) else None


def _keep_asked(name: str, key: Key, posed: Posed) -> None:
    """Keep what an answer is marked by: one may come when the next question is on the screen."""
    kept: dict[str, tuple[Key, Posed]] = st.session_state.setdefault(ASKED, {})
    kept.pop(name, None)
    kept[name] = key, dataclasses.replace(posed, names={})  # without the runs behind it
    for old in list(kept)[:-MOST_ASKED]:
        del kept[old]


def _answer(said: Any, then: Callable[[], None] = lambda: None) -> None:
    """Mark an answer, for the question that it names."""
    name = _named(said)
    if not isinstance(name, str) or name not in st.session_state.get(ASKED, {}):
        return
    (lesson, ident), posed = st.session_state[ASKED][name]
    answered = own_study().of(lesson, ident)
    if asks(ident, answered) != name or finished(posed.question, answered):
        return
    marked = mark(posed, said.get("value"), in_percent=said.get("percent") is True)
    if marked is not None:
        own_study().take(answered, marked, said["value"], posed.question.wrong)
        state.touch(STUDY)
        then()


def _hint(answered: Answered) -> None:
    answered.hints = min(3, answered.hints + 1)
    state.touch(STUDY)


def _give(answered: Answered) -> None:
    answered.given_up = True
    state.touch(STUDY)


def _again(posed: Posed, answered: Answered) -> None:
    if posed.question.kind == "do":
        own_study().once_more(answered)
    else:
        own_study().again(answered)
    fresh = pose_another(posed.question, posed.names, answered.seed, {posed.about})
    answered.seed = fresh.seed
    state.touch(STUDY)


def solved(n: int, of: int) -> None:
    """How many of a few questions were right."""
    st.progress(n / of if of else 0.0, text=_("{n} of {of} right").format(n=n, of=of))
