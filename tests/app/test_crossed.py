"""A control holds what the page has put into it, whatever a message says that crossed it."""

from __future__ import annotations

from typing import Any

import pytest

from pages.parts import crossed
from pages.parts.session import Session

KEY = "control-layer"


class Browser:
    """What reaches the page: its messages say all controls, as the browser knew them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.session = Session({}, {})
        self.said: dict[str, Any] = {}
        monkeypatch.setattr(crossed, "own_session", lambda: self.session)
        monkeypatch.setattr(crossed.st, "session_state", self.said)

    def run(self, value: int) -> int:
        """A run that shows a value in the control; the run's number."""
        self.said.get("link", {}).pop("near", None)  # an event is of one message
        number = crossed.begin_run()
        crossed.put(KEY, value)
        return number

    def hears(self, value: int, **link: Any) -> bool:
        """Whether the page takes it for a value that it has put there itself before."""
        self.said[KEY] = value
        self.said["link"] = self.said.get("link", {}) | link
        return crossed.crossed(KEY)


@pytest.fixture
def browser(monkeypatch):
    return Browser(monkeypatch)


def near(heard: Any) -> dict[str, Any]:
    return {"near": {"parts": ["below"], "heard": heard}}


def selection(heard: Any, n: int) -> dict[str, Any]:
    return {"selection": {"value": {"chosen": {"token": 1}, "heard": heard}, "n": n}}


@pytest.mark.parametrize("message", [near, lambda heard: selection(heard, 7)])
def test_a_message_that_was_late_takes_nothing_back(browser, message):
    first = browser.run(5)
    second = browser.run(2)  # an experiment's
    assert browser.hears(5, **message(first))
    assert not browser.hears(5, **message(second))  # the learner has put it back meanwhile


def test_a_control_that_is_operated_counts(browser):
    first = browser.run(5)
    browser.run(2)
    assert not browser.hears(5)
    browser.hears(2, **selection(first, 7))
    browser.run(2)
    assert not browser.hears(5)  # the selection is an old one by now
    assert not browser.hears(3, **near(first))  # both in one message: 3 was never shown


def test_what_the_learner_put_in_the_browser_knew_at_once(browser):
    first = browser.run(5)
    crossed.put(KEY, 2, by_learner=True)
    browser.run(2)
    assert not browser.hears(5, **near(first))


@pytest.mark.parametrize("link", [
    {"near": 3}, {"near": {"heard": "1"}}, {"selection": "x"}, {"selection": {"n": []}},
    {"selection": {"n": 9, "value": None}}, {"near": {"heard": True}},
])  # fmt: skip
def test_a_message_that_says_nothing_of_runs_is_a_choice(browser, link):
    browser.run(5)
    browser.run(2)
    assert not browser.hears(5, **link)
    browser.run(2)
