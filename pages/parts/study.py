"""What the learner has answered: on the server while she is here, in her browser for good."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.figures.payload import Payload
from core.language import _, language
from core.lessons import Lesson, lesson, lesson_ids
from core.lessons.player import labels_of_progress
from core.lessons.study import LONGEST, OWN_SEEDS, Study, is_progress, read
from pages.parts import state
from pages.parts.components import mount
from pages.parts.names import Learning
from pages.parts.session import own_session

STUDY = "study"  # what a part follows that shows answers
ANEW = "study-anew"  # of which lesson what is asked anew once her browser's answers are known
SOWN = "study-sown"  # the seed that a link has said
LOADED = "study-loaded"  # how often a file was loaded, and what of the last could be read


def own_study() -> Study:
    """Hers; whoever reads it is run again when it changes."""
    if STUDY not in st.session_state:
        st.session_state[STUDY] = Study(seed=fresh_seed())
    found: Study = st.session_state[STUDY]
    return found


def fresh_seed() -> int:
    """A seed for who has none yet, so that neighbours are asked about other numbers."""
    return secrets.randbelow(OWN_SEEDS)


def follow() -> Study:
    """Hers, and the part that is run shows what changes of it."""
    state.follow(STUDY)
    return own_study()


def one_for_all(found: Lesson, ident: str) -> None:
    """The link of a lecture says by which seed it asks, and who opens it is asked the same.

    Args:
        found: the lesson that is open.
        ident: of the step's question; empty where it has none.
    """
    study, said = follow(), state.read(Learning).study_seed
    if said >= 0 and "study_seed" in own_session().found:  # of a link that was just opened
        st.session_state[SOWN] = said
        study.sow(said)
    if state.lecture() and study.known:
        seed = study.of(found.id, ident).seed if ident else study.seed
        if seed < OWN_SEEDS:
            state.begin_with("study_seed", seed)


def progress(*, tools: bool, whose: bool = False) -> None:
    """Keep the answers in her browser, and hear of those that it has.

    Args:
        tools: they can be saved, loaded and wiped here.
        whose: it says whose they are, and offers to begin anew: others may use the computer, too.
    """
    study = follow()
    header: dict[str, Any] = {
        "visit": study.visit,
        "known": study.known,
        "sown": st.session_state.get(SOWN),
        "longest": LONGEST,
        "loaded": st.session_state.get(LOADED, {"n": 0, "what": "loaded"}),
        "answered": study.as_data(),
        "tools": tools,
        "whose": whose,
        "summary": _summary(study) if tools else {},
        "labels": labels_of_progress(),
    }
    mount("progress", Payload(header), key="progress",
          on={"kept": _take, "loaded": _load, "wiped": _wipe})  # fmt: skip


def _summary(study: Study) -> dict[str, str]:
    """By lesson, how far she is: for whoever reads the file."""
    found = {}
    for ident in lesson_ids():
        own = lesson(ident, language())
        if isinstance(own, Lesson) and (right := study.right(own)):
            said = _("{right} of {n} questions right at the first try")
            found[own.title] = said.format(right=right, n=len(own.asked))
    return found


def ask_anew(ident: str, questions: Sequence[str]) -> None:
    """Pose questions of a lesson on other data, and not as her browser may still answer them."""
    study = own_study()
    for one in questions:
        study.again(study.of(ident, one))
    if not study.known:
        st.session_state[ANEW] = (ident, questions)
    state.touch(STUDY)


def _take(text: Any) -> None:
    """Hear what her browser keeps: at the beginning, and when another tab has changed it."""
    study = own_study()
    study.load(read(text))
    study.known = True
    if SOWN in st.session_state:  # a link comes before what her browser has kept
        study.sow(st.session_state[SOWN])
    if ANEW in st.session_state:
        ask_anew(*st.session_state.pop(ANEW))
    state.touch(STUDY)


def _load(text: Any) -> None:
    """Take over a file."""
    said, n = read(text), st.session_state.get(LOADED, {"n": 0})["n"]
    what = "loaded" if own_study().load(said) else "partly"
    if not is_progress(said):
        what = "unreadable"
    st.session_state[LOADED] = {"n": n + 1, "what": what}
    state.touch(STUDY)


def _wipe(era: Any) -> None:
    own_study().wipe(era if type(era) is int else own_study().era + 1)
    state.touch(STUDY)
