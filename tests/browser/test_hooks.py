"""Streamlit's page still has what the scripts and the style sheets hook into, by its names."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, ROOT, settle

SCRIPT = ROOT / "assets" / "components" / "shared" / "streamlit.js"
STYLE = ROOT / "assets" / "streamlit.css"
# Pages that have, between them, everything that is hooked into.
SHOWN = (
    "translate",
    "models",
    "next-token",
    "tokenization",
    "attention?view=lecture",
    "attention?back_to=attention&back_at=3&layer=99",
)
MATCHED = "(selectors) => selectors.filter((one) => document.querySelector(one))"


def hooks() -> set[str]:
    """Every selector of the two files that names something of Streamlit's."""
    lists = re.findall(r"'([^']*data-testid[^']*)'", SCRIPT.read_text(encoding="utf-8"))
    style = re.sub(r"/\*.*?\*/", "", STYLE.read_text(encoding="utf-8"), flags=re.S)
    lists += re.findall(r"([^{}]+)\{", style)
    each = [one.strip() for several in lists for one in several.split(",")]
    return {re.sub(r"::(before|after)$", "", one) for one in each}


def test_every_name_that_is_hooked_into_is_there(server, watched):
    page, _ = watched
    missing = hooks()
    assert len(missing) >= 10

    def look(page: Page) -> None:
        missing.difference_update(page.evaluate(MATCHED, sorted(missing)))

    for address in SHOWN:
        page.goto(f"{server}/{address}")
        settle(page)
        if address == "models":  # a busy machine draws its numbers last
            expect(page.get_by_test_id("stMetricValue").first).to_be_attached()
        if address == SHOWN[-1]:  # what is wrong in a link is said until something is changed
            page.locator(".st-key-attention-row .chip").first.click()
            page.wait_for_selector("body[data-changed]", state="attached")
        look(page)
    page.get_by_test_id("stTopNavSection").first.click()
    expect(page.get_by_test_id("stTopNavSection").first).to_have_attribute("aria-expanded", "true")
    look(page)
    page.set_viewport_size(PHONE)
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    look(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_test_id("stSidebarNavLink").first).to_be_visible()
    look(page)
    assert missing == set()


def test_it_connects_before_it_has_heard_where_its_server_is(server, watched):
    """Two questions and their answers stand between a page and its text otherwise."""
    page, _ = watched
    for name in ("health", "host-config"):
        page.route(f"**/_stcore/{name}", lambda _route: None)  # it is never answered
    page.goto(f"{server}/attention")
    expect(page.locator("h1.glass-title")).to_be_visible()
    page.unroute_all()
