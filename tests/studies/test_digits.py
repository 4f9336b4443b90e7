"""The generator of digits: it learns from pictures with texts, and its command makes it again."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from core import zoo
from core.digits import index, models
from core.digits.network import Drawer
from core.digits.texts import TRAINED
from core.studies.digits.learning import DenoisingBatch, DigitTraining, Texts, examples, loss_of
from core.studies.digits.recipe import DIGITS
from core.training.__main__ import main

TINY = DIGITS["tiny"]


@pytest.fixture(scope="module")
def texts() -> Texts:
    return Texts.of(zoo.load("t5", "cpu"))


def asked(out: Path, *more: str) -> list[str]:
    return ["digits", "--tier", "tiny", "--threads", "1", "--out", str(out), *more]


@pytest.fixture(scope="module")
def made(corpora_directory, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("digits")
    assert main([*asked(out, "--steps", "4"), "--corpora", str(corpora_directory)]) == 0
    return out


def test_it_says_how_it_was_made_and_can_be_made_again(made, corpora_directory, tmp_path):
    said = index.read(made)
    words = "python -m core.training digits --corpora DIR --tier tiny --threads 1 --steps 4"
    assert said.command == words
    assert said.done
    assert (said.steps, said.pictures) == (4, 16)
    assert [step for step, _loss in said.curve] == [2, 4]
    assert {one.name for one in said.measures} >= {"trained_words", "held_numerals", "no_text"}
    assert all(sum(one.read["cnn"]) == one.n == TINY.asked for one in said.measures)
    again = [*asked(tmp_path, "--steps", "4"), "--corpora", str(corpora_directory)]
    assert main(again) == 0
    weights = index.WEIGHTS
    assert (tmp_path / weights).read_bytes() == (made / weights).read_bytes()
    assert index.read(tmp_path).measures == said.measures


def test_it_is_measured_again(made, capsys):
    before = (made / index.INDEX).read_bytes()
    assert main([*asked(made), "--measure"]) == 0
    assert (made / index.INDEX).read_bytes() == before
    first = index.read(made).measures[0]
    assert f"{first.right['cnn'] / first.n:.1%}" in capsys.readouterr().out


def test_the_stored_weights_are_a_mean_that_can_be_loaded(made):
    _said, drawer = models.load(made)
    assert all(one.isfinite().all() for one in drawer.parameters())


def test_a_picture_comes_with_a_text_of_its_digit_or_with_none(corpora_directory, texts):
    n_texts = 2 * len(TRAINED)
    assert texts.n == n_texts
    drawn = examples(corpora_directory, TINY, n_texts, 0)
    rows = torch.cat([next(drawn).text for _ in range(150)])
    assert 0 < (rows == 0).float().mean() < 0.25
    assert set(((rows[rows > 0] - 1) // n_texts).tolist()) == set(range(10))


def test_the_loss_is_that_of_the_way_from_noise_to_picture(texts):
    """Without a step the network says 0, so the loss is the mean square of picture - noise."""
    drawer = Drawer(TINY.network, torch.Generator().manual_seed(0))
    generator = torch.Generator().manual_seed(1)
    pictures, begin = torch.randn(2, 3, 1, 28, 28, generator=generator)
    one = DenoisingBatch(
        pictures, begin, torch.rand(3, generator=generator), torch.tensor([0, 1, 9])
    )
    assert loss_of(drawer, one, texts).item() == pytest.approx((pictures - begin).square().mean())


def test_it_learns(corpora_directory, texts):
    learner = DigitTraining(TINY, Drawer(TINY.network, torch.Generator().manual_seed(0)))
    drawn = examples(corpora_directory, TINY, texts.n, 0)
    learner.run(drawn, texts, minutes=1, steps=40, keep=lambda: None)
    assert learner.curve[-1][1] < 0.8 * learner.curve[0][1]


def test_what_is_missing_is_said(tmp_path, capsys):
    assert main(asked(tmp_path)) == 2
    assert "corpora" in capsys.readouterr().err
    assert main([*asked(tmp_path, "--steps", "0"), "--corpora", str(tmp_path)]) == 2
