"""A picture that is seen: what a page opens on, what is said of it, and its shuffled patches."""

from __future__ import annotations

import numpy as np
import pytest

from core import views
from core.analysis.distributions import softmax
from core.data.samples import sample
from core.encoders import Encoders, PictureEncoder
from core.errors import AbilityError, ParameterError
from core.inputs import Picture
from core.show import figure
from core.tracing import trace_run
from core.views.given import opened
from core.views.params import OnText
from core.views.vision.seen import OnPicture, offers, reordered
from tests.views.records import shown

DARK = Picture(28, 28, bytes(784)).as_text()


def test_no_picture_is_the_first_sample_and_a_name_is_its_own():
    assert OnPicture().given == sample("ours-7").picture
    assert OnPicture("ours-3").given == sample("ours-3").picture
    assert OnPicture(DARK).given == Picture(28, 28, bytes(784))
    for wrong in ("ours-99", "28x28:AAAA"):
        with pytest.raises(ParameterError, match="picture is"):
            OnPicture(wrong).given  # noqa: B018


@pytest.mark.parametrize("model", ["vit", "cnn"])
def test_the_bars_are_the_softmax_of_the_logits(runs, digits, model):
    view, record = shown(runs, "vision.answer", model=model, picture="ours-4")
    logits = trace_run(digits[model], sample("ours-4").picture)["logits"]
    values = view.values(record)
    np.testing.assert_allclose(values["probability"].array, softmax(logits), atol=1e-6)
    np.testing.assert_allclose(values["logit"].array, logits, atol=1e-6)
    assert values["probability"].selected == (int(logits.argmax()),)
    bars = view.show(record)
    assert [row.label for row in bars.frames[0].rows] == list("0123456789")
    assert [row.chosen for row in bars.frames[0].rows].index(True) == logits.argmax()
    assert f"“{logits.argmax()}”" in str(view.describe(record))


@pytest.mark.parametrize("model", ["vit", "cnn"])
@pytest.mark.parametrize("grey", [0, 255])
def test_of_an_empty_picture_nobody_is_told_that_a_model_sees_a_digit_in_it(runs, model, grey):
    empty = Picture(28, 28, bytes([grey] * 784)).as_text()
    view, record = shown(runs, "vision.answer", model=model, picture=empty)
    said = str(view.describe(record))
    assert said.startswith("The picture is empty. ")
    assert f"must name a label all the same: “{record.best}” gets" in said
    assert "sees" not in said
    view, record = shown(runs, "vision.answer", model=model, picture="ours-4")
    assert "empty" not in str(view.describe(record))


def test_the_picture_is_shown_as_it_is_and_says_how_it_is_cut(runs):
    view, record = shown(runs, "vision.picture", model="vit", picture="ours-4")
    made = view.show(record)
    assert made.pixels.tobytes() == sample("ours-4").picture.pixels
    assert made.patch == 4
    said = str(view.describe(record))
    assert "28 × 28 pixels" in said
    assert "7 × 7 patches" in said
    assert "a row of 16 numbers" in said
    np.testing.assert_allclose(view.values(record)["pixels"].array * 255, made.pixels, atol=1e-4)
    (erratum,) = view.notes(record)
    assert str(erratum.text) == (
        "A patch of 16 × 16 pixels in 3 colours has 768 numbers. Some lecture notes say 786."
    )
    view, record = shown(runs, "vision.picture", model="cnn")
    assert view.show(record).patch is None
    assert "reads all of them at once" in str(view.describe(record))
    assert view.notes(record) == ()


def test_a_picture_of_another_size_is_an_error_that_says_which(runs):
    small = OnPicture(Picture(4, 4, bytes(16)).as_text(), "vit")
    with pytest.raises(ParameterError, match="picture is '4x4'; it must be 28x28 pixels"):
        figure("vision.answer", small, runs, "cpu")


def test_a_model_of_words_is_told_so(runs):
    with pytest.raises(AbilityError, match="model GPT cannot say what a picture shows"):
        figure("vision.answer", OnPicture(model="gpt"), runs, "cpu")


def test_samples_are_shown_with_whose_they_are():
    view = views.get("vision.samples")
    for of, source in (("ours", "Glassformer"), ("mnist", "MNIST")):
        record = view.compute([], view.Params(of))
        assert {one.source for one in record} == {source}
        tiles = view.show(record)
        assert len(tiles.tiles) == len(record) == len(tiles.pictures)
        assert tiles.pictures[0].tobytes() == record[0].picture.pixels
    assert "CC BY-SA 3.0" in str(view.describe(record))


@pytest.mark.parametrize(
    ("reads", "first"),
    [(PictureEncoder(28, 28), "ours-7"), (PictureEncoder(32, 32, 3), "bird")],
)
def test_it_is_the_first_sample_that_the_model_can_read(reads, first):
    found = opened(OnPicture(model="any"), Encoders(pictures=reads))
    assert found == OnPicture(first, "any")
    assert found.given.size == reads.size


def test_it_is_an_empty_sheet_where_no_sample_has_the_size():
    found = opened(OnPicture(), Encoders(pictures=PictureEncoder(5, 7)))
    assert found.given == PictureEncoder(5, 7).blank


def test_what_is_named_stays():
    own = OnPicture(sample("ours-3").picture.as_text())
    assert opened(own, Encoders(pictures=PictureEncoder(32, 32, 3))) is own
    text = OnText(text="a")
    assert opened(text, Encoders()) is text


def test_samples_are_offered_by_their_size():
    assert offers("28x28") == ["ours", "mnist"]
    assert offers("32x32x3") == ["things"]
    assert offers("5x7") == []


def test_without_positions_the_order_is_nothing_and_with_them_it_is_something(runs):
    view, record = shown(runs, "vision.shuffled", model="vit", shuffle_seed="3")
    shares = view.values(record)["probability"].array
    assert shares.shape == (2, 2, 10)
    np.testing.assert_allclose(shares.sum(axis=-1), 1, atol=1e-6)
    np.testing.assert_allclose(shares[1, 0], shares[1, 1], atol=1e-5)
    assert np.abs(shares[0, 0] - shares[0, 1]).max() > 1e-6
    said = str(view.describe(record))
    assert "the order makes no difference" in said


def test_the_pictures_are_the_same_patches(runs):
    view, record = shown(runs, "vision.shuffled", model="vit", shuffle_seed="3")
    whole, mixed = view.show(record).pictures[:2]
    assert (whole != mixed).any()

    def patches(pixels):
        return sorted(map(bytes, pixels.reshape(7, 4, 7, 4).swapaxes(1, 2).reshape(49, 16)))

    assert patches(whole) == patches(mixed)
    captions = [tile.caption for tile in view.show(record).tiles]
    best = [int(run.shares.argmax()) for run in record.runs]
    assert [caption[0] for caption in captions] == [str(n) for n in best]


def test_a_patch_goes_where_the_order_says():
    pixels = np.arange(36, dtype=np.uint8).reshape(6, 6)
    found = reordered(pixels, 3, [3, 0, 1, 2])
    assert (found[:3, :3] == pixels[3:, 3:]).all()
    assert (found[:3, 3:] == pixels[:3, :3]).all()
    assert (found[3:, :3] == pixels[:3, 3:]).all()
