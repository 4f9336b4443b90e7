"""The line under the text box in a browser: it mends, offers, and waits while somebody types."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE, new_page, settle


def test_a_click_takes_the_blank_at_the_end_away(server, watched):
    page, _ = watched
    page.goto(f"{server}/next-token?text=Once+upon+a+&new=1")
    settle(page)
    line, box = page.locator(".under"), page.locator("textarea.text")
    expect(line).to_contain_text("Your text ends with a space")
    line.get_by_role("button", name="Remove the space").click()
    expect(line).not_to_contain_text("Your text ends with a space")
    assert box.input_value() == "Once upon a"
    settle(page)
    expect(page.locator(".st-key-predict-next .row .word").first).to_have_text("·time")
    # While somebody types on, nothing is said of a blank between two words.
    box.press("End")
    box.press_sequentially(" time ", delay=20)
    expect(line).not_to_contain_text("Your text ends with a space")
    expect(line).to_contain_text("Your text ends with a space")  # until she stops


def test_on_a_phone_sentences_are_offered_and_a_tap_beside_the_box_hits_what_it_is_meant_for(
    server, browser: Browser
):
    page = new_page(browser, viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"{server}/attention?new=1")
    settle(page)
    more, tries = page.locator("button.tool.more"), page.locator(".tries")
    more.tap()  # nothing had the keyboard before
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(tries).not_to_be_visible()
    box = page.locator("textarea.text")
    box.tap()
    expect(tries).to_be_visible()
    more.tap()  # the box has it
    expect(more).to_have_attribute("aria-expanded", "false")
    expect(tries).not_to_be_visible()
    page.goto(f"{server}/next-token?new=1")
    settle(page)
    expect(page.locator(".machine")).to_contain_text("has read mostly stories")
    box.tap()
    tries.get_by_role("button", name="The dog wagged its").tap()
    settle(page)
    assert box.input_value() == "The dog wagged its"
    expect(page.locator(".st-key-predict-next .row .word").first).to_have_text("·tail")
    page.context.close()


def test_what_was_changed_at_a_place_is_not_changed_in_another_text(server, watched):
    page, _ = watched
    page.goto(f"{server}/?off=layer4.head1%2Blayer5.head0.row11.key4.weight0")
    settle(page)
    page.locator("textarea.text").fill("The bus was late, so I missed my")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"off=layer4\.head1(?![.\w])"))
    expect(page).not_to_have_url(re.compile("key4"))
    settle(page)
