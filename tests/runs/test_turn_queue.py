"""Who is next: address after address, browser after browser, and a new name is no way ahead."""

from __future__ import annotations

from cachetools import LRUCache

from core.runs.turn_queue import TurnQueue, Visitor

ANN, BOB, FAR = Visitor("a", "ann"), Visitor("a", "bob"), Visitor("b", "far")


def served(line: TurnQueue[str], whose: dict[str, Visitor]) -> str:
    """What is served, one after the other."""
    found = ""
    while (one := line.next()) is not None:
        found += one
        line.end(whose[one])
    return found


def filled(**whose: Visitor) -> TurnQueue[str]:
    line: TurnQueue[str] = TurnQueue()
    for what, visitor in whose.items():
        line.join(visitor, what)
    return line


def test_addresses_take_turns_and_in_each_its_browsers():
    whose = {"1": ANN, "2": ANN, "3": ANN, "4": BOB, "5": FAR, "6": FAR}
    assert "".join(filled(**whose).in_turn()) == "154623"
    assert served(filled(**whose), whose) == "154623"


def test_who_has_a_turn_now_comes_after_who_has_none():
    line = filled(a=ANN)
    assert line.next() == "a"
    line.join(ANN, "b")
    line.join(FAR, "c")
    assert [line.next(), line.next()] == ["c", "b"]


def test_a_fresh_name_each_time_does_not_come_before_who_waits():
    line = filled(mine=BOB)
    assert line.next() == "mine"
    line.end(BOB)
    line.join(Visitor("a", "fresh"), "1")
    line.join(BOB, "again")
    line.join(Visitor("a", "fresher"), "2")
    assert [*line.in_turn()] == ["again", "1", "2"]


def test_who_has_long_turns_has_fewer():
    """A turn counts as long ago as it took: a learner's short ones come before a stranger's."""
    now = [0.0]
    line: TurnQueue[str] = TurnQueue(lambda: now[0])
    for who in (ANN, FAR):
        line.join(who, "")
    order = ""
    for _turn in range(12):
        line.next()
        who, took = (ANN, 0.1) if line.at_work(ANN) else (FAR, 0.4)
        now[0] += took
        line.end(who, took)
        line.join(who, "")
        order += "l" if who is ANN else "s"
    assert order.count("l") >= 2 * order.count("s") > 2


def test_what_was_begun_goes_on_before_the_rest_of_its_address():
    line = filled(new=ANN)
    line.join(BOB, "begun", begun=True)
    assert [*line.in_turn()] == ["begun", "new"]


def test_who_may_not_is_passed_over_and_who_leaves_is_not_served():
    line = filled(a=ANN, b=BOB)
    assert line.next(lambda visitor: visitor != ANN) == "b"
    line.leave("a")
    assert line.next() is None
    assert line.at_work("a") == line.at_work(BOB) == 1
    line.end(BOB)
    assert line.at_work("a") == line.at_work(BOB) == len(line) == 0


def test_the_order_of_a_few_is_found_without_all_who_are_known(monkeypatch):
    line, noted = filled(), []
    for n in range(50):
        line.join(Visitor("a", f"{n}"), "one")
        line.next()
        line.end(Visitor("a", f"{n}"))
    line.join(ANN, "mine")

    class Noting(LRUCache):
        def __setitem__(self, name: object, tick: int) -> None:
            noted.append(name)
            super().__setitem__(name, tick)

    monkeypatch.setattr("core.runs.turn_queue.LRUCache", Noting)
    assert [*line.in_turn()] == ["mine"]
    assert set(noted) == {"a", ANN}
