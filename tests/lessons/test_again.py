"""Questions that come back: after an idea was shown, on new data, until right twice."""

from __future__ import annotations

import json

import pytest

from core.lessons import Lesson, lesson
from core.lessons.again import SEED, again
from core.lessons.marking import Marked
from core.lessons.study import Study

IDEA = "not-scaled"  # the lesson on attention catches it at its question "score"


@pytest.fixture
def attention() -> Lesson:
    found = lesson("attention")
    assert isinstance(found, Lesson)
    return found


@pytest.fixture
def study(attention) -> Study:
    """Of somebody who left out the division, and then did not."""
    own = Study()
    wrong = attention.asking("score").question.wrong
    entry = own.of("attention", "score")
    own.take(entry, Marked(right=False, idea=IDEA), 3.0, wrong)
    own.take(entry, Marked(right=True), 2.0, wrong)
    return own


def answer(study: Study, found, *, right: bool) -> None:
    study.take(study.of(*found.key), Marked(right, "" if right else IDEA), 1.0,
               found.step.question.wrong)  # fmt: skip


def test_nothing_comes_back_to_somebody_who_was_right(attention):
    own = Study()
    own.take(own.of("attention", "score"), Marked(right=True), 2.0, {IDEA: 1.0})
    assert again(own, attention, "en") is None


def test_it_comes_back_on_other_data(attention, study):
    found = again(study, attention, "en")
    assert found is not None
    assert found.step == attention.asking("score")
    assert study.of(*found.key).seed == SEED != study.of("attention", "score").seed
    neighbour = Study(seed=7)
    neighbour.load(json.loads(json.dumps(study.as_data() | {"seed": 7})))
    neighbour.answers.pop(found.key, None)
    assert again(neighbour, attention, "en").key == found.key
    assert neighbour.of(*found.key).seed == SEED + 7


def test_it_comes_back_once_in_a_lesson(attention, study):
    found = again(study, attention, "en")
    answer(study, found, right=False)
    assert study.ideas == {IDEA: 0}
    assert again(study, attention, "en") == found


def test_what_was_missed_here_comes_back_before_an_idea_of_another_lesson(attention, study):
    masks = lesson("masks")
    assert isinstance(masks, Lesson)
    missed = next(one for one in masks.steps if one.question is not None and one.question.draw)
    assert IDEA not in missed.question.wrong
    study.take(study.of("masks", missed.question.id), Marked(right=False), 1.0, {})
    found = again(study, masks, "en")
    assert found.step == missed
    assert found.owner == "masks"
    assert found.missed(study)


def test_an_idea_of_another_lesson_says_where_it_is_from(attention, study):
    found = again(study, lesson("masks"), "en")
    assert found.owner == "attention"
    assert found.missed(study)


def test_it_is_gone_when_it_was_right_twice(attention, study):
    masks = lesson("masks")
    assert isinstance(masks, Lesson)
    seeds = set()
    for here in (attention, masks):
        found = again(study, here, "fr")
        seeds.add(study.of(*found.key).seed)
        answer(study, found, right=True)
    assert len(seeds) == 2
    assert study.ideas == {}
    assert again(study, lesson("deep"), "en") is None


def test_it_is_kept_and_what_is_no_longer_there_is_left_out(attention, study):
    answer(study, again(study, attention, "en"), right=True)
    saved = json.loads(json.dumps(study.as_data()))
    entry = next(one for one in saved["answers"] if "/" in one[1])
    other = Study()
    assert other.load(saved)
    assert again(other, attention, "en") == again(study, attention, "en")
    entry[1] = entry[1].replace("score/attention", "score/no-such-lesson")
    lost = Study()
    assert lost.load(saved)
    assert again(lost, attention, "en") is not None  # asked anew


def test_an_idea_that_no_question_names_is_not_kept():
    study = Study()
    study.take(
        study.of("attention", "score"), Marked(right=False, idea="wrong-sign"), 1.0, {IDEA: 1}
    )
    assert study.ideas == {}
