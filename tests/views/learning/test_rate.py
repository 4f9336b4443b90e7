"""What was recorded of a small Transformer with warm-ups of several lengths."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.measured import WARM_UP, measured
from core.figures.components.plot import Plot
from tests.views.records import shown


@pytest.mark.parametrize(("asked", "taken"), [("1", 1), ("45", 50), ("70", 50), ("300", 300)])
def test_the_nearest_warm_up_that_was_recorded_is_shown(runs, asked, taken):
    view, record = shown(runs, "learning.warmed", warmed=asked)
    values = view.values(record)
    assert values["warm_up"].value == record.warm_up == taken
    (found,) = (
        one for one in record.recording["trainings"] if (one["warm_up"], one["waits"]) == (taken, 0)
    )
    assert values["whole"].value == found["whole"]
    moves = np.array(found["rate"]) * np.array(found["ratio"])
    np.testing.assert_allclose(values["move"].array, moves)


def test_without_a_warm_up_every_weight_moves_a_whole_rate_first_and_nothing_is_learned(runs):
    view, record = shown(runs, "learning.warmed", warmed="300")
    values = {name: one.array for name, one in view.values(record).items()}
    assert values["none_move"][0] == pytest.approx(0.05, rel=0.02)
    assert values["none_move"][0] > 3 * values["move"].max()
    assert values["whole"] > 0.9
    assert max(values["none_whole"], values["waited_whole"]) < 0.1
    plot = view.show(record)
    assert isinstance(plot, Plot)
    assert "300" in plot.alt


def test_the_file_says_how_it_was_made():
    found = measured(WARM_UP)
    assert found["command"] == "python -m core.training warm-up"
    assert len(found["steps"]) == len(found["trainings"][0]["loss"])
