"""Four ways to tell order, past the length that a model was trained on."""

from __future__ import annotations

import numpy as np
import pytest

from core import zoo
from core.views.positions.pairs import STRIDE
from core.views.positions.positional import SPAN


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
