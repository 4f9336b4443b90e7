"""Screens of the lessons over their route: what it answers, refuses, and says of a mistake."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette

from core.figures.payload import unpack
from core.lessons.question import Question
from core.lessons.screen import screens
from core.lessons.study import Study
from pages.server import lessons
from pages.server.turns import BusyError
from tests.app import asked as asking
from tests.app.played import Played, Query, directly, the_lesson

APP = Starlette(routes=[*lessons.ROUTES])
STUDY = json.dumps(Study().as_data())
OPEN = {"lesson": "attention", "lesson_at": "3", "_study": STUDY, "_who": "tab"}


def received(query: Query, **how: Any) -> tuple[int, bytes, dict[str, str]]:
    """What the route answers."""
    body = how.pop("body", urlencode(dict(query)).encode())
    return asking.received(APP, lessons.SCREEN, method="POST", body=body, **how)


def over_the_route(query: Query) -> bytes:
    status, content, headers = received(query)
    assert (status, headers["cache-control"]) == (200, "no-store")
    return content


def test_a_question_is_answered_over_the_route_and_nothing_is_kept_there():
    her = Played(ask=over_the_route, lesson="attention", lesson_at=3).ask()
    assert her.bytes == directly(OPEN)
    told = Played(lesson="attention", lesson_at=3).ask().does("give").question["answer"]
    her.answer(1.0)
    assert not her.question["marked"]["right"]
    assert b'"solution"' not in her.bytes
    her.does("hint").answer(told)
    assert her.question["marked"]["right"]
    assert her.kept().of("attention", "score").tries == 2
    neighbour = Played(ask=over_the_route, lesson="attention", lesson_at=3).ask()
    assert not {"marked", "answer", "solution"} & neighbour.question.keys()
    her.set(lesson_at=4)
    assert her.screen["title"] == the_lesson("attention").steps[3].title
    assert her.set(lesson_at=3).question["done"]


def test_a_browser_that_keeps_nothing_is_told_its_seed():
    found = unpack(received({"lesson": "attention"})[1]).header["screen"]
    assert json.loads(found["study"]).keys() == {"answers", "ideas", "era", "seed"}


FAR = "[" * 20_000
BROKEN = [
    {"lesson": "../x"}, {"lesson": "x" * 90_000}, {"lesson": "\x00"}, {"lesson_at": "9" * 14},
    {"lesson_at": "-7"}, {"lesson_at": "²"}, {"lesson_at": "x"}, {"_study": "{"}, {"_study": FAR},
    {"_study": "null"}, {"_study": json.dumps({"answers": [[None] * 9] * 99, "ideas": {"x": {}}})},
    {"_study": json.dumps({"answers": [["attention", "score", 0, 10**9, 1, 1, 0, 0, 2, "", 3]]})},
    {"_study": json.dumps({"answers": [], "ideas": {}, "seed": -4, "era": "x"})}, {"_does": FAR},
    {"_does": "7"}, {"_does": json.dumps({"what": ["give"], "value": 1})}, {"_folds": "x," * 9_000},
    {"_page": "../x"}, {"_page": "fine-tune", "_names": FAR}, {"_names": "{"}, {"_mode": FAR},
    {"_who": "x" * 90_000}, {"text": "word " * 9_000}, {"text": "\ufffd"}, {"text": ""},
    {"path": FAR}, {"tour": "x"}, {"tour": "9" * 5_000}, {"tour": "4"}, {"model": FAR},
    {"device": "tpu"}, {"view": "lecture"}, {"_language": "xx"}, {"attention.3a.head": "9" * 5_000},
    {"attention.3a.": "1"}, {"attention.3a.token": "∞"}, {".": ""}, {"": ""}, {"study_seed": "x"},
    {"lesson": "last-test", "lesson_at": "-1"}, {"lesson": "last-test", "lesson_at": "9" * 400},
]  # fmt: skip


@pytest.mark.parametrize("wrong", BROKEN, ids=lambda one: str(one)[:40])
def test_whatever_is_asked_is_answered(wrong):
    status, content, headers = received(OPEN | wrong)
    assert status == 200
    if headers["content-type"] == "application/problem+json":
        assert json.loads(content)["said"]
    else:
        assert unpack(content).header["screen"]["said"]


def test_why_a_page_cannot_ask_is_said(monkeypatch):
    knows = Question.model_validate({
        "id": "of-a-run", "kind": "number", "unit": "tokens", "ask": "How many are {{n}}?",
        "answer": "n", "hints": ["Count.", "Count on.", "It is {{n}}."], "solution": "{{n}}",
        "wrong": {"one-more": {"answer": "n + 1", "says": "One less."}},
    })  # fmt: skip
    monkeypatch.setattr(screens, "ON_PAGES", {"nowhere": lambda: knows})
    status, content, headers = received({"_page": "nowhere", "_names": "{}"})
    assert (status, headers["content-type"]) == (200, "application/problem+json")
    assert json.loads(content)["said"]


def test_what_is_too_long_or_of_another_site_is_refused():
    assert received({}, body=b"text=" + b"x" * 600_000)[0] == 413
    assert received({}, body=b"a=1&" * 2_000)[0] == 413
    assert received(OPEN, sec_fetch_site="cross-site")[0] == 413
    assert received(OPEN, origin="http://elsewhere.example")[0] == 413
    assert asking.received(APP, lessons.SCREEN, {"lesson": "attention"})[0] == 405


def test_a_visitor_has_no_more_than_a_share_of_the_turns(monkeypatch):
    class Full:
        def enter(self, _visitor: object) -> None:
            raise BusyError(7)

    for lane in (lessons.LONG, lessons._PICTURES):
        monkeypatch.setattr(lane, "turns", Full())
    status, _content, headers = received(OPEN)
    assert (status, headers["retry-after"]) == (429, "7")
    assert asking.received(APP, "/lesson/attention/card.svg")[0] == 429


def test_a_card_has_a_picture_and_what_is_no_lesson_has_none():
    status, drawn, headers = asking.received(APP, "/lesson/attention/card.svg", {"_mode": "dark"})
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert drawn.startswith(b"<svg")
    for name in ("nothing", "screen", "..", "x" * 500):
        assert asking.received(APP, f"/lesson/{name}/card.svg")[0] == 404


def test_a_question_of_the_last_test_may_have_to_wait_for_what_is_trained(monkeypatch):
    def trains(*_given: object) -> None:
        raise TimeoutError("Training: 40 % done", 0.5)

    monkeypatch.setattr(screens.test, "ask", trains)
    her = Played(lesson="last-test", lesson_at=0).ask()
    assert her.screen["again"] == 500
    assert "Training: 40 % done" in str(her.screen["said"])
    assert her.screen["title"].startswith("Question 1 of")
