"""The feed-forward page in a browser: a unit or a token is pointed at, and everything follows."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from core.figures.theme import DARK, LIGHT
from tests.browser.conftest import draw_all, settle

TEXT = "The+cat+sat+on+the+mat"


def css(colour: str) -> str:
    """A ``#rrggbb`` as a browser says it."""
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


def test_a_unit_is_selected_and_another_function_drawn_in_the_colours_of_the_page(server, watched):
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
    page.get_by_role("radio", name="squared ReLU").click()
    expect(page).to_have_url(re.compile("function=relu_squared"))
    expect(page.locator(".js-plotly-plot")).to_have_count(1)  # not beside the one before
    assert page.locator(".modebar-btn").count() == 0  # they would lie over the title on a phone
    draw_all(page)
    plot = page.locator(".st-key-ffn-curve .plot")
    expect(plot).to_have_role("img")
    expect(plot).to_have_accessible_name(re.compile(r"\w{3,} \w+"))
    titles = plot.locator(".gtitle")
    expect(titles.first).to_contain_text("squared ReLU")
    for scheme, colors in (("light", LIGHT), ("dark", DARK)):
        page.emulate_media(color_scheme=scheme)
        # While it is drawn anew, there are two for a moment.
        expect(titles.last).to_have_css("fill", css(colors.text))
        expect(titles).to_have_count(1)
