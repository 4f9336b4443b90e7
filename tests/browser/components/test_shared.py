"""What every component starts with: the shared selection, reports, coming and going."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.payload import Payload
from tests.browser.components.conftest import header

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


def test_a_selection_shows_everywhere_and_is_told_to_the_state_after_a_while(still):
    one, two = two_strips(still)
    one.locator(".chip").nth(2).click()
    assert selected(one) == selected(two) == ["c"]
    assert still.reported() == []
    for at in (1, 3, 2):
        one.locator(".chip").nth(at).click()
    still.settle()
    assert still.reported() == [{"token": 2}]  # quick ones are one report
    assert still.said("one") == still.said("two") == []


def test_figures_that_come_before_the_link_keep_what_they_show(bare):
    """Each loads a module of its own, so on the first page any of them may be the first."""
    bare.page.evaluate("() => { window.__glassformer.live = null; }")
    one, _ = two_strips(bare, selection={"token": 3})
    bare.hear()
    assert selected(one) == ["d"]
    assert bare.selection()["token"] == 3
    bare.hear(address="elsewhere")
    assert bare.selection()["token"] is None


def test_what_the_server_must_answer_is_reported_at_once(bare):
    """A page says which names those are; a key that is held down settles all the same."""
    bare.hear(asks=["token"])
    one, _ = two_strips(bare)
    one.locator(".chip").nth(2).click()
    assert bare.reported() == [{"token": 2}]
    for _ in range(3):
        bare.page.keyboard.press("ArrowRight")
    assert len(bare.reported()) < 4
    bare.settle()
    assert bare.reported()[-1] == {"token": 5}


def test_pointing_shows_everywhere_and_passes(bare):
    one, two = two_strips(bare, {"token": 0})
    one.locator(".chip").nth(4).hover()
    assert selected(one) == selected(two) == ["e"]
    bare.page.mouse.move(5, 700)
    assert selected(one) == selected(two) == ["a"]
    bare.settle()
    assert bare.reported() == bare.said("one") == []
    one.locator(".chip").nth(4).hover()
    chips = [{"label": w, "kind": "word", "title": "", "group": 0} for w in "x"]
    labels = {"strip": "", "more": "", "less": ""}
    bare.show("token_strip", header(tokens=chips, cut="", field="token", labels=labels), key="one")
    assert selected(one) == ["x"]
    assert selected(two) == ["a"]  # what was pointed at is gone


def test_the_server_may_change_the_selection(bare):
    """A link, undo, an experiment."""
    one, two = two_strips(bare)
    assert selected(one) == []
    for at, label in ((1, "b"), (3, "d")):
        bare.hear(values={"token": str(at)})
        assert selected(one) == selected(two) == [label]
    bare.hear(values={})
    assert selected(one) == selected(two) == []


def test_what_is_chosen_stands_over_what_a_figure_shows_by_itself(bare):
    """Also if the figure is drawn later, with what it shows by itself."""
    bare.hear(values={"token": "1"})
    one, _ = two_strips(bare, {"token": 3})
    assert selected(one) == ["b"]
    bare.hear(values={})
    assert selected(one) == ["d"]
    two_strips(bare, {"token": 4})  # as a shorter text has it
    assert selected(one) == ["e"]
    one.locator(".chip").nth(0).click()
    two_strips(bare, {"token": 3})
    assert selected(one) == ["a"]


def test_what_goes_with_something_else_follows_it_until_it_is_chosen(bare):
    """The key that the selected query looks at most."""
    chips = [{"label": word, "kind": "word", "title": "", "group": 0} for word in "abc"]
    keys = header(tokens=chips, cut="", field="key", labels={"strip": "keys"},
                  selection={"token": 0, "key": {"by": "token", "at": [2, 0, 1]}})  # fmt: skip
    bare.show("token_strip", keys, key="keys")
    for token, key in ((0, 2), (1, 0), (2, 1), (99, 1)):
        bare.hear(values={"token": str(token)})
        assert bare.selection()["key"] == key
    bare.hear(values={"token": "1", "key": "1"})
    assert bare.selection()["key"] == 1
    bare.hear(values={"token": "1"})
    assert bare.selection()["key"] == 0


def test_another_page_starts_with_what_is_chosen_on_it(bare):
    """What was selected on the last one is gone, and what it showed by itself."""
    one, _ = two_strips(bare, {"token": 3, "layer": 2})
    one.locator(".chip").nth(1).click()
    bare.page.mouse.move(5, 700)
    bare.hear(address="another", values={"token": "4"})
    assert bare.selection() == {"token": 4, "layer": None}
    assert selected(one) == ["e"]


def test_the_page_as_it_was_asked_for_never_undoes_a_newer_click(bare):
    bare.hear(values={"token": "0"})
    one, _ = two_strips(bare)
    for at in (1, 3):
        one.locator(".chip").nth(at).click()
        bare.settle()
    bare.page.mouse.move(5, 700)
    bare.hear(values={"token": "0"})  # a run that was under way
    assert selected(one) == ["d"]


def test_a_change_comes_after_what_was_selected_just_before(bare):
    """A click on a token, then at once another: the selection is not lost."""
    one, _ = two_strips(bare)
    bare.show("bars", Payload(
        {"frames": [{"rows": [{"id": "x", "label": "x"}]}], "stages": [""], "pick": True,
         "acts": {"pick": {"*": {"word": "{}"}}}, "alt": "", "labels": {"cut": ""}},
        {"probs": np.ones((1, 1, 1), np.float32)},
    ))  # fmt: skip
    one.locator(".chip").nth(2).click()
    bare.page.locator("#bars .row").click()
    assert bare.page.url.endswith("?token=2&word=x")


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
    assert bare.reported() == [{"token": 1}]
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
         "stages": [""], "alt": "", "labels": {"cut": ""}},
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
