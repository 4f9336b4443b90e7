"""The page of the film: one slider, and five figures of the same moment."""

from __future__ import annotations

import pytest

from core.experiments import FILM
from core.film import index
from tests.app.test_pages import check, headers, opened

PAGE = "labs/film.py"


def test_the_slider_has_a_place_for_each_frame_and_the_figures_follow():
    app = opened(PAGE, frame="5")
    check(app)
    (stepper,) = headers(app, "stepper")
    assert stepper["n"] == len(index.read().frames)
    assert stepper["field"] == "frame"
    assert stepper["selection"]["frame"] == 5
    (matrix,) = headers(app, "matrix")
    assert "after 100 steps" in matrix["sheets"][0]["title"]
    readings = [one.proto.body for one in app.get("html") if "glass-reading" in one.proto.body]
    assert sum("After 100 steps" in one for one in readings) == 4
    assert {one.title for one in FILM} <= {button.label for button in app.button}


def test_a_head_beyond_the_model_is_the_nearest_and_a_missing_text_keeps_the_last():
    app = opened(PAGE, layer="99", head="99", text="")
    check(app)
    (matrix,) = headers(app, "matrix")
    assert "layer 3, head 3" in matrix["sheets"][0]["title"]
    assert not app.error


@pytest.mark.parametrize(("text", "told"), [
    ("Le chat dort sur le lit et le chien mange.", True),
    ("Der Hund ist müde und die Katze schläft.", True),
    ("The dog was tired and the cat slept.", False),
])  # fmt: skip
def test_its_model_has_read_english_only_and_says_so_of_another_language(text, told):
    app = opened(PAGE, text=text)
    check(app)
    said = "The film's model has read English only, and your text looks like another language"
    assert any(said in info.value for info in app.info) == told
