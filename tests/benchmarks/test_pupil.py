"""The class notices what is not its own."""

from __future__ import annotations

import random

import numpy as np

from core import views
from core.lessons import Lesson, lesson
from core.runs.store import Runs
from core.views.params import parse
from tests.benchmarks.in_lesson import SEEDS, answers
from tests.benchmarks.pupil import COMPARED, MARK, PAGES, Received, among, compare, keep


def received(text: str, said: str) -> Received:
    """The attention of one text, received by a learner whose link says another."""
    view, query = views.get(PAGES["heads"][0]), {"layer": "1", "head": "3"}
    params, _problems = parse(view.Params, {**query, "text": text})
    runs = Runs()
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    return Received("heads", {**query, "text": said}, view.show(record).payload().pack())


def test_numbers_of_another_sentence_are_noticed():
    assert not list(compare([received("the cat sat", "the cat sat")]))
    [wrong] = compare([received("the cat sat", "the dog sat")])
    assert "the dog sat" in wrong


def test_numbers_are_looked_up_but_for_their_rounding():
    numbers = np.array([0.0, 0.25, 0.5])
    assert among(np.array([0.25, 0.5000001, 0.0]), numbers)
    assert not among(np.array([0.25, 0.3]), numbers)
    assert not among(np.array([0.7]), numbers)
    assert not among(np.array([0.7]), np.empty(0))
    assert among(np.array([0.25]), np.array([0.25]))


def test_another_learners_number_is_found_in_what_arrives():
    assert MARK.findall(b'{"text":"The dog near the Zq000042"}') == [b"000042"]


def test_no_more_is_kept_than_is_compared():
    kept: list[Received] = []
    draw = random.Random(0)
    for i in range(3 * COMPARED):
        keep(kept, Received(str(i), {}, b""), draw)
    assert len(kept) == COMPARED
    assert any(int(one.page) > COMPARED for one in kept)


def test_a_learner_in_a_lesson_knows_a_right_and_a_wrong_answer_to_each_question():
    found = lesson("gpt")
    assert isinstance(found, Lesson)
    asked = [one.question for one in found.steps
             if one.question is not None and one.question.kind != "do"]  # fmt: skip
    known = answers("gpt")
    assert {ident for ident, _seed in known} == {one.id for one in asked}
    assert all((one.id, seed) in known for one in asked for seed in range(SEEDS))
