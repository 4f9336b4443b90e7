"""The page of objectives in a browser: the table wide and on a phone, and what is picked in it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.axe import ours, severe
from tests.browser.conftest import PHONE, settle

ROW, ON_PHONE = 24, 26  # pixels of the table's rows


def wider_than_the_screen(page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


def test_a_word_is_picked_and_every_model_is_asked_for_it(server, watched):
    page, _ = watched
    page.goto(f"{server}/objectives")
    settle(page)
    expect(page.locator("h1.glass-title")).to_have_text("What can a model learn from one sentence?")
    expect(page.locator(".st-key-objectives-table .told")).to_contain_text(
        "The text has 12 words and signs."
    )
    canvas = page.locator("canvas[role=application]").first
    expect(page.get_by_role("tab")).to_have_count(0)
    box = canvas.bounding_box()
    assert 9 * ROW < box["height"] < 14 * ROW
    page.get_by_role("radio", name="All", exact=True).click()
    expect(page).to_have_url(re.compile(r"ways=all"))
    settle(page)
    box = canvas.bounding_box()
    assert box["height"] > 20 * ROW
    # The second column from the right, in the second row of the second way.
    canvas.click(position={"x": box["width"] - 100, "y": 4.5 * ROW})
    expect(page).to_have_url(re.compile(r"text_word=12"))
    expect(page).to_have_url(re.compile(r"lane=1"))
    expect(page.get_by_role("heading", name="Probability of “.”")).to_be_visible()
    page.get_by_role("button", name="Roll the dice again").click()
    expect(page).to_have_url(re.compile(r"dice_seed=25"))
    settle(page)
    # The link brings it back.
    page.goto(page.url)
    settle(page)
    expect(page.get_by_role("heading", name="Probability of “.”")).to_be_visible()
    said = page.get_by_text("needs two sentences, and this text is one")
    page.goto(f"{server}/objectives?lane=4&text=The+dog+ate+all+of+his+food.")
    settle(page)
    expect(said).to_be_visible()
    page.goto(f"{server}/objectives?lane=4&text=The+dog+was+hungry.+He+ate.")
    settle(page)
    expect(said).to_have_count(0)


def test_on_a_phone_each_way_has_a_tab_and_all_its_words_in_sight(server, watched):
    page, _ = watched
    page.set_viewport_size(PHONE)
    page.goto(f"{server}/objectives?ways=all")
    settle(page)
    tabs = page.get_by_role("tab")
    expect(tabs).to_have_text(["Next token", "Word after", "Word before", "Masked words",
                               "Sentence pair", "Spans", "Noise"])  # fmt: skip
    expect(tabs.first).to_have_attribute("aria-selected", "true")
    canvas = page.locator("canvas[role=application]").first
    tabs.filter(has_text="Spans").click()
    expect(page).to_have_url(re.compile(r"lane=5"))
    expect(page.get_by_role("heading", name="One text, as “Spans” has it")).to_be_visible()
    settle(page)
    box = canvas.bounding_box()
    assert box["x"] + box["width"] <= PHONE["width"]
    assert box["height"] > 14 * ON_PHONE  # of the text 12 words, before it and after it one
    canvas.click(position={"x": box["width"] - 20, "y": 3.5 * ON_PHONE})
    expect(page).to_have_url(re.compile(r"text_word=3"))
    expect(page.get_by_role("heading", name="Probability of “was”")).to_be_visible()
    settle(page)
    assert wider_than_the_screen(page) <= 0
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert ours(severe(page)) == []
    # A tablet held upright has room for all of it.
    page.set_viewport_size({"width": 1024, "height": 900})
    expect(tabs).to_have_count(0)
