"""Copies of models that are learning, named in requests as models of the shelf are."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import torch

from core.decoding.settings import Sampling
from core.errors import SnapshotError, UnknownModelError
from core.inputs import Text
from core.runs.kinds.generation import GenerateRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.models import Models
from core.runs.request import Snapshot
from core.runs.store import Runs, of_the_shelf
from tests.conftest import loaded, tiny_gpt

TEXT = "The cat sat on the mat."


@pytest.fixture
def learner(byte_bpe):
    """A tiny GPT whose weights change."""
    return loaded(tiny_gpt().requires_grad_(True), byte_bpe)


def learn(learner) -> None:
    """One step, however it is done."""
    with torch.no_grad():
        for parameter in learner.model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))


def test_a_copy_stays_as_it_was_when_its_model_learns_on(learner):
    runs = Runs(load=of_the_shelf)
    first = runs.models.take(learner, 10)
    before = runs.get(TraceRequest(first, Text(TEXT))).trace
    kept = {name: before[name].copy() for name in before}
    learn(learner)
    second = runs.models.take(learner, 20)
    after = runs.get(TraceRequest(second, Text(TEXT))).trace
    assert not np.allclose(before["logits"], after["logits"])
    for name in before:
        np.testing.assert_array_equal(before[name], kept[name])
    assert runs.get(TraceRequest(first, Text(TEXT))).trace is before
    assert runs.model(first).fingerprint != runs.model(second).fingerprint
    assert runs.key(TraceRequest(first, Text(TEXT))) != runs.key(TraceRequest(second, Text(TEXT)))


def test_a_copy_is_asked_as_any_model(learner):
    runs = Runs(load=of_the_shelf)
    taken = runs.models.take(learner, 3)
    written = runs.get(GenerateRequest(taken, TEXT, 3, Sampling(temperature=0.0)))
    assert len(written.steps) == 3
    assert not any(p.requires_grad for p in runs.model(taken).model.parameters())


def test_copies_go_with_their_lab_and_by_their_bytes(learner):
    models = Models(of_the_shelf, None, 1, max_copied_bytes=2 * learner.nbytes)
    a, b, c = (models.take(learner, step) for step in range(3))
    assert [models.has(one) for one in (a, b, c)] == [False, True, True]
    models.drop(b, c)
    for gone in (a, b, c):
        with pytest.raises(SnapshotError, match="is no longer kept; start the training again"):
            models.get(gone)


def test_there_may_be_no_room_for_a_copy(learner):
    with pytest.raises(SnapshotError):
        Models(of_the_shelf, None, 1, max_copied_bytes=learner.nbytes - 1).take(learner, 0)


def test_a_name_in_a_link_is_never_a_copy(learner):
    """Whatever it says, it is read as a text, and no shelf has it."""
    runs = Runs(load=of_the_shelf)
    taken = runs.models.take(learner, 7)
    with pytest.raises(UnknownModelError):
        runs.model(str(taken))
    assert pickle.loads(pickle.dumps(taken)) == taken == Snapshot(learner.id, 7, 0)
