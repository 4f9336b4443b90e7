"""Which parts of a page a change runs again: those that show it, and no others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import address, fragments, frame, reruns, state
from pages.parts.session import Part, Session
from pages.parts.table import TABLE
from tests.app.test_pages import check, opened

BEFORE = "attention/before.py"
WHOLE = ("the whole page",)


class Ran(Exception):
    """What a click would run."""


@pytest.fixture
def run_by(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, ...]]:
    """Gives the parts that an act on a page would run again."""

    def runs(names: list[str] | None) -> None:
        raise Ran(names)

    def run(session: Session, act: Callable[[], None], script: str = "") -> tuple[str, ...]:
        with monkeypatch.context() as patch:
            for module in (address, frame, reruns, state):
                patch.setattr(module, "own_session", lambda: session)
            patch.setattr(reruns.hooks, "run_instead", runs)
            patch.setattr(reruns.hooks, "open_whole", lambda _page: runs(None))
            patch.setattr(reruns.hooks, "script", lambda: script or session.script)
            with pytest.raises(Ran) as ran:
                act()
        names = ran.value.args[0]
        return WHOLE if names is None else tuple(names)

    return run


def changing(changes: Mapping[str, Any], origin: str = "stage") -> Callable[[], None]:
    """A click that changes something, in a part of the page."""

    def act() -> None:
        state.update(changes)
        reruns.run_again({origin})

    return act


def coming_near(*parts: str) -> Callable[[], None]:
    """Parts that the browser says are near."""

    def act() -> None:
        frame.LINKED["near"]([*parts])
        reruns.run_again({"link"})

    return act


@pytest.fixture
def nothing_near(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser that has not been scrolled."""
    monkeypatch.setattr(fragments, "Part", Part)


def session_of(app: AppTest) -> Session:
    check(app)
    session: Session = app.session_state["glassformer"]
    return session


CASES = [
    # What is selected: the link.
    (BEFORE, {"key": 1}, ("link", "address")),
]


@pytest.mark.parametrize(("file", "changes", "expected"), CASES)
def test_what_a_change_runs_again(nothing_near, run_by, file, changes, expected):
    assert run_by(session_of(opened(file)), changing(changes)) == expected


def test_what_lies_below_is_run_when_it_is_near(nothing_near, run_by):
    session = session_of(opened(BEFORE))
    below = {name for name, part in session.parts.items() if part.lazy}
    assert below == {"further"}
    assert run_by(session, changing({"text": "A dog"}))[2:-1] == ("stage",)
    assert not session.parts["further"].near
    near = run_by(session, coming_near("further"))
    assert set(near) == {"link", "bar", "stage", "further", "address"}  # none has run
    assert session.parts["further"].near


@pytest.mark.parametrize("said", [[], ["no such part", "stage", "", "address"]])
def test_only_what_lies_below_comes_near(nothing_near, run_by, said):
    session = session_of(opened(BEFORE))
    assert run_by(session, coming_near(*said)) == ("link", "address")


def test_what_is_near_no_more_waits_until_it_is_again(run_by):
    session = session_of(opened(BEFORE))
    further = session.parts["further"]
    assert (further.near, further.wanted, further.drawn) == (True, 0, 0)
    assert "further" not in run_by(session, changing({"text": "A dog"}))
    assert (further.wanted, further.drawn) == (1, 0)  # which the browser hears of
    # Who moved the slider is there.
    assert "further" in run_by(session, changing({"n_keys": 40}, "further"))


def test_a_run_that_was_cut_short_is_made_good(nothing_near, run_by):
    """The figures of the first click have not been drawn when the second comes."""
    session = session_of(opened(BEFORE))
    assert run_by(session, changing({"layer": 3})) == ("link", "stage", "address")
    both = run_by(session, changing({"token": 4}))
    assert set(both) == {"link", "stage", "address"}


def test_before_the_first_run_has_ended_a_click_runs_the_whole_page(run_by):
    session = session_of(opened(BEFORE))
    session.parts[""].due = True
    assert run_by(session, changing({"token": 1})) == WHOLE
    assert run_by(session, coming_near("further")) == WHOLE


def test_what_comes_near_during_a_run_of_the_whole_page_is_drawn_with_it(nothing_near, run_by):
    session = session_of(opened(BEFORE))
    session.parts[""].due = True
    assert run_by(session, coming_near("further")) == WHOLE
    assert session.parts["further"].near


def test_a_message_does_not_replace_a_run_of_the_whole_page(nothing_near, run_by):
    """It comes after the click that asked for that run, and before the run has begun."""
    session = session_of(opened(BEFORE))
    assert run_by(session, changing({"model": "bert"})) == WHOLE
    assert run_by(session, coming_near("further")) == WHOLE


def test_a_message_from_another_page_runs_the_whole_of_this_one(nothing_near, run_by):
    """The browser has taken away what it showed of this page, as it still named the other."""
    session = session_of(opened(BEFORE))
    assert run_by(session, changing({"token": 1}), script="another") == WHOLE


def test_a_notice_of_a_link_goes_with_the_next_click(run_by):
    session = session_of(opened(BEFORE, layer="99"))
    assert session.problems
    assert run_by(session, changing({"token": 1})) == ("link", "unscaled", "notices", "address")
    assert not session.problems


def test_a_notice_of_a_link_stays_while_the_page_is_only_scrolled(nothing_near, run_by):
    session = session_of(opened(BEFORE, layer="99"))
    said = list(session.problems)
    assert said
    assert "notices" not in run_by(session, coming_near("further"))
    assert session.problems == said


def test_a_notice_of_a_link_stays_while_the_whole_page_is_drawn_again():
    app = opened(BEFORE, layer="99")
    (said,) = [one.value for one in app.warning]
    check(app.run())
    assert [one.value for one in app.warning] == [said]


def test_what_grows_too_long_for_a_link_is_said(run_by):
    session = session_of(opened(BEFORE))
    long = "".join(map(chr, np.random.default_rng(0).integers(0x4E00, 0x9FA5, 9000)))
    assert "notices" in run_by(session, changing({"text": long}))


def test_undo_and_reset_run_what_they_change(run_by):
    session = session_of(opened(BEFORE, layer="3"))
    of_a_token = run_by(session, changing({"token": 2}))
    assert of_a_token == ("link", "unscaled", "address")  # a sentence far below follows it

    def undo() -> None:
        state.undo()
        reruns.run_again({"bar"})

    def reset() -> None:
        state.reset()
        reruns.run_again({"bar"})

    assert run_by(session, undo) == of_a_token
    assert run_by(session, reset) == ("link", "stage", "unscaled", "address")
    assert session.undo[-1] == {"layer": "3"}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.file)
def test_nothing_is_read_outside_of_the_parts_but_the_machine(row):
    """Else every change of it would run the whole page."""
    session = session_of(opened(row.file))
    read = session.parts[""].reads
    assert read <= {"model", "device", "view", "language", "experiment"}
    assert "experiment" not in read or opened(row.file).expander  # which it may open
    frame = {"link", "bar", "notices", "address"} | ({"strip"} if row.strip else set())
    assert frame < set(session.parts)
    assert all(part.placed for part in session.parts.values())
