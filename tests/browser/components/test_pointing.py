"""What is pointed at, on all components at once: nothing is, when the pointer is elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.figures.payload import Payload
from tests.browser.components.conftest import stepper
from tests.browser.components.test_token_strip import strip

GONE = 1300  # ms after which a component that is not called again has left the page
ELSEWHERE = (700, 700)


def pointed(bare) -> dict[str, Any]:
    """What all components take to be pointed at."""
    hover = bare.page.evaluate("() => window.__glassformer.hover")
    return {name: value for name, value in hover.items() if value is not None}


def lines(n: int = 4) -> Payload:
    weights = np.full((1, n, n), 200, np.uint8)
    labels = {"queries": "queries", "keys": "keys", "head": "head", "every": "all queries"}
    return Payload(
        {"tokens": list("abcdefgh"[:n]), "labels": labels, "least": {"all": 0.1, "one": 0.1},
         "alt": "lines", "note": ""},
        {"weights": weights},
    )  # fmt: skip


SHOWN = {
    "token_strip": (lambda: strip(), ".chip >> nth=3", {"token": 3}),
    "arcs": (lambda: lines(), "text.word[role=button] >> nth=2", {"token": 2}),
}


@pytest.mark.parametrize("component", SHOWN)
def test_what_leaves_the_page_is_no_longer_pointed_at(bare, component):
    payload, where, expected = SHOWN[component]
    one = bare.show(component, payload(), key="one")
    one.locator(where).hover()
    assert pointed(bare) == expected
    bare.remove("one")
    bare.pass_time(GONE)
    assert one.count() == 0
    assert pointed(bare) == {}


def test_a_strip_follows_the_selection_again_when_the_other_has_left(bare):
    two = bare.show("token_strip", strip(selection={"token": 0}), key="two")
    bare.show("token_strip", strip(selection={"token": 0}), key="one")
    chosen = two.locator('[aria-selected="true"] .label')
    bare.page.locator("#one .chip").nth(3).hover()
    assert chosen.all_inner_texts() == ["d"]
    bare.remove("one")
    bare.pass_time(GONE)
    assert chosen.all_inner_texts() == ["a"]


def test_what_left_takes_nothing_from_what_is_pointed_at_since(bare):
    bare.show("token_strip", strip(), key="one")
    two = bare.show("token_strip", strip(), key="two")
    bare.page.locator("#one .chip").nth(3).hover()
    bare.remove("one")
    two.locator(".chip").nth(1).hover()
    bare.pass_time(GONE - 700)
    box = two.locator(".chip").nth(1).bounding_box()
    bare.page.mouse.move(box["x"] + 3, box["y"] + 3)  # it has moved up, as the first one has gone
    bare.pass_time(700)
    two.locator(".chip").nth(1).hover()
    bare.pass_time(GONE)
    assert pointed(bare) == {"token": 1}


@pytest.mark.parametrize("component", SHOWN)
def test_a_new_run_takes_nothing_from_what_is_pointed_at(bare, component):
    payload, where, expected = SHOWN[component]
    one = bare.show(component, payload(), key="one")
    one.locator(where).hover()
    bare.show(component, payload(), key="one")
    bare.pass_time(GONE)
    assert pointed(bare) == expected


def test_a_chip_that_a_step_takes_away_is_no_longer_pointed_at(bare):
    one = bare.show("token_strip", strip(reveal={"field": "step", "base": 2, "first": 2}))
    bare.show("stepper", stepper(3, first=2))
    one.locator(".chip").nth(3).hover()
    assert pointed(bare) == {"token": 3}
    bare.page.keyboard.press("Home")
    bare.page.keyboard.press("ArrowLeft")
    bare.page.wait_for_timeout(200)
    assert not one.locator(".chip").nth(3).is_visible()
    assert pointed(bare) == {}


def test_chips_that_come_under_the_pointer_are_pointed_at_in_their_own_words(bare):
    """The strip shows another text, and names what is selected in it otherwise."""
    one = bare.show("token_strip", strip())
    one.locator(".chip").nth(3).hover()
    bare.show("token_strip", strip("one two three", field="word"))
    bare.page.wait_for_timeout(200)
    assert "token" not in pointed(bare)
    bare.page.mouse.move(*ELSEWHERE)
    assert pointed(bare) == {}


def test_another_field_of_the_same_chips_takes_the_place_of_the_first(bare):
    one = bare.show("token_strip", strip())
    one.locator(".chip").nth(3).hover()
    bare.show("token_strip", strip(field="key"))
    bare.page.mouse.move(*ELSEWHERE)
    assert pointed(bare) == {}


def test_lines_are_drawn_anew_under_the_pointer_and_still_let_go(bare):
    """Each word is a new element as soon as it is pointed at."""
    one = bare.show("arcs", lines(8))
    words = one.locator("text.word[role=button]")
    for at in range(8):
        box = words.nth(at).bounding_box()
        bare.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert pointed(bare) == {"token": at}
        bare.page.mouse.move(*ELSEWHERE)
        assert pointed(bare) == {}


def test_lines_of_a_shorter_text_are_not_pointed_at_where_a_word_was(bare):
    one = bare.show("arcs", lines(8))
    one.locator("text.word[role=button]").nth(7).hover()
    bare.show("arcs", lines(2))
    bare.page.wait_for_timeout(200)
    assert pointed(bare) == {}
