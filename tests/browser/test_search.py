"""The search of the whole app, in a browser: what is typed, and the place that it leads to."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settle

FIELD = "Search for a page, a lesson or a word"


def search(page: Page, query: str) -> None:
    """Type a query, wait for the first place that answers it, and go there."""
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name=FIELD)
    expect(field).to_be_focused()
    field.press_sequentially(query)
    expect(page.get_by_role("listbox", name=FIELD).get_by_role("option")).not_to_have_count(0)
    field.press("Enter")
    expect(field).not_to_be_visible()


def test_a_heading_is_brought_into_sight_and_the_index_comes_once(server, watched):
    page, watch = watched
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/search?" in one.url else None)
    page.goto(f"{server}/masks")
    settle(page)
    assert asked == []
    search(page, "why divide by sqrt")
    expect(page).to_have_url(re.compile("/attention"))
    expect(page.get_by_role("heading", name="Why divide by √d_head?")).to_be_in_viewport()
    settle(page)
    search(page, "what is the start token")
    expect(page).to_have_url(re.compile("/glossary.*term=start"))
    assert len(asked) == 1
    assert watch.problems == []


def test_on_a_phone_it_is_closed_by_a_button(server, watched):
    page, _watch = watched
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}/masks")
    settle(page)
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name=FIELD)
    expect(field).to_be_visible()
    page.get_by_role("button", name="Close", exact=True).click()
    expect(field).not_to_be_visible()


def test_a_section_that_is_folded_away_is_opened(server, watched):
    page, _watch = watched
    page.goto(f"{server}/attention")
    settle(page)
    search(page, "does a model without positions see order")
    expect(page).to_have_url(re.compile("/positions"))
    folded = page.locator("details", has_text="Does a model without positions see order?")
    expect(folded).to_have_attribute("open", "")
    expect(folded.locator("summary")).to_be_in_viewport()
