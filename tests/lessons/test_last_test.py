"""The last test: what was missed, and what every lesson asks, once each, on other data."""

from __future__ import annotations

import json

import pytest

from core.lessons import lesson, lesson_ids
from core.lessons.last_test import MOST, NAME, begin, is_answered, last_test, scores
from core.lessons.marking import Marked
from core.lessons.study import Study


def answer(study: Study, key, *, right: bool, wrong=()) -> None:
    study.take(study.of(*key), Marked(right), 1.0, dict.fromkeys(wrong, 1.0))


def reloaded(study: Study) -> Study:
    """The same in a session that hears of it from a browser."""
    other = Study(seed=study.seed)
    assert other.load(json.loads(json.dumps(study.as_data())))
    return other


def which(put) -> tuple[str, str]:
    return put.owner.id, put.question.id


@pytest.fixture
def study() -> Study:
    return Study(seed=5)


def test_every_lesson_is_asked_from_and_nothing_twice(study):
    puts = last_test(study, "en")
    assert len({which(put) for put in puts}) == len(puts) == MOST
    assert {put.owner.id for put in puts} == {
        ident for ident in lesson_ids() if lesson(ident).probe
    }
    kinds = [put.question.kind for put in puts]
    assert "do" not in kinds
    assert kinds.count("number") < 0.6 * MOST
    n = [sum(put.owner.id == ident for put in puts) for ident in {put.owner.id for put in puts}]
    assert max(n) <= min(n) + 1  # from each in turn
    neighbour = last_test(Study(seed=6), "en")
    assert [which(put) for put in neighbour] != [which(put) for put in puts]
    assert [which(put) for put in last_test(Study(seed=5), "fr")] == [which(put) for put in puts]


def test_what_was_missed_is_asked_and_on_other_data(study):
    steps = [one for one in lesson("attention").steps if one.question is not None]
    missed = [one.question for one in steps if one.question.kind != "do"]
    for n, question in enumerate(missed):
        entry = study.of("attention", question.id)
        if n % 2:
            entry.given_up = True
        else:
            answer(study, ("attention", question.id), right=False)
            answer(study, ("attention", question.id), right=True)
    puts = {which(put): put for put in last_test(study, "en")}
    for question in missed:
        key = puts["attention", question.id].back.key
        assert study.of(*key).seed != study.of("attention", question.id).seed


def test_who_missed_more_than_it_holds_is_asked_these_alone(study):
    missed = set()
    for ident in lesson_ids()[:9]:
        for step in lesson(ident).steps:
            if lesson(ident).probe and step.question is not None and step.question.kind != "do":
                answer(study, (ident, step.question.id), right=False)
                missed.add((ident, step.question.id))
    puts = last_test(study, "en")
    assert len(missed) > MOST == len(puts)
    assert {which(put) for put in puts} <= missed


def test_answers_stay_in_their_places(study):
    puts = last_test(study, "en")
    for at in (3, 17):
        answer(study, puts[at].back.key, right=at == 3)
    assert last_test(study, "en") == puts
    other = reloaded(study)
    again = last_test(other, "en")
    assert len({which(put) for put in again}) == MOST
    assert [at for at, put in enumerate(again) if is_answered(put, other)] == [3, 17]
    assert [again[at] for at in (3, 17)] == [puts[at] for at in (3, 17)]
    assert sum(one.right for one in scores(again, other)) == 1


def test_a_file_of_another_session_brings_no_question_and_no_place_twice(study):
    own, theirs = last_test(study, "en"), Study(seed=77)
    for put in last_test(theirs, "en"):
        answer(theirs, put.back.key, right=True)
    study.load(json.loads(json.dumps(theirs.as_data())))
    puts = last_test(study, "en")
    assert puts != own
    assert len({which(put) for put in puts}) == len(puts) == MOST
    assert all(is_answered(put, study) for put in puts)


@pytest.mark.parametrize("name", [
    "score/attention", "score/attention/t0-01", "score/attention/t1-99", "score/nothing/t1-01",
    "nothing/attention/t1-01", "score", "score/attention/again-end",
])  # fmt: skip
def test_what_is_no_place_of_a_test_is_left_out(study, name):
    answer(study, (NAME, name), right=True)
    puts = last_test(study, "en")
    assert len(puts) == MOST
    assert (NAME, name) not in {put.back.key for put in puts}


def test_another_test_asks_what_was_missed_in_the_first(study):
    puts = last_test(study, "en")
    for n, put in enumerate(puts):
        answer(study, put.back.key, right=n >= 10)
    second = begin(study, "en")
    assert last_test(study, "en") == second
    assert {which(put) for put in puts[:10]} <= {which(put) for put in second}
    assert not any(is_answered(put, study) for put in second)
    first = {which(put): study.of(*put.back.key).seed for put in puts}
    for put in second:
        assert study.of(*put.back.key).seed != first.get(which(put))
