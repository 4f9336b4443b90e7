"""The search of the whole app, in a browser: what is typed, and the place that it leads to."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, settle

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
    page, _ = watched
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
    settle(page)
    search(page, "does a model without positions see order")  # it is folded away there
    expect(page).to_have_url(re.compile("/positions"))
    folded = page.locator("details", has_text="Does a model without positions see order?")
    expect(folded).to_have_attribute("open", "")
    expect(folded.locator("summary").first).to_be_in_viewport()
    assert len(asked) == 1
    page.set_viewport_size(PHONE)
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name=FIELD)
    expect(field).to_be_visible()
    page.get_by_role("button", name="Close", exact=True).click()
    expect(field).not_to_be_visible()
