"""Exercises, and a small Transformer that learns one."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import ParameterError
from core.live_training.exercises import EXERCISES
from core.live_training.practice import TEST, practice
from core.live_training.practised import Practice


def seeded(n: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(n)


@pytest.mark.parametrize("name", EXERCISES)
def test_what_is_held_out_is_never_trained_on(name):
    exercise = EXERCISES[name]
    held, trained = (
        {tuple(one) for one in exercise.sources(500, seeded(), held=held).tolist()}
        for held in (True, False)
    )
    assert len(held) > 300
    assert not held & trained
    assert exercise.sources(7, seeded(1), held=True).shape == (7, exercise.n_source)


def test_each_exercise_is_solved_rightly():
    letters = torch.tensor([[3, 1, 2, 1, 0, 9, 8, 7, 5, 4]])
    assert EXERCISES["copy"].solve(letters).tolist() == letters.tolist()
    assert EXERCISES["reverse"].solve(letters).tolist() == [[4, 5, 7, 8, 9, 0, 1, 2, 1, 3]]
    assert EXERCISES["sort"].solve(letters).tolist() == [[0, 1, 1, 2, 3, 4, 5, 7, 8, 9]]
    sources = EXERCISES["add"].sources(20, seeded(), held=False)
    for source, target in zip(sources.tolist(), EXERCISES["add"].solve(sources).tolist(),
                              strict=True):  # fmt: skip
        first, _plus, second = "".join(EXERCISES["add"].symbols[one] for one in source).partition(
            "+"
        )
        assert "".join(map(str, reversed(target))) == str(int(first) + int(second)).zfill(
            len(target)
        )


def test_rows_have_their_marks():
    exercise = EXERCISES["reverse"]
    source, target, expected = exercise.rows(exercise.sources(2, seeded(), held=False))
    assert (source[:, -1] == exercise.end).all()
    assert (target[:, 0] == exercise.start).all()
    assert torch.equal(target[:, 1:], expected[:, :-1])
    assert (expected[:, -1] == exercise.end).all()


def test_a_training_tells_what_it_does_and_two_of_a_seed_tell_the_same():
    one, two = (list(practice("reverse", warmup=10, steps=30)) for _ in range(2))
    assert [record.step for record in one] == [0, 20, 30]
    assert one[-1].unseen < one[0].unseen
    assert one[1].rate > one[-1].rate
    for first, second in zip(one, two, strict=True):
        assert first.loss == second.loss
        assert first.written == second.written
    last = one[-1]
    assert last.weights.shape == (4, 11, 11)
    np.testing.assert_allclose(last.weights.sum(-1), 1, rtol=1e-5)
    assert last.wanted[0] == last.sources[0][:-1][::-1] + "|"
    assert len(last.written[0]) == len(last.wanted[0])
    assert round(last.whole * TEST) == pytest.approx(last.whole * TEST)


def test_it_has_learned_when_it_stays_right():
    told = list(practice("copy", warmup=10, steps=0))
    assert Practice(tuple(told)).finished
    assert Practice(tuple(told)).learned_at(0.99) is None

    def of(*right: float) -> Practice:
        made = [type("One", (), {"whole": share, "step": n})() for n, share in enumerate(right)]
        return Practice(tuple(made))

    assert of(0.1, 1.0, 0.5, 0.99, 1.0).learned_at(0.99) == 3
    assert of(1.0, 1.0).learned_at(0.99) == 0
    assert of(1.0, 0.5).learned_at(0.99) is None


@pytest.mark.slow
def test_reverse_is_learned_to_99_per_cent_of_whole_sequences():
    """Fourteen seconds of one core: well below the ninety that a learner would wait."""
    assert Practice(tuple(practice("reverse"))).learned_at(0.99) is not None


@pytest.mark.parametrize("more", [{"name": "nothing"}, {"name": "copy", "steps": -1},
                                  {"name": "copy", "seed": -1}])  # fmt: skip
def test_what_cannot_be_trained_is_refused(more):
    with pytest.raises(ParameterError):
        next(practice(**more))
