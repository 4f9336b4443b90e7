"""Which position of one text stands for which of another."""

from __future__ import annotations

import pytest

from core.analysis.aligned import aligned, followed, numbers, same_place, standing
from core.units import Token


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        ("abcde", "abcde", [0, 1, 2, 3, 4]),
        ("abXde", "abcde", [0, 1, 2, 3, 4]),
        ("abcde", "abXYde", [0, 1, 3, 4, 5]),
        ("abXYde", "abcde", [0, 1, 2, 2, 3, 4]),
        ("abc", "abcd", [0, 1, 3]),
        ("abcd", "abc", [0, 1, 2, 2]),
        ("aXcYe", "aPQcRSTe", [0, 2, 3, 6, 7]),  # between two swaps it is the same
        ("aPQcRSTe", "aXcYe", [0, 1, 1, 2, 3, 3, 3, 4]),
    ],
)
def test_ends_stand_for_ends_and_what_differs_lies_between(one, other, places):
    assert aligned(one, other) == places


@pytest.mark.parametrize(
    ("at", "one", "other", "place"),
    [
        (1, "abcde", "abcde", 1),
        (4, "abcde", "abcdef", None),  # the last one: of the other text, too
        (3, "abcde", "abXYde", 4),  # what was swapped before it has two tokens
        (2, "abcde", "abXYde", None),  # itself is gone
        (9, "abcde", "abcde", None),
        (1, "abc", "", None),
    ],
)
def test_a_selection_follows_what_it_selects(at, one, other, place):
    assert followed(at, one, other) == place


def test_what_stands_for_a_token_is_all_of_a_longer_word_and_each_of_it_has_a_number():
    places = standing("aXcYe", "aPQcRSTe")
    assert places[:5] == [(0,), (1, 2), (3,), (4, 5, 6), (7,)]
    assert places[5:] == [(1,), (4,), (5,)]  # which no token of the first text stands for alone
    for position, number in enumerate(numbers(places)):
        assert places[number][-1] == position
    assert standing("abXYde", "abcde") == [(0,), (1,), (2,), (2,), (3,), (4,)]
    assert numbers(standing("abc", "abc")) == [0, 1, 2]


def test_the_same_word_is_found_however_a_text_is_cut():
    def token(piece, start, special=False):
        return Token(0, piece, piece.encode(), start, start + len(piece), special)

    mark = Token(0, "[CLS]", b"", 0, 0, special=True)
    spaced = [mark, token("As", 0), token("ked", 2), token(" to", 5), token(" work", 8)]
    whole = [mark, token("asked", 0), token("to", 6), token("work", 9), mark]
    assert [same_place(at, spaced, whole) for at in range(5)] == [0, 1, 1, 2, 3]
    assert [same_place(at, whole, spaced) for at in range(5)] == [0, 1, 3, 4, None]
    assert same_place(0, spaced, whole[1:]) is None
