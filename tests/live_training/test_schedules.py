"""Learning rates, step by step."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import ParameterError
from core.live_training.schedules import Fall, WarmupStableCooldown, noam
from core.training.recipe import Schedule


def test_noam_is_the_papers_formula():
    """Equation (3) by hand, and with the paper's own numbers: d_model 512, 4,000 steps."""
    assert noam(1, 512) == pytest.approx(512**-0.5 * 4000**-1.5)
    assert noam(100, 512, warmup=50) == pytest.approx(512**-0.5 * 100**-0.5)
    assert noam(4000, 512) == pytest.approx(6.987712e-4)
    assert noam(1, 512) == pytest.approx(1.746928e-7)
    assert noam(100_000, 512) == pytest.approx(1.397542e-4)


def test_noam_rises_to_the_warm_up_step_and_falls_with_the_root():
    rates = [noam(step, 64, warmup=10) for step in range(1, 41)]
    assert rates.index(max(rates)) == 9
    assert rates[:10] == sorted(rates[:10])
    assert rates[39] == pytest.approx(rates[9] / 2)  # four times the step, half the rate


def test_noam_counts_from_one():
    with pytest.raises(ParameterError, match="step is 0; it must be at least 1"):
        noam(0, 512)


@pytest.mark.parametrize(
    ("name", "values"), [("step", (0, 64, 4)), ("d_model", (1, 0, 4)), ("warmup", (1, 64, 0)),
                         ("warmup", (1, 64, -1))]
)  # fmt: skip
def test_noam_says_what_is_too_small(name, values):
    with pytest.raises(ParameterError, match=f"{name} is"):
        noam(*values)


@pytest.mark.parametrize("n_warmup", [0, -1])
def test_a_rise_takes_a_step_at_least(n_warmup):
    with pytest.raises(ParameterError, match="n_warmup"):
        WarmupStableCooldown(n_warmup)


def test_up_level_down():
    rates = WarmupStableCooldown(n_warmup=2, floor=0.2, falls=(Fall(6, 4),))
    shares = [rates.share(step) for step in range(10)]
    assert shares == pytest.approx([0.5, 1, 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2])
    assert rates.n_steps == 10


def test_without_a_fall_it_stays_up():
    rates = WarmupStableCooldown(n_warmup=4)
    assert [rates.share(step) for step in (0, 3, 4, 10**6)] == [0.25, 1, 1, 1]
    assert rates.n_steps is None


def test_a_fall_during_the_rise_begins_where_the_rise_is():
    rates = WarmupStableCooldown(n_warmup=10, floor=0.1).fall_from(5, 4)
    assert [rates.share(step) for step in range(9)] == pytest.approx(
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.4, 0.3, 0.2, 0.1]
    )


@pytest.mark.parametrize(("step", "count"), [(72, 40), (85, 14), (85, 60), (99, 1)])
def test_a_fall_is_bent_where_it_stands(step, count):
    before = WarmupStableCooldown(5, 0.1).fall_from(70, 30)
    after = before.fall_from(step, count)
    assert after.n_steps == step + count
    assert [after.share(n) for n in range(step)] == [before.share(n) for n in range(step)]
    # From the share that was reached, in even steps, to the floor.
    falls = -np.diff([before.share(step - 1), *map(after.share, range(step, step + count))])
    assert falls == pytest.approx(np.full(count, falls.mean()))
    assert after.share(after.n_steps - 1) == pytest.approx(0.1)


def test_a_fall_is_bent_again_and_again():
    rates = WarmupStableCooldown(1, 0.0).fall_from(10, 10).fall_from(15, 10).fall_from(20, 2)
    shares = [rates.share(step) for step in range(9, 22)]
    assert shares == pytest.approx(
        [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.125, 0]
    )


@pytest.mark.parametrize(
    "falls",
    [
        (Fall(5, 5), Fall(5, 9)),
        (Fall(5, 5), Fall(10, 3)),
        (Fall(5, 5), Fall(2, 3)),
        (Fall(-1, 5),),
        (Fall(3, 0),),
    ],
)
def test_falls_that_cannot_be_are_refused(falls):
    with pytest.raises(ParameterError, match="fall is"):
        WarmupStableCooldown(2, 0.1, falls)


@pytest.mark.parametrize("n_steps", [1, 2, 10, 1000])
def test_a_schedules_share_of_the_steps_is_the_fall(n_steps):
    rates = Schedule(warmup=3, cooldown=0.3, floor=0.05).rates(n_steps)
    assert rates.n_steps == n_steps
    (fall,) = rates.falls
    assert fall.n_steps == max(1, round(0.3 * n_steps))
    assert rates.share(n_steps - 1) == pytest.approx(0.05)
    assert Schedule().rates().n_steps is None
