"""The steps of a beam search: what they took is what the search finds."""

from __future__ import annotations

import itertools

import pytest

from core.decoding.beam import beam_search, beam_steps, ranked
from core.errors import ParameterError
from tests.decoding.test_beam import END, START, table


@pytest.mark.parametrize("seed", range(5))
def test_each_step_continues_what_the_one_before_took(seed):
    steps = list(beam_steps(table(seed), START, END, beams=3))
    assert steps[0].kept == (((), 0.0),)
    for step, following in itertools.pairwise(steps):
        going = [
            ((*step.kept[row][0], token), total) for row, token, total in step.taken if token != END
        ]
        assert list(following.kept) == going
        assert len(following.kept) + len(following.taken) <= 6
    assert [step.last for step in steps[:-1]] == [False] * (len(steps) - 1)
    found = ranked(steps, END, 0.6)
    assert found == beam_search(table(seed), START, END, beams=3)
    for step in steps:
        logs = step.logits.double().log_softmax(-1)
        for row, token, total in step.taken:
            assert total == pytest.approx(step.kept[row][1] + float(logs[row, token]))


def test_a_penalty_below_nothing_is_refused():
    with pytest.raises(ParameterError, match="alpha"):
        ranked([], END, -1.0)
