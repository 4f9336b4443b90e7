"""Hidden words and sentence pairs: the examples, and their losses."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
import torch

from core.encoders import Encoders
from core.text.hiding import IGNORED
from core.text.tokenizer import Tokenizer
from core.training.recipes import RECIPES
from core.training.tasks.masked_words import HiddenWords, MaskedWords
from core.training.tasks.task import Corpora
from tests.conftest import tiny_bert

TASK = RECIPES["bert", "tiny"].task
assert isinstance(TASK, MaskedWords)


@pytest.fixture(scope="module")
def tokenizer(corpora_directory) -> Tokenizer:
    return TASK.make_tokenizer(corpora_directory, 300)


@pytest.fixture
def corpora(corpora_directory, tokenizer, tmp_path) -> Corpora:
    return Corpora(corpora_directory, tmp_path, Encoders(tokenizer), seed=0)


def some(task: MaskedWords, corpora: Corpora, n: int, *asked) -> list[HiddenWords]:
    batches = task.read(corpora, "train").batches(*asked)
    return [batch.examples for batch in itertools.islice(batches, n)]


def test_a_batch_hides_words_and_keeps_what_they_were(corpora):
    rows = TASK.read(corpora, "held_out")
    (batch,) = rows.batches("stable")
    segments, hidden = rows.rows(32)["tinystories"], batch.examples
    assert batch.source == "tinystories"
    assert batch.n == segments.lengths[: len(hidden.ids)].sum()
    for r, ids in enumerate(hidden.ids):
        length = int(segments.lengths[r])
        original = torch.from_numpy(segments.ids[r].astype(np.int64))
        assert hidden.mask[r, 0, 0].tolist() == [at < length for at in range(32)]
        assert hidden.types[r].tolist() == [
            int(segments.second[r] <= at < length) for at in range(32)
        ]
        assert hidden.follows[r] == segments.follows[r]
        used = hidden.targets[r] != IGNORED
        where = hidden.positions[r][used]
        assert 1 <= len(where) <= round(TASK.rate * 32) + 1
        assert hidden.targets[r][used].equal(original[where])
        untouched = torch.ones(32, dtype=torch.bool)
        untouched[where] = False
        assert ids[untouched].equal(original[untouched])
        assert ids[0] == corpora.tokenizer.id_of("[CLS]")


def test_what_is_hidden_follows_from_the_number_of_the_batch(corpora):
    whole = some(TASK, corpora, 6, "stable")
    for batch, again in zip(whole[4:], some(TASK, corpora, 2, "stable", 4), strict=True):
        assert all(a.equal(b) for a, b in zip(batch, again, strict=True))
    (other,) = some(TASK, dataclasses.replace(corpora, seed=1), 1, "stable")
    assert not other.ids.equal(whole[0].ids)


def test_a_row_is_hidden_anew_in_every_epoch(corpora):
    n = len(TASK.read(corpora, "train").rows(32)["tinystories"].ids)
    task = dataclasses.replace(TASK, tokens=32 * n)  # an epoch a batch
    first, second = some(task, corpora, 2, "stable")
    assert sorted(first.mask.sum((1, 2, 3)).tolist()) == sorted(second.mask.sum((1, 2, 3)).tolist())
    sums = [hidden.targets[hidden.targets != IGNORED].sum() for hidden in (first, second)]
    assert sums[0] != sums[1]


# --- the losses ----------------------------------------------------------------------


def a_batch(**changes) -> HiddenWords:
    whole = {
        "ids": torch.randint(5, 100, (3, 8)),
        "types": torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1]] * 3),
        "mask": torch.ones(3, 1, 1, 8, dtype=torch.bool),
        "positions": torch.tensor([[1, 4, 0], [2, 0, 0], [3, 5, 6]]),
        "targets": torch.tensor([[7, 8, IGNORED], [9, IGNORED, IGNORED], [10, 11, 12]]),
        "follows": torch.tensor([0, IGNORED, 1]),
    }
    return HiddenWords(**whole | changes)


def test_losses_are_means_over_what_was_hidden_and_over_pairs():
    model, batch = tiny_bert().double(), a_batch()
    logits = model(batch.ids, types=batch.types).log_softmax(-1)
    surprises = [
        -float(logits[b, at, target])
        for b in range(3)
        for at, target in zip(batch.positions[b], batch.targets[b], strict=True)
        if target != IGNORED
    ]
    answers = model.next_sentence(model.hidden(batch.ids, types=batch.types)).log_softmax(-1)
    losses = TASK.losses(model, batch)
    assert losses["masked_words"].item() == pytest.approx(sum(surprises) / 6, rel=1e-5)
    expected = -float(answers[0, 0] + answers[2, 1]) / 2
    assert losses["next_sentence"].item() == pytest.approx(expected, rel=1e-5)


def test_a_batch_without_pairs_or_without_words_loses_nothing_there():
    """A mean over nothing would be NaN, and one NaN ends a run."""
    model = tiny_bert().requires_grad_(True)
    losses = TASK.losses(model, a_batch(follows=torch.full((3,), IGNORED)))
    assert losses["next_sentence"].item() == 0
    assert losses["masked_words"].item() > 0
    sum(losses.values()).backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())
    losses = TASK.losses(model, a_batch(targets=torch.full((3, 3), IGNORED)))
    assert losses["masked_words"].item() == 0
