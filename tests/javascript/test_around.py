"""Where the arrows lead in a tree."""

from __future__ import annotations

from core.figures.components.tree import placed

PARENTS = [-1, -1, 0, 0, 2, 3, 1]


def test_arrows_lead_to_the_parent_the_first_child_and_the_column(call):
    tree = {"nodes": [{"parent": one} for one in PARENTS],
            "places": [list(one) for one in placed(PARENTS)]}  # fmt: skip
    ways = {
        (0, "ArrowRight"): 2, (0, "ArrowLeft"): None, (0, "ArrowDown"): 1, (0, "ArrowUp"): None,
        (2, "ArrowLeft"): 0, (2, "ArrowDown"): 3, (3, "ArrowDown"): 6, (6, "ArrowUp"): 3,
        (6, "ArrowLeft"): 1, (5, "ArrowRight"): None, (4, "ArrowDown"): 5, (0, "x"): None,
    }  # fmt: skip
    found = call("tree/around.js", "nextOf", [(tree, at, key) for at, key in ways])
    assert found == list(ways.values())
