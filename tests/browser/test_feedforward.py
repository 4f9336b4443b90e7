"""The feed-forward page in a browser: a unit or a token is pointed at, and everything follows."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle

TEXT = "The+cat+sat+on+the+mat"


def test_a_unit_is_selected_and_the_strip_and_the_words_follow(server, watched):
    page, _ = watched
    page.goto(f"{server}/feed-forward?text={TEXT}&model=gpt")
    settle(page)
    canvas = page.locator("canvas[role=application]").first
    box = canvas.bounding_box()
    chips = page.locator(".strip").first.locator(".chip .note")
    before = chips.all_inner_texts()
    how = page.locator(".how").first
    first = how.inner_text()
    # The third row, the second token.
    canvas.click(position={"x": box["width"] - 6 - 26 * 5.5, "y": 26 * 2.5})
    expect(how).not_to_have_text(first)
    expect(how).to_contain_text("GELU(")
    assert chips.all_inner_texts() != before
    expect(page).to_have_url(re.compile(r"unit=\d+"))
    expect(page).to_have_url(re.compile("token=1"))
    settle(page)
    unit = re.search(r"unit=(\d+)", page.url).group(1)
    facts = page.locator(".st-key-ffn-units .facts").first
    expect(facts).to_contain_text(f"unit {unit} on “The”")
    page.get_by_role("heading", name="What the selected unit writes").scroll_into_view_if_needed()
    expect(page.get_by_role("heading", name=f"What unit {unit} of layer")).to_be_visible()
    # The link opens it again.
    page.goto(page.url)
    settle(page)
    expect(facts).to_contain_text(f"unit {unit} on “The”")


def test_another_function_is_drawn(server, watched):
    page, _ = watched
    page.goto(f"{server}/feed-forward?text={TEXT}&model=gpt")
    settle(page)
    page.get_by_role("radio", name="squared ReLU").click()
    expect(page).to_have_url(re.compile("function=relu_squared"))
    expect(page.locator(".js-plotly-plot")).to_have_count(1)  # not beside the one before
    assert page.locator(".modebar-btn").count() == 0  # they would lie over the title on a phone
    expect(page.locator(".gtitle").first).to_contain_text("squared ReLU")
