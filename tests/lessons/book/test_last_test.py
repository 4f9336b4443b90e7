"""The last test of a book: all that may be asked, on other data, in orders that go by turns."""

from __future__ import annotations

from collections import Counter

import pytest

from core.language import use_language
from core.lessons import Lesson, lesson
from core.lessons.book.asked import chain
from core.lessons.book.last_test import ORDERS, CandidateQuestion, askable, drawing, how_many
from core.lessons.world import world_of

IN_BOOK = ("attention", "refresher")


@pytest.fixture(scope="module")
def made(runs) -> dict[str, CandidateQuestion]:
    use_language("en")
    found = {}
    for ident in IN_BOOK:
        asked = list(askable(ident, IN_BOOK, runs.get))
        assert len(asked) == how_many(ident, IN_BOOK, "en")
        found |= {one.about["name"]: one for one in asked if one is not None}
    return found


def asked_in(ident: str) -> list[str]:
    """The ids of the questions that a test may ask of a lesson."""
    found = lesson(ident)
    assert isinstance(found, Lesson)
    return [one.question.id for one in found.steps
            if one.question is not None and one.question.kind != "do"]  # fmt: skip


def test_every_question_but_the_goals_is_there_on_data_that_its_lesson_has_not(made, runs):
    assert set(made) == {f"{ident}-{one}" for ident in IN_BOOK for one in asked_in(ident)}
    step = lesson("attention").asking("score")
    own = {one.about for one in chain(step.question, world_of(step, runs.get).names)}
    variants = made["attention-score"].screen.opened.header["variants"]
    assert len({one["about"] for one in variants}) == 2
    assert own.isdisjoint(one["about"] for one in variants)


def test_each_order_has_all_questions_and_takes_a_lessons_numbers_by_turns(made):
    said = drawing([one.about for one in made.values()], IN_BOOK).header
    assert len(said["orders"]) == ORDERS
    assert len({tuple(one["order"]) for one in said["orders"]}) > ORDERS // 2
    for one in said["orders"]:
        assert sorted(one["order"]) == sorted(one["places"]) == list(range(len(said["asked"])))
        lessons = [said["asked"][at]["lesson"] for at in one["order"]]
        assert Counter(lessons) == {ident: len(asked_in(ident)) for ident in IN_BOOK}


def test_nothing_of_an_answer_is_in_what_opens_first_and_the_probes_need_no_figure(made):
    for name, screen in ((name, one.screen) for name, one in made.items()):
        for one in screen.opened.header["variants"]:
            assert not {"answer", "solution", "marked"} & one["question"].keys()
            assert one["question"]["hints"] == []
        assert screen.closed is not None
        assert all(one["question"]["solution"] for one in screen.closed.header["variants"])
        probed = any(name == f"{ident}-{one}" for ident in IN_BOOK for one in lesson(ident).probe)
        assert probed == (screen.layout == "below" and not screen.folders) or not screen.folders
