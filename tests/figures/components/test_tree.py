"""A tree: where its nodes stand, what the browser is given, and what stands in a file."""

from __future__ import annotations

import itertools
import random

import pytest

from core.figures.components import Node, Tree
from core.figures.components.tree import placed
from core.figures.text import sentence
from core.figures.theme import LIGHT
from tests.figures.components.test_drawings import NASTY, SPACE, parsed, texts

PARENTS = [-1, -1, 0, 0, 2, 3, 1]


def tree(parents=PARENTS, **more) -> Tree:
    names: list[str] = []
    for n, parent in enumerate(parents):
        child = sum(1 for one in parents[:n] if one == parent)
        names.append(f"{names[parent]}.{child}" if parent >= 0 else str(child))
    nodes = [
        Node(id=name, parent=parent, label=f"t{n}", note="−1.000 Σ −1.000",
             state="cut" if n == 3 else "kept", says=sentence("says {n}", n=str(n)))
        for n, (name, parent) in enumerate(zip(names, parents, strict=True))
    ]  # fmt: skip
    given = {
        "title": "t",
        "alt": "a",
        "root": "<s>",
        "nodes": nodes,
        "field": "branch",
        "first": "0",
        "states": {"kept": "kept", "cut": "cut"},
        "says": sentence("all"),
    }
    return Tree(**given | more)  # fmt: skip


def test_a_first_child_stands_beside_its_parent_and_the_next_below_it():
    places = placed(PARENTS)
    assert [column for column, _row in places] == [0, 0, 1, 1, 2, 2, 1]
    assert places[0] == (0, 0)
    assert places[2][1] == places[0][1]
    assert places[4][1] == places[2][1]
    assert places[6][1] == places[1][1] > places[3][1]


@pytest.mark.parametrize("seed", range(20))
def test_no_two_nodes_share_a_place_and_no_edges_cross(seed):
    draws = random.Random(seed)
    parents = [draws.randrange(-1, n) if n else -1 for n in range(40)]
    places = placed(parents)
    assert len(set(places)) == len(places)
    rows = {-1: 0, **{n: row for n, (_column, row) in enumerate(places)}}
    for one, other in itertools.combinations(range(len(parents)), 2):
        if places[one][0] == places[other][0]:
            ends = (rows[parents[one]] - rows[parents[other]], rows[one] - rows[other])
            assert ends[0] * ends[1] >= 0


def test_a_long_way_with_short_ones_beside_it_is_low():
    """Twenty tokens, each with two that were pruned."""
    parents, before = [], -1
    for _ in range(20):
        parents += [before] * 3
        before = len(parents) - 3
    assert max(row for _column, row in placed(parents)) == 2


def test_the_browser_is_given_places_and_the_name_of_what_it_selects():
    header = tree(selection={"branch": "1"}).payload().header
    assert header["selects"] == "branch"
    assert header["places"] == [list(one) for one in placed(PARENTS)]
    assert header["selection"] == {"branch": "1"}
    assert header["nodes"][0]["says"] == [["says ", "plain"], ["0", "plain"]]
    assert "opens" not in header  # only a page may let it be walked


@pytest.mark.parametrize(("asked", "way"), [("0.0.0", [0, 2, 4]), (None, [0]), ("9.9", [])])
def test_the_way_to_the_selected_node_is_thick(asked, way):
    made = tree(selection={"branch": asked})
    assert made.way(made.node) == way
    root = parsed(made.drawing("light"))
    lines = [one.attrib for one in root.iter(f"{SPACE}line")]
    assert sum(one["stroke"] == LIGHT.accent for one in lines) == len(way)
    assert len(lines) == len(PARENTS)
    dashed = [one for one in root.iter(f"{SPACE}rect") if "stroke-dasharray" in one.attrib]
    assert len(dashed) == 1
    assert (f"says {way[-1]}" if way else "all") in texts(root)


def test_nothing_of_a_covered_tree_but_its_root_is_told():
    covered = tree(selection={"branch": "0.0"}).covered(None, {})
    assert covered.payload().header["nodes"] == []
    assert "t0" not in str(covered.payload().header)
    assert parsed(covered.drawing("light")) is not None


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_what_was_typed_is_text(mode):
    node = Node(id="0", parent=-1, label="<b>", note=NASTY, state="kept", says=sentence(NASTY))
    made = tree([], nodes=[node], title=NASTY, alt=NASTY, root=NASTY, states={"kept": NASTY})
    root = parsed(made.drawing(mode))
    assert root.find(f"{SPACE}title").text == NASTY
    assert {"<b>", NASTY} <= set(texts(root))
    assert not list(root.iter(f"{SPACE}script"))
