"""The command that says whether a view gives what it gave."""

from __future__ import annotations

import torch

from tests.golden import PARTS, differences, golden


def test_it_says_what_is_other_and_what_came_or_went():
    before = {"a": {"payload": "1", "sentence": "2"}, "b": {"refused": "no"}}
    after = {"a": {"payload": "1", "sentence": "3"}, "c": {"payload": "4"}}
    assert list(differences(before, after)) == ["other sentence: a", "went: b", "came: c"]
    assert list(differences(before, before)) == []


def test_a_view_gives_the_same_again():
    threads = torch.get_num_threads()
    first, second = golden("positions.binary"), golden("positions.binary")
    torch.set_num_threads(threads)
    assert first == second
    assert [set(one) for one in first.values()] == [set(PARTS)]
