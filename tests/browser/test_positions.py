"""Embeddings and position in a browser: tokens, sheets, sliders and shuffles."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import draw_all, settle


def title_of(page: Page, figure: str) -> Locator:
    """The title of a plot; one that was replaced while it loaded stays behind, and is not shown."""
    return page.locator(f".st-key-{figure} .gtitle").filter(visible=True)


def unfold(page: Page) -> None:
    """Open all that is folded away."""
    for name in ("waves", "ways", "open"):
        settle(page)  # a click while the page is still drawn may fall on what is drawn anew
        page.locator(f".st-key-fold-{name} summary").first.click()
        expect(page.locator(f".st-key-fold-{name} details").first).to_have_attribute("open", "")
    settle(page)


def test_a_token_is_looked_up_and_the_link_brings_it_back(server, watched):
    page, _ = watched
    page.goto(f"{server}/positions?text=The+dog+saw+another+dog")
    settle(page)
    strip = page.locator(".st-key-embed-tokens")
    reading = strip.locator(".reading")
    before = reading.inner_text()
    strip.locator(".chip").last.click()
    expect(page).to_have_url(re.compile(r"token=5"))
    assert reading.inner_text() != before
    expect(reading).to_contain_text("Position 2 reads the same row.")
    table = page.locator(".st-key-embed-lookup")
    table.get_by_role("tab", name="their sum").click()
    expect(page).to_have_url(re.compile(r"table=2"))
    expect(table.locator(".step.now h3")).to_have_text("3 Add them up")
    settle(page)
    page.goto(page.url)
    settle(page)
    expect(reading).to_contain_text("Position 2 reads the same row.")
    expect(table.locator(".step.now h3")).to_have_text("3 Add them up")
    said = table.locator(".how .title")
    before = said.inner_text()
    table.locator("canvas").first.focus()
    page.keyboard.press("ArrowRight")
    expect(said).not_to_have_text(before)
    page.keyboard.press("ArrowUp")  # another row is read by another token
    expect(page).not_to_have_url(re.compile(r"token=5"))


def test_the_figures_are_drawn_and_follow_the_sliders(server, watched):
    page, _ = watched
    page.goto(f"{server}/positions")
    settle(page)
    unfold(page)
    draw_all(page)
    expect(page.locator(".plot .gtitle")).to_have_count(9)
    title = title_of(page, "positions-sinusoidal")
    expect(title).to_have_text("Sinusoidal: 50 positions × 512")
    page.goto(f"{server}/positions?d_model=4&positions=400&shuffle_seed=5")
    settle(page)
    unfold(page)
    expect(title).to_have_text("Sinusoidal: 400 positions × 4")
    draw_all(page)
    expect(page.locator(".told").filter(has_text="rounding")).to_have_count(2)
    page.get_by_role("spinbutton", name="Shuffle number").fill("6")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("shuffle_seed=6"))


def test_an_experiment_scrolls_to_what_it_changed_unless_something_is_pressed(server, watched):
    page, _ = watched
    page.goto(f"{server}/positions")
    settle(page)
    page.get_by_role("button", name="Ask for 600 positions").click()
    drawn = title_of(page, "positions-sinusoidal")
    expect(drawn.filter(has_text="Sinusoidal: 600 positions × 512")).to_have_count(1)
    expect(drawn).to_have_count(1)  # the plot before it is gone
    expect(drawn).to_be_in_viewport()
    outcome = page.locator(".st-key-positions-sinusoidal .outcome")
    expect(outcome).to_contain_text("600 positions")
    expect(outcome).to_be_in_viewport()
    page.goto(f"{server}/positions")
    settle(page)
    page.get_by_role("button", name="Ask for 600 positions").click()
    scrolled = page.evaluate(
        """async () => {
          const main = document.querySelector('[data-testid="stMain"]');
          const wait = (ms) => new Promise((done) => setTimeout(done, ms));
          for (let i = 0; i < 500 && !main.scrollTop; i++) await wait(20);
          const before = main.scrollTop;
          main.scrollTop = 0;
          main.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, composed: true }));
          await wait(500);
          return [before > 0, main.scrollTop];
        }"""
    )
    assert scrolled == [True, 0]
