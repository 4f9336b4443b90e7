"""A search for a target as a tree, and what a learner opened in it."""

from __future__ import annotations

import re

import pytest

from core.figures.text import MINUS
from core.views.params import parse
from core.views.translate.tree import MOST_WALKS, Searching, walked, ways
from tests.views.records import drawn, header, shown, written

TEXT = "The cat sat on the mat"


def tree_of(runs, **values):
    view, record = shown(
        runs, "translate.tree", model="transformer", text=TEXT, length="6", **values
    )
    return view, record, view.show(record)


def thousandths(written: str) -> int:
    return round(1000 * float(written.replace(MINUS, "-").replace(" ", "").replace(",", "")))


@pytest.mark.parametrize("method", ["greedy", "sample", "beam", "hand"])
def test_every_path_adds_up_to_the_last_digit(runs, method):
    _view, record, tree = tree_of(runs, method=method, walk="1.0")
    sums = {-1: 0}
    for n, node in enumerate(tree.nodes):
        own, total = map(thousandths, node.note.split(" Σ\N{NO-BREAK SPACE}"))
        assert own + sums[node.parent] == total
        sums[n] = total
        said = str(node.says).partition("”: ")[2]
        numbers = [thousandths(one) for one in re.findall(rf"{MINUS} ?[\d.,]*\d|\b0\.000", said)]
        if len(record.way_of[n]) > 1:
            length = len(record.way_of[n])
            terms = [-abs(one) for one in numbers[:length]]
            assert sum(terms) == numbers[length] == total


def test_the_path_of_the_result_is_drawn_as_it(runs):
    view, record, tree = tree_of(runs, method="beam")
    best = [n for n, node in enumerate(tree.nodes) if node.best]
    assert tuple(best) == record.way_of[record.best.branch]
    assert tree.node == record.best.branch
    assert {node.state for node in tree.nodes} == {"kept", "cut"}
    dashed = [one for one in drawn(view, record, "rect") if "stroke-dasharray" in one.attrib]
    assert len(dashed) == sum(node.state == "cut" for node in tree.nodes)
    said = str(view.describe(record))
    assert f"{sum(node.state == 'cut' for node in tree.nodes)} of them pruned" in said
    values = view.values(record)
    assert values["score"].array[0] == values["score"].array.max()
    assert values["best"].array == pytest.approx(values["sum"].array[best[-1]])


def test_without_a_penalty_the_score_is_the_sum(runs):
    view, record, _tree = tree_of(runs, method="beam", alpha="0")
    values = view.values(record)
    ends = [found.branch for found in record.tree.found]
    assert list(values["score"].array) == pytest.approx(list(values["sum"].array[ends]))
    assert list(values["penalty"].array) == [1] * len(ends)


def test_a_token_is_opened_or_closed_or_neither(runs):
    _view, record, tree = tree_of(runs, method="hand", walk="1.0,0")
    walks = {node.id: node.walks for node in tree.nodes}
    assert walks["1"] == walks["1.0"] == walks["0"] == "close"
    assert walks["1.0.0"] == "open"
    assert {node.state for node in tree.nodes} == {"offered", "walked"}
    assert tree.first == ""
    for node, branch in zip(tree.nodes, record.tree.branches, strict=True):
        assert not (branch.ends and node.walks == "open")
    _view, _record, full = tree_of(runs, method="hand", walk="0,1,2,3,4,5,6,7")
    outside = [node for node in full.nodes if node.walks == "open"]
    assert all("." in node.id for node in outside)  # only what is open goes on


def test_a_selected_token_is_told_and_an_unknown_one_is_the_result(runs):
    said = header(runs, "translate.tree", model="transformer", text=TEXT, branch="0")
    assert said["selection"]["branch"] == "0"
    assert said["selects"] == "branch"
    _view, record, tree = tree_of(runs, branch="7.7.7")
    assert tree.node is None
    assert record.branch == record.best.branch
    view, record, tree = tree_of(runs, branch="0")
    assert any(text.startswith(str(tree.nodes[0].says)[:30]) for text in written(view, record))


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
