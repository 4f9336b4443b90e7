"""The tables of sines and cosines and of binary digits, as the layer makes them."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.positions import wavelength
from core.figures.values import to_csv


def drawn(view, record, n: int = 0):
    """A series as the page draws it."""
    return view.show(record).figure("light").data[n]


def test_it_opens_on_the_papers_table(record_of):
    view, record = record_of("positions.sinusoidal")
    z = drawn(view, record).z
    assert z.shape == (50, 512)
    for pos, i in ((0, 0), (7, 16), (49, 255)):
        angle = pos / 10000 ** (2 * i / 512)
        assert z[pos, 2 * i] == pytest.approx(np.sin(angle), abs=1e-6)
        assert z[pos, 2 * i + 1] == pytest.approx(np.cos(angle), abs=1e-6)


def test_sines_and_cosines_can_stand_apart(record_of):
    view, record = record_of("positions.sinusoidal", d_model=6, positions=3, apart=True)
    trace = drawn(view, record)
    assert trace.customdata[0].tolist() == [0, 2, 4, 1, 3, 5]
    assert np.array_equal(trace.z, record.table[:, [0, 2, 4, 1, 3, 5]])
    axis = view.show(record).figure("light").layout.xaxis
    assert list(axis.ticktext) == ["0", "2", "4", "1", "3", "5"]
    # What is saved keeps the table's own order.
    assert to_csv(view.values(record)).splitlines()[0].endswith(",component 4,component 5")


def test_no_mark_stands_between_two_of_a_few_components(record_of):
    view, record = record_of("positions.sinusoidal", d_model=4)
    axis = view.show(record).figure("light").layout.xaxis
    assert list(axis.tickvals) == [0, 1, 2, 3]


def test_an_odd_width_counts_as_the_even_one_below(record_of):
    _, record = record_of("positions.sinusoidal", d_model=7)
    assert record.table.shape == (50, 6)


@pytest.mark.parametrize("positions", [3, 50])
def test_an_only_pair_is_no_first_of_several(record_of, positions):
    view, record = record_of("positions.sinusoidal", d_model=2, positions=positions)
    said = str(view.describe(record))
    assert said.endswith("The only pair of sine and cosine makes one whole turn in 6.28 positions.")
    view, record = record_of("positions.sinusoidal", d_model=4)
    assert "Of 2 pairs of sine and cosine, the first makes" in str(view.describe(record))


def test_the_whole_table_is_saved(record_of):
    view, record = record_of("positions.sinusoidal", positions=640, d_model=64)
    rows = [line.split(",") for line in to_csv(view.values(record)).splitlines()[1:]]
    assert np.allclose([[float(cell) for cell in row[1:]] for row in rows], record.table)


def test_curves_are_columns_of_the_table(record_of):
    view, record = record_of("positions.curves", pair=3, d_model=16)
    sine, cosine = view.show(record).figure("light").data
    assert np.allclose(sine.y, record.table[:, 6])
    assert np.allclose(cosine.y, record.table[:, 7])
    assert f"{wavelength(3, 16):.3g}"[:3] in str(view.describe(record))
    assert record.pair_of_last[0].startswith(f"{record.table[-1, 6]:.2f}".replace("-", "−")[:4])
    # Both curves stand in the file too, each with its name and its own line.
    drawing = view.show(record).drawing("light")
    assert "sine, component 6" in drawing
    assert "cosine, component 7" in drawing
    assert "stroke-dasharray" in drawing


def test_similarity_is_the_inner_product_by_distance(record_of):
    view, record = record_of("positions.similarity", d_model=8, positions=10)
    means = drawn(view, record).y
    for distance in range(10):
        products = [
            float(record.table[p].astype(float) @ record.table[p + distance].astype(float))
            for p in range(10 - distance)
        ]
        assert means[distance] == pytest.approx(np.mean(products))
    assert means[0] == pytest.approx(4)  # every pair of sine and cosine is 1 long


def test_counting_in_binary(record_of):
    view, record = record_of("positions.binary")
    texts = view.show(record).payload().header["sheets"][0]["texts"]
    assert ["".join(row) for row in texts] == [f"{n:04b}" for n in range(16)]
    assert "15 times" in str(view.describe(record))
    assert "7, 3, 1 times" in str(view.describe(record))


def test_the_drawing_has_every_digit(record_of):
    view, record = record_of("positions.binary")
    drawing = view.show(record).drawing("dark")
    assert drawing.count(">0</text>") == 32 + 1  # and the number of the first row
    assert drawing.count(">1</text>") == 32 + 2  # and a row's number, and the last digit's worth


def test_what_is_saved_is_whole_numbers(record_of):
    view, record = record_of("positions.binary")
    saved = to_csv(view.values(record)).splitlines()
    assert saved[0] == "position \\ digit,8,4,2,1"
    assert saved[11] == "10,1,0,1,0"
