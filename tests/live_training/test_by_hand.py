"""One weight under Adam and one prediction under a smoothed target, against the formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.errors import ParameterError
from core.live_training.by_hand import LEADS, adam_run, smoothed_loss


def test_adam_moves_as_the_algorithm_says():
    """Kingma & Ba 2015, algorithm 1, written out."""
    gradients, rate, (beta1, beta2), eps = [0.1, 0.3, -0.2], 0.01, (0.9, 0.98), 1e-9
    run = adam_run(gradients, rate, (beta1, beta2), eps)
    m = v = w = 0.0
    for t, g in enumerate(gradients, 1):
        m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
        w -= rate * (m / (1 - beta1**t)) / (math.sqrt(v / (1 - beta2**t)) + eps)
        assert [run.mean[t - 1], run.square[t - 1], run.weight[t - 1]] == pytest.approx([m, v, w])


@pytest.mark.parametrize("others_only", [False, True])
def test_a_target_is_smoothed_over_all_words_or_over_the_others(others_only):
    logits, right, eps = [0.0, 1.0, 4.0, -1.0, 0.0], 2, 0.1
    found = smoothed_loss(logits, right, eps, others_only=others_only)
    target = np.full(5, eps / 4 if others_only else eps / 5)
    target[right] = 0.9 if others_only else 0.9 + eps / 5
    probs = np.exp(logits) / np.exp(logits).sum()
    np.testing.assert_allclose(found.target, target, atol=1e-12)
    np.testing.assert_allclose(found.probs, probs)
    np.testing.assert_allclose(found.gradient, probs - target, atol=1e-12)
    assert found.loss == pytest.approx(-(target * np.log(probs)).sum())
    at = int(np.argmin(abs(LEADS - 4.0)))
    assert found.losses[at] == pytest.approx(found.loss)
    assert found.plain[at] == pytest.approx(-math.log(probs[right]))
    # It is least where the prediction is the target.
    assert found.sure[found.losses.argmin()] == pytest.approx(target[right], abs=0.01)
    assert found.plain.argmin() == len(LEADS) - 1


def test_a_word_that_is_none_is_refused():
    with pytest.raises(ParameterError):
        smoothed_loss([0.0, 1.0], 2, 0.1, others_only=False)
