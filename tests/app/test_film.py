"""The page of the film: one slider, and five figures of the same moment."""

from __future__ import annotations

import pytest

from core.film import index
from tests.app.answered import figure, figures, words
from tests.app.test_pages import check, opened

PAGE = "labs/film.py"


def test_the_slider_has_a_place_for_each_frame_and_the_figures_follow():
    app = opened(PAGE, frame="5")
    check(app)
    (stepper,) = [one.said["steps"] for one in figures(app) if "steps" in one.spec["says"]]
    assert stepper["n"] == len(index.read().frames)
    assert stepper["field"] == "frame"
    assert stepper["selection"]["frame"] == 5
    matrix = figure(app, "film.weights").answer.header
    assert "after 100 steps" in matrix["sheets"][0]["title"]
    read = [words(one.said["reading"]) for one in figures(app) if "reading" in one.spec["says"]]
    assert sum("After 100 steps" in one for one in read) == len(read) == 4


@pytest.mark.parametrize(("text", "told"), [
    ("Le chat dort sur le lit et le chien mange.", True),
    ("The dog was tired and the cat slept.", False),
])  # fmt: skip
def test_its_model_has_read_english_only_and_says_so_of_another_language(text, told):
    app = opened(PAGE, text=text)
    check(app)
    notes = [words(said) for one in figures(app) if "info" in one.spec["notes"]
             for kind, said in one.said["notes"] if kind == "info"]  # fmt: skip
    said = "The film's model has read English only, and your text looks like another language"
    assert any(said in one for one in notes) == told
