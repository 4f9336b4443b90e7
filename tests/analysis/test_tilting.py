"""The best that a model can become for a reward, near its start."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.tilting import kl_from_even, tilted

REWARDS = np.array([0.0, 1.0, 3.0, 3.0])


def test_no_other_shares_have_more_of_reward_less_the_price_of_distance():
    beta, drawn = 0.7, np.random.default_rng(0)
    best = tilted(REWARDS, beta)
    assert best.sum() == pytest.approx(1)
    for other in drawn.dirichlet(np.ones(4), 200):
        assert best @ REWARDS - beta * kl_from_even(best) >= (
            other @ REWARDS - beta * kl_from_even(other)
        )


def test_without_a_price_the_best_share_all():
    assert tilted(REWARDS, 0).tolist() == [0, 0, 0.5, 0.5]
    assert kl_from_even(tilted(REWARDS, 0)) == pytest.approx(np.log(2))
    assert kl_from_even(np.full(4, 0.25)) == 0
    assert tilted(REWARDS, 1e6) == pytest.approx(np.full(4, 0.25), abs=1e-5)
