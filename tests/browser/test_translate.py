"""The Translate page in a browser: one selection moves both streams, the words and the matrix."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle


def strips(page):
    return page.locator(".strip")


def share(page, word: str) -> float:
    """How much of its attention the selected target word gives to a source token, in per cent."""
    chip = strips(page).nth(0).locator(".chip").filter(has_text=re.compile(rf"^·?{word}"))
    return float(chip.first.inner_text().split()[-2].lstrip("·"))


def test_a_target_word_is_selected_in_every_figure(server, watched):
    page, _ = watched
    page.goto(f"{server}/translate")
    settle(page)
    source, target = strips(page).nth(0), strips(page).nth(1)
    expect(source.locator(".chip").last).to_contain_text("</s>")
    target.locator(".chip").filter(has_text="black").click()
    settle(page)
    expect(page.get_by_text("After “black”").first).to_be_visible()
    assert share(page, "noir") > 90
    target.locator(".chip").filter(has_text="cat").click()
    settle(page)
    assert share(page, "chat") > 90
    expect(page).to_have_url(re.compile("token=3"))


def test_each_kind_of_attention_has_its_rows_and_columns(server, watched):
    page, _ = watched
    page.goto(f"{server}/translate?token=2")
    settle(page)
    axes = page.locator(".axes, .axes-note, .note").filter(has_text="rows:").first
    expect(axes).to_contain_text("target")
    expect(axes).to_contain_text("source")
    page.get_by_role("radio", name="encoder self-attention", exact=True).or_(
        page.get_by_role("button", name="encoder self-attention", exact=True)
    ).first.click()
    settle(page)
    expect(page).to_have_url(re.compile("attention=encoder"))


def test_a_target_of_ones_own_is_expected_word_by_word(server, watched):
    page, _ = watched
    page.goto(f"{server}/translate?token=2")
    settle(page)
    page.get_by_role("textbox", name="Target").fill("My black dog")
    page.keyboard.press("Enter")
    settle(page)
    expect(page).to_have_url(re.compile(r"target=My(\+|%20)black(\+|%20)dog"))
    expect(page.locator(".chart").first).to_contain_text("cat")
    assert strips(page).nth(1).locator(".chip").count() == 4
