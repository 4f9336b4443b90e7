"""The views of the generator of digits."""

from __future__ import annotations

import numpy as np
import pytest

from core.digits import index
from tests.views.records import header, shown

STEPS = 24


def of(runs, view, **values):
    found, record = shown(runs, f"digits.{view}", draw_text="draw a seven", **values)
    return found, record, found.values(record)


def test_it_begins_with_noise_and_ends_with_the_digit(runs):
    view, record, values = of(runs, "pictures")
    pixels, shares = values["pixels"].array, values["probability"].array
    assert pixels.shape == (STEPS + 1, 6, 28, 28)
    assert shares.shape == (STEPS + 1, 6, 10)
    assert np.allclose(shares.sum(axis=2), 1, atol=1e-5)
    assert 0.2 < (pixels[0] > 127).mean() < 0.8 > 0.5 > (pixels[-1] > 127).mean()
    assert (shares[-1].argmax(axis=1) == 7).sum() >= 4
    assert "“draw a seven”" in str(view.describe(record))


def test_all_steps_are_in_the_browser(runs):
    """A stepper moves them: the payload is the same at every step, and holds them all."""
    first, last = (header(runs, "digits.pictures", drawing_step=step) for step in ("0", "-1"))
    assert first["frames"] == STEPS + 1
    assert first["tiles"] == last["tiles"]
    assert (first["selection"]["drawing_step"], last["selection"]["drawing_step"]) == (0, STEPS)
    view, record, _values = of(runs, "pictures")
    steps = view.steps(record)
    assert (steps.n, steps.field) == (STEPS + 1, "drawing_step")


@pytest.mark.parametrize(("at", "places"), [("before", 196), ("coarse", 49), ("after", 196)])
def test_the_weights_of_a_place_add_up_over_the_tokens(runs, at, places):
    view, record, values = of(runs, "looks", looks_at=at, drawn_picture="2")
    weights = values["weights"].array
    assert weights.shape == (STEPS, 6, len(record.run.tokens), places)
    assert np.allclose(weights.sum(axis=2), 1, atol=0.01)
    tiles = view.show(record)
    assert len(tiles.tiles) == (STEPS + 1) * len(record.run.tokens)
    assert tiles.heat.shape[0] == len(tiles.tiles)


def test_without_guidance_no_text_counts(runs):
    *_, seven = of(runs, "reads", guidance="0")
    _view, record = shown(runs, "digits.reads", draw_text="", guidance="3")
    assert np.allclose(seven["last"].array, record.says[-1], atol=1e-3)
    *_, guided = of(runs, "reads", guidance="3")
    assert guided["last"].array[7] > 0.6 > seven["last"].array[7]


def test_the_states_are_those_of_the_tokens(runs):
    _view, record, values = of(runs, "states")
    assert values["states"].array.shape == (len(record.run.tokens), 256)
    assert record.run.tokens[-1].special


def test_the_measures_are_the_record(runs):
    view, record, values = of(runs, "measured")
    measure = index.read().measure("held_words", 3.0)
    row = values["share"].axes[1].labels.index("other texts, in words")
    assert values["share"].array[0, row] == measure.right["cnn"] / measure.n
    low, high = values["low"].array[0, row], values["high"].array[0, row]
    assert low <= values["share"].array[0, row] <= high
    assert [note.kind for note in view.notes(record)] == ["warning", "more"]
    assert index.read().measured_by in str(view.notes(record)[1].text)
