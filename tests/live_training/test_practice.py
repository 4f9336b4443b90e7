"""Exercises, and a small Transformer that learns one."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.data.examples import STAR
from core.errors import ParameterError
from core.live_training.exercises import EXERCISES, SequenceExercise, of_text
from core.live_training.practice import TEST, practice
from core.live_training.practised import Practice


def seeded(n: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(n)


def pairs(exercise: SequenceExercise, n: int, seed: int, *, held: bool) -> list[tuple[str, str]]:
    """Sources and targets as they are read."""
    found = exercise.draw(n, seeded(seed), held)
    return list(zip(*([spelt(exercise, one) for one in side] for side in found), strict=True))


def spelt(exercise: SequenceExercise, ids: torch.Tensor) -> str:
    return "".join(exercise.symbols[one] for one in ids.tolist())


@pytest.mark.parametrize("name", EXERCISES)
def test_what_is_held_out_is_never_trained_on(name):
    held, trained = (
        {source for source, _ in pairs(EXERCISES[name], 500, 0, held=held)}
        for held in (True, False)
    )
    assert len(held) > 300
    assert not held & trained


def test_each_exercise_is_solved_rightly():
    solved = {"copy": lambda one: one, "reverse": lambda one: one[::-1],
              "sort": lambda one: "".join(sorted(one)),
              "add": lambda one: str(sum(map(int, one.split("+")))).zfill(3)[::-1]}  # fmt: skip
    for name, solve in solved.items():
        for source, target in pairs(EXERCISES[name], 20, 1, held=False):
            assert target == solve(source)


def test_a_text_is_continued_and_its_end_held_out():
    exercise = of_text(STAR)
    for held in (True, False):
        for source, target in pairs(exercise, 50, 2, held=held):
            assert source + target in STAR
            place = STAR.rindex(source + target)
            assert (place + 2 * len(source) > 0.85 * len(STAR)) or not held
    end = STAR[-len(STAR) // 10 :]
    trained = "".join(a + b for a, b in pairs(exercise, 2000, 3, held=False))
    assert end[10:40] not in trained
    assert "□" not in spelt(exercise, exercise.draw(1, seeded(), False)[0][0])
    strange = of_text("^|" + "".join(map(chr, range(0x4E00, 0x4E00 + 400))))
    assert len(strange.symbols) <= 48
    with pytest.raises(ParameterError, match="at least 300 characters"):
        of_text("short")


def test_rows_have_their_marks():
    exercise = EXERCISES["reverse"]
    source, target, expected = exercise.rows(2, seeded(), held=False)
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
