"""Which row stands where: by the seed alone, and every row of an epoch once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.training.mixture import Mixture


@given(
    start=st.integers(0, 9000),
    n=st.integers(1, 300),
    cut=st.integers(0, 300),
    seed=st.integers(0, 5),
)
def test_a_place_has_its_row_whatever_was_asked_before(start, n, cut, seed):
    def fresh() -> Mixture:
        return Mixture([3, 1, 0.5], [50, 700, 3], seed)

    cut = min(cut, n)
    whole = fresh().place(start, n)
    assert len(whole) == n
    in_parts = fresh()
    later = in_parts.place(start + cut, n - cut)
    assert in_parts.place(start, cut) + later == whole  # backwards, in two parts
    one_by_one = fresh()
    assert [one_by_one.place(start + i, 1)[0] for i in range(min(n, 20))] == whole[:20]


def test_every_source_is_read_through_before_it_is_read_again():
    places = Mixture([1, 1], [40, 1000], seed=0).place(0, 400)
    small = [row for source, row in places if source == 0]
    for epoch in range(len(small) // 40):
        assert sorted(small[40 * epoch : 40 * epoch + 40]) == list(range(40))
    assert small[:40] != small[40:80]  # in a new order
    large = [row for source, row in places if source == 1]
    assert len(set(large)) == len(large)


def test_sources_come_by_weight():
    places = Mixture([6, 3, 1], [10, 10, 10], seed=1).place(0, 8000)
    shares = np.bincount([source for source, _ in places]) / 8000
    assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.02)


def test_backwards_it_meets_what_was_not_read_yet():
    def rows(n: int, *, backwards: bool) -> list[int]:
        return [row for _, row in Mixture([1], [100], 1, backwards=backwards).place(0, n)]

    before, after = rows(60, backwards=False), rows(40, backwards=True)
    assert sorted(before + after) == list(range(100))
    assert rows(100, backwards=True) == rows(100, backwards=False)[::-1]
    assert rows(200, backwards=True)[100:] == rows(200, backwards=False)[100:][::-1]


def test_the_seed_decides_the_order():
    def order(seed: int) -> list[tuple[int, int]]:
        return Mixture([1, 1], [30, 30], seed).place(0, 50)

    assert order(1) == order(1)
    assert order(1) != order(2)
