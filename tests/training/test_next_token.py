"""Next-token prediction: its rows by number and phase, and its loss."""

from __future__ import annotations

import dataclasses
import itertools
import math

import pytest
import torch

from core.encoders import Encoders
from core.text.tokenizer import Tokenizer
from core.training.recipes import RECIPES
from core.training.recipes.english import TINYSTORIES
from core.training.tasks.next_token import NextToken, TextRows
from core.training.tasks.task import Corpora, Mix, TrainingBatch
from tests.conftest import tiny_gpt

TASK = RECIPES["gpt", "tiny"].task
assert isinstance(TASK, NextToken)


@pytest.fixture(scope="module")
def tokenizer(corpora_directory) -> Tokenizer:
    return TASK.make_tokenizer(corpora_directory, 300)


@pytest.fixture
def corpora(corpora_directory, tokenizer, tmp_path) -> Corpora:
    return Corpora(corpora_directory, tmp_path, Encoders(tokenizer), seed=0)


def some(examples, n: int, *asked) -> list[TrainingBatch]:
    return list(itertools.islice(examples.batches(*asked), n))


def test_the_loss_is_the_mean_surprise():
    model = tiny_gpt().double()
    rows = torch.tensor([[1, 2, 3, 4], [4, 3, 2, 1]])
    total = 0.0
    for row in rows:
        for at in range(3):
            probs = model(row[None, : at + 1])[0, -1].softmax(-1)
            total -= math.log(probs[row[at + 1]])
    losses = TASK.losses(model, TextRows(rows))
    assert {name: loss.item() for name, loss in losses.items()} == {
        "next_token": pytest.approx(total / 6, rel=1e-5)
    }


def test_each_phase_has_its_context_and_as_many_tokens(corpora):
    rows = TASK.read(corpora, "train")
    for phase, n_ctx in (("stable", 16), ("cool-down", 32)):
        (batch,) = some(rows, 1, phase)
        (ids,) = batch.examples
        assert ids.shape == (TASK.tokens // n_ctx, n_ctx + 1)
        assert ids.dtype == torch.int64
        assert batch.n == TASK.tokens
        assert (ids[:, 0] == corpora.tokenizer.end_of_text_id).all()
        assert ids.max() < 300


def test_a_batch_follows_from_its_number(corpora):
    """So that a run can be resumed, or split over processes."""
    whole = some(TASK.read(corpora, "train"), 12, "stable")
    resumed = some(TASK.read(corpora, "train"), 4, "stable", 8)
    for batch, again in zip(whole[8:], resumed, strict=True):
        assert batch.examples.ids.equal(again.examples.ids)
    every_third = some(TASK.read(corpora, "train"), 4, "stable", 1, 3)
    for batch, again in zip(whole[1::3], every_third, strict=True):
        assert batch.examples.ids.equal(again.examples.ids)
    other = dataclasses.replace(corpora, seed=1)
    assert not some(TASK.read(other, "train"), 1, "stable")[0].examples.ids.equal(
        whole[0].examples.ids
    )


def test_repeats_are_the_share_that_the_recipe_says(corpora):
    task = dataclasses.replace(TASK, repeats=0.25, tokens=2000 * 32)
    (batch,) = some(task.read(corpora, "train"), 1, "cool-down")
    rows, quarter = batch.examples.ids, 8
    repeats = (rows[:, 1 : 1 + quarter] == rows[:, 1 + quarter : 1 + 2 * quarter]).all(dim=1)
    assert repeats.float().mean().item() == pytest.approx(0.25, abs=0.04)


def test_a_phase_reads_its_own_mix(corpora):
    twin = dataclasses.replace(TINYSTORIES, name="twin")
    task = NextToken(
        (TINYSTORIES, twin),
        stable=Mix(16, {"tinystories": 1, "twin": 0}),
        cool_down=Mix(16, {"tinystories": 0, "twin": 1}),
        tokens=16,
    )
    rows = task.read(corpora, "train")
    packed = rows.rows(16)
    assert packed.keys() == {"tinystories", "twin"}
    # Each is read through once before it is read again: in the second mix from the other end.
    n = len(packed["twin"])
    stable, late = (
        [b.examples.ids[0].tolist() for b in some(rows, n, phase)]
        for phase in ("stable", "cool-down")
    )
    assert sorted(stable) == sorted(packed["tinystories"].tolist())
    assert sorted(late) == sorted(packed["twin"].tolist())


def test_passes_are_how_often_the_rows_of_a_source_come(corpora):
    """With a mix of two and repeated rows, which are no source."""
    twin = dataclasses.replace(TINYSTORIES, name="twin")
    mix = Mix(16, {"tinystories": 3, "twin": 1})
    task = NextToken((TINYSTORIES, twin), stable=mix, cool_down=mix, tokens=64 * 16, repeats=0.2)
    rows = task.read(corpora, "train")
    n = 20 * len(rows.rows(16)["twin"]) // 64
    passes = rows.passes("stable", n)
    assert passes.keys() == {"tinystories", "twin"}
    assert passes["tinystories"] == pytest.approx(3 * passes["twin"])
    assert passes["twin"] == pytest.approx(20 * 0.8 / 4, rel=0.01)


def test_what_is_held_out_comes_by_source_and_is_always_the_same(corpora):
    held_out = list(TASK.read(corpora, "held_out").batches("stable"))
    assert [batch.source for batch in held_out] == ["tinystories"]
    again = list(TASK.read(corpora, "held_out").batches("stable"))
    assert held_out[0].examples.ids.equal(again[0].examples.ids)
