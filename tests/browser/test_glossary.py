"""The glossary in a browser: a link opens a term, typing filters."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle


def test_a_link_opens_a_term_and_typing_filters_and_a_click_writes_the_link(server, watched):
    page, _ = watched
    page.goto(f"{server}/glossary?term=residual-stream&model=bert")
    settle(page)
    chosen = page.locator(".entry.chosen a.term")
    expect(chosen).to_have_text("residual stream")
    expect(chosen).to_be_in_viewport()
    field = page.get_by_role("searchbox", name="Search the terms")
    terms = page.locator("a.term")
    total = terms.count()
    assert total > 200
    field.fill("causal")
    expect(terms.first).to_have_text("causal mask")
    assert terms.count() < 10
    expect(page.get_by_role("status").filter(has_text=f"of {total} terms")).to_be_visible()
    terms.first.click()
    expect(page).to_have_url(re.compile("term=causal-mask"))
    # What else the link says stays, and the back button leads to the term before.
    assert "model=bert" in page.url
    assert field.input_value() == "causal"
    page.go_back()
    expect(chosen).to_have_text("residual stream")
