"""The last test over all lessons on the page: its questions one by one, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.figures.payload import Payload
from core.figures.text import harmless
from core.language import _, language, ngettext
from core.lessons.last_test import NAME, Put, Score, begin, is_answered, last_test, scores
from core.lessons.player import labels_of_result
from pages.parts import asking, controls, state
from pages.parts.components import mount
from pages.parts.lesson import sentences
from pages.parts.messages import small_print
from pages.parts.names import screen_of
from pages.parts.once_more import posed_anew, with_figures
from pages.parts.study import STUDY, follow, own_study


def questions() -> list[Put]:
    """Those of the test that is under way."""
    return last_test(follow(), language())


def first_open() -> int:
    """The screen to open on, of a click: the first question without an answer, or the result."""
    study = own_study()
    puts = last_test(study, language())
    return next((n for n, put in enumerate(puts) if not is_answered(put, study)), len(puts))


def ask(put: Put, at: int) -> None:
    """One question, beside its figures where it is not clear without them.

    Args:
        put: the question.
        at: the screen's number.
    """
    small_print(_("From the lesson “{title}”").format(title=harmless(put.owner.title)))
    found = posed_anew(put.back)
    if found is None:
        return
    world, posed = found
    key = f"question-{NAME}-{at}"
    if put.alone:
        sentences(world)
        asking.question(*put.back.key, posed, key=key, when="after")
    else:
        with_figures(put.back, world, posed, screen_of(NAME, at), key=key, when="after")


def result(puts: Sequence[Put], go: Callable[[int], None]) -> None:
    """How many were right, by lesson, and a file of it to keep.

    Args:
        puts: all questions.
        go: opens a screen.
    """
    study = follow()
    n_open = sum(not is_answered(put, study) for put in puts)
    if n_open:
        said = ngettext("{n} question is still open.", "{n} questions are still open.", n_open)
        st.markdown(said.format(n=n_open))
        controls.button(_("Go to the next open question"), "test-open", lambda: go(first_open()))
    mount("result", Payload(_header(scores(puts, study))), key="test-result")
    if not n_open:
        again = partial(_begin, go)
        controls.button(_("Take another test"), "test-again", again, icon=":material/refresh:")


def _begin(go: Callable[[int], None]) -> None:
    begin(own_study(), language())
    state.touch(STUDY)
    go(0)


def _header(found: Sequence[Score]) -> dict[str, object]:
    """What the result's component shows, and writes into a file."""
    right, n = sum(one.right for one in found), sum(one.n for one in found)
    return {
        "title": _("Last test over all lessons"),
        "language": language(),
        "said": _("Right answers: {n} of {of}").format(n=right, of=n),
        "rows": [_row(one) for one in found],
        "labels": labels_of_result(),
    }


def _row(one: Score) -> dict[str, object]:
    """A lesson: what was right, and the steps to look at again."""
    return {
        "lesson": one.owner.title,
        "right": _("{n} of {of}").format(n=one.right, of=one.n),
        "again": [step.title for step in one.missed],
    }
