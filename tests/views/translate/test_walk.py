"""What is opened by hand, and what a link may say of it."""

from __future__ import annotations

import pytest

from core.views.params import parse
from core.views.translate.walk import MOST_WALKS, Searching, walked, ways


def test_a_click_opens_and_a_second_one_closes_what_follows_too():
    walk = walked("", "1")
    assert walk == "1"
    walk = walked(walk, "1.0")
    assert walk == "1.0"  # its beginning is open with it
    walk = walked(walked(walk, "1.0.2"), "2")
    assert ways(walk) == ((1, 0, 2), (2,))
    assert ways(walked(walk, "1.0")) == ((2,), (1,))  # what stood before it stays open
    assert ways(walked(walk, "1")) == ((2,),)
    assert walked("1", "1") == ""


def test_no_more_paths_are_opened_than_the_tree_holds():
    full = ",".join(map(str, range(MOST_WALKS)))
    assert walked(full, "99") == full
    assert ways(walked(full, "3.1"))[-1] == (3, 1)  # one goes on, none is added
    assert len(ways(walked(full, "0"))) == MOST_WALKS - 1


@pytest.mark.parametrize(
    "node", ["", "x", "1.", "1,2", "-1", "1.2\n", "99999", "٣", "0." * 24 + "0"]
)
def test_a_path_that_is_none_changes_nothing(node):
    assert walked("1.0", node) == "1.0"


@pytest.mark.parametrize("walk", ["x", "1,,2", "1..2", "12345", "0." * 24 + "0", "1," * 8 + "1"])
def test_a_link_with_a_damaged_walk_opens_nothing(walk):
    params, problems = parse(Searching, {"walk": walk})
    assert params.walk == ""
    assert [one.name for one in problems] == ["walk"]


def test_what_a_search_does_not_depend_on_is_not_asked_for():
    plain = Searching(method="greedy")
    assert plain.request() == Searching(method="greedy", beams=5, alpha=1.0, seed=7).request()
    beam = Searching(method="beam")
    assert beam.request() == Searching(method="beam", temperature=2.0, seed=7).request()
    assert beam.request() != Searching(method="beam", alpha=0.0).request()
    assert Searching(branch="0.1").request() == Searching().request()
