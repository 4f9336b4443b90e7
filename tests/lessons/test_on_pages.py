"""The questions that a page asks beside its figures: each draw is clear, each idea recognised."""

from __future__ import annotations

import pytest

from core.lessons.marking import mark
from core.lessons.on_pages import of_amortising, of_both_sides
from core.lessons.posing import pose


@pytest.mark.parametrize("seed", range(8))
def test_a_shared_body_costs_each_task_its_share_and_its_own_fine_tuning(seed):
    own = of_amortising()
    posed = pose(own, {}, seed)
    body, each, n = (posed.names[name] for name in ("body", "own", "tasks"))
    assert mark(posed, body / n + each).right
    assert mark(posed, body + each).idea == "body-for-each"
    assert mark(posed, body / n).idea == "share-alone"
    assert mark(posed, each).idea == "body-is-free"
    assert f"would cost {body + each}" in posed.say(own.solution).replace(",", "")


def test_the_target_is_written_in_entries_of_a_vocabulary_like_the_source():
    own = of_both_sides()
    posed = pose(own, {"entries": 8192}, 0)
    assert len(set(posed.options)) == 4
    (right,) = (n for n, one in enumerate(posed.options) if "entry of the vocabulary" in one)
    assert mark(posed, right).right
    assert {mark(posed, n).idea for n in {*range(4)} - {right}} == own.wrong.keys()
    assert posed.say(own.solution).startswith("8,192: ")
