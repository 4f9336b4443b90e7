"""The film of learning: every figure is of the frame that is asked for, on the learner's text."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.data.examples import RED
from core.figures.components.plot import Curve
from core.figures.text import number, percent
from core.film import index
from core.runs.kinds.film import EmbeddingPlane, FilmRequest
from core.views.film import written
from tests.views.records import rows, shown


def of(runs, view, frame, **values):
    found, record = shown(runs, f"film.{view}", text=RED, frame=str(frame), **values)
    return found, record, found.values(record)


def test_the_loss_falls_and_the_point_stands_at_the_frame(runs):
    film = index.read()
    view, record, values = of(runs, "losses", 3)
    held = values["held"]
    assert held.value == film.frames[3].held
    assert (np.diff(held.array) < 0).all()
    assert record.when == "after 10 steps"
    (now,) = [rule.x for rule in view.show(record).rules if rule.x is not None]
    assert now == film.frames[3].step
    assert of(runs, "losses", -1)[1].index == len(film.frames) - 1
    assert of(runs, "losses", 99)[1].index == len(film.frames) - 1


def test_what_the_plane_holds_is_a_share_and_grows_as_the_model_learns(runs):
    left = runs.get(FilmRequest(RED)).pictured.left
    assert 0 < left[0] < 0.05 < 0.2 < left[-1] < 1  # at random two of some hundred directions


def test_a_passage_that_is_harder_the_second_time_is_said_to_be(runs):
    gains = [frame.heads["repeat_gain"] for frame in index.read().frames]
    assert min(gains) < 0 < max(gains)
    for at, gain in enumerate(gains):
        view, record, _values = of(runs, "losses", at)
        said = str(view.describe(record))
        assert f"{'harder' if gain < 0 else 'easier'} by {number(abs(gain))} nats" in said


def test_the_induction_score_is_that_of_the_head(runs):
    *_, values = of(runs, "losses", -1, layer="3", head="2")
    frame = index.read().frames[-1]
    assert values["induction"].value == frame.heads["induction/3.2"]
    assert values["best"].value == max(
        score for name, score in frame.heads.items() if name.startswith("induction/")
    )


@pytest.mark.parametrize("head", ["2", "0"])  # the strongest of all, another one
def test_no_line_that_is_named_lies_beneath_another(runs, head):
    view, record, _values = of(runs, "losses", -1, layer="3", head=head)
    plot = view.show(record)
    curves = [one for one in plot.entries if isinstance(one, Curve)]
    assert len(curves) == 4 + (head != "2")
    for one, other in combinations(curves, 2):
        together = np.shape(one.y) == np.shape(other.y)
        assert not together or np.abs(np.subtract(one.y, other.y)).max() > 0.001


def test_a_head_comes_to_attend_to_what_followed(runs):
    """The token after the first “red” is “ball”: position 6."""
    before, after = (of(runs, "weights", at)[2]["weights"].array for at in (0, 9))
    assert np.allclose(after.sum(axis=1), 1, atol=1e-5)
    assert after[12, 6] > 0.4 > 0.1 > before[12, 6]
    assert not np.triu(after, 1).any()


def test_the_largest_of_nearly_equal_weights_is_not_most_of_them(runs):
    view, record, values = of(runs, "weights", 0)
    largest = values["weights"].array[12].max()
    assert largest < 0.1
    said = str(view.describe(record))
    assert f"than to any other token: {percent(largest)}. Equal weights" in said
    assert "most of" not in said


def test_words_of_a_group_become_neighbours_in_a_plane_that_stays(runs):
    view, first, values = of(runs, "words", 0)
    assert values["near"].array[0] < 0.15 < 0.85 < values["near"].array[-1]
    last = of(runs, "words", -1)[1]
    assert view.show(first).x.range == view.show(last).x.range
    assert first.run is last.run  # one run for all frames
    spread = first.run.pictured.places.std(axis=1).mean(axis=1)
    assert spread[-1] > 5 * spread[0]
    assert "ball" in values["own"].axes[0].labels


def test_guesses_and_texts_are_the_frames_own(runs):
    *_, first = of(runs, "guesses", 0)
    *_, last = of(runs, "guesses", -1)
    assert first["probability"].value < 0.01
    assert last["token"].value == "·ball"
    view, record, _values = of(runs, "written", -1)
    assert rows(view, record) != rows(*of(runs, "written", 0)[:2])
    assert str(view.describe(record)).startswith("After 3,700 steps, it continues with “ball")
    assert of(runs, "written", -1, seed="1")[1].run.written != record.run.written


@pytest.mark.parametrize("text", ["", "القط"])
def test_a_text_without_words_of_its_own_is_drawn_too(runs, text):
    for view in ("losses", "words", "weights"):
        found, record = shown(runs, f"film.{view}", text=text)
        assert found.show(record).drawing("light")


def test_a_long_text_is_cut_and_said_to_be(runs):
    view, record = shown(runs, "film.written", text="The cat sat on the mat. " * 30)
    assert len(record.run.tokens) == 40
    assert view.show(record).cut


def test_no_label_of_a_word_lies_on_another(runs):
    _view, record, _values = of(runs, "words", -1)
    seen = record.run.pictured
    labels, sides = written(seen, -1)
    assert len(labels) == len(sides) == len(seen.words) + len(seen.own)
    assert len(seen.words) // 3 < sum(map(bool, labels)) < len(labels)
    assert all(labels[len(seen.words) :])  # those of the text come first
    at_first = written(seen, 0)[0]  # where all points are in one place
    assert sum(map(bool, at_first)) < 8


@pytest.mark.parametrize(
    ("away", "side"), [(5, "left"), (42, "left"), (46, "right"), (-42, "right")]
)
def test_a_label_lies_on_no_point(away, side):
    """A word of five letters is written from 7 to 40 pixels beside its point on a phone."""
    unit = 290 / 1.2  # the corners lie a bit within the picture
    places = np.array([[[0.4, 0.5], [0.4 + away / unit, 0.5], [0, 0], [1, 1]]])
    seen = EmbeddingPlane(
        ("horse", "", "", ""), (0,) * 4, places, (), np.zeros((1, 0, 2)), *[np.ones(1)] * 2
    )
    labels, sides = written(seen, 0)
    assert (labels[0], sides[0]) == ("horse", side)
