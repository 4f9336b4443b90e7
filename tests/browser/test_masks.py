"""The masks page in a browser: cells are painted by pointer and key, and the link has the mask."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlparse

import numpy as np
from playwright.sync_api import expect

from core.runs.mask_spec import MaskSpec
from tests.browser.conftest import settle

TEXT = "The+cat+sat+on+the+mat"


def grid(page):
    """The mask: the first matrix that can be pointed at."""
    return page.locator("canvas[role=application]").first


def centre(page, row: int, col: int, n: int) -> tuple[float, float]:
    """Where a cell of the ``n`` by ``n`` mask is on the screen (26 pixels a side)."""
    box = grid(page).bounding_box()
    left = box["x"] + box["width"] - 6 - 26 * n
    return left + 26 * col + 13, box["y"] + 26 * row + 13


def painted(page) -> np.ndarray:
    """The mask that the link holds."""
    (text,) = parse_qs(urlparse(page.url).query)["mask"]
    return MaskSpec.parse(text).cells()


def test_cells_are_painted_one_by_one_and_in_strokes(server, watched):
    page, _ = watched
    page.goto(f"{server}/masks?text={TEXT}&model=gpt")
    settle(page)
    page.get_by_role("radio", name="painted by hand").click()
    expect(page).to_have_url(re.compile("mask=painted"))
    settle(page)
    before = painted(page)
    n = len(before)
    np.testing.assert_array_equal(before, np.tril(np.ones((n, n), bool)))
    # A stroke over three closed cells opens them, ...
    page.mouse.move(*centre(page, 1, 3, n))
    page.mouse.down()
    for col in (4, 5):
        page.mouse.move(*centre(page, 1, col, n))
    page.mouse.up()
    settle(page)
    assert painted(page)[1, 3:6].all()
    expect(page.locator(".notes .warning")).to_contain_text("can see the token")
    # ... quick clicks on open cells close them, and none is lost.
    for row in (4, 5, 6):
        page.mouse.click(*centre(page, row, 2, n))
    settle(page)
    after = painted(page)
    assert not after[4:7, 2].any()
    assert (after != before).sum() == 6
    # The keyboard paints too.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    settle(page)
    assert not painted(page)[6, 1]
    # The link brings it all back, undo takes the last stroke away.
    page.goto(page.url)
    settle(page)
    assert not painted(page)[6, 1]


def test_the_arithmetic_follows_the_cell_of_each_mask_and_nothing_jumps(server, watched):
    page, _ = watched
    page.goto(f"{server}/masks?text={TEXT}&model=gpt&mask=causal")
    settle(page)
    top = grid(page).bounding_box()["y"]
    how = page.locator(".how").first
    page.mouse.click(*centre(page, 5, 1, 7))
    expect(how).to_contain_text("Key 1 is not after query 5: allowed")
    page.mouse.click(*centre(page, 2, 4, 7))
    expect(how).to_contain_text("Key 4 is after query 2: masked")
    expect(page).to_have_url(re.compile(r"token=2.*key=4|key=4.*token=2"))
    settle(page)
    assert abs(grid(page).bounding_box()["y"] - top) < 1
    # The same token is selected in the strip.
    assert "cat" in page.locator(".chip[aria-selected=true]").first.inner_text()
    page.get_by_role("tab", name="2 Mask").click()  # the worked example
    expect(page.get_by_text("Scores under the causal mask")).to_be_visible()
    page.get_by_role("tab", name="3 Softmax").click()
    expect(page.locator(".how").nth(1)).to_contain_text("0.269")
    page.goto(f"{server}/masks?text={TEXT}&model=gpt&mask=window:2&sheet=1&token=4&key=1")
    settle(page)
    expect(how).to_contain_text("“sat” attends to “cat”")
    expect(how.locator(".sum")).to_have_count(3)
    page.get_by_role("tab", name="Weights").click()
    expect(page).to_have_url(re.compile("sheet=2"))


def test_under_a_batch_the_stage_is_on_the_screen_and_a_row_is_a_sentence(server, watched):
    page, _ = watched
    page.goto(f"{server}/masks?mask=padding&sentence=0&model=gpt")
    settle(page)
    axes = page.locator(".st-key-masks-grid .axes").bounding_box()
    assert axes["y"] + axes["height"] <= 900
    # The batch is saved from beneath the stage.
    assert page.locator(".st-key-save-masks-batch").bounding_box()["y"] > axes["y"]
    batch = page.locator(".st-key-masks-batch canvas").first
    box = batch.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 2.5 * 20)
    expect(page).to_have_url(re.compile("sentence=2"))
    settle(page)
    assert page.locator(".st-key-masks-strip .chip").nth(1).inner_text().startswith("Stop")
