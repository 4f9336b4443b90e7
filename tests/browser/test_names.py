"""Names in the picture: one may be wider than what it names, and is still its own."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle

FLOW = ".st-key-flow"
LONGEST = 20_000  # ms


def test_a_name_is_its_part_as_far_as_it_is_drawn_and_none_throws_out(server, visitor):
    page = visitor(phone=True, reduced_motion="reduce")
    page.goto(f"{server}/?place=layer5")
    settle(page)
    drawn = page.locator(f"{FLOW} canvas").first
    heads = page.locator(f"{FLOW} .marks .head")
    box, first, network = (one.bounding_box() for one in (drawn, heads.first, heads.last))
    assert box is not None
    assert first is not None
    assert network is not None
    y = network["y"] - box["y"] - 14
    drawn.click(position={"x": first["x"] - box["x"] - 16, "y": y})  # "norm": nothing is in it
    assert page.url.endswith("place=layer5")
    drawn.click(position={"x": network["x"] - box["x"] - 20, "y": y})
    expect(page).to_have_url(re.compile(r"place=layer5\.ffn$"))
    expect(page.locator(f"{FLOW} .mark").first).to_be_attached(timeout=LONGEST)
    drawn.click(position={"x": box["width"] - 40, "y": y})  # a title of what is in it
    settle(page)
    assert page.url.endswith("place=layer5.ffn")
    mark = page.locator(f"{FLOW} .mark").first.bounding_box()
    assert mark is not None
    row = {"x": mark["x"] - box["x"] - 24, "y": mark["y"] - box["y"] + mark["height"] / 2}
    drawn.click(position=row)  # the name of the row
    expect(page).to_have_url(re.compile(r"place=layer5\.ffn\.unit\d+$"))
    settle(page)


def test_what_a_tap_on_the_words_opens_is_seen(server, visitor):
    page = visitor(phone=True, reduced_motion="reduce")
    page.goto(server)
    settle(page)
    drawn = page.locator(f"{FLOW} canvas").first
    whole = drawn.bounding_box()
    assert whole is not None
    drawn.click(position={"x": 150, "y": whole["height"] - 150})  # far below what it opens
    expect(page).to_have_url(re.compile("place=words$"))
    expect(page.locator(f"{FLOW} .mark").first).to_be_in_viewport(ratio=1, timeout=LONGEST)
    settle(page)
    box = drawn.bounding_box()
    assert box is not None
    assert box["height"] < whole["height"] - 150  # where the words stood is no hole
