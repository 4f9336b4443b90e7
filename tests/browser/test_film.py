"""The film in a real browser: one slider moves every figure."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import settle


def test_one_slider_moves_all_figures(server, watched):
    page, _ = watched
    page.goto(f"{server}/film")
    settle(page)
    slider = page.locator(".st-key-film-slider input[type=range]")
    slider.fill("0")
    for figure in ("weights", "guesses", "written"):
        expect(page.locator(f".st-key-film-{figure}")).to_contain_text("before training")
    for figure in ("losses", "words"):
        expect(page.locator(f".st-key-film-{figure}")).to_be_visible()
    told = page.locator(".told", has_text="training").or_(page.locator(".told", has_text="step"))
    expect(told.first).to_contain_text("Before training")
    page.keyboard.press("Escape")
    slider.press("ArrowRight")
    expect(page.locator(".st-key-film-words .told")).to_contain_text("After 1 step")
    page.locator("textarea.text").fill("Tim met a bear. Tim met a")
    expect(page.locator(".st-key-film-weights")).to_contain_text("Tim")
