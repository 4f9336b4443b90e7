"""Tabs and lists that are one tab stop: the arrows go from one thing to the next."""

from __future__ import annotations

import numpy as np

from tests.browser.components.conftest import stepper
from tests.browser.components.test_matrix import matrix, sheet
from tests.browser.components.test_pointing import lines


def sheets(n: int):
    """A matrix of several sheets."""
    found = [sheet(2, 2, title=f"sheet {i}") for i in range(n)]
    return matrix(np.ones((2, 2)), *found, sheet_field="step", sheet=0)


def test_tabs_are_walked_by_keys_and_name_the_panel_they_rule(bare):
    one = bare.show("matrix", sheets(3))
    tabs = one.get_by_role("tab")
    panel = one.get_by_role("tabpanel")
    assert [tab.get_attribute("tabindex") for tab in tabs.all()] == ["0", "-1", "-1"]
    bare.page.keyboard.press("Tab")
    for key, chosen in (("ArrowRight", 1), ("End", 2), ("ArrowRight", 0), ("ArrowLeft", 2),
                        ("Home", 0)):  # fmt: skip
        bare.page.keyboard.press(key)
        assert one.locator(".title").first.inner_text() == f"sheet {chosen}"
        tab = tabs.nth(chosen)
        assert tab.evaluate("(node) => node.getRootNode().activeElement === node")
        assert tab.get_attribute("aria-selected") == "true"
        assert tab.get_attribute("tabindex") == "0"
        assert one.locator("[role=tab][tabindex='0']").count() == 1
        assert tab.get_attribute("aria-controls") == panel.get_attribute("id")
        assert panel.get_attribute("aria-labelledby") == tab.get_attribute("id")
    bare.page.keyboard.press("Tab")  # the next stop is the matrix
    focused = "() => matrix.shadowRoot.activeElement.tagName"
    assert bare.page.evaluate(focused) == "CANVAS"


def test_tabs_that_were_clicked_leave_their_arrows_to_the_steps_of_the_page(bare):
    one = bare.show("matrix", sheets(3))
    bare.show("stepper", stepper(4, first=0, field="merge"))
    one.get_by_role("tab").nth(1).click()
    bare.page.keyboard.press("ArrowRight")
    assert (bare.selection()["step"], bare.selection()["merge"]) == (1, 1)
    bare.page.keyboard.press("Shift+Tab")
    bare.page.keyboard.press("Tab")  # now the keyboard brought them there
    bare.page.keyboard.press("ArrowRight")
    assert (bare.selection()["step"], bare.selection()["merge"]) == (2, 1)


def test_where_there_is_nothing_to_choose_there_are_no_tabs(bare):
    one = bare.show("matrix", sheets(2))
    two = bare.show("matrix", sheets(2), key="two")
    ids = [each.get_by_role("tabpanel").get_attribute("id") for each in (one, two)]
    assert len(set(ids)) == 2
    bare.show("matrix", sheets(1))
    assert one.get_by_role("tab").count() == 0
    assert one.get_by_role("tabpanel").count() == 0


def test_words_between_which_lines_run_are_one_tab_stop(bare):
    one = bare.show("arcs", lines(4))
    words = one.locator("text.word[role=button]")
    assert one.locator("text[tabindex='0']").count() == 1
    words.first.focus()
    bare.page.keyboard.press("ArrowDown")
    bare.page.keyboard.press("ArrowDown")
    assert bare.selection()["token"] == 2
    assert words.nth(2).evaluate("(node) => node.getRootNode().activeElement === node")
    bare.page.keyboard.press("End")
    assert bare.selection()["token"] == 3
