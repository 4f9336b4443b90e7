"""Filters: each gives a distribution back, and cuts what it says it cuts."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.decoding.sampling import (
    draw,
    filtered,
    keep_top_k,
    keep_top_p,
    repetition_penalty,
    with_temperature,
)
from core.decoding.settings import GREEDY, Sampling
from core.errors import ParameterError

logits_of = st.lists(st.floats(-50, 50, width=32), min_size=1, max_size=40).map(torch.tensor)


def is_distribution(probs: torch.Tensor) -> None:
    assert (probs >= 0).all()
    assert probs.isfinite().all()
    assert probs.sum().item() == pytest.approx(1, abs=1e-5)


@given(
    logits=logits_of,
    temperature=st.one_of(st.just(0.0), st.floats(0, 1e-6), st.floats(1e-6, 100)),
    k=st.integers(0, 50),
    p=st.floats(1e-9, 1),
    penalty=st.floats(0.1, 10),
)
def test_every_filter_gives_a_distribution(logits, temperature, k, p, penalty):
    sampling = Sampling(temperature, k, p, penalty)
    found = filtered(logits, [0, len(logits) - 1], sampling)
    for name in ("raw", "after_repetition", "after_temperature", "after_top_k", "after_top_p"):
        is_distribution(getattr(found, name))
    # Nothing that was cut comes back.
    assert ((found.after_top_k > 0) <= (found.after_temperature > 0)).all()
    assert ((found.after_top_p > 0) <= (found.after_top_k > 0)).all()


# --- temperature -------------------------------------------------------------------


def test_temperature_divides_the_logits():
    found = with_temperature(torch.tensor([0.0, math.log(2)]), 0.5)
    torch.testing.assert_close(found, torch.tensor([0.2, 0.8]))  # 1 : 2^(1/0.5) = 1 : 4


def test_temperature_0_takes_the_largest_and_the_first_of_equals():
    assert with_temperature(torch.tensor([1.0, 3.0, 3.0]), 0.0).tolist() == [0, 1, 0]


@pytest.mark.parametrize("temperature", [1e-45, 1e-30, 1e-7, 1e-5])
def test_temperatures_near_0_approach_the_limit(temperature):
    assert with_temperature(torch.tensor([-500.0, 3.0, 400.0]), temperature).tolist() == [0, 0, 1]


@pytest.mark.parametrize("temperature", [-0.1, math.inf, math.nan, 10**400], ids=range(4))
def test_other_temperatures_are_an_error(temperature):
    with pytest.raises(ParameterError, match=r"temperature is .*; it must be 0 or above"):
        with_temperature(torch.zeros(3), temperature)


# --- top-k -------------------------------------------------------------------------

PROBS = torch.tensor([0.1, 0.4, 0.2, 0.3])


@pytest.mark.parametrize(
    ("k", "kept"),
    [(1, [0, 1, 0, 0]), (2, [0, 4 / 7, 0, 3 / 7]), (3, [0, 4 / 9, 2 / 9, 3 / 9])],
)
def test_top_k_keeps_the_likeliest_and_scales_them_up(k, kept):
    torch.testing.assert_close(keep_top_k(PROBS, k), torch.tensor(kept).float())


@pytest.mark.parametrize("k", [0, 4, 5, 10**9])
def test_no_limit_keeps_all(k):
    assert keep_top_k(PROBS, k).equal(PROBS)


def test_top_k_of_equals_keeps_exactly_k():
    assert (keep_top_k(torch.full((6,), 1 / 6), 2) > 0).sum() == 2


def test_negative_k_is_an_error():
    with pytest.raises(ParameterError, match="top-k is -1; it must be 0"):
        keep_top_k(PROBS, -1)


# --- top-p -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "n_kept"),
    [(1e-9, 1), (0.4, 1), (0.41, 2), (0.7, 2), (0.71, 3), (0.9, 3), (0.91, 4), (1.0, 4)],
)
def test_top_p_keeps_the_fewest_that_reach_p(p, n_kept):
    found = keep_top_p(PROBS.double(), p)
    assert (found > 0).sum() == n_kept
    order = PROBS.argsort(descending=True)
    assert (found[order][:n_kept] > 0).all()
    torch.testing.assert_close(found[found > 0], PROBS[found > 0].double() / PROBS[found > 0].sum())


def test_top_p_never_keeps_nothing():
    assert keep_top_p(torch.tensor([0.0, 1.0, 0.0]), 1e-30).tolist() == [0, 1, 0]
    assert (keep_top_p(torch.full((1000,), 1e-3), 1e-12) > 0).sum() == 1


def test_top_p_of_one_keeps_even_what_rounding_would_lose():
    many = torch.softmax(torch.randn(8192), dim=-1)
    assert keep_top_p(many, 1.0) is many


def test_top_p_after_top_k_counts_the_scaled_shares():
    """Of 0.4 and 0.3 alone the first holds 4/7: enough for p = 0.5."""
    assert (keep_top_p(keep_top_k(PROBS, 2), 0.5) > 0).tolist() == [False, True, False, False]


@pytest.mark.parametrize("p", [0, -0.1, 1.1, math.nan])
def test_other_shares_are_an_error(p):
    with pytest.raises(ParameterError, match=r"top-p is .*; it must be above 0 and at most 1"):
        keep_top_p(PROBS, p)


# --- repetition --------------------------------------------------------------------


def test_the_penalty_divides_positive_and_multiplies_negative_logits():
    logits = torch.tensor([2.0, -2.0, 4.0, 0.0])
    found = repetition_penalty(logits, [0, 1, 1, 3], 2.0)
    assert found.tolist() == [1.0, -4.0, 4.0, 0.0]
    assert logits.tolist() == [2.0, -2.0, 4.0, 0.0]


def test_no_penalty_changes_nothing():
    logits = torch.randn(5)
    assert repetition_penalty(logits, [0, 1], 1.0) is logits
    assert repetition_penalty(logits, [], 2.0) is logits


@pytest.mark.parametrize("penalty", [0, -1, math.inf, math.nan])
def test_other_penalties_are_an_error(penalty):
    with pytest.raises(ParameterError, match=r"repetition penalty is .*; it must be above 0"):
        repetition_penalty(torch.zeros(3), [0], penalty)


@pytest.mark.parametrize("penalty", [1e-300, 1e-38, 9e-4, 1001, 1e300, 10**400], ids=range(6))
def test_a_penalty_that_no_float_bears_is_an_error(penalty):
    """Divided by 1e-300 a logit is infinite, and what is drawn from no distribution."""
    wanted = r"repetition penalty is .*; it must be between 0.001 and 1,000"
    with pytest.raises(ParameterError, match=wanted):
        repetition_penalty(torch.ones(3), [0], penalty)


@pytest.mark.parametrize("penalty", [1e-3, 1000])
def test_the_strongest_penalties_leave_a_distribution(penalty):
    logits = torch.tensor([400.0, -400.0, 1e-30, 0.0])
    found = filtered(logits, [0, 1, 2, 3], Sampling(1e-6, 0, 1.0, repetition=penalty))
    for name in ("raw", "after_repetition", "after_temperature", "after_top_p"):
        is_distribution(getattr(found, name))


# --- all together -------------------------------------------------------------------


def test_filters_apply_in_order():
    logits = torch.tensor([3.0, 2.0, 1.0, 0.0])
    found = filtered(logits, [0], Sampling(0.5, 3, 0.9, repetition=3.0))
    torch.testing.assert_close(found.raw, logits.softmax(-1))
    penalised = torch.tensor([1.0, 2.0, 1.0, 0.0])
    torch.testing.assert_close(found.after_repetition, penalised.softmax(-1))
    tempered = (penalised / 0.5).softmax(-1)
    torch.testing.assert_close(found.after_temperature, tempered)
    torch.testing.assert_close(found.after_top_k, keep_top_k(tempered, 3))
    torch.testing.assert_close(found.after_top_p, keep_top_p(keep_top_k(tempered, 3), 0.9))


def test_greedy_leaves_one():
    found = filtered(torch.tensor([0.0, 5.0, 4.0]), [], GREEDY)
    assert found.after_top_p.tolist() == [0, 1, 0]


def test_draws_follow_the_seed_and_the_shares():
    probs = torch.tensor([0.0, 0.25, 0.75])

    def draws(seed: int) -> list[int]:
        generator = torch.Generator().manual_seed(seed)
        return [draw(probs, generator) for _ in range(2000)]

    assert draws(1) == draws(1)
    assert draws(1) != draws(2)
    assert 0 not in draws(1)
    assert draws(1).count(2) == pytest.approx(1500, abs=80)  # four standard deviations
