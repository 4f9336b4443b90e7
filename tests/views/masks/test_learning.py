"""Learning with and without a mask: four losses over the steps, and the floor."""

from __future__ import annotations

import numpy as np

from core.figures.values import to_csv
from core.spelling import visible
from tests.views.records import shown


def test_learning_without_a_mask_is_drawn_and_said(runs):
    view, record = shown(runs, "masks.learning")
    plot = view.show(record)
    figure = plot.figure("dark")
    assert figure.layout.title.text
    assert figure.layout.xaxis.title.text
    assert figure.layout.yaxis.title.text
    assert len(figure.data) == 4
    assert visible(str(view.describe(record)))
    values = view.values(record)
    assert len(values["causal_seen"].array) == len(record.step)
    np.testing.assert_array_equal(values["unmasked_unseen"].array, record.unmasked_unseen)
    assert to_csv(values).count("\n") >= len(record.step) + 3


def test_both_models_are_in_the_drawing_too(runs):
    view, record = shown(runs, "masks.learning")
    drawing = view.show(record).drawing("light")
    for name in ("no mask, answer visible", "causal mask, in training"):
        assert name in drawing
    assert "no honest prediction manages with less than 1 bit" in drawing
