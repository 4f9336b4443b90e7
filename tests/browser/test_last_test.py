"""The last test in a real browser: one answer, kept over a reload, and the result."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import rest
from tests.browser.playing import TITLE


@pytest.mark.slow
def test_an_answer_is_kept_and_counted(server, watched):
    page, _watch = watched
    page.goto(f"{server}/lessons")
    rest(page)
    page.get_by_role("button", name="Take the last test").click()
    expect(page.locator(TITLE)).to_have_text("Question 1 of 30")
    rest(page)
    section = page.locator("section.question")
    asked = section.locator(".ask").inner_text()
    section.locator("button.give").click()
    expect(section.locator(".solution")).to_be_visible()
    rest(page)
    page.reload()
    rest(page)
    expect(section.locator(".solution")).to_be_visible()
    assert section.locator(".ask").inner_text() == asked
    page.goto(f"{server}/lessons?lesson=last-test&lesson_at=30")
    rest(page)
    expect(page.get_by_text("29 questions are still open.")).to_be_visible()
    expect(page.get_by_text("Right answers: 0 of 30")).to_be_visible()
    page.get_by_role("button", name="Go to the next open question").click()
    expect(page).to_have_url(re.compile("lesson_at=1"))
    expect(page.locator(TITLE)).to_have_text("Question 2 of 30")
