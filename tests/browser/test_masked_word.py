"""The masked-word page in a browser: words are hidden by click and key, and the link says which."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle


def strip_of(page):
    """The first token strip: the text with its hidden words."""
    return page.locator(".strip").first


def marked(page) -> list[str]:
    return [note.strip() for note in strip_of(page).locator(".chip.marked .note").all_inner_texts()]


def test_a_click_hides_a_word_and_the_link_brings_it_back(server, watched):
    page, _ = watched
    page.goto(f"{server}/masked-word?text=The+cat+sat+on+the+mat&hide=1")
    settle(page)
    assert marked(page) == ["cat"]
    reading = page.locator(".reading").first
    before = reading.inner_text()
    strip_of(page).locator(".chip", has_text="mat").click()
    expect(page).to_have_url(re.compile(r"hide=1%2C5"))
    settle(page)
    assert marked(page) == ["cat", "mat"]
    assert reading.inner_text() != before
    assert "mat" in reading.inner_text()
    # Every hidden piece has its row; the page opens again as it was left.
    assert "2 words hidden" in str(page.locator(".glass-details .glass-what").text_content())
    page.goto(page.url)
    settle(page)
    assert marked(page) == ["cat", "mat"]
    assert "mat" in page.locator(".reading").first.inner_text()


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


def test_clicks_in_a_row_are_all_kept(server, watched):
    page, _ = watched
    page.goto(f"{server}/masked-word?text=The+cat+sat+on+the+mat&hide=none")
    settle(page)
    for word in ("cat", "sat", "mat"):
        strip_of(page).locator(".chip", has_text=word).click()
    expect(page).to_have_url(re.compile(r"hide=1%2C2%2C5"))
    settle(page)
    assert marked(page) == ["cat", "sat", "mat"]


def test_undo_and_reset_work_on_hidden_words(server, watched):
    page, _ = watched
    page.goto(f"{server}/masked-word?text=The+cat+sat+on+the+mat&hide=1")
    settle(page)
    for _ in range(2):  # the same click after the same undo must count again
        strip_of(page).locator(".chip", has_text="mat").click()
        expect(page).to_have_url(re.compile(r"hide=1%2C5"))
        settle(page)
        page.get_by_role("button", name="Undo").click()
        expect(page).to_have_url(re.compile(r"hide=1(&|$)"))
        settle(page)
        assert marked(page) == ["cat"]


def test_all_words_of_both_models_can_be_unfolded(server, watched):
    page, _ = watched
    page.goto(f"{server}/masked-word")
    settle(page)
    rows = page.locator(".row.mirror:visible")
    folded = rows.count()
    page.get_by_role("button", name=re.compile("Show all")).click()
    assert rows.count() > folded
    assert rows.count() >= 20


def test_an_example_pair_is_loaded_and_the_dice_roll(server, watched):
    page, _ = watched
    page.goto(f"{server}/masked-word")
    settle(page)
    page.locator("button.row").nth(3).click()
    expect(page.get_by_role("textbox", name="Second sentence")).to_have_value(re.compile("river"))
    page.get_by_role("button", name="Roll the dice again").click()
    expect(page).to_have_url(re.compile("dice_seed=1"))


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
