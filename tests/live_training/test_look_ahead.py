"""Two tiny models learn; the one that sees its answer learns nothing else."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from core.errors import ParameterError
from core.live_training.look_ahead import EVERY, FLOOR_BITS, _rule, _texts, look_ahead


def test_texts_follow_a_rule_of_one_bit():
    rule = _rule(0)
    assert rule.shape == (16, 2)
    assert all(len(set(pair.tolist())) == 2 for pair in rule)
    texts = _texts(rule, 50, torch.Generator().manual_seed(0))
    for text in texts.tolist():
        assert all(b in rule[a].tolist() for a, b in itertools.pairwise(text))
    assert FLOOR_BITS == 1.0


def test_without_a_mask_the_loss_passes_the_floor_and_the_model_knows_nothing():
    found = look_ahead()
    assert found.steps[0] == 0
    assert found.steps[-1] == 300
    assert found.steps[1] == EVERY
    # Before any step both guess: log2 16 = 4 bits, give or take.
    assert 3.5 < found.causal.seen[0] < 4.5
    assert found.unmasked.seen[-1] < found.floor < found.unmasked.unseen[-1] - 0.5
    # With the mask it reaches the floor, and as well when the answer is not there.
    assert 0.95 * found.floor < found.causal.seen[-1] < 1.15 * found.floor
    assert abs(found.causal.unseen[-1] - found.causal.seen[-1]) < 0.1


def test_it_can_be_made_again():
    first, again = look_ahead(40), look_ahead(40)
    np.testing.assert_array_equal(first.unmasked.seen, again.unmasked.seen)
    assert first.steps.tolist() == [0, 20, 40]


def test_fewer_steps_than_none_are_an_error():
    with pytest.raises(ParameterError, match="steps is -1; it must be 0 or above"):
        look_ahead(-1)
    assert len(look_ahead(0).steps) == 1
