"""The masked-word page in a browser: words are hidden by click and key, and the link says which."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle


def strip_of(page):
    """The text with its hidden words."""
    return page.locator(".st-key-masked-strip .strip")


def marked(page) -> list[str]:
    return [note.strip() for note in strip_of(page).locator(".chip.marked .note").all_inner_texts()]


def test_words_are_hidden_by_click_and_the_link_and_undo_bring_them_back(server, watched):
    page, _ = watched
    page.goto(f"{server}/masked-word?text=The+cat+sat+on+the+mat&hide=1")
    settle(page)
    assert marked(page) == ["cat"]
    reading = page.locator(".st-key-masked-strip .reading")
    before = reading.inner_text()
    for _ in range(2):  # the same click after the same undo must count again
        strip_of(page).locator(".chip", has_text="mat").click()
        expect(page).to_have_url(re.compile(r"hide=1%2C5"))
        settle(page)
        assert marked(page) == ["cat", "mat"]
        page.get_by_role("button", name="Undo").click()
        expect(page).to_have_url(re.compile(r"hide=1(&|$)"))
        settle(page)
        assert marked(page) == ["cat"]
    for word in ("sat", "mat"):  # clicks in a row are all kept
        strip_of(page).locator(".chip", has_text=word).click()
    expect(page).to_have_url(re.compile(r"hide=1%2C2%2C5"))
    settle(page)
    assert reading.inner_text() != before
    assert "mat" in reading.inner_text()
    expect(page.locator(".st-key-masked-strip .facts").first).to_contain_text("3 words hidden")
    rows = page.locator(".row.mirror:visible")
    folded = rows.count()
    page.get_by_role("button", name=re.compile("Show all")).click()
    assert rows.count() > folded
    assert rows.count() >= 20
    page.goto(page.url)  # it opens again as it was left
    settle(page)
    assert marked(page) == ["cat", "sat", "mat"]
    assert "mat" in reading.inner_text()
    page.locator("button.row").nth(3).click()
    expect(page.get_by_role("textbox", name="Second sentence")).to_have_value(re.compile("river"))
    page.get_by_role("button", name="Roll the dice again").click()
    expect(page).to_have_url(re.compile("dice_seed=1"))
    expect(page.get_by_role("spinbutton", name="Seed")).to_have_value("1")
    page.get_by_role("button", name="Undo").click()
    expect(page).not_to_have_url(re.compile("dice_seed"))


def test_a_word_is_hidden_whole_and_by_the_keyboard(server, watched):
    page, _ = watched
    page.goto(f"{server}/masked-word?text=Frodo+met+Lothlorien&hide=1")
    settle(page)
    chips = strip_of(page).locator(".chip")
    chips.nth(0).focus()
    for _ in range(chips.count() - 2):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"hide=1%2C2"))
    settle(page)
    pieces = marked(page)
    assert len(pieces) > 2
    # Focus has stayed in the strip, so the next key still works.
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"hide=1(&|$)"))


@pytest.mark.parametrize(("text", "at"), [("🙂", "masked-strip"), ("[MASK]", "masked-example")])
def test_a_text_without_a_word_to_hide_is_said_once_on_the_page(server, watched, text, at):
    page, _ = watched
    page.goto(f"{server}/masked-word?text={text}")
    settle(page)
    page.get_by_role("heading", name="How BERT is trained").scroll_into_view_if_needed()
    settle(page)
    said = page.locator(".problem:visible", has_text="The model knows no word of this text")
    expect(said).to_have_count(1)
    expect(page.locator(f".st-key-{at} .problem")).to_contain_text("knows no word")
    # Another text, and nothing of it is left.
    box = page.locator("textarea.text")
    box.fill("The cat sat")
    box.press("Enter")
    settle(page)
    page.get_by_role("heading", name="How BERT is trained").scroll_into_view_if_needed()
    settle(page)
    expect(said).to_have_count(0)
    expect(page.locator(".st-key-masked-example .chip")).to_have_count(5)


def test_the_last_place_of_the_strip_leads_to_what_the_model_predicts(server, watched):
    page, _ = watched
    page.goto(f"{server}/heads?model=bert")
    settle(page)
    page.get_by_role("link", name="hidden word").click()
    expect(page.locator("h1.glass-title")).to_have_text("Which word is hidden?")
    page.goto(f"{server}/heads?model=gpt")
    settle(page)
    page.get_by_role("link", name="next word").click()
    expect(page.locator("h1.glass-title")).to_have_text("What comes next?")
