"""The generator that ships: whole, of these encoder's weights, and as good as its record says."""

from __future__ import annotations

import json
import shutil
from itertools import islice

import pytest
import torch

from core import zoo
from core.digits import index, models
from core.digits.drawing import as_pixels, draw, noise
from core.digits.reading import MOST, read
from core.digits.texts import EMPTY, HELD, NAMES, TRAINED, every, fill_template
from core.errors import CheckpointError
from core.studies.digits.command import ENCODER

LARGEST = 6_000_000  # bytes of all that is recorded for it


@pytest.fixture(scope="module")
def encoder() -> zoo.LoadedModel:
    return zoo.load(ENCODER, "cpu")


def test_no_text_that_is_held_out_was_trained_on():
    trained = {one.text.lower().strip(" .") for form in ("words", "numerals")
               for one in every(TRAINED, form)}  # fmt: skip
    held = {one.text.lower().strip(" .") for form in ("words", "numerals")
            for one in every(HELD, form)}  # fmt: skip
    assert len(held) == 2 * len(NAMES) * len(HELD)
    assert not trained & held
    assert fill_template("draw {a} {digit}", 8, "words") == ("draw an eight", 8)
    assert fill_template("draw {a} {digit}", 7, "numerals") == ("draw a 7", 7)


def test_it_reads_the_encoder_that_ships():
    """With other weights of T5 it would have to learn anew."""
    made, drawer = models.load()
    assert made.done
    assert made.encoder_mark == zoo.fingerprint(made.encoder)
    assert made.parameters == sum(one.numel() for one in drawer.parameters())
    assert sum(path.stat().st_size for path in index.FOLDER.iterdir()) < LARGEST


def test_its_record_says_how_often_it_draws_what_is_named():
    made = index.read()
    for name in ("trained_words", "trained_numerals", "held_words", "held_numerals"):
        measure = made.measure(name, 3.0)
        assert measure is not None
        assert measure.n >= 100
        for judge, hits in measure.right.items():
            assert hits <= measure.n == sum(measure.read[judge])


def test_it_draws_the_digit_again(encoder):
    """Ten texts that it never read, from one seed: most are read as the digit named."""
    _made, drawer = models.load()
    judge = zoo.load("cnn", "cpu")
    texts = [one.text for one in islice(every(HELD[3:4], "words"), 10)]
    states = [read(encoder, text).states for text in texts]
    drawn = draw(drawer, noise(10, 0), states, read(encoder, EMPTY).states, 3.0)
    pixels = as_pixels(drawn.frames[-1])[..., None].numpy()
    said = judge.model(torch.from_numpy(judge.encoders.pictures.numbers(pixels))).argmax(dim=1)
    assert (said == torch.arange(10)).sum() >= 7


def test_a_text_is_cut_and_an_empty_one_is_its_end(encoder):
    long = read(encoder, "draw a seven " * 20)
    assert len(long.tokens) == MOST == len(long.states)
    assert long.cut.strip().endswith("seven")
    assert long.tokens[-1].special
    assert len(read(encoder, "").tokens) == 1


def test_damage_is_named(tmp_path):
    folder = tmp_path / "digits"
    shutil.copytree(index.FOLDER, folder)
    weights = folder / index.WEIGHTS
    weights.write_bytes(weights.read_bytes()[:-1] + b"\0\0")
    with pytest.raises(CheckpointError, match="damaged"):
        models.load(folder)
    weights.unlink()
    with pytest.raises(CheckpointError, match="no such file"):
        models.load(folder)
    path = folder / index.INDEX
    path.write_text(json.dumps({**json.loads(path.read_text()), "curve": 3}))
    with pytest.raises(CheckpointError, match="not the index"):
        index.read(folder)
