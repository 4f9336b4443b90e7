"""The lattice: arcs come place by place, and the last step shows the best way; tries beside it."""

from __future__ import annotations

STEP = """(n) => { window.__glassformer.selection.join = n; document.dispatchEvent(new CustomEvent(
    'glassformer:select', { detail: { changed: ['join'], hover: false } })); }"""


def test_arcs_come_place_by_place_and_the_last_step_shows_the_best_way(bare, payload_of):
    payload = payload_of("text.lattice", text="the wider wall", word=1, code="learnt", pieces=150)
    one = bare.show("lattice", payload)
    word = payload.header["lattices"][payload.header["of"][1]]
    paths, strong = one.locator("path"), one.locator("path.strong")
    assert paths.count() == len(word["arcs"])
    assert strong.count() == sum(arc["path"] for arc in word["arcs"]) == 2
    assert one.locator("table tr").count() == 0
    bare.page.evaluate(STEP, 5)
    into = [arc for arc in word["arcs"] if arc["end"] == 5]
    assert paths.count() == sum(arc["end"] <= 5 for arc in word["arcs"])
    assert strong.count() == 1
    assert one.locator("tr.best td").all_inner_texts() == [
        next(arc for arc in into if arc["best"])[name]
        for name in ("label", "before", "score", "total")
    ]
    assert one.locator("table tr").count() == 1 + len(into)
    bare.page.evaluate(STEP, 0)
    assert paths.count() == 0
    assert "Place 0" in one.locator(".reading").inner_text()


def test_a_ladder_of_tries_marks_what_was_found_and_what_was_not(bare, payload_of):
    payload = payload_of("text.tries", text="the wider wall", word=1, code="learnt", merges=20)
    one = bare.show("ladder", payload)
    rows = payload.header["ladders"][payload.header["of"][1]]["rows"]
    looks = [look for row in rows for look in row["looks"]]
    for look in ("hit", "miss", "rest", "kept"):
        assert one.locator(f".symbol.{look}").count() == looks.count(look) > 0
    said = one.locator(".row").nth(1).locator(".said").inner_text()
    assert said == rows[1]["said"] == "no entry"
