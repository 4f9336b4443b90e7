"""What a learner has answered: kept, loaded, and never believed unchecked."""

from __future__ import annotations

import json

import pytest

from core.lessons.answered import Answered
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
    study, late, early, anew = Study(), Answered(), Answered(), Answered()
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
    study, one = Study(), Answered()
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
    study, one = Study(), Answered(given_up=True)
    study.once_more(one)
    study.tried(one, Marked(right=True), 1, {})
    assert (one.tries, one.once) == (2, False)


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


def test_answers_of_two_tabs_are_kept():
    one, other = Study(is_loaded=True), Study(is_loaded=True)
    answered(one, "q1")
    answered(other, "q2")
    heard(by=one, of=other)
    heard(by=other, of=one)
    for study in (one, other):
        assert study.of("lesson-a", "q1").right
        assert study.of("lesson-a", "q2").right
    before = one.as_data()
    heard(by=one, of=other)
    assert one.as_data() == before  # it ends there: neither has news for the other any more


def test_of_two_answers_to_one_question_the_later_counts_and_a_right_one_stays_counted():
    one = Study(is_loaded=True)
    answered(one, "q1")
    other = Study()
    heard(by=other, of=one)
    answered(other, "q1", 3.0, right=False)
    heard(by=one, of=other)
    found = one.of("lesson-a", "q1")
    assert (found.right, found.once, found.tries, found.given) == (False, True, 2, 3.0)
    heard(by=other, of=one)  # an older one takes nothing back
    assert other.of("lesson-a", "q1").given == 3.0


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


def test_what_one_tab_deletes_is_gone_in_all():
    one, other = Study(is_loaded=True), Study(is_loaded=True)
    answered(one, "q1")
    heard(by=other, of=one)
    one.wipe(1)
    answered(one, "q2")
    heard(by=other, of=one)
    assert other.as_data()["answers"] == one.as_data()["answers"]
    assert not other.of("lesson-a", "q1").tries


def test_another_draw_is_kept_and_no_older_answer_comes_back_over_it():
    one, other = Study(is_loaded=True), Study(is_loaded=True)
    answered(one, "q1", right=False)
    heard(by=other, of=one)
    one.again(one.of("lesson-a", "q1"))
    heard(by=one, of=other)
    assert one.of("lesson-a", "q1") == Answered(seed=1)
    heard(by=other, of=one)
    assert other.of("lesson-a", "q1") == Answered(seed=1)


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


def test_an_idea_that_is_gone_does_not_come_back_from_another_tab():
    one, other = Study(is_loaded=True), Study(is_loaded=True)
    one.take(one.of("lesson-a", "q1"), Marked(right=False, idea="not-scaled"), 3.0, IDEAS)
    heard(by=other, of=one)
    assert other.ideas == {"not-scaled": 0}
    for question in ("q2", "q3"):
        other.take(other.of("lesson-a", question), Marked(right=True), 2.0, IDEAS)
    heard(by=one, of=other)
    heard(by=other, of=one)
    assert one.ideas == other.ideas == {}


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
