"""What a learner has answered: kept, loaded, and never believed unchecked."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lessons.answered import QuestionRecord
from core.lessons.marking import Marked
from core.lessons.study import LONGEST, Study, read

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


def test_what_is_right_at_the_first_try_counts_and_nothing_later():
    study, late, early, anew = Study(), QuestionRecord(), QuestionRecord(), QuestionRecord()
    for right in (False, True):
        study.take(late, Marked(right=right), 2.0, {})
    assert (late.right, late.tries, late.once) == (True, 2, False)
    study.take(early, Marked(right=True), 2.0, {})
    assert early.once
    study.take(anew, Marked(right=False), 2.0, {})
    study.again(anew)  # on other data: to know it there is to know it
    study.take(anew, Marked(right=True), 2.0, {})
    assert anew.once


def test_each_attempt_at_a_goal_counts_once_and_still_does_from_the_start():
    study, one = Study(), QuestionRecord()
    for place in (0, 2, 0, 2):
        study.tried(one, Marked(right=False), place, {})
    assert (one.tries, one.attempts) == (2, [0, 2])
    study.tried(one, Marked(right=True), 3, {})
    assert (one.tries, one.right, one.once) == (3, True, False)
    study.once_more(one)
    assert (one.right, one.tries) == (False, 3)
    study.tried(one, Marked(right=True), 3, {})
    assert (one.tries, one.right, one.once) == (3, True, False)
    other = Study()
    assert other.load(json.loads(json.dumps(Study({("lesson-a", "q1"): one}).as_data())))
    assert other.of("lesson-a", "q1").attempts == [0, 2, 3]


def test_who_has_been_shown_how_a_goal_is_reached_does_not_know_it():
    study, one = Study(), QuestionRecord(given_up=True)
    study.once_more(one)
    study.tried(one, Marked(right=True), 1, {})
    assert (one.tries, one.once) == (2, False)


def test_another_one_begins_anew():
    study, one = Study(), QuestionRecord(seed=4, tries=2, right=True, once=True, hints=1, given=3)
    study.again(one)
    assert one == QuestionRecord(seed=5, once=True)


def test_on_another_text_it_is_another_question():
    study, one = Study(), QuestionRecord()
    study.posed(one, "a")
    study.take(one, Marked(right=True), 2.0, {})
    study.posed(one, "a")
    assert one.right
    study.posed(one, "b")
    assert (one.right, one.once, one.tries, one.about) == (False, True, 0, "b")


def test_a_bet_is_made_once():
    study, one = Study(), QuestionRecord()
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


def answered(study: Study, question: str, value: float = 1.0, *, right: bool = True) -> None:
    study.take(study.of("lesson-a", question), Marked(right=right), value, {})


def heard(*, by: Study, of: Study) -> None:
    """What one visit tells another, by way of the browser."""
    by.load(json.loads(json.dumps(of.as_data())))
    by.is_loaded = True


def test_many_files_hold_no_more_than_a_limit(monkeypatch):
    monkeypatch.setattr("core.lessons.study.MOST", 3)
    own = Study(is_loaded=True)
    for n in range(9):
        entries = [[f"of-{n}", f"q-{at}", 1, 1, 1, 1, 0, 0, 1, "", 1] for at in range(3)]
        own.load({"answers": entries, "ideas": {f"idea-{n}": [1, 1]}})
    assert len(own.answers) <= len(own.changes) == 6
    assert own.load({"answers": [["of-0", "q-0", 1, 1, 1, 1, 0, 0, 2, "", 2]], "ideas": {}})
    assert own.of("of-0", "q-0").given == 2


def acted(study: Study, what: str, question: str, value: float, right: bool) -> None:
    """She deletes everything, asks for another one, or answers."""
    one = study.of("lesson-a", question)
    if what == "wipe":
        study.wipe(study.era + 1)
    elif what == "again" and one.tries:
        study.again(one)
    else:
        study.take(one, Marked(right, "" if right else "not-scaled"), value, IDEAS)


def kept(study: Study) -> tuple[list[list], dict[str, int]]:
    """What is kept of all answers, and of ideas."""
    return sorted(entry[:-1] for entry in study.as_data()["answers"]), study.ideas


ACTS = st.tuples(st.sampled_from(("answer", "answer", "again", "wipe")),
                 st.sampled_from(("q1", "q2")), st.sampled_from((1.0, 3.0)),
                 st.booleans())  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, 1), ACTS), max_size=12))
def test_two_tabs_that_hear_of_each_other_are_as_one(acts):
    alone, tabs = Study(is_loaded=True), (Study(is_loaded=True), Study(is_loaded=True))
    for n, act in acts:
        for study in (alone, tabs[n]):
            acted(study, *act)
        heard(by=tabs[1 - n], of=tabs[n])
        told = tabs[n].as_data()
        heard(by=tabs[n], of=tabs[1 - n])
        assert tabs[n].as_data() == told  # an older one takes nothing back, and it ends there
        assert kept(tabs[0]) == kept(tabs[1]) == kept(alone)


def test_right_at_once_in_one_tab_stays_so_whatever_a_later_one_says():
    one, other = Study(is_loaded=True), Study(is_loaded=True)
    answered(one, "q1")
    for _try in range(2):
        answered(other, "q1", right=False)
        other.as_data()
    heard(by=one, of=other)
    found = one.of("lesson-a", "q1")
    assert (found.right, found.once, found.tries) == (False, True, 2)


def test_an_answer_is_changed_for_whoever_holds_it():
    one, other = Study(is_loaded=True), Study(is_loaded=True)
    on_screen = one.of("lesson-a", "q1")
    answered(other, "q1")
    heard(by=one, of=other)
    assert on_screen.right


def test_what_a_fresh_visit_was_answered_first_is_newer_than_what_the_browser_kept():
    before, fresh = Study(is_loaded=True), Study()
    for value in (1.0, 2.0, 3.0):
        answered(before, "q1", value, right=False)
        before.as_data()
    answered(fresh, "q1", 9.0)  # the server was started again, and she was quick
    heard(by=fresh, of=before)
    heard(by=before, of=fresh)
    assert before.of("lesson-a", "q1").given == fresh.of("lesson-a", "q1").given == 9.0


def test_two_tabs_with_texts_of_their_own_do_not_take_each_others_answers():
    one, other = Study(is_loaded=True), Study(is_loaded=True)
    for study, about in ((one, "a"), (other, "b")):
        study.posed(study.of("lesson-a", "q1"), about)
        answered(study, "q1")
        study.as_data()
    said = []
    for _turn in range(4):
        heard(by=one, of=other)
        heard(by=other, of=one)
        for study, about in ((one, "a"), (other, "b")):
            found = study.of("lesson-a", "q1")
            study.posed(found, about)
            assert (found.right, found.about) == (True, about)
        said.append((one.as_data(), other.as_data()))
    assert said[1] == said[-1]


def test_a_file_from_before_changes_were_counted_is_still_read():
    study = Study(is_loaded=True)
    assert study.load({**entry(), "ideas": {"not-scaled": 1}})
    assert study.of("lesson-a", "q1").right
    assert study.ideas == {"not-scaled": 1}


@pytest.mark.parametrize("text", [
    "[" * 900 + "]" * 900, '{"answers":' + "[" * 50_000 + "]" * 50_000 + "}", "9" * 5_000, "{",
    '{"answers": [], "ideas": {}}' + " " * LONGEST, None, 3, {"answers": [], "ideas": {}},
])  # fmt: skip
def test_a_text_that_is_no_progress_is_read_as_nothing(text):
    assert not Study().load(read(text))


def test_the_seed_of_a_browser_moves_what_is_not_answered_and_nothing_else():
    own = Study(seed=1)
    fresh, tried = own.of("masks", "one"), own.of("masks", "two")
    own.posed(fresh, "an earlier one")
    own.take(tried, Marked(right=False), 1.0, {})
    own.load({"answers": [], "ideas": {}, "seed": 7})
    assert (fresh.seed, fresh.about, tried.seed) == (7, "", 1)
    assert own.of("masks", "three").seed == 7
    assert own.as_data()["seed"] == 7
    for wrong in (-1, 9_999_999, 1.5, "7", None, True):
        own.load({"answers": [], "ideas": {}, "seed": wrong})
        assert own.seed == 7
