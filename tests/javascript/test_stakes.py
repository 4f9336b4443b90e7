"""A bet's per cents add up to 100, whichever knob is moved."""

from __future__ import annotations

import pytest

MOVED = "question/stakes.js", "moved"


@pytest.mark.parametrize(
    ("had", "at", "now", "then"),
    [
        ([34, 33, 33], 0, 90, [90, 5, 5]),
        ([34, 33, 33], 0, 91, [91, 5, 4]),
        ([60, 30, 10], 2, 40, [40, 20, 40]),
        ([100, 0, 0], 0, 50, [50, 25, 25]),
        ([50, 50], 1, 100, [0, 100]),
        ([1, 1, 98], 2, 0, [50, 50, 0]),
    ],
)
def test_the_others_share_what_is_left(call, had, at, now, then):
    assert call(*MOVED, [[had, at, now]]) == [then]


def test_they_always_add_up(call):
    cases = [[[7, 13, 29, 51], at, now] for at in range(4) for now in range(101)]
    assert {sum(found) for found in call(*MOVED, cases)} == {100}


def test_a_bet_of_another_kind_is_brought_to_100(call):
    assert call("question/stakes.js", "perCents", [[[33, 33, 33]], [[90, 33, 33]], [[0, 0]]]) == [
        [34, 33, 33], [58, 21, 21], [50, 50],
    ]  # fmt: skip
