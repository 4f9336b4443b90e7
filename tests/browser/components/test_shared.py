"""What every component starts with: the shared selection, reports, coming and going."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.payload import Payload
from tests.browser.components.conftest import header, stepper

# --- the selection -------------------------------------------------------------------------------


def two_strips(bare, selection=None, second=None):
    """Two token strips of the same text."""
    chips = [{"label": word, "kind": "word", "title": "", "group": 0} for word in "abcdef"]
    labels = {"strip": "tokens", "hidden": "hidden", "cut": "cut", "more": "more", "less": "less"}
    payload = {"tokens": chips, "cut": "", "field": "token", "labels": labels}
    one = bare.show("token_strip", header(**payload, selection=selection), key="one")
    two = bare.show("token_strip", header(**payload, selection=second or selection), key="two")
    return one, two


def selected(strip) -> list[str]:
    return strip.locator('.chip[aria-selected="true"] .label').all_inner_texts()


def test_a_selection_shows_everywhere_and_is_reported_by_one_after_a_while(still):
    one, two = two_strips(still)
    one.locator(".chip").nth(2).click()
    assert selected(one) == selected(two) == ["c"]
    assert still.said("one") == []
    still.settle()
    assert still.said("one") == [{"token": 2}]
    assert still.said("two") == []


def test_quick_selections_are_one_report(bare):
    one, _ = two_strips(bare)
    for at in (1, 3, 5, 4):
        one.locator(".chip").nth(at).click()
    bare.settle()
    assert bare.said("one") == [{"token": 4}]


def test_the_same_selection_again_is_a_new_message(bare):
    """Streamlit drops a state equal to the last one; the server may have moved on since."""
    one, _ = two_strips(bare)
    for _ in range(2):
        one.locator(".chip").nth(1).click()
        bare.settle()
    first, second = bare.page.evaluate("() => window.mounted.one.said.map((s) => s.value)")
    assert first["value"] == second["value"] == {"token": 1}
    assert first["n"] != second["n"]


def test_pointing_shows_everywhere_and_passes(bare):
    one, two = two_strips(bare, {"token": 0})
    one.locator(".chip").nth(4).hover()
    assert selected(one) == selected(two) == ["e"]
    bare.page.mouse.move(5, 700)
    assert selected(one) == selected(two) == ["a"]
    bare.settle()
    assert bare.said("one") == []


def test_pointing_is_over_when_what_was_pointed_at_is_gone(bare):
    one, two = two_strips(bare, {"token": 0})
    one.locator(".chip").nth(4).hover()
    chips = [{"label": w, "kind": "word", "title": "", "group": 0} for w in "x"]
    labels = {"strip": "", "more": "", "less": ""}
    bare.show("token_strip", header(tokens=chips, cut="", field="token", labels=labels), key="one")
    assert selected(one) == ["x"]
    assert selected(two) == ["a"]


def test_the_server_may_change_the_selection(bare):
    one, _ = two_strips(bare, {"token": 1})
    assert selected(one) == ["b"]
    two_strips(bare, {"token": 3})
    assert selected(one) == ["d"]
    two_strips(bare, {"token": None})
    assert selected(one) == []


def test_an_echo_never_undoes_a_newer_click(still):
    one, _ = two_strips(still, {"token": 0})
    one.locator(".chip").nth(1).click()
    still.settle()
    one.locator(".chip").nth(2).click()
    still.settle()
    one.locator(".chip").nth(3).click()
    for echo in (0, 1, 2):  # runs that were under way
        two_strips(still, {"token": echo})
        assert selected(one) == ["d"]
    still.page.mouse.move(5, 700)
    still.settle()
    two_strips(still, {"token": 3})
    assert selected(one) == ["d"]
    # After the echoes a change by the server counts again.
    two_strips(still, {"token": 1})
    assert selected(one) == ["b"]


def test_components_that_know_different_parts_of_the_selection_do_not_fight(bare):
    one, _ = two_strips(bare, {"token": 1}, {"layer": 2})
    one.locator(".chip").nth(5).click()
    bare.settle()
    two_strips(bare, {"token": 5}, {"layer": 2})
    assert bare.selection() == {"token": 5, "layer": 2}


def test_reports_of_one_component_add_up(bare):
    """A step that lets go of a token, then a selection: both names arrive."""
    bare.show("stepper", stepper(5, first=0, clears=("token",)))
    bare.page.locator("#stepper button").last.click()
    bare.settle()
    assert bare.said("stepper", "selection") == [{"step": 1, "token": None}]


def test_an_event_takes_along_what_was_selected_just_before(bare):
    """A click on a token, then at once a link: the page is left, the selection is not lost."""
    one, _ = two_strips(bare)
    bare.show("bars", Payload(
        {"frames": [{"rows": [{"id": "x", "label": "x"}]}], "stages": [""], "pick": True,
         "alt": "", "labels": {"cut": ""}}, {"probs": np.ones((1, 1, 1), np.float32)},
    ))  # fmt: skip
    one.locator(".chip").nth(2).click()
    bare.page.locator("#bars .row").click()
    assert bare.said("one") == [{"token": 2}]
    assert bare.said("bars") == ["x"]


# --- coming and going ----------------------------------------------------------------------------


def test_a_rerun_keeps_the_component_and_a_page_change_removes_it(bare):
    one, two = two_strips(bare)
    one.evaluate("(node) => { node.mine = true; }")
    two_strips(bare)
    bare.pass_time(1200)
    assert one.evaluate("(node) => node.mine") is True
    bare.remove("one")
    bare.pass_time(1200)
    assert one.count() == 0
    two.locator(".chip").nth(1).click()  # nobody who is gone answers, nothing breaks
    assert selected(two) == ["b"]
    bare.settle()
    assert bare.said("one") == []


def test_colours_follow_the_page(bare):
    one, _ = two_strips(bare)
    chip = one.locator(".chip").first
    light = chip.evaluate("(node) => getComputedStyle(node).backgroundColor")
    bare.paint("dark")
    two_strips(bare)
    bare.settle()
    assert chip.evaluate("(node) => getComputedStyle(node).backgroundColor") != light


def bars(value: float) -> Payload:
    return Payload(
        {"frames": [{"rows": [{"id": "a", "label": "a"}, {"id": "b", "label": "b"}]}],
         "stages": [""], "alt": "", "labels": {"cut": ""}, "full_scale": True},
        {"probs": np.array([[[value, 1 - value]]], np.float32)},
    )  # fmt: skip


def width(bare) -> float:
    return float(bare.page.locator("#bars .bar").first.evaluate("(n) => parseFloat(n.style.width)"))


def test_motion_explains_but_not_where_it_is_unwelcome(bare_page):
    moving = bare_page(still=True)
    moving.show("bars", bars(0.1))
    moving.settle()
    moving.show("bars", bars(0.9))
    moving.pass_time(20)
    assert width(moving) < 80
    moving.settle()
    assert width(moving) == pytest.approx(90)

    still = bare_page(reduced_motion="reduce")
    still.show("bars", bars(0.1))
    assert width(still) == pytest.approx(10)
    still.show("bars", bars(0.9))
    assert width(still) == pytest.approx(90)
    transition = still.page.locator("#bars .bar").first.evaluate(
        "(node) => getComputedStyle(node).transitionDuration"
    )
    assert transition == "0s"
