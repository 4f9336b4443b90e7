"""The non-linearities by hand and against torch's; what a unit writes, against a changed run."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from core.analysis.units import (
    FUNCTIONS,
    gelu,
    gelu_tanh,
    logits_per_one,
    promoted_hits,
    relu_squared,
    strongest,
    word_cosines,
)
from core.nn.feedforward import ACTIVATIONS
from core.tracing.run import Edit, trace_run

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


@pytest.mark.parametrize(("layer", "token"), [(1, 0), (1, 3), (0, 3)])
def test_each_1_of_a_unit_adds_that_much_to_the_logits(gpt, layer, token):
    """A unit is changed in a run; the logits follow, the divisor and later blocks held fixed."""
    by = 0.5
    before = trace_run(gpt, "The cat sat")
    for unit in (3, 7):
        value = float(before[f"blocks.{layer}.ffn.post"][token, unit]) + by
        edit = Edit(f"blocks.{layer}.ffn.post", (token, unit), value)
        after = trace_run(gpt, "The cat sat", edits=[edit])
        written = f"blocks.{layer}.resid_post"
        last = before["blocks.1.resid_post"] + after[written] - before[written]
        centred = last - last.mean(axis=-1, keepdims=True)
        norm = gpt.model.final_norm
        held = np.sqrt(before["final_norm.var"] + norm.eps)
        normed = centred / held * norm.weight.numpy() + norm.bias.numpy()
        logits = normed @ gpt.model.embed.tokens.weight.numpy().T
        change = (logits - before["logits"])[token] / by
        (found,) = logits_per_one(before, gpt.blueprint.main, layer, [unit], token)
        assert found.shape == (gpt.config.vocab_size,)
        np.testing.assert_allclose(found, change, atol=2e-5)
        assert np.abs(change).max() > 1e-3


@pytest.mark.parametrize("token", [0, 3])
def test_a_norm_that_takes_no_mean_away_adds_none(relative, token):
    """The same of RMSNorm, a table of its own and other names."""
    by, site = 0.5, "body.blocks.1.ffn.post"
    before = trace_run(relative, "The cat sat")
    edit = Edit(site, (token, 3), float(before[site][token, 3]) + by)
    last = trace_run(relative, "The cat sat", edits=[edit])["body.blocks.1.resid_post"]
    model = relative.model
    normed = last / before["last.rms"] * model.last.weight.numpy()
    change = (normed @ model.w_out.weight.numpy().T - before["said"])[token] / by
    (found,) = logits_per_one(before, relative.blueprint.main, 1, [3], token)
    np.testing.assert_allclose(found, change, atol=2e-5)
    assert np.abs(change).max() > 1e-3
    (cosine,) = word_cosines(before, relative.blueprint.main, 1, [3])
    column = model.body.blocks[1].ffn.w_2.weight[:, 3].numpy()
    table = model.words.weight.numpy()
    lengths = np.linalg.norm(column) * np.linalg.norm(table, axis=1)
    np.testing.assert_allclose(cosine, table @ column / lengths, atol=1e-6)


def test_a_small_change_of_a_unit_in_the_last_block_is_nearly_the_models_own(gpt):
    """With its divisor free the logits move a little less or more, in the same direction."""
    before = trace_run(gpt, "The cat sat")
    value = float(before["blocks.1.ffn.post"][3, 5]) + 0.01
    after = trace_run(gpt, "The cat sat", edits=[Edit("blocks.1.ffn.post", (3, 5), value)])
    own = ((after["logits"] - before["logits"])[3] / 0.01).astype(np.float64)
    (found,) = logits_per_one(before, gpt.blueprint.main, 1, [5], 3)
    assert np.corrcoef(own, found)[0, 1] > 0.8
    assert 0.5 < np.abs(own).mean() / np.abs(found).mean() < 1.5


def test_cosines_with_words_by_the_definition(bert):
    trace = trace_run(bert, "the cat sat")
    column = trace.weights["blocks.0.ffn.w_2.weight"][:, 2]
    (found,) = word_cosines(trace, bert.blueprint.main, 0, [2])
    for word in (0, 7, 96):
        vector = trace.weights["embed.tokens.weight"][word]
        slow = float(column @ vector) / (np.linalg.norm(column) * np.linalg.norm(vector))
        assert found[word] == pytest.approx(slow, abs=1e-6)
    assert np.abs(found).max() <= 1 + 1e-6


def test_the_cosines_are_those_of_the_chosen_stack(transformer):
    trace = trace_run(transformer, "the cat sat")
    table = trace.weights["embed.tokens.weight"]
    for name in ("encoder", "decoder"):
        (found,) = word_cosines(trace, transformer.blueprint.stack(name), 1, [2])
        column = trace.weights[f"{name}.blocks.1.ffn.w_2.weight"][:, 2]
        lengths = np.linalg.norm(column) * np.linalg.norm(table, axis=1)
        np.testing.assert_allclose(found, table @ column / lengths, atol=1e-6)


def test_hits_count_what_follows_the_most_active_positions():
    activations = np.array([[3.0, 0.0], [2.0, 1.0], [-9.0, 2.0], [0.0, 3.0]])
    found = promoted_hits(activations, np.array([7, 5, 7, 4]), np.array([[7, 1], [4, 5]]), n=2)
    # Unit 0 is most active before 7 and 5, unit 1 before 7 and 4.
    assert found.shares.tolist() == [0.5, 0.5]
    # Of 4 positions, 2 are followed by a token of unit 0, and 2 by one of unit 1.
    assert found.chance == 0.5
    few = promoted_hits(activations, np.array([7, 5, 7, 4]), np.array([[7], [9]]))
    assert few.shares.tolist() == [0.5, 0]
    assert few.chance == 0.25
