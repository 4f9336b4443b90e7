"""A new head on a body: where it is cut, and what learns with it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.data.labelled_lines import LabelledLines, read_lines
from core.errors import AbilityError
from core.inputs import Text
from core.live_training.fine_tuning import Body, cuts, tuned
from core.live_training.records import WAYS, InThreeWays
from core.tracing import trace_run

TYPED = (
    "a: the cat sat\nb: a dog\na: the cat\nb: the dog ran\na: cat\nb: dog\na: the cat\nb: a dog\n"
)


@pytest.fixture(scope="module")
def lines() -> LabelledLines:
    return read_lines(TYPED + "?: the mat")


@pytest.mark.parametrize("pooled", ["mean", "first"])
def test_features_are_those_of_a_run_without_padding(bert, pooled):
    body, texts = Body(bert, pooled), ["the cat sat on the mat", "a"]
    found = body.features(texts)
    assert len(found) == bert.blueprint.main.n_layers + 1
    for n, text in enumerate(texts):
        trace = trace_run(bert, Text(text))
        for site, features in zip(body.places, found, strict=True):
            rows = trace[site]
            wanted = rows.mean(axis=0) if pooled == "mean" else rows[0]
            np.testing.assert_allclose(features[n], wanted, atol=1e-5)


def test_a_head_on_every_layer_is_tried_on_both_halves(bert, lines):
    found = cuts(Body(bert, "mean"), lines, "the cat")
    assert (found.labels, found.n_train, found.n_held) == (("a", "b"), 4, 4)
    assert len(found.held) == len(found.train) == len(found.probs) == 3
    np.testing.assert_allclose(found.probs.sum(axis=1), 1.0)
    assert found.train[-1] == 1.0
    # The text stands among those that it learned from, with the first label.
    assert (found.probs[1:].argmax(axis=1) == 0).all()


def test_before_the_first_layer_the_first_token_says_nothing(bert, lines):
    """[CLS] is the same in every sentence until something attends to the others."""
    found = cuts(Body(bert, "first"), lines, "the cat")
    assert found.held[0] == found.train[0] == 0.5
    np.testing.assert_allclose(found.probs[0], 0.5, atol=1e-6)


def test_each_way_begins_alike_learns_and_leaves_the_model_as_it_was(bert, lines):
    before = bert.fingerprint
    # The tiny model was drawn with seed 0 itself.
    told = list(tuned(Body(bert, "mean"), lines, seed=1, steps=12))
    assert bert.fingerprint == before
    assert not any(parameter.requires_grad for parameter in bert.model.parameters())
    found = InThreeWays.of(told)
    assert tuple(found.told) == WAYS
    assert found.finished
    for steps in found.told.values():
        assert [one.step for one in steps] == [0, 2, 4, 6, 8, 10, 12]
        assert steps[0].loss == pytest.approx(np.log(2), abs=1e-5)  # the head begins at zero
        assert steps[-1].loss < steps[0].loss
        assert steps[-1].probs.shape == (1, 2)
    losses = [found.last[way].loss for way in WAYS]
    assert len(set(losses)) == 3
    assert not InThreeWays.of(told[:-1]).finished


def test_two_of_it_tell_the_same_and_a_seed_draws_another_body(bert, lines):
    one, two, other = (
        [record.loss for record in tuned(Body(bert, "first"), lines, seed=seed, steps=2)]
        for seed in (0, 0, 1)
    )
    assert one == two
    assert one[:4] == other[:4]  # nothing is drawn for a frozen and for a whole body
    assert one[5] != other[5]


def test_the_first_token_of_a_frozen_body_is_that_of_its_last_layer(bert, lines):
    body = Body(bert, "first")
    given = body.prepare(["the cat"])
    with torch.no_grad():
        read = body.read(bert.as_judge(), given)
    torch.testing.assert_close(read.cpu().double(), body.features(["the cat"])[-1])


def test_a_model_without_a_vector_for_its_input_is_no_body(gpt):
    with pytest.raises(AbilityError, match="judge whether one sentence follows another"):
        Body(gpt, "mean")
