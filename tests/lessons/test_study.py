"""What a learner has answered: kept, loaded, and never believed unchecked."""

from __future__ import annotations

import json

import pytest

from core.lessons.posing import Marked
from core.lessons.study import Answered, Study

IDEAS = {"not-scaled": 3.0}


def test_what_is_saved_is_loaded_again():
    study = Study()
    one = study.of("attention", "score")
    study.take(one, Marked(right=False, idea="not-scaled"), 3.0, IDEAS)
    study.take(one, Marked(right=True), 2.0, IDEAS)
    study.of("attention", "never-answered")
    other = Study()
    assert other.load(json.loads(json.dumps(study.as_data())))
    assert other.of("attention", "score").right
    assert other.of("attention", "score").tries == 2
    assert other.ideas == {"not-scaled": 0}
    assert ("attention", "never-answered") not in other.answers


def test_an_idea_is_gone_after_two_right_answers_at_the_first_try():
    study = Study()
    study.take(study.of("lesson-a", "q1"), Marked(right=False, idea="not-scaled"), 3.0, IDEAS)
    study.take(study.of("lesson-a", "q1"), Marked(right=True), 2.0, IDEAS)  # at the second
    assert study.ideas == {"not-scaled": 0}
    study.take(study.of("lesson-a", "q2"), Marked(right=True), 2.0, IDEAS)
    assert study.ideas == {"not-scaled": 1}
    study.take(study.of("lesson-a", "q3"), Marked(right=True), 2.0, IDEAS)
    assert study.ideas == {}


def test_what_was_answered_in_this_visit_stays():
    study = Study()
    study.take(study.of("lesson-a", "q1"), Marked(right=True), 1.0, {})
    study.load({"answers": [["lesson-a", "q1", 0, 1, 0, 0, 0, 0, None, ""]], "ideas": {}})
    assert study.of("lesson-a", "q1").right


def test_another_one_begins_anew():
    study, one = Study(), Answered(seed=4, tries=2, right=True, once=True, hints=1, given=3)
    study.again(one)
    assert one == Answered(seed=5, once=True)


def test_on_another_text_it_is_another_question():
    study, one = Study(), Answered()
    study.posed(one, "a")
    study.take(one, Marked(right=True), 2.0, {})
    study.posed(one, "a")
    assert one.right
    study.posed(one, "b")
    assert (one.right, one.once, one.tries, one.about) == (False, True, 0, "b")


def test_a_bet_is_made_once():
    study, one = Study(), Answered()
    study.take(one, Marked(right=False, bits=2.0), [1, 1], {})
    assert one.done


def entry(lesson="lesson-a", question="q1", seed=0, tries=1, right=1, given=2.0, about="a"):
    return {"answers": [[lesson, question, seed, tries, right, 1, 0, 0, given, about]]}


@pytest.mark.parametrize("said", [
    None, [], "x", {"answers": 3}, {"ideas": []}, {"answers": [["a"]]}, {"ideas": {"<b>": 1}},
    {"ideas": {"not-scaled": "1"}}, entry(lesson="<b>"), entry(lesson=1), entry(seed=-1),
    entry(seed=10**9), entry(right=True), entry(question="q1/x/y/z"), entry(given="<b>"),
    entry(given=[[1]]), entry(given=[0] * 1000), entry(given=float("inf")), entry(about="a" * 99),
    entry(about=3), {"answers": [entry()["answers"][0][:-1]]},
])  # fmt: skip
def test_what_is_no_progress_is_left_out(said):
    study = Study()
    assert not study.load(said)
    assert study.answers == {}
    assert study.ideas == {}


def test_a_file_of_any_size_is_read_to_a_limit():
    study = Study()
    assert not study.load(
        {"answers": [["lesson-a", f"q{n}", 0, 1, 1, 1, 0, 0, 2, "a"] for n in range(5000)]}
    )
    assert len(study.answers) == 2000
