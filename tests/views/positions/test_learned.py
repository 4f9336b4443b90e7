"""The table that a model learned, and a model that learned none."""

from __future__ import annotations

import numpy as np

from core import views
from core.analysis.positions import sinusoidal_cosine
from core.figures.text import number
from core.views.positions.table import Learned


def test_the_learned_table_is_the_models_own(record_of, gpt):
    view, record = record_of("positions.learned")
    own = np.asarray(gpt.weights["embed.positions.weight"], np.float32)
    assert np.array_equal(view.show(record).figure("light").data[0].z, own)
    assert np.array_equal(view.values(record)["table"].array, own)


def test_what_the_table_was_before_training_is_said_of_each_model(record_of):
    view, record = record_of("positions.learned", model="gpt")
    assert "No rule said what a position is" in str(view.describe(record))
    view, record = record_of("positions.learned", model="bert")
    said = str(view.describe(record))
    assert "No rule said" not in said
    assert "started as sinusoids" in said
    # A model that nobody trained still has the cosines it started with.
    nearest, far = (number(sinusoidal_cosine(d, 16)) for d in (1, len(record.table) // 2))
    assert f"rows was {nearest} and is {nearest} on" in said
    assert f"it was {far} and is {far}." in said


def test_of_fixed_sinusoids_it_is_said_that_nothing_was_learned(record_of):
    view, record = record_of("positions.learned", model="transformer")
    _, table = record_of("positions.sinusoidal", d_model=16)
    n = len(record.table)
    assert 1 < n < 32
    assert np.allclose(record.table, table.table[:n])
    component = view.show(record)
    assert component.title == f"Fixed in Transformer: the first {n} positions × 16"
    said = str(view.describe(record))
    assert "Transformer learned no position table" in said
    assert f"is {number(sinusoidal_cosine(1, 16))} on average" in said
    assert "which training does not change" in said
    assert "trained" not in said


def test_a_table_that_was_made_longer_shows_its_seam():
    view = views.get("positions.learned")
    at = np.arange(80)[:, None] / 40 + np.arange(16)
    grown = np.cos(at)
    grown[50:] = np.cos(at[:30] + 2)  # begins anew
    said = str(view.describe(Learned(grown, "gpt", started_as_sinusoids=False)))
    assert "Rows 49 and 50 are neighbours too, but their cosine is" in said
    whole = Learned(np.cos(at), "gpt", started_as_sinusoids=False)
    assert whole.seam is None
    assert "seam" not in str(view.describe(whole))
    assert Learned(np.cos(at[:5]), "gpt", started_as_sinusoids=False).seam is None  # all ends
