"""The view of the gradient through time: which way it goes, and what it says."""

from __future__ import annotations

import numpy as np
import pytest

from core.runs.store import Runs
from tests.views.records import shown
from tests.views.recurrent.test_states import LAYERS, TARGET, TEXT, machine

__all__ = ["machine"]


@pytest.mark.parametrize(("recurrence", "direction"), LAYERS)
def test_it_goes_back_from_the_last_state(machine, recurrence, direction):
    view, record = shown(machine, "recurrent.gradient", text=TEXT, target=TARGET, model="rnn",
                         recurrence=recurrence, direction=direction)  # fmt: skip
    found = view.values(record)["gradient"].array
    last = 0 if direction == "backward" else -1
    assert found[last] == pytest.approx(1)
    assert found.shape == (len(record.units),)
    np.testing.assert_array_equal(view.show(record).heat, found)
    assert "the gradient is" in str(view.describe(record))


def test_an_lstm_has_one_too(characters):
    own = Runs(load=lambda name, device: characters)
    view, record = shown(own, "recurrent.gradient", text=TEXT, model="x")
    assert view.values(record)["gradient"].array[-1] == pytest.approx(1)
