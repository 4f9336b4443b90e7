"""Counting in binary, as cells."""

from __future__ import annotations

from core.figures.values import to_csv


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
