"""When the rate must fall, from the pace of the last steps."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.training.clock import Clock


def run(seconds, *, minutes: float = 1.0, cooldown: float = 0.45, batches: int = 1):
    """Drive a clock to the end of a run; what it took, where the falls were, how many steps."""
    clock, spent, step, end, falls = Clock(minutes * 60, cooldown, batches), 0.0, 0, None, []
    while end is None or step < end:
        n_batches = batches if falls else 1
        took = seconds(spent, step) * n_batches
        spent, step = spent + took, step + 1
        clock.tick(took, n_batches)
        if step == end:
            break
        n = clock.first_fall(spent) if end is None else clock.other_fall(spent, end - step)
        if n:
            falls.append((step, n))
            end = step + n
    return spent, falls, step


def test_at_a_steady_pace_there_is_one_fall_of_its_share():
    spent, falls, steps = run(lambda now, _: 0.25)
    assert spent <= 60
    assert spent == pytest.approx(60, abs=0.5)
    assert steps == 240
    assert falls == [(132, 108)]


def test_larger_steps_of_the_fall_are_counted():
    spent, falls, steps = run(lambda now, _: 0.25, batches=4)
    assert falls == [(132, 27)]
    assert steps == 159
    assert spent == pytest.approx(60, abs=1.01)


@pytest.mark.parametrize("begin", [0, 4, 15, 30, 40, 50, 57])
@pytest.mark.parametrize("cooldown", [0.45, 0.9])
def test_a_run_ends_in_time_whenever_its_machine_becomes_slow(begin, cooldown):
    """Three times as slow from the start, in the level part, inside the fall and near its end."""
    spent, falls, steps = run(lambda now, _: 0.25 if now < begin else 0.75, cooldown=cooldown)
    assert 58.5 <= spent <= 60 + 0.75
    assert steps == pytest.approx(4 * begin + (60 - begin) / 0.75, abs=2)
    assert 1 <= len(falls) <= 6


def test_a_machine_that_becomes_free_again_is_used_to_the_end():
    spent, falls, steps = run(lambda now, _: 0.75 if 105 < now < 120 else 0.25, minutes=3)
    assert 175 < spent <= 180
    assert steps >= 720 - 40 - 5
    assert any(later[1] > earlier[1] - (later[0] - earlier[0])
               for earlier, later in itertools.pairwise(falls))  # fmt: skip


def test_one_slow_step_ends_no_run():
    """The first step after a resumption compiles; that is no reason to cool down for good."""
    spent, falls, steps = run(lambda now, step: 10.0 if step == 300 else 0.25, minutes=2)
    assert steps >= 480 - 40 - 5
    assert 115 < spent <= 120
    assert len(falls) <= 4


def test_uneven_steps_bend_a_run_now_and_then_only():
    noise = np.random.default_rng(1)
    spent, falls, _ = run(lambda now, _: 0.25 * noise.uniform(0.8, 1.2), minutes=3)
    assert 170 < spent <= 180 + 0.3
    assert len(falls) <= 7


def test_a_machine_that_is_busy_half_of_its_minutes():
    noise = np.random.default_rng(0)
    slow = noise.random(60) < 0.4
    spent, falls, _ = run(lambda now, _: 1.5 if slow[int(now // 120)] else 0.5, minutes=110)
    assert 6500 < spent <= 6601
    assert len(falls) <= 30


def test_a_first_step_longer_than_the_run_leaves_one_more():
    """Whoever gives ten seconds gets a model all the same."""
    spent, falls, steps = run(lambda now, _: 30.0, minutes=1 / 6)
    assert (steps, falls) == (2, [(1, 1)])
    assert spent == 60
