"""A copy of a model learns what a rule likes, and is held near its start."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch

from core.data.preferences import HELD_OUT, PREFERENCES, Preference
from core.errors import ParameterError
from core.live_training import liking as module
from core.live_training.liked import PromptMean
from core.live_training.liking import BATCH, SHOWN, liking


@pytest.fixture
def often(monkeypatch) -> None:
    """A letter that a model of random weights writes now and then, learned in large steps."""
    rule = Preference("a letter", "one point for each e", re.compile("e"))
    monkeypatch.setattr(module, "PREFERENCES", {"e": rule})
    monkeypatch.setattr(module, "RATE", 0.4)


def learned(gpt, name="e", beta=0.0, seed=0, steps=20) -> list:
    return [one for _share, one in liking(gpt, name, beta, seed, steps) if one is not None]


def test_points_grow_and_the_penalty_holds_it_back(gpt, often):
    before = {name: one.clone() for name, one in gpt.model.named_parameters()}
    free, held = learned(gpt), learned(gpt, beta=30.0)
    assert free[0].kl.value == pytest.approx(0, abs=1e-12)
    assert PromptMean.of(free[-1].rewards - free[0].rewards).low > 0
    assert free[-1].kl.value > 10 * held[-1].kl.value > 0
    assert free[-1].written == 20 * BATCH
    assert 0 < free[0].learned < free[0].parameters
    for name, one in gpt.model.named_parameters():  # a copy learned
        assert torch.equal(one, before[name])


def test_a_seed_gives_the_same_training(gpt, often):
    one, again, other = (learned(gpt, seed=seed, steps=2)[-1] for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.rewards, again.rewards)
    np.testing.assert_array_equal(one.kls, again.kls)
    assert one.samples == again.samples
    assert not np.array_equal(one.kls, other.kls)


def test_a_record_is_of_the_prompts_that_are_held_out(gpt):
    (one,) = learned(gpt, "short", steps=0)
    assert one.rewards.shape == one.kls.shape == (len(HELD_OUT),)
    assert one.step == one.steps == one.written == 0
    for sample in one.samples:
        assert len(sample.points) == len(sample.tokens) <= one.new
        text = gpt.decode([token.id for token in sample.tokens])
        assert sum(sample.points) == PREFERENCES["short"].points(text)
        assert not any(token.special for token in sample.prompt)
    assert len(one.samples) == SHOWN


def test_the_share_grows_to_the_whole(gpt):
    shares = [share for share, _one in liking(gpt, "short", 0.1, steps=3)]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)


def test_a_point_that_is_taken_back_was_never_given():
    assert module._settled([0, 1, -1, 0, 1]) == (0, 0, 0, 0, 1)


def test_a_mean_has_the_interval_of_its_prompts():
    found = PromptMean.of(np.array([1.0, 2.0, 3.0, 6.0]))
    assert found.value == 3
    assert found.off == pytest.approx(1.96 * np.sqrt(14 / 3) / 2)
    assert PromptMean.of(np.array([1.0])).off == 0


@pytest.mark.parametrize("wrong", [{"name": "x"}, {"steps": -1}, {"seed": -1}])
def test_what_cannot_be_is_an_error(gpt, wrong):
    with pytest.raises(ParameterError):
        learned(gpt, **{"name": "short", **wrong})
