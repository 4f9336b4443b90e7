"""Two tiny models learn; the one that sees its answer learns nothing else."""

from __future__ import annotations

import itertools

import pytest
import torch

from core.errors import ParameterError
from core.live_training.look_ahead import EVERY, FLOOR_BITS, _rule, _texts, look_ahead
from core.live_training.records import LookAhead


def test_texts_follow_a_rule_of_one_bit():
    rule = _rule(0)
    assert rule.shape == (16, 2)
    assert all(len(set(pair.tolist())) == 2 for pair in rule)
    texts = _texts(rule, 50, torch.Generator().manual_seed(0))
    for text in texts.tolist():
        assert all(b in rule[a].tolist() for a, b in itertools.pairwise(text))
    assert FLOOR_BITS == 1.0


def test_without_a_mask_the_loss_passes_the_floor_and_the_model_knows_nothing():
    found = LookAhead.of(list(look_ahead()))
    assert found.step[0] == 0
    assert found.step[-1] == 300
    assert found.step[1] == EVERY
    assert found.finished
    # Before any step both guess: log2 16 = 4 bits, give or take.
    assert 3.5 < found.causal_seen[0] < 4.5
    assert found.unmasked_seen[-1] < found.floor < found.unmasked_unseen[-1] - 0.5
    # With the mask it reaches the floor, and as well when the answer is not there.
    assert 0.95 * found.floor < found.causal_seen[-1] < 1.15 * found.floor
    assert abs(found.causal_unseen[-1] - found.causal_seen[-1]) < 0.1


def test_it_can_be_made_again():
    assert list(look_ahead(40)) == list(look_ahead(40))
    assert [one.step for one in look_ahead(40)] == [0, 20, 40]


def test_it_is_told_while_they_learn():
    steps = look_ahead(300)
    first = LookAhead.of([next(steps), next(steps)])
    assert first.step.tolist() == [0, 20]
    assert first.steps == 300
    assert not first.finished
    steps.close()


def test_fewer_steps_than_none_are_an_error():
    with pytest.raises(ParameterError, match="steps is -1; it must be 0 or above"):
        next(look_ahead(-1))
    assert len(list(look_ahead(0))) == 1
