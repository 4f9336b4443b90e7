"""Symbols that merge: the ladder, lifetimes on a strip, words selected whole, shared rows."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.payload import Payload
from tests.browser.components.conftest import stepper

NAMES = ["a", "b", "c", "bc", "abc"]
LABELS = {"strip": "Tokens", "more": "more", "less": "less", "hidden": "hidden", "cut": "cut"}


def chip(label: str, **more) -> dict:
    return {"label": label, "kind": "word", "title": label, "group": None, **more}


def ladder(word: str, rows: list[dict]) -> dict:
    return {"title": f"How {word} is put together", "alt": word, "note": "", "bytes": len(word),
            "rows": rows}  # fmt: skip


@pytest.fixture
def two_words() -> Payload:
    """ "abc" by way of bc (place 4) and abc (place 9); "ab" that no merge joins."""
    joined = [
        {"symbols": [0, 1, 2], "ranks": [None, 4], "joined": None},
        {"symbols": [0, 3], "ranks": [9], "joined": {"rank": 4, "at": 1}},
        {"symbols": [4], "ranks": [], "joined": {"rank": 9, "at": 0}},
    ]
    pieces = {str(i): {"label": p, "bytes": len(p)} for i, p in enumerate(NAMES)}
    return Payload(
        {
            "pieces": pieces,
            "ladders": [
                ladder("abc", joined),
                ladder("ab", [{"symbols": [0, 1], "ranks": [None], "joined": None}]),
            ],
            "of": [0, 1, 0],
            "first": 0,
            "labels": {"start": "its bytes", "merge": "merge {n}", "seam": "place"},
        }
    )


def rows_of(component) -> list[str]:
    return [
        " ".join(row.locator(".name").all_inner_texts()) for row in component.locator(".row").all()
    ]


def test_a_ladder_shows_every_row_up_to_the_step(bare, two_words):
    component = bare.show("ladder", two_words)
    assert rows_of(component) == ["a b c", "a bc", "abc"]
    said = component.locator(".said").all_inner_texts()
    assert said == ["its bytes", "merge 4", "merge 9"]
    # Under the seams stand the places of the pairs; the one that is joined next is marked.
    assert component.locator(".row").nth(0).locator(".seam").all_inner_texts() == ["4"]
    assert component.locator(".row").nth(0).locator(".seam.winner").inner_text() == "4"
    wide = component.locator(".row").nth(1).locator(".symbol")
    boxes = [symbol.bounding_box()["width"] for symbol in wide.all()]
    assert boxes[1] > 1.8 * boxes[0]  # two bytes are twice as wide as one
    bare.hear(values={"join": "1"})
    assert rows_of(component) == ["a b c", "a bc"]


def test_ladder_and_stepper_follow_the_word(bare, two_words):
    strip = bare.show(
        "token_strip",
        Payload(
            {
                "tokens": [chip("abc", group=0, word=0), chip("a", group=1, word=1),
                           chip("b", group=1, word=1), chip("end", kind="special")],
                "grouped": True, "coloured": True, "field": "word", "clears": ["join"],
                "default": 0, "readings": [[["abc", "plain"]], [["ab", "plain"]]],
                "labels": LABELS,
            }
        ),
    )  # fmt: skip
    component = bare.show("ladder", two_words)
    steps = bare.show(
        "stepper",
        stepper(
            2,
            field="join",
            first=9,
            before=1,
            n_by={"field": "word", "first": 0, "counts": [3, 1, 3]},
        ),
    )
    assert steps.locator(".count").inner_text() == "2 of 2"
    steps.get_by_role("button", name="Previous step").click()
    assert rows_of(component) == ["a b c", "a bc"]
    # Both tokens of the other word are selected by either; its ladder starts anew.
    strip.locator(".chip", has_text="b").nth(1).click()
    chosen = strip.locator(".chip[aria-selected='true'] .label").all_inner_texts()
    assert chosen == ["a", "b"]
    assert rows_of(component) == ["a b"]
    assert component.locator("h2").inner_text() == "How ab is put together"
    assert strip.locator(".reading").inner_text() == "ab"
    assert not steps.is_visible()  # a word of one row has no steps
    bare.settle()
    assert bare.reported()[-1] == {"word": 1, "join": None}
    # A mark of the model belongs to no word and selects nothing.
    strip.locator(".chip", has_text="end").click()
    assert bare.selection()["word"] == 1


def test_chips_live_from_one_merge_to_another(bare):
    payload = Payload(
        {
            "tokens": [chip("a", word=0), chip("b", word=0), chip("ab", group=1, word=0)],
            "notes": ["", "×3", "×3"], "coloured": True, "compact": True, "still": True,
            "follow": {"field": "merge", "first": 0}, "labels": LABELS,
        },
        {"life": np.array([[0, 1], [0, 1], [1, 65535]], np.uint16)},
    )  # fmt: skip
    component = bare.show("token_strip", payload)
    bare.show("stepper", stepper(2, field="merge", first=0))
    shown = component.locator(".chip:visible")
    assert shown.all_inner_texts() == ["a", "b\n×3"]
    assert component.locator(".chip.marked:visible").count() == 2  # both go at the next merge
    bare.page.get_by_role("button", name="Next step").click()
    assert shown.all_inner_texts() == ["ab\n×3"]
    assert component.locator(".chip.fresh:visible").count() == 1
    shown.first.click()  # there is nothing to select
    bare.settle()
    assert bare.said("token_strip") == []
    assert bare.reported() == [{"merge": 1}]  # the step
