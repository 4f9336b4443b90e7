"""What was recorded of two translators, one with smoothed targets."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.measured import CALIBRATION, measured
from tests.views.records import shown


def test_the_calibration_error_is_that_of_its_bins(runs):
    view, record = shown(runs, "learning.calibration", stop_at="1500")
    values = {name: one.array for name, one in view.values(record).items()}
    for model in ("translator", "smoothed"):
        counts = record.line(model, "counts")[-1]
        apart = np.abs(values[f"{model}_sure"] - values[f"{model}_right"])
        error = np.nansum(counts * apart) / counts.sum()
        assert float(values[f"{model}_error"]) == pytest.approx(error)
    assert values["translator_error"] > 2 * values["smoothed_error"]


def test_a_moment_is_the_nearest_that_was_measured(runs):
    for asked, step in (("125", 125), ("180", 125), ("900", 875), ("1500", 1500)):
        view, record = shown(runs, "learning.compared", stop_at=asked)
        assert record.step == step
        assert view.values(record)["smoothed_right"].value == record.now("smoothed", "right")
    assert f"{record.now('translator', 'perplexity'):.1f}" in str(view.describe(record))


def test_the_file_says_how_it_was_made_and_is_small():
    found = measured(CALIBRATION)
    assert found["command"] == "python -m core.training calibration --corpora DIR"
    assert found["pairs"] == 6400
    assert found["held_pairs"] == 512
