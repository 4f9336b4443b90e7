"""A hunt in a real browser: a probe is bought, a wrong diagnosis paid, the bug given up."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle


def test_a_bug_is_hunted_and_given_up_and_no_undo_gives_back_what_was_paid(server, watched):
    page, _ = watched
    page.goto(f"{server}/bug-hunt?hunt_seed=3&text=The+dog+was+hungry")
    settle(page)
    page.get_by_role("radio", name="dropout is still on").click()
    expect(page).to_have_url(re.compile("suspect=dropped"))
    page.get_by_role("button", name="Diagnose (−3 if wrong)").click()
    expect(page.get_by_text("7 points left of 10.")).to_be_visible()
    expect(page.get_by_text("Not this one: dropout is still on.")).to_be_visible()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()  # but for what was paid it is the same state
    page.get_by_role("button", name="Hunt another bug").click()
    expect(page.get_by_text("10 points left of 10.")).to_be_visible()
    page.get_by_role("button", name="Compare the predictions (−1)").click()
    expect(page.get_by_text("9 points left of 10.")).to_be_visible()
    told = page.locator(".st-key-hunt-guesses .told:not(:empty)")
    expect(told).to_contain_text("The healthy one expects")
    expect(page.get_by_text("As it is now")).to_be_hidden()
    undo.click()
    expect(page).to_have_url(re.compile("hunt_seed=3"))
    expect(page.get_by_text("7 points left of 10.")).to_be_visible()
    page.get_by_role("button", name="Give up").click()
    expect(page.get_by_text("The fault was:")).to_be_visible()
