"""Scores of heads, on attention that is known."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.heads import (
    current_token_score,
    entropy,
    first_token_score,
    induction_score,
    previous_token_score,
)

N = 6
EYE = np.eye(N, dtype=np.float32)
BACK = np.vstack([EYE[:1], EYE[:-1]])  # each looks at the one before, the first at itself
FIRST = np.tile(EYE[0], (N, 1))
EVEN = np.tril(np.ones((N, N), np.float32)) / np.arange(1, N + 1, dtype=np.float32)[:, None]
ALL = np.stack([EYE, BACK, FIRST, EVEN])


def test_each_score_knows_its_pattern():
    assert previous_token_score(ALL)[:3] == pytest.approx([0, 1, 1 / (N - 1)])
    assert first_token_score(ALL)[:3] == pytest.approx([0, 1 / (N - 1), 1])
    assert current_token_score(ALL)[:3] == pytest.approx([1, 0, 0])


def test_even_attention_scores_the_mean_share():
    share = np.mean([1 / n for n in range(2, N + 1)])
    for score in (previous_token_score, first_token_score, current_token_score):
        assert score(EVEN) == pytest.approx(share)


def test_scores_keep_layers_and_heads():
    assert previous_token_score(np.stack([ALL, ALL])).shape == (2, 4)
    assert entropy(ALL).shape == (4, N)


def test_one_token_has_no_one_to_look_at():
    alone = np.ones((2, 1, 1), np.float32)
    for score in (previous_token_score, first_token_score, current_token_score):
        assert score(alone).tolist() == [0, 0]


def test_entropy_is_0_on_one_key_and_log2_n_on_all():
    assert entropy(EYE) == pytest.approx(np.zeros(N))
    assert entropy(EVEN) == pytest.approx(np.log2(np.arange(1, N + 1)))


def test_induction_looks_at_what_followed_last_time():
    """A B C A B C: from the second A at the first B, and so on."""
    ids = [7, 8, 9, 7, 8, 9]
    perfect = np.zeros((N, N), np.float32)
    for query, key in ((3, 1), (4, 2), (5, 3)):
        perfect[query, key] = 1
    assert induction_score(perfect, ids) == 1
    assert induction_score(BACK, ids) == pytest.approx(0)
    assert induction_score(EVEN, ids) == pytest.approx(np.mean([1 / 4, 1 / 5, 1 / 6]))


def test_followers_of_all_earlier_times_count():
    # The third 7 follows two: positions 1 and 3 came after one.
    ids = [7, 8, 7, 9, 7]
    weights = np.zeros((5, 5), np.float32)
    weights[4, [1, 3]] = 0.5
    weights[2, 1] = 1
    assert induction_score(weights, ids) == 1


def test_without_repetition_there_is_no_induction():
    assert induction_score(ALL, range(N)).tolist() == [0, 0, 0, 0]
    # A token right after itself has no follower but itself.
    assert induction_score(EYE[:2, :2], [5, 5]) == 0
