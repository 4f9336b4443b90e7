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


def steps_after(attention: Lesson) -> list:
    """Those that follow all that ask for the idea themselves."""
    asks = [n for n, one in enumerate(attention.steps)
            if one.question is not None and IDEA in one.question.wrong]  # fmt: skip
    return list(attention.steps[max(asks) + 2 :])


def answer(study: Study, found, *, right: bool) -> None:
    study.take(study.of(*found.key), Marked(right, "" if right else IDEA), 1.0,
               found.step.question.wrong)  # fmt: skip


def test_nothing_comes_back_to_somebody_who_was_right(attention):
    own = Study()
    own.take(own.of("attention", "score"), Marked(right=True), 2.0, {IDEA: 1.0})
    assert all(again(own, attention, one, "en") is None for one in attention.steps)


def test_it_comes_back_on_other_data_after_its_own_step(attention, study):
    own, (following, *_) = attention.asking("score"), steps_after(attention)
    near = attention.steps[attention.steps.index(own) + 1]
    assert again(study, attention, near, "en") is None  # its numbers were just seen
    assert again(study, attention, own, "en") is None
    assert again(study, attention, attention.steps[0], "en") is None  # it would ask what is to come
    found = again(study, attention, following, "en")
    assert found is not None
    assert found.step == own
    assert study.of(*found.key).seed == SEED != study.of("attention", "score").seed


def test_it_stays_where_it_came_and_leaves_the_next_step_free(attention, study):
    first, second, third, *_ = steps_after(attention)
    found = again(study, attention, first, "en")
    answer(study, found, right=True)
    assert again(study, attention, first, "en") == found
    assert again(study, attention, second, "en") is None
    assert again(study, attention, third, "en") is not None


def test_it_is_gone_when_it_was_right_twice(attention, study):
    first, _second, third, _fourth, fifth, *_ = steps_after(attention)
    for step in (first, third):
        answer(study, again(study, attention, step, "en"), right=True)
    assert study.ideas == {}
    assert again(study, attention, fifth, "en") is None


def test_who_shows_it_again_is_asked_again(attention, study):
    first, _second, third, _fourth, fifth, *_ = steps_after(attention)
    for step, right in ((first, True), (third, False)):
        answer(study, again(study, attention, step, "en"), right=right)
    assert study.ideas == {IDEA: 0}
    seeds = {
        study.of(*again(study, attention, one, "en").key).seed for one in (first, third, fifth)
    }
    assert len(seeds) == 3


def test_it_comes_back_in_a_later_lesson(study):
    masks = lesson("masks")
    assert isinstance(masks, Lesson)
    found = again(study, masks, masks.steps[0], "fr")
    assert found is not None
    assert found.key[0] == "masks"
    assert found.step.question.id == "score"


def test_it_is_kept_and_what_is_no_longer_there_is_left_out(attention, study):
    first, *_ = steps_after(attention)
    answer(study, again(study, attention, first, "en"), right=True)
    saved = json.loads(json.dumps(study.as_data()))
    entry = next(one for one in saved["answers"] if "/" in one[1])
    other = Study()
    assert other.load(saved)
    assert again(other, attention, first, "en") == again(study, attention, first, "en")
    entry[1] = entry[1].replace("score/attention", "score/no-such-lesson")
    lost = Study()
    assert lost.load(saved)
    assert again(lost, attention, first, "en") is not None  # asked anew


def test_an_idea_that_no_question_names_is_not_kept():
    study = Study()
    study.take(
        study.of("attention", "score"), Marked(right=False, idea="wrong-sign"), 1.0, {IDEA: 1}
    )
    assert study.ideas == {}
