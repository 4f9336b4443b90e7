"""Colours and lectures for everybody; every page is looked at by axe in test_pages.py."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from core.figures.theme import DARK, LIGHT
from tests.browser.axe import ours, severe
from tests.browser.conftest import draw_all, settle


def css(colour: str) -> str:
    """A ``#rrggbb`` as a browser says it."""
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


def test_a_lecture_and_the_list_of_shortcuts_have_nothing_of_it_either(server, watched):
    page, _ = watched
    page.goto(f"{server}/attention?view=lecture")
    settle(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert ours(severe(page)) == []


def test_a_plot_is_one_picture_with_a_name_and_follows_when_the_page_goes_dark(server, watched):
    page, _ = watched
    page.goto(f"{server}/feed-forward?model=gpt")  # the page with a single plot
    draw_all(page)
    plot = page.locator(".st-key-ffn-curve .plot")
    expect(plot).to_have_role("img")
    expect(plot).to_have_accessible_name(re.compile(r"\w{3,} \w+"))
    titles = plot.locator(".gtitle")
    for scheme, colors in (("light", LIGHT), ("dark", DARK)):
        page.emulate_media(color_scheme=scheme)
        # While it is drawn anew, there are two for a moment.
        expect(titles.last).to_have_css("fill", css(colors.text))
        expect(titles).to_have_count(1)
