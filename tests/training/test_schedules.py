"""Learning rates, step by step."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.errors import ParameterError
from core.training.loop import make_schedule
from core.training.recipes import Optimiser
from core.training.schedules import WarmupStableCooldown, noam


def test_noam_is_the_papers_formula():
    assert noam(1, 512) == pytest.approx(512**-0.5 * 4000**-1.5)
    assert noam(100, 512, warmup=50) == pytest.approx(512**-0.5 * 100**-0.5)


def test_noam_rises_to_the_warm_up_step_and_falls_with_the_root():
    rates = [noam(step, 64, warmup=10) for step in range(1, 41)]
    assert rates.index(max(rates)) == 9
    assert rates[:10] == sorted(rates[:10])
    assert rates[39] == pytest.approx(rates[9] / 2)  # four times the step, half the rate


def test_noam_counts_from_one():
    with pytest.raises(ParameterError, match="step is 0; it must be at least 1"):
        noam(0, 512)


def test_up_level_down():
    schedule = WarmupStableCooldown(n_steps=10, n_warmup=2, n_cooldown=4, floor=0.2)
    shares = [schedule.share(step) for step in range(10)]
    assert shares == pytest.approx([0.5, 1, 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2])
    assert schedule.cooldown_start == 6


@pytest.mark.parametrize(("warmup", "cooldown"), [(0, 0), (5, 5), (10, 0), (0, 10), (1, 9)])
def test_shares_stay_between_nothing_and_one(warmup, cooldown):
    schedule = WarmupStableCooldown(10, warmup, cooldown, floor=0.1)
    shares = [schedule.share(step) for step in range(10)]
    assert all(0 < share <= 1 for share in shares)
    assert max(shares) == 1 or warmup == 0
    assert shares[-1] == pytest.approx(0.1 if cooldown else 1.0)


@pytest.mark.parametrize(("steps", "warmup", "cooldown"), [(0, 0, 0), (10, 6, 5), (3, 0, 4)])
def test_parts_longer_than_the_run_are_an_error(steps, warmup, cooldown):
    with pytest.raises(ParameterError, match=f"n_steps is {steps}; it must be at least"):
        WarmupStableCooldown(steps, warmup, cooldown)


@pytest.mark.parametrize("step", [0, 1, 5, 60])
def test_an_early_cool_down_falls_from_there_to_the_floor(step):
    schedule = WarmupStableCooldown(100, 5, 30, floor=0.1)
    early = schedule.cool_down_from(step, 10)
    assert early.n_steps == step + 10
    for before in range(step if step >= schedule.n_warmup else 0):
        assert early.share(before) == schedule.share(before)
    falling = [early.share(at) for at in range(step, step + 10)]
    assert falling == sorted(falling, reverse=True)
    assert falling[0] == pytest.approx(0.91)
    assert falling[-1] == pytest.approx(0.1)


@pytest.mark.parametrize(("step", "count"), [(72, 40), (85, 15), (85, 60), (99, 1)])
def test_a_fall_is_bent_where_it_stands(step, count):
    before = WarmupStableCooldown(100, 5, 30, floor=0.1)
    after = before.cool_down_from(step, count)
    assert after.n_steps == step + count
    # From the share that was reached, in even steps, to the floor.
    falls = -np.diff([before.share(step - 1), *map(after.share, range(step, step + count))])
    assert falls == pytest.approx(falls.mean(), rel=0.2)
    assert falls.min() > 0
    assert after.share(after.n_steps - 1) == pytest.approx(0.1)


def test_a_recipes_shares_become_steps():
    optimiser = Optimiser(lr=1, adam_lr=1, warmup=0.1, cooldown=0.3, floor=0.05)
    assert make_schedule(200, optimiser) == WarmupStableCooldown(200, 20, 60, 0.05)
    one = make_schedule(1, optimiser)
    assert one.n_warmup == 1  # a run of one step still takes one
    assert math.isclose(one.share(0), 1)
