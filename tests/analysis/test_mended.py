"""A text that was written beside the one that was meant, and stretches that changed places."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.mended import aligned, runs_of


@pytest.mark.parametrize(
    ("written", "places"),
    [
        ([1, 2, 3, 4], [0, 1, 2, 3]),
        ([1, 9, 3, 4], [0, -1, 2, 3]),
        ([3, 4, 1, 2], [-1, -1, 0, 1]),  # what stands in another order counts once
        ([9, 9], [-1, -1]),
        ([], []),
    ],
)
def test_what_is_written_has_its_place_in_the_text(written, places):
    assert aligned([1, 2, 3, 4], written).tolist() == places


@pytest.mark.parametrize(
    ("origin", "runs"),
    [
        ([0, 1, 2, 3, 4], [0, 0, 0, 0, 0]),
        ([3, 4, 0, 1, 2], [0, 0, 0, 1, 1]),  # rotated
        ([4, 2, 3, 0, 1], [0, 0, 1, 1, 2]),  # three sentences
        ([3, 4, 0, 1], [0, 0, -1, 1, 1]),  # one token is gone
    ],
)
def test_stretches_are_counted_in_the_order_of_the_text(origin, runs):
    assert runs_of(np.array(origin), 5).tolist() == runs
