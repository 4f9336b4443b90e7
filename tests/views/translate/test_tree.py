"""The tree of a search: what is written adds up, and what was pruned is grey."""

from __future__ import annotations

import re

import pytest

from core.figures.text import MINUS
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
        own, total = map(thousandths, node.note.split(" Σ "))
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
    assert tree.at == record.best.branch
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
    assert tree.at is None
    assert record.at == record.best.branch
    view, record, tree = tree_of(runs, branch="0")
    assert any(text.startswith(str(tree.nodes[0].says)[:30]) for text in written(view, record))
