"""Labelled pictures: what is read, in which order, and how they are moved."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
import torch

from core.data.samples import THINGS
from core.encoders import Encoders, PictureEncoder
from core.errors import CorpusError
from core.inputs import Picture
from core.training.pictures import read_pictures
from core.training.recipes.photographs import CIFAR
from core.training.recipes.pictures import DIGITS, MNIST
from core.training.tasks import pictures
from core.training.tasks.task import Corpora
from tests.conftest import tiny_vit

TASK = pictures.PictureLabels(MNIST, DIGITS, batch=16, shift=2)


@pytest.fixture
def corpora(corpora_directory, tmp_path) -> Corpora:
    return Corpora(corpora_directory, tmp_path, Encoders(pictures=PictureEncoder(28, 28)), seed=0)


def some(examples, n: int, phase="stable", **more) -> list:
    return list(itertools.islice(examples.batches(phase, **more), n))


def test_a_picture_is_trained_on_or_held_out(corpora, corpora_directory):
    pixels, _ = read_pictures(corpora_directory / "mnist_train.npz", DIGITS)
    train, held_out = (TASK.read(corpora, split) for split in ("train", "held_out"))
    (batch,) = held_out.batches("stable")
    n_batches = (len(pixels) - batch.n) // 16
    seen = torch.cat([b.examples.labels for b in some(train, n_batches)])
    assert len(seen) == n_batches * 16
    assert 0 < batch.n < len(pixels) / 20
    whole = {one.tobytes() for one in pixels}
    for one in batch.examples.pixels:
        assert (one[0].numpy() * 255).round().astype(np.uint8).tobytes() in whole


def test_pixels_are_numbers_from_0_to_1_with_their_label(corpora):
    batch = some(TASK.read(corpora, "train"), 1)[0]
    pixels, labels = batch.examples
    assert pixels.shape == (16, 1, 28, 28)
    assert (float(pixels.min()), float(pixels.max())) == (0, 1)
    assert batch.n == 16
    for image, label in zip(pixels[:, 0], labels, strict=True):
        row, column = divmod(int(label), 4)
        middle = image[4 + 7 * row : 9 + 7 * row, 3 + 6 * column : 8 + 6 * column]
        assert float(middle.mean()) > 0.4  # moved by two at most


def test_each_is_moved_by_itself_and_again_the_next_time(corpora):
    train = TASK.read(corpora, "train")
    n = len(train._labels) // 16
    first, later = some(train, 1)[0], some(train, 1, first=n)[0]
    assert sorted(first.examples.labels.tolist()) != [0] * 16
    assert not first.examples.pixels.equal(later.examples.pixels)
    again = some(TASK.read(corpora, "train"), 1)[0]
    assert again.examples.pixels.equal(first.examples.pixels)


@pytest.mark.parametrize("channels", [1, 3])
def test_moved_pictures_are_the_same_pixels_further_on(channels):
    rng = np.random.default_rng(0)
    whole = rng.integers(1, 255, (200, 9, 9, channels), np.uint8)
    found = set()
    for before, after in zip(whole, pictures._shifted(whole, 2, rng), strict=True):
        padded = np.pad(before, ((2, 2), (2, 2), (0, 0)))
        places = [(i, j) for i in range(5) for j in range(5)
                  if (padded[i : i + 9, j : j + 9] == after).all()]  # fmt: skip
        assert len(places) == 1
        found |= set(places)
    assert len(found) == 25


def test_a_batch_has_its_place_whoever_takes_it(corpora):
    train = TASK.read(corpora, "train")
    alone = some(train, 6)
    shared = [*some(train, 3, first=0, every=2), *some(train, 3, first=1, every=2)]
    for one, other in zip((alone[n] for n in (0, 2, 4, 1, 3, 5)), shared, strict=True):
        assert one.examples.pixels.equal(other.examples.pixels)
    assert not alone[0].examples.pixels.equal(some(train, 1, phase="cool-down")[0].examples.pixels)


def test_flipped_pictures_are_seen_in_a_mirror_or_as_they_are():
    rng = np.random.default_rng(0)
    whole = rng.integers(0, 255, (200, 4, 5, 3), np.uint8)
    flipped = pictures._flipped(whole, rng)
    as_they_are = [(before == after).all() for before, after in zip(whole, flipped, strict=True)]
    assert 70 < sum(as_they_are) < 130
    for before, after, same in zip(whole, flipped, as_they_are, strict=True):
        assert same or (before[:, ::-1] == after).all()


def test_packed_photographs_are_read_as_they_were(corpora_directory):
    pixels, labels = read_pictures(corpora_directory / "cifar10_test5k_jpeg.npz", THINGS)
    assert pixels.shape == (50, 32, 32, 3)
    assert labels.tolist() == [n % 10 for n in range(50)]
    for image, label in zip(pixels, labels, strict=True):
        row, column = divmod(int(label), 4)
        middle = image[6 + 8 * row : 9 + 8 * row, 3 + 8 * column : 6 + 8 * column].mean(axis=(0, 1))
        assert middle == pytest.approx((255, 200, 0), abs=80)  # as well as JPEG keeps them
    with pytest.raises(CorpusError, match="has other labels: airplane, automobile"):
        read_pictures(corpora_directory / "cifar10_test5k_jpeg.npz", DIGITS)


def test_photographs_are_read_on_the_scale_of_their_task(corpora_directory, tmp_path):
    task = pictures.PictureLabels(CIFAR, THINGS, batch=16, shift=4, flips=True, mean=0.5, std=0.25)
    encoders = task.encoders(corpora_directory, tiny_vit(height=32, width=32, channels=3).config)
    corpora = Corpora(corpora_directory, tmp_path, encoders, seed=0)
    (batch,) = task.read(corpora, "held_out").batches("stable")
    pixels, _ = read_pictures(corpora_directory / CIFAR.file, THINGS)
    given = {Picture(32, 32, one.tobytes(), 3) for one in pixels}
    known = {encoders.pictures.read(one).tobytes() for one in given}
    assert all(one.numpy().tobytes() in known for one in batch.examples.pixels)
    shape = some(task.read(corpora, "train"), 1)[0].examples.pixels.shape
    assert shape == (16, 3, 32, 32)


def test_the_measure_is_the_share_that_is_right(corpora_directory):
    class Told:
        """Says 3 of every picture."""

        encoders = Encoders(pictures=PictureEncoder(28, 28))

        @staticmethod
        def model(pixels):
            return torch.nn.functional.one_hot(torch.full((len(pixels),), 3), 10).float()

    assert TASK.measure(Told(), corpora_directory) == {"accuracy/mnist_test": 0.1}


@pytest.mark.parametrize(
    ("arrays", "problem"),
    [
        ({"images": np.zeros((3, 28, 28), np.uint8)}, "not readable pictures"),
        (
            {"images": np.zeros((3, 28, 28)), "labels": np.zeros(3)},
            "must hold grey or colour",
        ),
        ({"images": np.zeros((3, 28, 28), np.uint8), "labels": np.zeros(2)}, "must hold grey or"),
        ({"images": np.zeros((1, 28, 28), np.uint8), "labels": np.array([10])}, "other than 0 to"),
    ],
)
def test_a_file_that_is_none_is_named(tmp_path: Path, arrays, problem):
    path = tmp_path / "mnist_train.npz"
    np.savez(path, **arrays)
    with pytest.raises(CorpusError, match=problem):
        read_pictures(path, DIGITS)


def test_a_missing_or_damaged_file_is_named(tmp_path: Path):
    with pytest.raises(CorpusError, match="no such file"):
        read_pictures(tmp_path / "none.npz", DIGITS)
    (tmp_path / "bad.npz").write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(CorpusError, match="not readable pictures"):
        read_pictures(tmp_path / "bad.npz", DIGITS)


def test_too_few_pictures_are_an_error(tmp_path: Path):
    np.savez(tmp_path / "mnist_train.npz", images=np.zeros((5, 28, 28), np.uint8),
             labels=np.zeros(5, np.uint8))  # fmt: skip
    corpora = Corpora(tmp_path, tmp_path, Encoders(pictures=PictureEncoder(28, 28)), seed=0)
    with pytest.raises(CorpusError, match="too few pictures in the train split"):
        TASK.read(corpora, "train")
