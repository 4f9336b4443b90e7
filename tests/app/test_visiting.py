"""Who a page is for, and her place among all whose pages are run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.runs import turn_queue
from core.runs.turn_queue import NOBODY, FairSemaphore, Visitor
from pages.parts import visiting
from pages.parts.visiting import ADDRESS, COOKIE, EACH, network, visitor_from
from tests.app.test_pages import opened
from tests.runs.test_jobs import until

ANN, BOB, CAT = (Visitor("a", name) for name in ("ann", "bob", "cat"))
FAR = Visitor("b", "far")


class Run(threading.Thread):
    """A run that lasts until it is let go."""

    def __init__(self, places: FairSemaphore, visitor: Visitor, go_on: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self._how = places, visitor, go_on
        self.began, self.ends, self.over = (threading.Event() for _ in range(3))
        self.start()

    def run(self) -> None:
        places, visitor, go_on = self._how
        try:
            with places.held(visitor, go_on):
                self.began.set()
                self.ends.wait(60)
        except InterruptedError:
            pass
        finally:
            self.over.set()

    def let_go(self) -> None:
        self.ends.set()
        assert self.over.wait(60)


@pytest.fixture
def run():
    """Begins runs at places for one of each visitor, and two of an address."""
    places, begun = FairSemaphore(each=1, address=2), []

    def begin(visitor: Visitor, go_on: Callable[[], None] = lambda: None) -> Run:
        waited = len(places._line)
        begun.append(Run(places, visitor, go_on))
        until(lambda: begun[-1].began.is_set() or len(places._line) > waited)
        return begun[-1]

    begin.places = places
    yield begin
    for one in begun:
        one.ends.set()


def test_a_visitor_has_one_place_and_an_address_two(run):
    ann, again, bob, cat, far = run(ANN), run(ANN), run(BOB), run(CAT), run(FAR)
    assert [one.began.is_set() for one in (ann, again, bob, cat, far)] == [
        True, False, True, False, True,
    ]  # fmt: skip
    ann.let_go()
    assert cat.began.wait(60)  # who has had none yet
    bob.let_go()
    assert again.began.wait(60)


def test_who_has_left_waits_no_more_and_keeps_nobody_waiting(run, monkeypatch):
    monkeypatch.setattr(turn_queue, "LOOK", 0.005)

    def gone() -> None:
        raise InterruptedError

    ann = run(ANN)
    left = run(ANN, gone)
    assert left.over.wait(60)
    assert not left.began.is_set()
    ann.let_go()
    assert run(ANN).began.is_set()


def test_there_are_so_many_places_and_none_for_the_app_itself_until_all_are_free():
    places = FairSemaphore(each=1, address=1, total=2)
    ann, far = (Run(places, one, lambda: None) for one in (ANN, FAR))
    until(lambda: ann.began.is_set() and far.began.is_set())
    third, itself = (Run(places, one, lambda: None) for one in (Visitor("c"), NOBODY))
    until(lambda: len(places._line) == 2)
    ann.let_go()
    assert third.began.wait(60)
    third.let_go()
    assert not itself.began.is_set()
    far.let_go()
    assert itself.began.wait(60)
    itself.let_go()


@pytest.mark.parametrize("others", [True, False])
def test_who_has_worked_for_long_keeps_the_place_while_others_come(monkeypatch, others):
    """What she asks for next waits until her address has had no more than its share."""
    clock = [0.0]
    monkeypatch.setattr(turn_queue.time, "thread_time", lambda: clock[0])
    monkeypatch.setattr(turn_queue, "AT_ONCE", 1.0)
    monkeypatch.setattr(turn_queue, "LATELY", 60.0)
    places = FairSemaphore(each=1, address=1)
    if others:
        with places.held(FAR):
            pass

    def turn(seconds: float) -> None:
        with places.held(ANN):
            clock[0] += seconds

    turn(0.9)
    turn(0.0)  # that much she has at once
    turn(9.0)
    again = Run(places, ANN, lambda: None)
    assert again.began.wait(0.05 if others else 60) is not others
    assert again.began.wait(60)  # for ever it keeps nobody
    again.let_go()


def test_a_page_is_run_in_a_place(monkeypatch):
    held: list[Visitor] = []
    monkeypatch.setattr(visiting, "places", places := FairSemaphore(EACH, ADDRESS))
    take = places._take

    def note(visitor: Visitor, go_on: Callable[[], None]) -> None:
        held.append(visitor)
        take(visitor, go_on)

    monkeypatch.setattr(places, "_take", note)
    app = opened("attention/masks.py")
    assert not app.exception
    assert len(held) == 1
    assert held[0].browser  # without a cookie it is Streamlit that tells browsers apart
    assert len(places._line) == places._line.at_work(held[0]) == 0


@pytest.mark.parametrize(
    ("address", "seen"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("testclient", "testclient"),
    ],
)
def test_an_address_is_what_its_owner_cannot_choose(address, seen):
    assert network(address) == seen


def test_only_our_own_cookie_tells_a_browser():
    assert visitor_from("10.0.0.1", {COOKIE: "0f" * 16}) == Visitor("10.0.0.1", "0f" * 16)
    for cookie in ("x", "0f" * 17, ""):
        assert visitor_from("10.0.0.1", {COOKIE: cookie}) == Visitor("10.0.0.1")


def test_without_a_cookie_each_tab_counts_by_itself(monkeypatch):
    held: list[Visitor] = []
    monkeypatch.setattr(visiting.places, "_take", lambda visitor, _go_on: held.append(visitor))
    monkeypatch.setattr(visiting.places, "_leave", lambda *_visitor: None)
    for tab in ("one", "two"):
        monkeypatch.setattr(visiting.hooks, "connection", lambda tab=tab: tab)
        opened("glossary.py")
    assert [one.browser for one in held] == ["one", "two"]


def test_a_page_whose_tab_was_left_is_run_no_further(monkeypatch):
    runtime = SimpleNamespace(is_active_session=lambda _ident: False)
    monkeypatch.setattr(visiting.hooks, "get_instance", lambda: runtime)
    monkeypatch.setattr(visiting.places, "_take", lambda _visitor, go_on: go_on())
    app = opened("glossary.py")
    assert not app.exception
    assert not app.get("html")
