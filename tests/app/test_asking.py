"""An answer marks the question that it names, as it was asked; the browser keeps it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.errors import CoreError
from core.lessons.on_pages import ON_PAGES
from core.lessons.posing import pose
from core.lessons.schema import Question
from core.lessons.screen.learner import STUDY, Learner
from core.lessons.screen.questions import opened
from core.lessons.study import OWN_SEEDS, Study
from pages.parts.app import app
from tests.app.played import Played, screen_at
from tests.app.played import opened as screen_of

SAID = {"ask": "How much is {{x[i]}}?", "hints": ("a", "b", "c"), "solution": "."}
NAMES = {"x": [0.25, 0.5, 0.75]}
FAR = "[" * 900 + "]" * 900


def question(ident: str, answer: str) -> Question:
    return Question(
        id=ident, kind="number", draw={"i": "range(0, 3)"}, answer=answer,
        wrong={"aa": "x[i] + 9"}, **SAID,
    )  # fmt: skip


class Asked:
    """A question, in one browser."""

    def __init__(self, own: Question, names: Any = NAMES) -> None:
        self.own, self.names, self.study = own, names, json.dumps(Study().as_data())
        self.look()

    def does(self, what: str, value: Any) -> None:
        self.look(json.dumps({"what": what, "value": value}))

    def look(self, does: str = "") -> None:
        learner = Learner.of(app(), {STUDY: self.study, "_does": does})
        self.here = opened(learner, ("sums", self.own.id), self.own, self.names)
        self.study = learner.study_as_text()

    @property
    def entry(self) -> tuple[int, bool]:
        return self.here.answered.tries, self.here.answered.right

    @property
    def right(self) -> float:
        return pose(self.own, self.names, self.here.answered.seed).right


def test_an_answer_to_another_question_or_to_other_data_marks_nothing():
    her = Asked(question("one", "x[i]"))
    first = her.here.asks
    her.does("again", first)
    second, seed = her.here.asks, her.here.answered.seed
    assert second != first
    assert seed > 0
    for name in (first, "", "two 0 ", None, 7, ["x"]):
        her.does("answer", {"id": name, "value": her.right})
        her.does("answer", name)
        for what in ("hint", "give", "again"):
            her.does(what, name)
    answered = her.here.answered
    assert (answered.tries, answered.seed, answered.hints, answered.given_up) == (0, seed, 0, False)
    her.names = {"x": [0.1, 0.2, 0.3]}  # on a text of her own
    her.look()
    assert her.here.asks != second
    her.does("answer", {"id": her.here.asks, "value": her.right})
    assert her.entry == (1, True)


def test_per_cent_that_are_said_to_be_are_no_longer_guessed():
    own = question("one", "x[i]").model_copy(update={"number": "share", "draw": {"i": "range(1)"}})
    her = Asked(own)
    her.does("answer", {"id": her.here.asks, "value": 25.0, "percent": True})
    assert her.entry == (1, False)
    her.does("answer", {"id": her.here.asks, "value": 25.0})
    assert her.entry == (2, True)


def test_the_server_marks_and_what_a_browser_says_of_itself_opens_no_other_question():
    her = screen_of("attention", 3)
    asks = her.question["asks"]
    her.ask("answer", {"id": asks, "value": 1.0, "right": True})
    assert not her.question["marked"]["right"]
    assert not her.question["done"]
    told = screen_of("attention", 3).does("give").question["answer"]
    her.answer(told)
    assert her.question["marked"]["right"]
    assert "try 2" in her.question["marked"]["says"][0][0]
    assert her.question["solution"]


def test_hints_are_kept_and_one_comes_after_another():
    her = screen_of("attention", 3)
    for n in range(1, 4):
        her.does("hint")
        assert len(her.question["hints"]) == n
    assert not her.question["more_hints"]
    again = screen_of("attention", 3, her.kept())
    assert len(again.question["hints"]) == 3
    assert "solution" not in again.question


def test_another_one_sets_back_what_she_changed_in_the_figures():
    at = screen_at("attention", "scale")
    her = screen_of("attention", at, **{f"attention.{at}a.head": "2", "attention.1a.head": "1"})
    her.does("give")
    asks = her.question["asks"]
    her.does("again")
    assert her.question["asks"] != asks
    assert not her.question["done"]
    assert f"attention.{at}a.head" not in her.state
    assert her.state["attention.1a.head"] == "1"


VALUES = [None, True, "0.5", "x" * 9_000, [], [[1]], {"a": 1}, 1e308, -1e308, [1] * 5_000, 10**400,
          [10**400], ["a"], float("nan"), float("inf"), [float("nan")], {}, "\x00", -1,
          [-1, 99]]  # fmt: skip


@pytest.mark.parametrize("step", ["scale", "where", "heads", "share"])
def test_any_value_can_be_answered(step):
    her = screen_of("attention", screen_at("attention", step))
    fresh, asks = her.study, her.question["asks"]
    for value in VALUES:
        her.study = fresh
        her.ask("answer", {"id": asks, "value": value})
        assert json.dumps(json.loads(her.study), allow_nan=False)
        tried = her.kept().answers.get(("attention", her.question["id"]))
        assert ("marked" not in her.question) or (tried is not None and tried.tries > 0), value


@pytest.mark.parametrize("page", ON_PAGES)
def test_a_page_asks_a_question_of_its_own(page):
    names = json.dumps({"n": 3, "written": 5, "entries": 8000})
    her = Played(more={"_page": page, "_names": names}).ask()
    assert not {"answer", "solution"} & her.question.keys()
    her.does("give")
    assert her.question["solution"]
    assert (page, her.question["id"]) in her.kept().answers


@pytest.mark.parametrize("names", [
    "", "[]", FAR, '{"n": 1e999}', '{"n": "x"}', '{"log": 3}', '{"__class__": 1}',
    json.dumps({"n": 10**400, "written": -1, "entries": 0}),
    json.dumps({f"n{n}": n for n in range(99)}),
])  # fmt: skip
def test_what_a_page_says_wrong_of_its_run_is_said_and_no_more(names):
    for page in ON_PAGES:
        her = Played(more={"_page": page, "_names": names})
        try:
            assert len(her.ask().questions) == 1
        except CoreError:  # which the route says
            assert page == "translate"


def test_neighbours_are_asked_on_other_numbers_and_each_always_on_her_own():
    fresh = [Learner.of(app(), {}) for _visit in range(8)]
    assert len({one.study.seed for one in fresh}) > 1
    assert all(one.is_new and 0 <= one.study.seed < OWN_SEEDS for one in fresh)
    kept = fresh[0].study_as_text()
    assert Learner.of(app(), {STUDY: kept}).study.seed == fresh[0].study.seed
    assert not Learner.of(app(), {STUDY: kept}).is_new


def test_a_file_says_how_far_she_was():
    her = screen_of("attention", 3)
    right = screen_of("attention", 3).does("give").question["answer"]
    her.answer(right)
    her.set(lesson=None)
    assert her.screen["progress"]["tools"]
    ((title, words),) = her.screen["summary"].items()
    assert title.startswith("How a token")
    assert words.startswith("1 of ")


def test_the_link_of_a_lecture_says_by_which_seed_it_asks():
    her = screen_of("attention", 3, Study(seed=12), view="lecture")
    assert her.state["study_seed"] == "12"
    assert her.question["lecture"]
    assert "study_seed" not in screen_of("attention", 3, Study(seed=12)).state


def test_so_does_the_link_of_a_page_that_asks():
    more = {"_page": "training", "_names": json.dumps({"entries": 8000})}
    her = Played(more=more, study=Study(seed=12), view="lecture").ask()
    assert her.state["study_seed"] == "12"
