"""The interval of a counted share, against the equation that defines it."""

from __future__ import annotations

import math

import pytest

from core.analysis.shares import wilson


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (1, 10), (97, 100), (200, 200)])
def test_its_ends_are_where_the_sample_is_at_the_edge(hits, n):
    """At each end p the share is 1.96 standard deviations of p away."""
    ends = wilson(hits, n)
    assert 0 <= ends[0] <= hits / n <= ends[1] <= 1
    for p in ends:
        if 0 < p < 1:
            assert abs(hits / n - p) == pytest.approx(1.96 * math.sqrt(p * (1 - p) / n))
