"""Which position of one text stands for which of another."""

from __future__ import annotations

import pytest

from core.analysis.aligned import aligned


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        ("abcde", "abcde", [0, 1, 2, 3, 4]),
        ("abXde", "abcde", [0, 1, 2, 3, 4]),
        ("abcde", "abXYde", [0, 1, 3, 4, 5]),
        ("abXYde", "abcde", [0, 1, 2, 2, 3, 4]),
        ("abc", "abcd", [0, 1, 3]),
        ("abcd", "abc", [0, 1, 2, 2]),
    ],
)
def test_ends_stand_for_ends_and_what_differs_lies_between(one, other, places):
    assert aligned(one, other) == places
