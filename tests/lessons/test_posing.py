"""Questions: drawn where they are clear, marked by the idea behind a wrong answer."""

from __future__ import annotations

import dataclasses
import math

import pytest

from core.errors import NoQuestionError
from core.lessons.asking_again import pose_another, probe
from core.lessons.marking import Marked, mark
from core.lessons.posing import alike, pose, unclear
from core.lessons.schema import Question

NAMES = {"x": [3.0, 5.0, 5.01, 40.0], "words": ["The", "cat", "sat", "down"]}
SAYS = {"hints": ("a", "b", "c"), "solution": "{{answer}}"}


def question(**given) -> Question:
    return Question(**{"id": "q1", "ask": "?", **SAYS, **given})


NUMBER = {"kind": "number", "draw": {"i": "range(0, 4)"}, "answer": "x[i] * 2",
          "wrong": {"not-doubled": "x[i]", "of-the-last": "x[3] * 2"}}  # fmt: skip


def test_the_same_seed_poses_the_same_question():
    one = question(**NUMBER)
    seen = {pose(one, NAMES, seed).right for seed in range(30)}
    assert pose(one, NAMES, 3).right == pose(one, NAMES, 3).right
    assert seen == {6.0, 10.0, 10.02}  # not 80, where two answers are the same


def test_a_number_is_right_within_its_tolerance_and_an_idea_is_recognised():
    posed = pose(question(**NUMBER, where="i == 1"), NAMES, 0)
    assert mark(posed, 10.1) == Marked(right=True)
    assert mark(posed, 5) == Marked(right=False, idea="not-doubled")
    assert mark(posed, 80) == Marked(right=False, idea="of-the-last")
    assert mark(posed, 7) == Marked(right=False)


def test_data_that_allow_no_clear_question_say_what_is_needed():
    with pytest.raises(NoQuestionError, match="Type more"):
        pose(question(**NUMBER, where="i > 9", needs="Type more."), NAMES, 0)
    with pytest.raises(NoQuestionError):
        pose(question(**NUMBER, where="i == 3"), NAMES, 0)


def test_the_place_of_the_right_option_is_drawn():
    one = question(kind="choice", answer="{{words[1]}}", wrong={"aa": "dog", "bb": "pig"})
    places = {pose(one, NAMES, seed).right for seed in range(30)}
    assert places == {0, 1, 2}
    posed = pose(one, NAMES, 5)
    assert posed.options[posed.right] == "cat"
    assert mark(posed, posed.options.index("pig")) == Marked(right=False, idea="bb")


def test_tokens_are_a_set():
    one = question(kind="tokens", over="words", answer="range(0, 4) < 3",
                   wrong={"aa": "range(0, 4) < 4", "bb": "range(0, 4) < 2"})  # fmt: skip
    posed = pose(one, NAMES, 0)
    assert mark(posed, [2, 0, 1]) == Marked(right=True)
    assert mark(posed, [0, 1, 2, 3]) == Marked(right=False, idea="aa")
    assert mark(posed, []) == Marked(right=False)


def test_an_order_is_shuffled_and_recognised():
    one = question(kind="order", answer=("one", "two", "three"), wrong={"back": [2, 1, 0]})
    posed = pose(one, NAMES, 1)
    assert [posed.options[n] for n in posed.right] == ["one", "two", "three"]
    assert mark(posed, list(posed.right)) == Marked(right=True)
    assert mark(posed, list(posed.wrong["back"])) == Marked(right=False, idea="back")


def test_a_bet_is_scored_in_bits():
    one = question(kind="bet", answer="cat", wrong={"aa": "dog", "bb": "pig"})
    posed = pose(one, NAMES, 0)
    stake = [0, 0, 0]
    stake[posed.right] = 30
    stake[posed.wrong["aa"]] = 90
    found = mark(posed, stake)
    assert found is not None
    assert (found.right, found.idea, found.bits) == (False, "aa", 2.0)
    stake[posed.right], stake[posed.wrong["aa"]] = 0, 1
    lost = mark(posed, stake)
    assert lost is not None
    assert lost.bits == math.inf


@pytest.mark.parametrize("given", [
    None, "1", [], {}, float("nan"), float("inf"), True, [True], [0, 0], [99], -1, 10, [1, "a", 2],
    [[0]], [-1, 1, 1], [0, 0, 0], [1, 2], [1e400, 1, 1],
])  # fmt: skip
def test_what_is_no_answer_is_not_marked(given):
    each = [
        question(kind="choice", answer="cat", wrong={"aa": "dog", "bb": "pig"}),
        question(kind="bet", answer="cat", wrong={"aa": "dog", "bb": "pig"}),
        question(kind="order", answer=("one", "two", "three"), wrong={"back": [2, 1, 0]}),
    ]
    for one in each:
        assert mark(pose(one, NAMES, 0), given) is None
    if not isinstance(given, int) or isinstance(given, bool):
        assert mark(pose(question(**NUMBER), NAMES, 0), given) is None


def test_another_one_asks_something_else_while_there_is_something():
    one, asked = question(**NUMBER), set()
    for seed in (0, 0, 0):
        posed = pose_another(one, NAMES, seed, asked)
        assert posed.about not in asked
        asked.add(posed.about)
    assert pose_another(one, NAMES, 0, asked).about in asked  # three places are clear


def test_before_in_and_after_the_lesson_it_is_asked_of_different_places():
    one = question(**NUMBER)
    asked = [pose(one, NAMES, 0), probe(one, NAMES, "before"), probe(one, NAMES, "after")]
    assert len({posed.about for posed in asked}) == 3


def test_what_is_asked_does_not_depend_on_the_order_of_the_options():
    one = question(kind="choice", answer="cat", wrong={"aa": "dog", "bb": "pig"})
    assert len({pose(one, NAMES, seed).about for seed in range(9)}) == 1


def test_who_writes_a_question_is_told_which_answers_are_too_near():
    said = unclear(question(**NUMBER, where="i == 3"), NAMES)
    assert said == "of 4 places 0 are clear; where leaves out 3; " \
        "the right answer and of-the-last are too near at 1"  # fmt: skip


def number(sort: str, answer: str, wrong: str, **more) -> Question:
    return question(kind="number", number=sort, answer=answer, wrong={"aa": wrong}, **more)


def test_only_a_share_is_taken_in_per_cent_with_either_sign():
    """92.6 is no gain of 0.926, and 100 no count of 1."""
    for right, typed in ((0.926, 92.6), (-0.053, -5.3), (0.249, 24.9)):
        share = pose(number("share", str(right), "0.5"), NAMES, 0)
        assert mark(share, typed) == Marked(right=True)
        assert mark(share, right) == Marked(right=True)
        for sort in ("", "measured"):
            plain = pose(number(sort, str(right), "0.5"), NAMES, 0)
            assert mark(plain, typed) == Marked(right=False)
            assert mark(plain, right) == Marked(right=True)
    assert mark(pose(number("whole", "1", "2"), NAMES, 0), 100) == Marked(right=False)


def test_a_share_in_per_cent_shows_an_idea_and_a_wrong_sign_too():
    share = pose(number("share", "0.17", "0.43"), NAMES, 0)
    assert mark(share, 43) == Marked(right=False, idea="aa")
    assert mark(share, -17) == Marked(right=False, idea="wrong-sign")
    more = pose(number("share", "0.17", "3.5"), NAMES, 0)  # an idea may give more than a whole
    assert mark(more, 3.5) == mark(more, 350) == Marked(right=False, idea="aa")
    assert mark(pose(number("share", "0.035", "0.5"), NAMES, 0), 3.5, in_percent=True) == Marked(
        right=False
    )


def test_a_share_is_asked_only_where_no_idea_in_per_cent_is_another():
    """25.9 may be typed for a share of 0.259: it cannot stand for an idea, too."""
    assert alike(pose(number("share", "0.259", "5.0"), NAMES, 0)) is None
    posed = pose(number("", "0.259", "25.9"), NAMES, 0)
    assert alike(posed) is None
    as_share = dataclasses.replace(posed, question=number("share", "0.259", "25.9"))
    assert alike(as_share) == ("", "aa")


def test_a_whole_number_has_no_tolerance_and_ideas_beside_it_have_one():
    for right, typed in (("512 / 4", 127), ("2500 + 2500", 5001), ("30 * 30", 899)):
        posed = pose(number("whole", right, "sqrt(5000)"), NAMES, 0)
        assert mark(posed, typed) == Marked(right=False)
        assert mark(posed, posed.right) == Marked(right=True)
        assert mark(posed, 70.7) == Marked(right=False, idea="aa")
    assert mark(pose(number("whole", "20000 * 0.15 * 0.8", "3"), NAMES, 0), 2400).right
    with pytest.raises(ValueError, match="a whole number has none"):
        number("whole", "1", "2", tolerance=0.02)
    with pytest.raises(ValueError, match="for kind number alone"):
        question(kind="tokens", over="words", answer="1", wrong={"aa": "0"}, number="whole")


def test_where_one_is_picked_a_place_of_an_idea_shows_it():
    one = question(kind="tokens", one=True, over="words", answer="range(0, 4) == 2",
                   wrong={"aa": "range(0, 4) == 0", "bb": "range(0, 4) < 4"})  # fmt: skip
    posed = pose(one, NAMES, 0)
    assert mark(posed, [2]) == Marked(right=True)
    assert mark(posed, [0]) == Marked(right=False, idea="aa")
    assert mark(posed, [3]) == Marked(right=False, idea="bb")
    assert mark(posed, [0, 2]) is None  # the pick before was not taken back
    assert mark(posed, []) is None
    with pytest.raises(ValueError, match="for kinds tokens and cells alone"):
        number("", "1.5", "2", one=True)


def test_steps_of_the_arithmetic_have_names():
    steps = {"let": {"double": "x[i] * 2", "more": "double + 1"}, "answer": "more"}
    posed = pose(question(**{**NUMBER, **steps, "wrong": {"not-more": "double"}}), NAMES, 0)
    assert posed.right == posed.names["double"] + 1
    assert posed.say("{{double}} + 1 = {{more}}").endswith(f"= {posed.say('{{answer}}')}")
