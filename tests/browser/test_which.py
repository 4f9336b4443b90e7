"""The page of machines and uses in a browser: a cell is picked, guessed and settled."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE, settle
from tests.browser.test_state import query

ROW = 34  # pixels of the table's rows
TOLD = ".told:not(:empty)"


@pytest.mark.parametrize(("size", "from_right"), [(WIDE, 190), (PHONE, 90)], ids=["wide", "phone"])
def test_a_cell_is_guessed_and_a_probe_settles_it(server, watched, size, from_right):
    page, _ = watched
    page.set_viewport_size(size)
    page.goto(f"{server}/which-machine")
    settle(page)
    expect(page.locator("h1.glass-title")).to_have_text("Which machine for what?")
    table = page.locator(TOLD).first
    expect(table).to_contain_text("4 of 32 cells are settled.")
    # The third column of the second row: do ELMo's halves meet? On a phone all four are in sight.
    canvas = page.locator("canvas[role=application]").first
    box = canvas.bounding_box()
    expect(page.locator(".whole").first).to_be_hidden()
    canvas.click(position={"x": box["width"] - from_right, "y": 1.5 * ROW})
    expect(page).to_have_url(re.compile(r"probe=1&probed=2"))
    expect(page.get_by_text("Your guess for ELMo:")).to_be_visible()
    settle_it = page.get_by_role("button", name="Settle it")
    expect(settle_it).to_be_disabled()
    verdict = page.locator(TOLD).nth(1)
    expect(verdict).to_contain_text("Not settled yet: GPT, BERT, ELMo, T5.")
    page.get_by_role("button", name="It can", exact=True).click()
    expect(settle_it).to_be_enabled()
    expect(verdict).to_contain_text("Not settled yet: GPT, BERT, ELMo, T5.")
    settle_it.click()
    expect(verdict).to_contain_text("ELMo reaches 0 %: it cannot.")
    expect(page.get_by_text("Your guess for ELMo was wrong.")).to_be_visible()
    expect(table).to_contain_text("5 of 32 cells are settled. Right guesses: 0 of 1.")
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    # The link brings it back.
    page.goto(page.url)
    settle(page)
    expect(page.locator(TOLD).nth(1)).to_contain_text("ELMo reaches 0 %")


def test_a_card_settles_cells_beside_what_was_guessed(server, watched):
    page, _ = watched
    page.goto(f"{server}/which-machine?guesses=12y+30n+41Y")
    page.locator("[data-experiment='which.together']").click()
    expect(page.locator(".outcome:not(:empty)")).to_be_visible()
    settle(page)
    assert query(page)["guesses"] == "11S 12Y 30n 41Y"
    page.goto(f"{server}/which-machine")
    page.locator("[data-experiment='which.together']").click()
    settle(page)
    assert query(page)["guesses"] == "00S 01S 02S 03S 04S 11S 12S"  # with the row that it opens on
