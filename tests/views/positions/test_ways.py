"""The table that a model learned, and a model that learned none."""

from __future__ import annotations

import numpy as np
import pytest

from core import views, zoo
from core.analysis.positions import sinusoidal_cosine
from core.figures.text import number
from core.views.positions.sinusoidal import SPAN
from core.views.positions.ways import STRIDE, LearnedPositions


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
    said = str(view.describe(LearnedPositions(grown, "gpt", started_as_sinusoids=False)))
    assert "Rows 49 and 50 are neighbours too, but their cosine is" in said
    whole = LearnedPositions(np.cos(at), "gpt", started_as_sinusoids=False)
    assert whole.seam is None
    assert "seam" not in str(view.describe(whole))
    assert (
        LearnedPositions(np.cos(at[:5]), "gpt", started_as_sinusoids=False).seam is None
    )  # all ends


def heat(view, record):
    """The cells as the page draws them."""
    return view.show(record).figure("light").data[0]


def test_each_way_past_the_trained_length(record_of):
    at = list(range(0, SPAN, STRIDE))
    view, record = record_of("positions.pairs", kind="learned")  # the tiny model has 32 rows
    drawn = heat(view, record).z
    inside = len([p for p in at if p < 32])
    assert np.isnan(drawn[inside:, :]).all()
    assert not np.isnan(drawn[:inside, :inside]).any()
    assert "32 rows" in str(view.describe(record))
    for kind in ("sinusoidal", "rotary"):
        view, record = record_of("positions.pairs", kind=kind)
        drawn = heat(view, record).z
        # Only the distance counts, far past the end as well.
        for offset in (0, 3, 40):
            diagonal = np.diagonal(drawn, offset)
            assert np.ptp(diagonal) < 1e-5
        said = str(view.describe(record))
        assert "trained on 32 positions has never met" in said
    assert "two equal vectors (64 ones)" in said


def test_t5s_buckets(record_of):
    view, record = record_of("positions.pairs", kind="relative")
    drawn = heat(view, record)
    assert drawn.customdata[-1, 0] == 15  # key far before the query: the last bucket of that side
    assert drawn.customdata[0, -1] == 31
    assert drawn.customdata[0, 1] == 16 + STRIDE  # so many places after it
    assert np.array_equal(drawn.z, drawn.z.T)  # the colour is how far, on either side
    assert (np.diff(drawn.z[0]) >= 0).all()
    assert "have buckets 0 to 15, those after it 17 to 31" in str(view.describe(record))
    assert record.last_bucket_from() == 91  # 8 · 16^(7/8), rounded up
    assert record.bucket(0) == 0
    assert record.bucket(7) == 7
    assert record.bucket(500) == record.bucket(91) != record.bucket(90)
    assert record.bucket(-1) == 17  # 16 would be distance 0, which counts as before
    assert record.bucket(-500) == record.bucket(-91) != record.bucket(-90)


def test_every_pair_that_is_drawn_is_saved(record_of):
    view, record = record_of("positions.pairs", kind="relative")
    saved = view.values(record)["buckets"]
    assert np.array_equal(saved.array, heat(view, record).customdata)
    assert saved.axes[0].labels[:2] == ["0", "5"]
    assert saved.axes[1].labels[:2] == ["key 0", "key 5"]


def test_the_trained_length_is_marked_in_the_file_too(record_of):
    for name in ("positions.pairs", "positions.beyond"):
        view, record = record_of(name)
        assert len(view.show(record).figure("light").layout.shapes) == 2 - (name[-6:] == "beyond")
        assert "stroke-dasharray" in view.show(record).drawing("light")
    view, record = record_of("positions.pairs")
    assert ">no rows</text>" in view.show(record).drawing("light")


def test_curves_by_distance_end_where_the_table_ends(record_of):
    view, record = record_of("positions.beyond")
    learned, sinusoidal, rotary, buckets = view.show(record).figure("light").data
    assert len(learned.y) == 32
    assert len(sinusoidal.y) == len(rotary.y) == len(buckets.y) == SPAN
    assert sinusoidal.y[0] == rotary.y[0] == pytest.approx(1)
    # mean of cos(distance · 10000^(-2i / 64)) over the 32 pairs
    expected = np.mean([np.cos(5 * 10000 ** (-2 * i / 64)) for i in range(32)])
    assert rotary.y[5] == pytest.approx(expected, abs=1e-5)
    said = str(view.describe(record))
    assert "trained on 32 positions has never met what comes then" in said
    assert "from 91 on into one bucket: 15 for keys before the query, 31 for keys after" in said


def test_a_model_without_a_learned_table_has_no_curve_of_one(record_of):
    view, record = record_of("positions.beyond", model="transformer")
    names = [trace.name for trace in view.show(record).figure("light").data]
    assert names == ["sinusoidal", "rotary", "T5's bucket, keys before the query"]
    said = str(view.describe(record))
    assert "Transformer learned no position table." in said
    assert "trained on 32 positions" in said
    view, record = record_of("positions.pairs", model="transformer")
    assert np.isnan(heat(view, record).z).all()
    assert "Transformer learned none" in str(view.describe(record))
    assert [words.text for words in view.show(record).words] == ["no rows"]


def test_the_ways_are_compared_past_what_the_shipped_model_was_trained_on():
    assert zoo.load("gpt", "cpu").config.n_ctx < SPAN
