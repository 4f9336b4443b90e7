"""The cases reach every view and every choice, and what they show is kept as it is."""

from __future__ import annotations

import numpy as np

from tests.harness import extract
from tests.harness.cases import NEW, PAGES, all_cases

LATER = {"ln_cross"}  # choices that only models have which came after the reference


def test_what_is_saved_comes_back(tmp_path):
    tree = {"a": [1, 0.1, float("-inf"), "\ud800 é", None, True], "b": {"c": np.eye(2, dtype="u1")}}
    extract.save(tmp_path / "x.npz", extract.plain(tree))
    again = extract.load(tmp_path / "x.npz")
    assert again["a"] == tree["a"]
    assert again["b"]["c"].dtype == np.uint8
    assert (again["b"]["c"] == tree["b"]["c"]).all()


def test_every_view_is_shown_with_every_choice_and_stands_on_a_page():
    cases: dict[str, list[dict]] = {}
    for case in all_cases():
        if case["kind"] == "view":
            cases.setdefault(case["view"], []).append(case["query"])
    assert sorted(cases.keys() | NEW) == extract.names()
    assert not cases.keys() & NEW
    assert {view for views in PAGES.values() for view in views} == cases.keys()
    for view, queries in cases.items():
        shown = extract.api(view)
        fields = shown.view(view).Params.__dataclass_fields__
        assert len(queries) >= 9 or not fields, view
        for name, field in fields.items():
            said = {query.get(name, field.default) for query in queries}
            # Which function is drawn is a choice of one figure, and so on.
            if any(name in query for query in queries):
                assert set(shown.allowed(field)["choices"] or ()) - LATER <= said, (view, name)


def test_an_extraction_shows_a_view_and_says_what_went_wrong():
    case = {"kind": "view", "view": "masks.worked", "case": "x", "query": {"row": "3"}}
    found = extract.extracted(case)
    assert {"title", "reading", "table", "payload", "drawing", "notes"} <= found.keys()
    assert found["payload"]["arrays"]
    assert "softmax" in " ".join(found["notes"])
    failed = extract.extracted({**case, "view": "norm.steps", "query": {"vector": "5"}})
    assert failed["error"]["class"] == "ParameterError"
    assert "KeyError" in extract.extracted({**case, "kind": "no such kind"})["crash"]


def test_a_page_says_where_it_and_its_buttons_lead():
    case = {"kind": "page", "view": "page", "case": "x", "page": "heads", "press": True,
            "query": {"text": "The cat sat", "layer": "9"}}  # fmt: skip
    found = extract.extracted(case)
    assert found["crashes"] == []
    assert any("layer = '9'" in text for text in found["words"])
    assert any("GPT · 6 layers × 4 heads · 4 tokens · ran in # ms" in w for w in found["words"])
    assert found["link"] == {"text": "The cat sat", "layer": "5"}
    assert {"head_grid", "matrix", "token_strip", "runbar", "map"} == set(found["figures"])
    assert "/masks" in found["places"]
    assert len(found["leads"]) == 3
    assert {"model": "bert"}.items() <= found["leads"]["Ask the other model"].items()


def test_a_link_is_read_by_every_view_of_its_page():
    case = {"kind": "link", "view": "link", "case": "x", "page": "heads", "views": PAGES["heads"],
            "query": {"z": "%%%", "score": "volume", "head": "2"}}  # fmt: skip
    found = extract.extracted(case)
    assert found["values"] == {"score": "volume", "head": "2"}
    assert "copied whole" in found["problems"][0]
    assert {"attention.heads", "attention.lines", "common"} <= found["read"].keys()
    read = found["read"]["attention.heads"]
    assert (read["params"]["score"], read["params"]["head"]) == ("maps", 2)
    assert read["link"] == {"head": "2"}
    assert "volume" in read["problems"][0]
