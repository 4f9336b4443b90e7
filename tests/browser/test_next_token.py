"""The next-token page in a browser: steps, stages and tokens are followed, and saved as shown."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import expect

from tests.browser.conftest import settle

SPACE = "{http://www.w3.org/2000/svg}"


def title_of(page) -> str:
    """What the bars are of."""
    return page.locator(".st-key-predict-next h2.title").inner_text()


def test_a_step_moves_strip_bars_and_blocks_together_and_what_is_shown_is_saved(server, watched):
    page, _ = watched
    page.goto(f"{server}/next-token?text=The+cat&new=4&seed=1&top_k=5")
    settle(page)
    assert title_of(page) == "What comes after “cat”"
    chips = page.locator(".strip .chip:visible")
    n = chips.count()
    page.get_by_role("button", name="Next step").click()
    expect(chips).to_have_count(n + 1)
    settle(page)
    newest = chips.nth(n).locator(".label").inner_text().removeprefix("·")
    assert title_of(page) == f"What comes after “{newest}”"
    heading = page.get_by_role("heading", name=f"What it would predict after “{newest}”")
    expect(heading).to_be_visible()
    expect(page).to_have_url(re.compile("made=1"))
    # A chip is looked at; the next step lets go of it.
    chips.nth(1).click()
    settle(page)
    assert title_of(page) == "What comes after “The”"
    page.get_by_role("button", name="Next step").click()
    expect(chips).to_have_count(n + 2)
    assert title_of(page) != "What comes after “The”"
    chips.nth(1).click()
    page.get_by_role("tab", name="top-k 5").click()
    bars = page.locator(".st-key-predict-next")
    bars.locator("summary").click()
    with page.expect_download() as started:
        bars.get_by_role("menuitem", name="Drawing (SVG)").click()
    drawing = ElementTree.fromstring(Path(started.value.path()).read_text())
    texts = ["".join(one.itertext()) for one in drawing.iter(f"{SPACE}text")]
    assert title_of(page) == "What comes after “The”"
    assert drawing.find(f"{SPACE}title").text == "What comes after “The”"
    assert "top-k 5" in texts
    rows = page.locator(".st-key-predict-next .row")
    assert [text for text in texts if text.startswith("cut")] == (
        page.locator(".st-key-predict-next .row.out .share").all_inner_texts()
    )
    shown = rows.locator(".word").all_inner_texts()
    assert set(shown) <= set(texts)
