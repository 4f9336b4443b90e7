"""Two directions on one text: rows of words, a sample in place of the vocabulary, the figures."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.data.senses import SENSES
from core.encoders import Encoders
from core.text.marks import END, START, UNK
from core.training.measures.perplexity import perplexity
from core.training.measures.senses import nearest, senses
from core.training.recipes import RECIPES
from core.training.sources import read_documents
from core.training.tasks.both_ways import BothWays, sampled_cross_entropy, zipf
from core.training.tasks.task import Corpora, TrainingBatch
from core.training.words import read_words
from tests.conftest import SPELLING
from tests.training import corpora as made_up

TASK = RECIPES["elmo", "tiny"].task
assert isinstance(TASK, BothWays)


@pytest.fixture(scope="module")
def encoders(corpora_directory) -> Encoders:
    return TASK.encoders(corpora_directory, RECIPES["elmo", "tiny"].network)


@pytest.fixture
def corpora(corpora_directory, encoders, tmp_path) -> Corpora:
    return Corpora(corpora_directory, tmp_path, encoders, seed=0)


def some(examples, n: int, *asked) -> list[TrainingBatch]:
    return list(itertools.islice(examples.batches(*asked), n))


def test_a_row_is_words_of_the_text_with_their_letters(corpora, encoders):
    tokenizer = corpora.tokenizer
    rows = TASK.read(corpora, "train")
    for phase, n_ctx in (("stable", 16), ("cool-down", 32)):
        (batch,) = some(rows, 1, phase)
        letters, places, entries, sampled, chances = batch.examples
        assert places.shape == entries.shape == (TASK.tokens // n_ctx, n_ctx)
        assert batch.n == TASK.tokens
        assert (entries[:, 0] == tokenizer.mark(START)).all()
        assert len(set(sampled.tolist())) == len(sampled)
        assert chances.shape == (tokenizer.vocab_size,)
        for entry, at in zip(entries.flatten().tolist(), places.flatten().tolist(), strict=True):
            special = entry in tokenizer.special_ids
            spelt = encoders.spelling.words([tokenizer.word(entry)], marks=special)[0]
            assert letters[at].tolist() == spelt.tolist()


def test_what_was_read_once_is_read_again_from_the_cache(corpora, tmp_path):
    first, lexicon = read_words(TASK.sources, corpora, "train")
    made = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    again, other = read_words(TASK.sources, corpora, "train")
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == made
    assert (first["tinystories"].ids == again["tinystories"].ids).all()
    assert (lexicon.letters == other.letters).all()


def test_words_without_an_entry_keep_their_letters(corpora, encoders, corpora_directory):
    few = TASK.make_tokenizer(corpora_directory, 12)
    small = replace(corpora, encoders=Encoders(few, spelling=encoders.spelling))
    _, lexicon = read_words(TASK.sources, small, "train")
    unknown = lexicon.entries == few.mark(UNK)
    assert unknown.sum() > 3
    assert len({tuple(row) for row in lexicon.letters[unknown].tolist()}) == unknown.sum()


def test_batches_follow_from_their_number(corpora):
    rows = TASK.read(corpora, "train")
    first = some(rows, 4, "stable")
    second = some(rows, 2, "stable", 1, 2)
    for mine, theirs in ((first[1], second[0]), (first[3], second[1])):
        for a, b in zip(mine.examples, theirs.examples, strict=True):
            assert a.equal(b)


def test_outside_of_training_the_loss_is_that_of_the_model(corpora, elmo, corpora_directory):
    """Forwards and backwards, each word once, from its own letters."""
    task = BothWays(TASK.sources, TASK.stable, TASK.cool_down, 64, draws=8)
    own = replace(corpora, encoders=elmo.encoders)
    (batch,) = some(task.read(own, "held_out"), 1, "stable")
    examples = batch.examples._replace(
        places=batch.examples.places[:3], entries=batch.examples.entries[:3]
    )
    losses = task.losses(elmo.model, examples)
    ahead, back = elmo.model(examples.letters.long()[examples.places])
    for name, logits, wanted in (
        ("next_word", ahead[:, :-1], examples.entries[:, 1:]),
        ("word_before", back[:, 1:], examples.entries[:, :-1]),
    ):
        own_share = logits.log_softmax(-1).gather(-1, wanted[..., None])
        assert losses[name].item() == pytest.approx(-own_share.mean().item(), rel=1e-5)


def test_the_chances_of_a_draw_fall_by_frequency_and_add_up():
    chances = zipf(50)
    assert chances.sum() == pytest.approx(1)
    assert (np.diff(chances) < 0).all()


def test_a_sample_pulls_in_the_mean_where_the_whole_vocabulary_does():
    """Jean et al. 2015: with more draws the gradient comes closer to that of all entries."""
    v, n = 60, 40
    generator = torch.Generator().manual_seed(0)
    h = torch.randn(n, 6, generator=generator, dtype=torch.float64)
    entries = torch.randint(0, v, (n,), generator=generator)
    words = torch.nn.Linear(6, v).double()
    torch.nn.functional.cross_entropy(words(h), entries).backward()
    whole, once = words.weight.grad.clone(), zipf(v)
    rng, off = np.random.default_rng(0), []
    for draws in (20, 2000):
        words.weight.grad = None
        chances = torch.from_numpy(np.log(-np.expm1(draws * np.log1p(-once))))
        for _ in range(60):
            sampled = torch.from_numpy(np.unique(rng.choice(v, draws, p=once)))
            (sampled_cross_entropy(h, words, entries, sampled, chances) / 60).backward()
        off.append((words.weight.grad - whole).norm() / whole.norm())
    assert off[1] < 0.02
    assert off[0] < 0.5


# --- the figures ---------------------------------------------------------------------


def test_perplexity_by_hand(elmo, tmp_path):
    path = tmp_path / "valid_x.txt.xz"
    made_up.pack(path, "The cat sat on the mat.\n\n" + "A zebra saw the dog. " * 12)
    found = perplexity(elmo, [path])
    tokenizer, nats, n, unknown, words = elmo.tokenizer, [0.0, 0.0], 0, 0, 0
    for document in read_documents(path):
        spelt = [START, *tokenizer.words(document), END]
        unknown += sum(tokenizer.id_of(word) is None for word in spelt)
        words += len(spelt) - 2
        for at in range(0, len(spelt) - 1, 31):  # a context of 32, of which one was read before
            window = spelt[at : at + 32]
            letters = np.concatenate(
                [SPELLING.words([word], marks=word in (START, END)) for word in window]
            )
            unk = tokenizer.mark(UNK)
            ids = [unk if (i := tokenizer.id_of(w)) is None else i for w in window]
            sides = elmo.model(torch.from_numpy(letters)[None])
            ahead, back = (side[0].log_softmax(-1) for side in sides)
            for i in range(len(ids) - 1):
                nats[0] -= float(ahead[i, ids[i + 1]])
                nats[1] -= float(back[i + 1, ids[i]])
                n += 1
    assert found["perplexity_forward/valid_x"] == pytest.approx(math.exp(nats[0] / n), rel=1e-5)
    assert found["perplexity_backward/valid_x"] == pytest.approx(math.exp(nats[1] / n), rel=1e-5)
    assert found["unknown/valid_x"] == pytest.approx(unknown / words)
    assert unknown > 10


def test_there_are_enough_sentences_and_each_has_its_word_once():
    for word, by_sense in SENSES.items():
        assert len(by_sense) == 2
        lengths = {len(sentences) for sentences in by_sense.values()}
        assert lengths == {8}
        for sentence in itertools.chain.from_iterable(by_sense.values()):
            words = sentence.lower().replace(".", "").replace(",", "").split()
            assert words.count(word) == 1, sentence


def test_without_context_senses_are_told_apart_as_by_chance(elmo):
    found = senses(elmo)
    assert list(found) == ["senses/layer_0", "senses/layer_1", "senses/layer_2"]
    assert found["senses/layer_0"] == pytest.approx(7 / 15)
    assert all(0 <= share <= 1 for share in found.values())


def test_the_nearest_is_another_sentence(elmo):
    sentences = ["The cat sat.", "The cat sat.", "A dog saw the cat."]
    found = nearest(elmo, "cat", sentences, -1)
    assert found[0] == 1
    assert found[1] == 0
    assert found[2] != 2
