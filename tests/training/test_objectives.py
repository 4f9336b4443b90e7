"""Where labels come from, and what the losses are."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from core.models.gpt import GPT
from core.training.batches import vocabulary_of
from core.training.objectives import (
    IGNORED,
    PairBatch,
    Vocabulary,
    mask_words,
    masked_word_losses,
    next_token_loss,
    next_token_pairs,
    taught_losses,
    words_of,
)
from tests.conftest import tiny_bert, tiny_gpt

# 0 [CLS], 1 [SEP], 2 [MASK]; 10..19 start words, 20..29 continue them ("##...").
CLS, SEP, MASK = 0, 1, 2
VOCABULARY = Vocabulary(
    mask_id=MASK,
    continues=np.array([20 <= i < 30 for i in range(30)]),
    special=np.array([i < 10 for i in range(30)]),
)


def test_a_text_makes_one_example_a_token():
    assert next_token_pairs([5, 6, 7]) == [([5], 6), ([5, 6], 7)]
    assert next_token_pairs([5]) == []


def test_next_token_loss_is_the_mean_surprise():
    model = tiny_gpt().double()
    rows = torch.tensor([[1, 2, 3, 4], [4, 3, 2, 1]])
    total = 0.0
    for row in rows:
        for at in range(3):
            probs = model(row[None, : at + 1])[0, -1].softmax(-1)
            total -= math.log(probs[row[at + 1]])
    assert next_token_loss(model, rows).item() == pytest.approx(total / 6, rel=1e-5)


# --- learning from other models ----------------------------------------------------


def a_gpt(seed: int) -> GPT:
    return GPT(tiny_gpt().config, torch.Generator().manual_seed(seed)).double()


def test_taught_rows_are_measured_against_the_mean_of_the_teachers():
    model, one, two = (a_gpt(n) for n in range(3))
    rows = torch.tensor([[1, 2, 3, 4], [4, 3, 2, 1], [5, 6, 7, 8]])
    text, taught = taught_losses(model, [one, two], rows, 1)
    assert text.item() == pytest.approx(next_token_loss(model, rows[1:]).item(), rel=1e-5)
    total = 0.0
    for at in range(3):
        own, *theirs = (m(rows[:1, : at + 1])[0, -1].softmax(-1) for m in (model, one, two))
        total -= (sum(theirs) / 2 * own.log()).sum().item()
    assert taught.item() == pytest.approx(total / 3, rel=1e-5)


def test_only_the_learner_learns_and_nobody_learns_from_itself():
    model, other = a_gpt(0), a_gpt(1)
    rows = torch.tensor([[1, 2, 3, 4], [4, 3, 2, 1]])

    def pull(*teachers) -> float:
        model.zero_grad()
        taught_losses(model, teachers, rows, 1)[1].backward()
        return max(float(p.grad.abs().max()) for p in model.parameters() if p.grad is not None)

    # The logits are computed in float32: what is left is rounding.
    assert pull(model) < 1e-6
    assert pull(other) > 1e-3
    assert all(p.grad is None for p in other.parameters())


# --- masked words ------------------------------------------------------------------


def test_words_are_a_start_and_what_continues_it():
    ids = np.array([CLS, 10, 20, 21, 11, SEP, 12, 22, SEP])
    assert [w.tolist() for w in words_of(ids, VOCABULARY)] == [[1, 2, 3], [4], [6, 7]]


def test_a_continuation_after_a_mark_belongs_to_no_word():
    """A window may begin inside a word: its end is neither hidden nor joined to the next one."""
    assert [w.tolist() for w in words_of(np.array([CLS, 20, 10, SEP]), VOCABULARY)] == [[2]]


def a_text(rng: np.random.Generator, n_words: int) -> list[int]:
    ids = [CLS]
    for _ in range(n_words):
        ids.append(int(rng.integers(10, 20)))
        ids += rng.integers(20, 30, rng.integers(0, 3)).tolist()
    return [*ids, SEP]


def test_hidden_words_are_whole_and_share_one_fate():
    rng = np.random.default_rng(0)
    for _ in range(200):
        ids = a_text(rng, int(rng.integers(1, 30)))
        example = mask_words(ids, VOCABULARY, rng)
        original = np.array(ids)
        for word in words_of(original, VOCABULARY):
            fates = {example.fates[at] for at in word}
            assert len(fates) == 1
            (fate,) = fates
            chosen = fate != "kept in sight"
            assert (example.targets[word] == (original[word] if chosen else IGNORED)).all()
            if fate == "masked":
                assert (example.ids[word] == MASK).all()
            elif fate == "random":
                assert not VOCABULARY.special[example.ids[word]].any()
            else:
                assert (example.ids[word] == original[word]).all()
        marks = VOCABULARY.special[original]
        assert (example.ids[marks] == original[marks]).all()
        assert (example.targets[marks] == IGNORED).all()


def test_fates_are_80_10_10_of_15_percent():
    rng = np.random.default_rng(1)
    n = chosen = 0
    fates = {"masked": 0, "random": 0, "unchanged": 0}
    for _ in range(1500):
        ids = a_text(rng, 40)
        example = mask_words(ids, VOCABULARY, rng)
        n += len(ids) - 2
        chosen += sum(fate != "kept in sight" for fate in example.fates)
        for word in words_of(np.array(ids), VOCABULARY):
            if (fate := example.fates[word[0]]) != "kept in sight":
                fates[fate] += 1
    assert chosen / n == pytest.approx(0.15, abs=0.005)
    words = sum(fates.values())
    deviation = 4 * math.sqrt(0.1 * 0.9 / words)  # four standard deviations
    assert fates["masked"] / words == pytest.approx(0.8, abs=1.4 * deviation)
    assert fates["random"] / words == pytest.approx(0.1, abs=deviation)
    assert fates["unchanged"] / words == pytest.approx(0.1, abs=deviation)


def test_never_more_than_its_share_unless_one_word_is():
    rng = np.random.default_rng(2)
    for n_words in range(1, 40):
        ids = a_text(rng, n_words)
        hidden = (mask_words(ids, VOCABULARY, rng).targets != IGNORED).sum()
        assert 1 <= hidden <= max(3, round(0.15 * (len(ids) - 2)))


def test_every_word_is_as_likely_to_be_hidden():
    rng = np.random.default_rng(3)
    ids = [CLS, *range(10, 20), SEP]
    counts = np.zeros(12)
    for _ in range(3000):
        counts += mask_words(ids, VOCABULARY, rng, rate=0.2).targets != IGNORED
    assert counts[[0, 11]].sum() == 0
    assert counts[1:11] == pytest.approx(np.full(10, 600), abs=90)


@pytest.mark.parametrize("ids", [[], [CLS, SEP], [CLS, 20, SEP]])
def test_a_text_without_words_hides_nothing(ids):
    example = mask_words(ids, VOCABULARY, np.random.default_rng(0))
    assert example.ids.tolist() == ids
    assert (example.targets == IGNORED).all()


def test_the_seed_decides():
    ids = a_text(np.random.default_rng(0), 30)
    one, two, other = (
        mask_words(ids, VOCABULARY, np.random.default_rng(seed)) for seed in (5, 5, 6)
    )
    assert (one.ids == two.ids).all()
    assert one.fates == two.fates
    assert one.fates != other.fates


def test_what_masking_knows_of_a_tokenizer(wordpiece):
    vocabulary = vocabulary_of(wordpiece)
    assert vocabulary.mask_id == wordpiece.mask_id
    for i in range(wordpiece.vocab_size):
        piece = wordpiece.token(i).piece
        assert vocabulary.continues[i] == piece.startswith("##")
        assert vocabulary.special[i] == (piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))


# --- the losses of BERT --------------------------------------------------------------


def a_batch(**changes) -> PairBatch:
    whole = {
        "ids": torch.randint(5, 100, (3, 8)),
        "types": torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1]] * 3),
        "mask": torch.ones(3, 1, 1, 8, dtype=torch.bool),
        "positions": torch.tensor([[1, 4, 0], [2, 0, 0], [3, 5, 6]]),
        "targets": torch.tensor([[7, 8, IGNORED], [9, IGNORED, IGNORED], [10, 11, 12]]),
        "follows": torch.tensor([0, IGNORED, 1]),
    }
    return PairBatch(**whole | changes)


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
    words, pairs = masked_word_losses(model, batch)
    assert words.item() == pytest.approx(sum(surprises) / 6, rel=1e-5)
    assert pairs.item() == pytest.approx(-float(answers[0, 0] + answers[2, 1]) / 2, rel=1e-5)


def test_a_batch_without_pairs_or_without_words_loses_nothing_there():
    """A mean over nothing would be NaN, and one NaN ends a run."""
    model = tiny_bert().requires_grad_(True)
    words, pairs = masked_word_losses(model, a_batch(follows=torch.full((3,), IGNORED)))
    assert pairs.item() == 0
    assert words.item() > 0
    (words + pairs).backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())
    words, _ = masked_word_losses(model, a_batch(targets=torch.full((3, 3), IGNORED)))
    assert words.item() == 0
