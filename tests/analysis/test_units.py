"""The non-linearities by hand and against torch's; what a unit writes, by the definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from core.analysis.units import FUNCTIONS, gelu, gelu_tanh, pushed_words, relu_squared, strongest
from core.nn.feedforward import ACTIVATIONS
from core.tracing.run import trace_run

X = np.linspace(-6, 6, 241)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_every_function_is_the_models(name):
    expected = ACTIVATIONS[name](torch.from_numpy(X)).numpy()
    np.testing.assert_allclose(FUNCTIONS[name](X), expected, atol=1e-12)


def test_by_hand():
    assert relu_squared(np.array([-2.0, 3.0])).tolist() == [0, 9]
    # Phi(1) = 0.8413
    assert gelu(np.array([1.0]))[0] == pytest.approx(0.841345, abs=1e-6)
    assert FUNCTIONS["silu"](np.array([1.0]))[0] == pytest.approx(1 / (1 + math.exp(-1)))
    assert 1e-5 < np.abs(gelu(X) - gelu_tanh(X)).max() < 1e-3


def test_large_values_do_not_overflow():
    for function in FUNCTIONS.values():
        assert np.isfinite(function(np.array([-1e4, 1e4]))).all()


def test_strongest_goes_by_size():
    assert strongest(np.array([0.5, -3.0, 2.0, 0.0]), 2) == [1, 2]


def test_what_a_unit_pushes_is_the_change_of_the_logits(gpt):
    """In the last block: adding one to a unit moves the logits that way, the spread held fixed."""
    trace = trace_run(gpt, "The cat sat")
    weights, units = trace.weights, [3, 7]
    found = pushed_words(trace, 1, units)
    assert found.shape == (2, gpt.config.vocab_size)
    for row, unit in enumerate(units):
        column = weights["blocks.1.ffn.w_2.weight"][:, unit]
        for word in (0, 5, 299):
            slow = sum(
                weights["embed.tokens.weight"][word, i]
                * weights["final_norm.weight"][i]
                * (column[i] - column.mean())
                for i in range(gpt.config.d_model)
            )
            assert found[row, word] == pytest.approx(slow, abs=1e-5)


def test_a_model_without_a_last_norm_reads_the_column_as_it_is(bert):
    trace = trace_run(bert, "the cat sat")
    column = trace.weights["blocks.0.ffn.w_2.weight"][:, 2]
    slow = trace.weights["embed.tokens.weight"] @ (column - column.mean())
    np.testing.assert_allclose(pushed_words(trace, 0, [2])[0], slow, atol=1e-6)
