"""From a lesson's figure to its page with what is chosen, and back to the step, in a browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle

SENTENCE = "The old cat sleeps in the sun"


def test_a_token_chosen_in_the_figure_is_chosen_on_the_page_and_the_answer_is_kept(server, watched):
    page, _ = watched
    page.goto(f"{server}/lessons?lesson=attention&lesson_at=3&text={SENTENCE.replace(' ', '+')}")
    settle(page)
    onward = page.get_by_role(
        "link", name="Open on the page “Inside a layer: Attention, step by step”"
    )
    expect(onward).to_have_count(0)  # nothing of what is covered is said
    page.locator("section.question .field input").fill("12345")
    page.get_by_role("button", name="Check").click()
    settle(page)
    page.get_by_role("button", name="Show the answer").click()
    solution = page.locator("section.question .solution")
    expect(solution).to_be_visible()
    said = solution.inner_text()
    settle(page)
    page.locator(".lesson-figure canvas").first.click(position={"x": 130, "y": 100})
    row = re.compile(r"[?&]token=(\d+)")
    expect(onward).to_have_attribute("href", re.compile(r"[?&]attention\.3a\.token="))
    token = row.search(onward.get_attribute("href") or "")
    assert token is not None
    onward.click()  # before the server has heard of the token
    expect(page).to_have_url(re.compile(r"/attention\?"))
    settle(page)
    expect(page.locator("textarea.text")).to_have_value(SENTENCE)
    assert row.findall(page.url) == [token[1]]
    back = page.get_by_role("link", name=re.compile("Back to the lesson: .*, step 3"))
    expect(back).to_be_visible()
    page.reload()  # another session on the server
    settle(page)
    assert row.findall(page.url) == [token[1]]
    back.click()
    expect(page).to_have_url(re.compile(r"/lessons\?.*lesson_at=3"))
    settle(page)
    expect(solution).to_have_text(said)
    expect(page.locator("textarea.text")).to_have_value(SENTENCE)
    assert f"attention.3a.token={token[1]}" in page.url
    expect(back).to_have_count(0)
    onward.click()
    expect(page).to_have_url(re.compile(r"/attention\?"))
    settle(page)
    page.get_by_role("button", name="Stay here and remove this line").click()
    expect(back).to_have_count(0)
    settle(page)
    assert "back_to" not in page.url
