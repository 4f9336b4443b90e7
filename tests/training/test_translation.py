"""Translation: which pairs are learned from, how they are laid out, and the smoothed loss."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from core.encoders import Encoders
from core.errors import CorpusError
from core.spelling import letters
from core.text.hiding import IGNORED
from core.text.tokenizer import Tokenizer
from core.training.recipes import RECIPES
from core.training.recipes.french import of_sentences
from core.training.recipes.transformer import RECIPES as TRANSFORMERS
from core.training.sources import is_held_out, read_pairs
from core.training.tasks.pairs import SourcesTargets, smoothed_cross_entropy
from core.training.tasks.task import Corpora
from core.training.tasks.translation import LONG, TranslationPairs
from tests.training.corpora import pack_pairs

WHOLE = RECIPES["transformer", "tiny"].task
assert isinstance(WHOLE, TranslationPairs)
TASK = dataclasses.replace(of_sentences(WHOLE), long_unseen=0)
PAD, START, END = 0, 1, 2


@pytest.fixture(scope="module")
def tokenizer(corpora_directory) -> Tokenizer:
    return TASK.make_tokenizer(corpora_directory, 300)


@pytest.fixture
def corpora(corpora_directory, tokenizer, tmp_path) -> Corpora:
    return Corpora(corpora_directory, tmp_path, Encoders(tokenizer), seed=0)


# --- which pairs ---------------------------------------------------------------------


def test_no_pair_that_the_model_is_measured_on_is_learned_from(corpora_directory):
    valid = list(read_pairs(corpora_directory / TASK.valid, "fr", "en"))
    everything = [
        pair
        for source in TASK.sources
        for pair in read_pairs(corpora_directory / source.file, "fr", "en")
    ]
    kept = TASK.pairs(corpora_directory, "train") + TASK.pairs(corpora_directory, "held_out")
    french, english = ({letters(side) for side in sides} for sides in zip(*valid, strict=True))
    assert not any(letters(f) in french or letters(e) in english for f, e in kept)
    dropped = [p for p in everything if letters(p[0]) in french or letters(p[1]) in english]
    assert len(dropped) >= 3  # of other case and punctuation
    assert sorted(kept + dropped) == sorted(everything)


def test_long_pairs_that_are_kept_for_another_measure_are_learned_by_no_translator(
    corpora_directory,
):
    task = dataclasses.replace(TASK, long_unseen=5)
    kept = task.unseen(corpora_directory)
    assert len(set(kept)) == 5
    assert all(len(french.split()) >= LONG for french, _ in kept)
    own = {letters(side) for pair in kept for side in pair}
    for split in ("train", "held_out"):
        sides = {letters(side) for pair in task.pairs(corpora_directory, split) for side in pair}
        assert not sides & own
    assert len(TASK.pairs(corpora_directory, "train")) > len(task.pairs(corpora_directory, "train"))
    translators = [one.task for one in RECIPES.values() if isinstance(one.task, TranslationPairs)]
    assert {one.long_unseen for one in translators} == {400}


def test_letters_are_what_is_left_of_case_and_punctuation():
    assert letters("Ça va ?") == letters("ça  VA!") == "çava"
    assert letters("Ça va ?") != letters("Ca va ?")


def test_all_translations_of_a_sentence_are_held_out_together(corpora_directory):
    """By the English side: several French sentences have the same."""
    for split in ("train", "held_out"):
        for _, english in TASK.pairs(corpora_directory, split):
            assert is_held_out(english) == (split == "held_out")


def test_the_vocabulary_begins_with_the_marks_that_the_networks_name(tokenizer):
    pieces = [tokenizer.token(i).piece for i in range(3)]
    assert pieces == ["<pad>", "<s>", "</s>"]
    for recipe in TRANSFORMERS:
        assert (recipe.network.start_id, recipe.network.end_id) == (START, END)
    assert tokenizer.pad_id == PAD
    assert tokenizer.encode("Le chat")[-1] == END
    assert [t.piece for t in tokenizer.tokens("<s>")][-1] == "</s>"  # typed marks are letters
    assert START not in tokenizer.encode("<s>")


# --- how they are laid out -----------------------------------------------------------


def text(tokenizer: Tokenizer, ids: torch.Tensor) -> str:
    return tokenizer.decode([int(i) for i in ids if i not in (PAD, IGNORED)])


def test_a_row_is_a_pair_between_its_marks(corpora):
    pairs = set(TASK.pairs(corpora.directory, "train"))
    lengths = {shape.length: shape.rows for shape in TASK.shapes}
    for batch in itertools.islice(TASK.read(corpora, "train").batches("stable"), 30):
        source, mask, target, expected = batch.examples
        assert len(source) == lengths[source.shape[1]]
        assert target.shape == expected.shape == source.shape
        assert batch.n == (expected != IGNORED).sum()
        for row in range(len(source)):
            n, said = int(mask[row].sum()), expected[row][expected[row] != IGNORED]
            assert mask[row, 0, 0].tolist() == [at < n for at in range(source.shape[1])]
            assert source[row, n - 1] == END
            assert (source[row, n:] == PAD).all()
            assert said[-1] == END
            assert target[row, 0] == START
            assert target[row, 1 : len(said)].equal(said[:-1])  # shifted right by one
            assert (target[row, len(said) :] == PAD).all()
            tokenizer = corpora.tokenizer
            assert (text(tokenizer, source[row]), text(tokenizer, said)) in pairs


def test_an_epoch_holds_each_pair_once_and_the_next_one_in_another_order(corpora):
    rows = TASK.read(corpora, "train")
    n = rows._epochs.n_batches
    epochs = [
        [
            (batch.examples.source.shape[1], tuple(row))
            for batch in itertools.islice(rows.batches("stable", first), n)
            for row in torch.cat([batch.examples.source, batch.examples.expected], 1).tolist()
        ]
        for first in (0, n)
    ]
    sizes = [len(bucket) for bucket in rows._buckets]
    full = [size // shape.rows * shape.rows for size, shape in zip(sizes, TASK.shapes, strict=True)]
    assert len(epochs[0]) == sum(full)
    assert epochs[0] != epochs[1]
    # What fills no batch is left out, others in each epoch.
    known = {
        (shape.length, *map(tuple, pair))
        for shape, bucket in zip(TASK.shapes, rows._buckets, strict=True)
        for pair in bucket
    }
    assert len(set(epochs[0])) <= len(known)
    assert sum(full) > 0.8 * sum(sizes)


def test_pairs_go_to_the_first_shape_that_holds_both_sides(corpora):
    rows = TASK.read(corpora, "train")
    shortest = 0
    for shape, bucket in zip(TASK.shapes, rows._buckets, strict=True):
        for source, target in bucket:
            assert shortest < max(len(source), len(target)) + 1 <= shape.length
        shortest = shape.length


def test_a_batch_follows_from_its_number(corpora):
    def some(n: int, *asked) -> list[SourcesTargets]:
        batches = TASK.read(corpora, "train").batches(*asked)
        return [batch.examples for batch in itertools.islice(batches, n)]

    whole = some(90, "stable")
    for mine, theirs in zip(some(30, "stable", 1, 3), whole[1::3], strict=True):
        assert all(a.equal(b) for a, b in zip(mine, theirs, strict=True))
    assert not all(
        a.source.equal(b.source) for a, b in zip(whole, some(90, "cool-down"), strict=True)
    )


def test_what_is_held_out_comes_by_length(corpora):
    batches = list(TASK.read(corpora, "held_out").batches("stable"))
    assert batches
    for batch in batches:
        assert batch.source == f"up to {batch.examples.source.shape[1]} tokens"


def test_too_few_pairs_for_a_batch_are_an_error(corpora, tmp_path):
    for source in TASK.sources:
        pack_pairs(tmp_path / source.file, [("Go.", "Va !")])
    pack_pairs(tmp_path / TASK.valid, [("It rains.", "Il pleut.")])
    with pytest.raises(CorpusError, match="too few sentence pairs to fill one batch"):
        TASK.read(dataclasses.replace(corpora, directory=tmp_path), "train")


# --- the loss ------------------------------------------------------------------------


def test_label_smoothing_is_the_papers():
    """Szegedy et al. 2016, section 7: cross-entropy with q'(k) = (1 - ε) δ(k, y) + ε / K."""
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(2, 3, 7, generator=generator)
    expected = torch.tensor([[1, 6, IGNORED], [0, IGNORED, IGNORED]])
    total = 0.0
    for at in expected.ne(IGNORED).nonzero():
        logs = logits[tuple(at)].log_softmax(-1)
        for k in range(7):
            q = (1 - 0.1) * (k == expected[tuple(at)]) + 0.1 / 7
            total -= float(q * logs[k])
    found = smoothed_cross_entropy(logits, expected, 0.1)
    assert found.item() == pytest.approx(total / 3, rel=1e-5)
    torchs = F.cross_entropy(
        logits.flatten(0, 1), expected.flatten(), ignore_index=IGNORED, label_smoothing=0.1
    )
    assert found.item() == pytest.approx(torchs.item(), rel=1e-6)


def test_the_smoothed_loss_is_least_where_the_model_is_as_sure_as_the_target():
    def loss(prob: float) -> float:
        others = math.log((1 - prob) / 4)
        logits = torch.tensor([[[math.log(prob), others, others, others, others]]])
        return smoothed_cross_entropy(logits, torch.tensor([[0]]), 0.1).item()

    best = 0.9 + 0.1 / 5
    assert loss(best) < min(loss(best - 0.02), loss(best + 0.02), loss(0.999))


def test_the_loss_sees_no_padding_and_judges_without_smoothing(translator):
    model = translator.model
    ids = {
        "source": [[5, 6, 7, END], [8, 9, END, PAD]],
        "target": [[START, 10, 11], [START, 12, PAD]],
    }
    expected = torch.tensor([[10, 11, END], [12, END, IGNORED]])
    source, target = torch.tensor(ids["source"]), torch.tensor(ids["target"])
    mask = (source != PAD)[:, None, None, :]
    found = TASK.losses(model.eval(), SourcesTargets(source, mask, target, expected))["translation"]
    total = 0.0
    for s, t, n in ((source[:1], target[:1], 3), (source[1:, :3], target[1:, :2], 2)):
        logs = model(s, t)[0].log_softmax(-1)
        row = expected[0 if n == 3 else 1]
        total -= sum(float(logs[at, row[at]]) for at in range(n))
    assert found.item() == pytest.approx(total / 5, rel=1e-5)
    learning = TASK.losses(model.train(), SourcesTargets(source, mask, target, expected))
    model.eval()
    assert learning["translation"].item() != pytest.approx(found.item(), rel=1e-4)


@pytest.mark.parametrize("tier", ["cpu", "gpu"])
def test_every_shape_of_a_recipe_takes_about_as_long(tier):
    sizes = [shape.length * shape.rows for shape in RECIPES["transformer", tier].task.shapes]
    assert np.ptp(sizes) / max(sizes) < 0.05
