"""What is waited for has its place: something stands there once, and only where it is wanted."""

from __future__ import annotations

from pages.parts.waiting import standing_in, wait


def test_what_is_waited_for_is_stood_in_for_once_and_nowhere_else():
    drawn = []
    with standing_in(lambda: drawn.append("a")):
        assert drawn == []  # nothing is waited for yet
        wait()
        wait()
        assert drawn == ["a"]
    wait()
    assert drawn == ["a"]
